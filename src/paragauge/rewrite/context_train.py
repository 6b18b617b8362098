"""Training of classifiers of contexts (Kauchak and Barzilay 2006, section 3) from plain text.

Each word that is frequent enough gets a classifier of its own: positives are places where it stands,
as many negatives are places in sentences without it. Text is read once (`numbered_text.py`); places of
all words are gathered in a scan of the numbers, at most `examples` of each, by a reservoir. Words are
then trained apart from each other, on all cores, and the result does not depend on how many.

Deviations from the paper. A negative is a random token, not a random token of a random sentence:
positives too stand in long sentences more often, and must not be told by the length. With
`negatives="alike"` it shares a class with the word, such as plural noun (`contexts.word_classes`); that
is no better on human judgments (`benchmarks/papers/swords.py`). Negatives are drawn several times
(`draws`), and the weights averaged, which classifies held-out places better; training takes as many
times longer, the model is as large. The learner is logistic regression, which is better on held-out
text, or boosting of stumps, which is the paper's BoosTexter (Schapire and Singer 2000). The paper
trains words that occur 10,000 times or more in Gigaword's billion words; the default here is 10, for
texts of some million words. Scores are compared with those of the word that is replaced
(`context_model.py`).

Time is linear in the text, and in words times examples times features of a context. Memory holds the
vocabulary, the lengths of sentences, and eight bytes for each example.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids
from paragauge.rewrite.context_file import Classifiers
from paragauge.rewrite.context_model import ContextModel, Decision
from paragauge.rewrite.contexts import ContextShape, word_classes
from paragauge.rewrite.numbered_text import NumberedText, numbered_text
from paragauge.text.files import display_name
from paragauge.text.tokenizers import check_threads

LEARNERS = ("logistic", "boosting")
NEGATIVES = ("alike", "any")
MOST = (1 << 31) - 1  # what whole numbers may be
TOGETHER = 64  # words that are trained between two reports of progress
ALL_CLASSES = 255  # of a wanted word that WordNet does not know
Progress = Callable[[str], None]


@dataclass(frozen=True)
class ContextSettings:
    """How classifiers are trained.

    >>> ContextSettings(learner="svm")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown learner 'svm'; known: logistic, boosting
    """

    shape: ContextShape = field(default_factory=ContextShape)
    learner: str = "logistic"
    rounds: int = 0  # passes of logistic regression, rounds of boosting; 0: 5 or 200
    rate: float = 0.1
    penalty: float = 0.0
    minimum: int = 10  # occurrences that a word must have
    examples: int = 5000  # positives of a word at most
    negatives: str = "any"
    draws: int = 8  # of negatives; their weights are averaged
    least: int = 2  # examples that a feature must occur in
    features: int = 2000  # kept for each word
    held_out: float = 0.1
    decision: Decision = field(default_factory=Decision)
    seed: int = 7

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise unknown_name("learner", self.learner, LEARNERS)
        if self.negatives not in NEGATIVES:
            raise unknown_name("negatives", self.negatives, NEGATIVES)
        whole = {"rounds": 0, "minimum": 1, "examples": 1, "least": 1, "features": 1}
        whole |= {"draws": 1, "seed": 0}
        for name, least in whole.items():
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= MOST:
                raise SettingError(
                    f"{name}: expected a whole number from {least} to {MOST:,}, got {value!r}"
                )
        if not 0 < self.rate <= 10 or not 0 <= self.penalty <= 10:
            raise SettingError(
                "rate, penalty: expected numbers to 10, the rate above 0, "
                f"got {self.rate!r} and {self.penalty!r}"
            )
        if not 0 <= self.held_out <= 0.5:
            raise SettingError(f"held_out: expected a share from 0 to 0.5, got {self.held_out!r}")

    @property
    def learning(self) -> tuple[str, int, float, float]:
        """The learner as the kernel takes it."""
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
    r"""Classifiers of all words in the files that occur often enough and that WordNet knows.

    With `words` those are trained instead, as far as they occur often enough, known or not.

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
    """The same from text that is numbered already; `source` names it in the model."""
    types = list(text.vocabulary)
    classes = word_classes(types)
    wanted = _wanted(text, types, classes, settings.minimum, words)
    rows = np.full(len(types), -1, np.int32)
    rows[wanted] = np.arange(len(wanted), dtype=np.int32)
    if progress is not None:
        progress("finding examples")
    positions, offsets, occurrences = _native.sample_positions(
        text.ids, rows, len(wanted), settings.examples, settings.seed
    )
    lines = text.vocabulary.texts()
    hashes, _ = _native.hash_words(lines.buffer, lines.spans, threads)
    if settings.negatives == "any":
        classes[:] = 1
    classes[wanted[classes[wanted] == 0]] = ALL_CLASSES
    parts = []
    for first in range(0, len(wanted), TOGETHER):
        if progress is not None:
            progress(f"training {types[int(wanted[first])]}")
        part = wanted[first : first + TOGETHER]
        bounds = offsets[first : first + len(part) + 1]
        own = positions[bounds[0] : bounds[-1]]
        trained = _native.train_contexts(
            (text.ids, text.offsets),
            (hashes, classes),
            part,
            (own, bounds - bounds[0]),
            settings.shape.native,
            settings.learning,
            settings.least,
            settings.features,
            settings.held_out,
            settings.draws,
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
        [types[number] for number in wanted.tolist()],
        Classifiers.joined(parts),
        settings.shape,
        occurrences,
        decision=settings.decision,
        about=about,
    )


def _wanted(
    text: NumberedText,
    types: list[str],
    classes: NDArray[np.uint8],
    minimum: int,
    words: Iterable[str] | None,
) -> Ids:
    """Numbers of the words to train, in the order of their texts."""
    frequent = text.counts >= minimum
    if words is None:
        numbers = np.flatnonzero(frequent & (classes > 0)).tolist()
    else:
        given = {word.lower() for word in words}
        numbers = [i for i in np.flatnonzero(frequent).tolist() if types[i] in given]
    if not numbers:
        kind = "a word that WordNet knows" if words is None else "one of the given words"
        raise InputError(
            f"the text: expected {kind} at least {minimum} times, found none in {text.tokens:,} "
            "tokens; give more text or a smaller minimum"
        )
    return np.array(sorted(numbers, key=types.__getitem__), np.int32)
