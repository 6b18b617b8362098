"""Context classifiers (Kauchak and Barzilay 2006): whether a word fits a context.

There is one linear classifier for each word w, whose score in a context is

    s(w) = bias[w] + sum over the features f of the context of weight[w, f]

Training balances positives and negatives, so that s(w) estimates ln P(context | w) / P(context). The
paper accepts w if s(w) >= 0. Here w can also be compared with the word r that it replaces, and is
accepted if

    s(w) - relative * s(r) + prior * ln(n(w) / n(r)) - threshold >= 0

where n counts occurrences in the training text. With relative = prior = 1 these are the log odds of w
against r in that context. `context_decision.py` has these numbers by name, the paper's among them, and
says how the default was chosen. A replaced word without a classifier counts as s(r) = 0 and n(r) = the
smallest n. A proposed word without one has no score (NaN).

Features are hashed (see `contexts.py`), and two with the same hash share a weight; with a few hundred
weights per word and 2^32 hashes, that happens to one feature in millions. Likewise, a replaced word may
share its hash with another word.

A score takes one lookup for each feature of the context, and as many for the replaced word.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.rewrite.context.context_decision import Decision
from paragauge.rewrite.context.context_explain import ContextExplanation, context_reasons
from paragauge.rewrite.context.context_file import (
    Classifiers,
    model_error,
    read_classifiers,
    write_classifiers,
)
from paragauge.rewrite.context.contexts import ContextShape
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import check_threads
from paragauge.text.wording import format_setting

ENGLISH = Path(__file__).parents[2] / "models" / "context" / "english.bin"


class ContextModel:
    """Filters substitutions by their context.

    >>> model = ContextModel.default()
    >>> tokens = Lines.of(["it is hard to believe that such changes have taken place ."])
    >>> at, words = np.array([2, 10]), Lines.of(["difficult", "home"])
    >>> scores = model.scores(tokens, np.array([0, 0]), at, words, np.array([0, 1]))
    >>> bool(scores[0] > scores[1]), bool(scores[0] >= 0)
    (True, True)
    """

    def __init__(
        self,
        words: Iterable[str],
        classifiers: Classifiers,
        shape: ContextShape,
        occurrences: Ints,
        *,
        decision: Decision | None = None,
        about: dict[str, Any] | None = None,
    ) -> None:
        self.words = tuple(words)
        self.classifiers = classifiers
        self.shape = shape
        self.occurrences = occurrences
        self.decision = decision or Decision()
        self.about = about or {}
        self._rows = {word: row for row, word in enumerate(self.words)}
        c = classifiers
        sizes = {len(self.words), len(self._rows), len(c.scales), len(occurrences)}
        if len(sizes) > 1 or bool((occurrences < 1).any()):
            raise ShapeError(
                f"words: expected {len(c.scales)} different words that occur, found {len(self.words)}"
            )
        packed = Lines.of(self.words)
        hashes, _ = _native.hash_words(packed.buffer, packed.spans, 1)
        self._order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._order]
        arrays = (c.offsets, c.features, c.weights, c.scales, c.biases)
        try:
            self._native = _native.ContextTable(arrays, shape.native)
        except ValueError as error:
            raise ShapeError(f"classifiers: {error}") from None

    @classmethod
    def default(cls, decision: str | None = None) -> ContextModel:
        """The English model that ships with the package, with its own decision or one by name.

        It is opened once for each decision.

        >>> ContextModel.default() is ContextModel.default()
        True
        >>> ContextModel.default("paper").decision
        Decision(threshold=0, relative=0, prior=0)
        """
        return _english(decision)

    @classmethod
    def open(
        cls, path: str | Path, *, threshold: float | None = None, decision: Decision | None = None
    ) -> ContextModel:
        """Open the model in a file, with its own decision or another, or only another threshold.

        >>> ContextModel.open("none.bin")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.bin: no such file; check the path
        """
        changed = {} if threshold is None else {"threshold": Decision(threshold).threshold}
        words, occurrences, classifiers, about = read_classifiers(path)
        try:
            return cls(
                words,
                classifiers,
                ContextShape(**about["shape"]),
                occurrences,
                decision=dataclasses.replace(decision or Decision(**about["decision"]), **changed),
                about=dict(about["training"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise model_error(path, error) from None

    def save(self, path: str | Path) -> None:
        """Write the model to a file, which appears complete or not at all."""
        about = {
            "shape": dataclasses.asdict(self.shape),
            "decision": dataclasses.asdict(self.decision),
            "training": self.about,
        }
        write_classifiers(path, self.words, self.occurrences, self.classifiers, about)

    @functools.cached_property
    def name(self) -> str:
        """The kind of filter, the first digits of the classifiers' SHA-256, and the decision.

        >>> ContextModel.default().name.partition("-")[0]
        'context'
        """
        digest = hashlib.sha256("\n".join(self.words).encode())
        c = self.classifiers
        for array in (c.offsets, c.features, c.weights, c.scales, c.biases, self.occurrences):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(self.shape.fingerprint.encode())
        d = self.decision
        numbers = ",".join(map(format_setting, (d.threshold, d.relative, d.prior)))
        return f"context-{digest.hexdigest()[:8]}@{numbers}"

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._rows

    def __repr__(self) -> str:
        return f"ContextModel({self.name}, {len(self)} words)"

    def accuracy(self) -> float:
        """Share of held-out examples that were classified correctly; NaN if there were none."""
        held, correct = self.classifiers.counts[:, 2:].sum(axis=0).tolist()
        return correct / held if held else math.nan

    def scores(
        self,
        tokens: Lines,
        segment: Ints,
        position: Ints,
        words: Lines,
        word: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """A score for each proposal (see `ContextFilter`); NaN for a word without a classifier."""
        check_threads(threads)
        rows = np.array([self._rows.get(text, -1) for text in words], np.int64)
        segments, places, numbers = (np.asarray(ids, np.int64) for ids in (segment, position, word))
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(rows):
            raise ShapeError(f"word: expected rows of the {len(rows)} words, found others")
        proposed = rows[numbers] if numbers.size else np.zeros(0, np.int64)
        scores = self._classifier_scores(tokens, segments, places, proposed, threads)
        scores += self._comparison(tokens, segments, places, proposed, threads)
        return scores - self.decision.threshold

    def _classifier_scores(
        self, tokens: Lines, segments: Ints, places: Ints, rows: Ints, threads: int
    ) -> NDArray[np.float64]:
        """The scores of the classifiers, NaN for rows that are -1."""
        spans, lines, at, words = map(np.ascontiguousarray, (tokens.spans, segments, places, rows))
        try:
            return self._native.scores(tokens.buffer, spans, lines, at, words, threads)
        except ValueError as error:
            raise ShapeError(f"proposals: {error}") from None

    def _comparison(
        self, tokens: Lines, segments: Ints, places: Ints, rows: Ints, threads: int
    ) -> NDArray[np.float64]:
        """What the comparison with the replaced word adds to a score."""
        relative, prior = self.decision.relative, self.decision.prior
        if not len(rows) or not len(self) or relative == prior == 0:
            return np.zeros(len(rows))
        # Proposals for one place are adjacent: its word is looked up once.
        is_new_place = np.ones(len(rows), np.bool_)
        is_new_place[1:] = (segments[1:] != segments[:-1]) | (places[1:] != places[:-1])
        hashes, offsets = _native.hash_words(tokens.buffer, tokens.spans, threads)
        there = hashes[offsets[segments[is_new_place]] + places[is_new_place]]
        at = np.minimum(np.searchsorted(self._hashes, there), len(self) - 1)
        replaced = np.where(self._hashes[at] == there, self._order[at], -1)
        counts = np.where(replaced < 0, self.occurrences.min(), self.occurrences[replaced])
        for_replaced = -prior * np.log(counts)
        if relative > 0:
            scores = self._classifier_scores(
                tokens, segments[is_new_place], places[is_new_place], replaced, threads
            )
            for_replaced -= relative * np.nan_to_num(scores, nan=0.0)
        for_proposed = prior * np.log(self.occurrences[rows])
        return np.asarray(for_replaced[np.cumsum(is_new_place) - 1] + for_proposed)

    def explain(self, tokens: str, position: int, word: str) -> ContextExplanation:
        """The evidence for and against `word` in place of a token, strongest first.

        >>> why = ContextModel.default().explain("it is hard to believe that .", 2, "difficult")
        >>> why.score > 0, why.reasons[0].weight > 0, "_ to" in [reason.words for reason in why.reasons]
        (True, True, True)
        """
        row = self._rows.get(word)
        if row is None:
            raise InputError(
                f"'{word}': expected one of the {len(self):,} words that the model has classifiers for"
            )
        line, zero, place = Lines.of([tokens]), np.zeros(1, np.int64), np.array([position], np.int64)
        score = self.scores(line, zero, place, Lines.of([word]), zero, 1)[0]
        comparison = self._comparison(line, zero, place, np.array([row], np.int64), 1)[0]
        return ContextExplanation(
            word,
            float(score),
            float(self.classifiers.biases[row] * self.classifiers.scales[row]),
            float(comparison),
            self.decision.threshold,
            context_reasons(self.classifiers, self.shape, row, tokens, position),
            tokens.split(" ")[position],
        )


@functools.cache
def _english(decision: str | None) -> ContextModel:
    return ContextModel.open(ENGLISH, decision=None if decision is None else Decision.named(decision))
