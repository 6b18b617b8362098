"""Train context classifiers (Kauchak and Barzilay 2006, section 3) from plain text.

Each sufficiently frequent word gets its own classifier: positives are places where it occurs, and as
many negatives are places in sentences without it. Text is read once (`numbered_text.py`); one scan of
the numbers samples at most `examples` places of each word, with a reservoir. Words are then trained
independently, on all cores, and the result does not depend on the number of cores.

Deviations from the paper. "For the negative examples, a random position in a sentence is selected" of
"randomly extracted sentences that do not contain this word": that reading is `negatives="sentences"`,
which draws a sentence and then one of its tokens, so that a token of a short sentence is drawn more
often. The default, `any`, draws a token of the whole text, because positives also occur more often in
long sentences, and length must not give them away: with `sentences` 90.3 % of held-out places are
classified correctly instead of 89.9 %, but not more of the human judgments. With `alike` a negative
shares a class with the word, such as plural noun (`contexts.word_classes`); that is no better on the
judgments either (`benchmarks/papers/swords.py`). Negatives are drawn `draws` times and
the weights averaged, which classifies held-out places better; training then takes `draws` times longer,
and the model has the same size. The learner is logistic regression, which is better on held-out text,
or boosted stumps, the paper's BoosTexter (Schapire and Singer 2000). The paper trains words that occur
at least 10,000 times in Gigaword's billion words; the default here is 10, for texts of a few million
words. Scores are compared with those of the replaced word (`context_model.py`).

Time is linear in the text, and in words times examples times features of a context. Memory holds the
vocabulary, the sentence lengths, and eight bytes for each example.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids
from paragauge.rewrite.context.context_decision import Decision
from paragauge.rewrite.context.context_file import Classifiers
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.context.contexts import ContextShape, word_classes
from paragauge.rewrite.numbered_text import NumberedText, numbered_text
from paragauge.text.files import display_name
from paragauge.text.tokenizers import check_threads

Learner = Literal["logistic", "boosting"]
LEARNERS: tuple[Learner, ...] = get_args(Learner)
Negatives = Literal["alike", "any", "sentences"]
NEGATIVES: tuple[Negatives, ...] = get_args(Negatives)
MOST = (1 << 31) - 1  # the largest value of a whole number
TOGETHER = 64  # words trained between two reports of progress
ALL_CLASSES = 255  # for a word to train that WordNet does not know
Progress = Callable[[str], None]


@dataclass(frozen=True)
class ContextSettings:
    """How classifiers are trained.

    >>> ContextSettings(learner="svm")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown learner 'svm'; known: logistic, boosting
    """

    shape: ContextShape = field(default_factory=ContextShape)
    learner: Learner = "logistic"
    rounds: int = 0  # passes of logistic regression, rounds of boosting; 0: 5 or 200
    rate: float = 0.1
    penalty: float = 0.0
    minimum: int = 10  # occurrences of a word
    examples: int = 5000  # the most positives of a word
    negatives: Negatives = "any"
    draws: int = 8  # of negatives; the weights are averaged
    least: int = 2  # examples with a feature
    features: int = 2000  # kept for each word
    held_out: float = 0.1
    decision: Decision = field(default_factory=Decision)
    seed: int = 7

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise unknown_name("learner", self.learner, LEARNERS)
        if self.negatives not in NEGATIVES:
            raise unknown_name("negatives", self.negatives, NEGATIVES)
        minimums = {"rounds": 0, "minimum": 1, "examples": 1, "least": 1, "features": 1}
        minimums |= {"draws": 1, "seed": 0}
        for name, least in minimums.items():
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= MOST:
                raise SettingError(
                    f"{name}: expected a whole number from {least} to {MOST:,}, found {value!r}"
                )
        if not 0 < self.rate <= 10 or not 0 <= self.penalty <= 10:
            raise SettingError(
                "rate, penalty: expected numbers up to 10, the rate above 0, "
                f"found {self.rate!r} and {self.penalty!r}"
            )
        if not 0 <= self.held_out <= 0.5:
            raise SettingError(f"held_out: expected a share from 0 to 0.5, found {self.held_out!r}")

    @property
    def learning(self) -> tuple[str, int, float, float]:
        """The learner in the form that the kernel takes."""
        rounds = self.rounds or (200 if self.learner == "boosting" else 5)
        return self.learner, rounds, self.rate, self.penalty


def train_context(
    files: Sequence[str | Path],
    settings: ContextSettings | None = None,
    *,
    words: Iterable[str] | None = None,
    folder: str | Path | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> ContextModel:
    r"""Train classifiers of all words in the files that occur often enough and are in WordNet.

    With `words`, train those instead if they occur often enough, in WordNet or not.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path = Path(place, "text")
    ...     _ = path.write_text("changes take place here\nwe go home now\n" * 50)
    ...     model = train_context([path], words=["home", "place"])
    >>> model.words
    ('home', 'place')
    """
    check_threads(threads)
    with numbered_text(files, folder=folder, threads=threads, progress=progress) as text:
        return train_numbered(
            text,
            settings or ContextSettings(),
            words=words,
            threads=threads,
            progress=progress,
            source=[Path(display_name(file)).name for file in files],
        )


def train_numbered(
    text: NumberedText,
    settings: ContextSettings,
    *,
    words: Iterable[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    source: Sequence[str] = (),
) -> ContextModel:
    """Train from text that is already numbered; `source` names it in the model."""
    types = list(text.vocabulary)
    classes = word_classes(types)
    to_train = _words_to_train(text, types, classes, settings.minimum, words)
    rows = np.full(len(types), -1, np.int32)
    rows[to_train] = np.arange(len(to_train), dtype=np.int32)
    if progress is not None:
        progress("finding examples")
    positions, offsets, occurrences = _native.sample_positions(
        text.ids, rows, len(to_train), settings.examples, settings.seed
    )
    lines = text.vocabulary.texts()
    hashes, _ = _native.hash_words(lines.buffer, lines.spans, threads)
    if settings.negatives != "alike":
        classes[:] = 1
    classes[to_train[classes[to_train] == 0]] = ALL_CLASSES
    parts = []
    for first in range(0, len(to_train), TOGETHER):
        if progress is not None:
            progress(f"training {types[int(to_train[first])]}")
        part = to_train[first : first + TOGETHER]
        bounds = offsets[first : first + len(part) + 1]
        part_positions = positions[bounds[0] : bounds[-1]]
        trained = _native.train_contexts(
            (text.ids, text.offsets),
            (hashes, classes),
            part,
            (part_positions, bounds - bounds[0]),
            settings.shape.native,
            settings.learning,
            settings.least,
            settings.features,
            settings.held_out,
            settings.draws,
            settings.negatives == "sentences",
            settings.seed,
            threads,
        )
        parts.append(Classifiers(*trained))
    about: dict[str, Any] = dataclasses.asdict(settings) | {
        "sentences": text.sentences,
        "tokens": text.tokens,
        "source": list(source),
    }
    return ContextModel(
        [types[number] for number in to_train.tolist()],
        Classifiers.join(parts),
        settings.shape,
        occurrences,
        decision=settings.decision,
        about=about,
    )


def _words_to_train(
    text: NumberedText,
    types: list[str],
    classes: NDArray[np.uint8],
    minimum: int,
    words: Iterable[str] | None,
) -> Ids:
    """The numbers of the words to train, in alphabetical order."""
    frequent = text.counts >= minimum
    if words is None:
        numbers = np.flatnonzero(frequent & (classes > 0)).tolist()
    else:
        chosen = {word.lower() for word in words}
        numbers = [i for i in np.flatnonzero(frequent).tolist() if types[i] in chosen]
    if not numbers:
        kind = "a word that WordNet knows" if words is None else "one of the given words"
        raise InputError(
            f"the text: expected {kind} at least {minimum} times, found none in {text.tokens:,} "
            "tokens; give more text or a smaller minimum"
        )
    return np.array(sorted(numbers, key=types.__getitem__), np.int32)
