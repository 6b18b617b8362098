"""Training of the chart parser on trees, with tags from taggers that have not seen them.

A parser that learned from right tags, or from those of a tagger that knows the very sentences, would
trust tags too much. So the trees are cut into folds, and the words of each are tagged by a tagger
that was trained on all others, and on further tagged sentences if there are any (jackknifing).
The kernel does the rest: `kernels/reference/syntax/constituents.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, SettingError
from paragauge.kernels import _native
from paragauge.syntax.binarize import binarize, choose_labels
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.perceptron import PerceptronTagger, join_words
from paragauge.syntax.sentence import Sentence
from paragauge.syntax.trees import Trees

SCALE = 64.0  # of weights, before they are rounded
KINDS = (
    "NN NNS NNP NNPS PRP PRP$ DT PDT CD JJ JJR JJS POS EX FW $ HYPH AFX GW SYM ADD NFP LS",
    "VBD VBZ VBP MD",
    "VB VBG VBN",
    "RB RBR RBS RP",
    "WDT WP WP$ WRB",
)
Progress = Callable[[str], None]


@dataclass(frozen=True)
class ParserSettings:
    """Settings of training.

    `cutoff`: features that right trees have less often are left out. `chains`: chains of constituents
    that are rarer get no label. `rate`: of AdaGrad. `cost`: by how much the right label must win.
    `smallest`: weights below it, in units of 1/64, are left out. `seed`: of the order of sentences.
    """

    epochs: int = 6
    cutoff: int = 3
    chains: int = 5
    rate: float = 0.1
    cost: float = 1.0
    smallest: int = 4
    seed: int = 7

    def __post_init__(self) -> None:
        limits = (("epochs", 1, 1000), ("cutoff", 1, 1000), ("chains", 1, 1_000_000))
        for name, least, most in (*limits, ("smallest", 1, 127), ("seed", 0, 2**63 - 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= most:
                raise SettingError(
                    f"{name}: expected a whole number from {least} to {most:,}, found {value!r}"
                )
        for name, bottom in (("rate", 1e-6), ("cost", 0.0)):
            value = getattr(self, name)
            if not bottom <= value <= 1000:
                raise SettingError(
                    f"{name}: expected a number from {bottom:g} to 1,000, found {value!r}"
                )


def tag_kinds(tags: Sequence[str]) -> NDArray[np.uint8]:
    """The kind of each tag: nominal, finite and other verb, adverb, wh-word; any other by itself.

    >>> tag_kinds(["NN", "VBD", "DT", "CC"]).tolist()
    [0, 1, 0, 8]
    """
    kind = {tag: number for number, group in enumerate(KINDS) for tag in group.split()}
    return np.array([kind.get(tag, len(KINDS) + i) for i, tag in enumerate(tags)], np.uint8)


def jackknife_tags(
    sentences: Sequence[Sentence],
    more: Sequence[Sentence] = (),
    *,
    folds: int = 5,
    progress: Progress | None = None,
) -> list[list[str]]:
    """Tags of each sentence by a tagger trained on the other folds and on `more`.

    >>> corpus = [Sentence(("a", "dog", "barks"), ("DT", "NN", "VBZ"))] * 6
    >>> jackknife_tags(corpus, folds=2)[0]
    ['DT', 'NN', 'VBZ']
    """
    if not 2 <= folds <= len(sentences):
        raise SettingError(
            f"folds: expected a whole number from 2 to {len(sentences):,}, the sentences, "
            f"found {folds!r}"
        )
    tags: list[list[str]] = []
    for fold in range(folds):
        if progress is not None:
            progress(f"tags, fold {fold + 1}")
        first, last = len(sentences) * fold // folds, len(sentences) * (fold + 1) // folds
        tagger = PerceptronTagger.train([*more, *sentences[:first], *sentences[last:]])
        tags += tagger.tag([sentence.words for sentence in sentences[first:last]])
    return tags


def train_parser(
    trees: Trees,
    settings: ParserSettings | None = None,
    *,
    tags: Iterable[Sequence[str]] | None = None,
    tagger: PerceptronTagger | None = None,
    progress: Progress | None = None,
) -> ChartParser:
    """Learn from trees; same trees, tags, settings and seed: same model, bit for bit.

    `tagger` is the one that will tag text for the parser, the English one by default; `tags` are those
    to learn with, the tagger's own by default (see `jackknife_tags` for why others are better).

    >>> trees = Trees.of(["(S (NP (PRP I)) (VP (VBP see) (NP (DT a) (NN dog))))"] * 3)
    >>> parser = train_parser(trees, ParserSettings(epochs=3, chains=1))
    >>> parser.parse([["I", "see", "a", "dog"]]).to_brackets()
    ['(ROOT (S (NP (PRP I)) (VP (VBP see) (NP (DT a) (NN dog)))))']
    """
    chosen = PerceptronTagger.default() if tagger is None else tagger
    settings = settings or ParserSettings()
    if not len(trees.words.lines):
        raise InputError("expected trees to learn from, found no words")
    words = list(trees.words)
    word_tags = chosen.tag(words) if tags is None else list(tags)
    if [len(row) for row in word_tags] != [len(row) for row in words]:
        raise InputError("tags: expected one for each word of the trees")
    names = sorted(set(chosen.names) | {tag for row in word_tags for tag in row})
    number = {tag: i for i, tag in enumerate(names)}
    labels = choose_labels(trees, settings.chains)
    kinds = tag_kinds(names)
    lines = join_words(words)
    trainer = _native.ConstituentTrainer(
        lines.buffer,
        lines.spans,
        np.array([number[tag] for row in word_tags for tag in row], np.int32),
        kinds,
        labels.bar_of(),
        labels.lowest(),
        binarize(trees, labels),
        settings.cutoff,
        settings.rate,
        settings.cost,
        settings.seed,
    )
    for epoch in range(1, settings.epochs + 1):
        if progress is not None:
            progress(f"epoch {epoch}")
        trainer.epoch()
    about = {
        "tagger": chosen.name,
        "sentences": len(trees),
        "words": len(trees.words.lines),
        "settings": asdict(settings),
    }
    return ChartParser(labels, names, kinds, trainer.model(SCALE, settings.smallest), about, chosen)
