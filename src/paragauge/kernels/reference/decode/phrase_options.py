"""Twin of phrase_store.cpp and phrase_options.cpp: a phrase table, and what it offers for a sentence.

The features are, in this order: distortion, language model, word penalty, phrase penalty, the four
scores of a row, the penalty of unknown words, that of copies; `generate/phrase_settings.py` says what
each means. An *option* is a row of the table that fits the words of a span, or, for a word that is no
source phrase, the word itself.

Each span has at most `limit` options, those with the best isolated scores: all weighted features but
the distortion's, with the language model on the phrase alone, after no word, not even ``<s>``. Between
equal ones the earlier row is the better one. With `drop_copies` a row whose sides are equal does not
count where the source has another row.

The future score of a span is the best sum of isolated scores of options that cover it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats, Texts, unpack_texts
from paragauge.kernels.reference.lm.model import NgramModel
from paragauge.kernels.reference.text.text import Vocabulary

DISTORTION, LM, WORDS, PHRASES, TRANSLATION, UNKNOWN, COPIES, FEATURES = 0, 1, 2, 3, 4, 8, 9, 10
UNKNOWN_COST = -100.0
LN10 = math.log(10)


def words_of(text: str) -> list[str]:
    """The words of a text, separated by spaces."""
    return [word for word in text.split(" ") if word]


@dataclass(frozen=True)
class Row:
    """One row of a table."""

    target: tuple[str, ...]
    scores: tuple[float, ...]


class PhraseStore:
    """A phrase table; the rows of a source stand together."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.rows: dict[tuple[str, ...], list[Row]] = {}
        self._last: tuple[str, ...] = ()

    def add(self, sources: Texts, targets: Texts, scores: NDArray[np.float32]) -> None:
        """Add rows, with four scores each; after an error the table must not be used."""
        sides = unpack_texts(sources), unpack_texts(targets)
        if len({len(sides[0]), len(sides[1]), len(scores)}) > 1:
            raise ValueError("there must be as many sources as targets and scores")
        if not bool(np.isfinite(scores).all()):
            raise ValueError("scores must be finite")
        for left, right, values in zip(*sides, scores.tolist(), strict=True):
            source, target = tuple(words_of(left)), tuple(words_of(right))
            if not source or not target:
                raise ValueError("a phrase must have a word")
            if source != self._last and source in self.rows:
                raise ValueError("the rows of a source must stand together")
            self._last = source
            self.rows.setdefault(source, []).append(Row(target, tuple(values)))

    def __len__(self) -> int:
        return sum(map(len, self.rows.values()))

    @property
    def sources(self) -> int:
        """How many source phrases there are."""
        return len(self.rows)

    @property
    def longest(self) -> int:
        """Words of the longest source."""
        return max(map(len, self.rows), default=0)

    def model_word(self, word: str) -> int:
        """The word's number in the language model; 0, the unknown word, if it has none."""
        number = self.vocabulary.find(word)
        return number if number > 2 else 0


@dataclass(frozen=True)
class Option:
    """One way to translate the words `start` to `end`."""

    start: int
    end: int
    target: tuple[str, ...]
    words: tuple[int, ...]  # of the language model
    features: tuple[float, ...]  # the distortion's and the language model's are 0
    fixed: float  # their weighted sum
    states: tuple[int, ...]  # of the language model after each word, on the phrase alone
    tails: tuple[float, ...]  # log10 from each word on, so, and 0

    def isolated_score(self, weights: Sequence[float]) -> float:
        """The score with the language model's on the phrase alone."""
        return self.fixed + weights[LM] * LN10 * self.tails[0]

    def extend(self, model: NgramModel, state: int) -> tuple[float, int]:
        """log10 of the words after `state`, and the state after them.

        As soon as the state equals the one of the phrase alone, the rest is known.
        """
        log10, alone, at = 0.0, 0, 0
        while at < len(self.words) and state != alone:
            step, state = model.step(state, self.words[at])
            log10 += step
            alone = self.states[at]
            at += 1
        return log10 + self.tails[at], state if at == len(self.words) else self.states[-1]


class Options:
    """The options of a sentence, sorted by start, end and falling isolated score."""

    def __init__(
        self,
        store: PhraseStore,
        model: NgramModel,
        weights: Sequence[float],
        sentence: Sequence[str],
        limit: int,
        copy: str,
    ) -> None:
        self._store, self._model, self._weights, self._copy = store, model, weights, copy
        self.all: list[Option] = []
        size = len(sentence)
        for start in range(size):
            for end in range(start + 1, size + 1):
                span_options = self._span_options(tuple(sentence[start:end]), start, end)
                span_options.sort(key=lambda option: -option.isolated_score(weights))  # stable: by row
                self.all += span_options[:limit]
        self.future = {(at, at): 0.0 for at in range(size + 1)}
        for length in range(1, size + 1):
            for start in range(size - length + 1):
                end = start + length
                choices = [
                    option.isolated_score(weights)
                    for option in self.all
                    if self._is_at(option, start, end)
                ]
                choices += [
                    self.future[start, middle] + self.future[middle, end]
                    for middle in range(start + 1, end)
                ]
                self.future[start, end] = max(choices)

    @staticmethod
    def _is_at(option: Option, start: int, end: int) -> bool:
        return (option.start, option.end) == (start, end)

    def _span_options(self, source: tuple[str, ...], start: int, end: int) -> list[Option]:
        rows = self._store.rows.get(source, [])
        if not rows and len(source) == 1:
            return [self._option(start, end, source, None, copy=False)]
        return [
            self._option(start, end, row.target, row.scores, copy=row.target == source)
            for row in rows
            if not (row.target == source and self._copy == "forbid" and len(rows) > 1)
        ]

    def _option(
        self,
        start: int,
        end: int,
        target: tuple[str, ...],
        scores: tuple[float, ...] | None,
        *,
        copy: bool,
    ) -> Option:
        weights, features = self._weights, [0.0] * FEATURES
        features[WORDS], features[PHRASES] = -float(len(target)), 1.0
        fixed = weights[WORDS] * features[WORDS] + weights[PHRASES]
        if scores is None:
            features[UNKNOWN] = UNKNOWN_COST
            fixed += weights[UNKNOWN] * UNKNOWN_COST
        else:
            for number, score in enumerate(scores, TRANSLATION):
                features[number] = score
                fixed += weights[number] * score
            if copy and self._copy == "penalize":
                features[COPIES] = -float(end - start)
                fixed += weights[COPIES] * features[COPIES]
        words = tuple(map(self._store.model_word, target))
        steps, states, state = [], [], 0
        for word in words:
            log10, state = self._model.step(state, word)
            steps.append(log10)
            states.append(state)
        tails = [0.0]
        for log10 in reversed(steps):
            tails.insert(0, log10 + tails[0])
        return Option(start, end, target, words, tuple(features), fixed, tuple(states), tuple(tails))


def feature_table(rows: Sequence[Sequence[float]]) -> Floats:
    """Rows of features, float64 [rows, features]."""
    return np.array(rows, np.float64).reshape(-1, FEATURES)
