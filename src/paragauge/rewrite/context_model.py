"""Classifiers of contexts (Kauchak and Barzilay 2006): whether a word may stand at a place.

There is one linear classifier for each word, whose score at a place is

    score(word, place) = bias[word] + sum over features f of the place of weight[word, f] - threshold

and accepts the word if it is 0 or more. Features are hashed (see `contexts.py`): two that share a hash
share a weight, which among a few thousand weights and 2^32 hashes happens about once in a million
features. Words without a classifier have no score (NaN).

On disk a model is one file of arrays (`text/array_file.py`): words, and for each the hashes of its
features, sorted, as differences, and its weights, 8 bits each. Opening it reads it and makes an index,
which takes milliseconds; a score costs one lookup for each feature of the place.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import FileFormatError, InputError, SettingError, ShapeError
from paragauge.kernels import _native
from paragauge.rewrite.contexts import ContextShape
from paragauge.text.array_file import read_arrays, write_arrays
from paragauge.text.files import display_name
from paragauge.text.lines import Ints, Lines
from paragauge.text.tokenisers import check_threads

MAGIC = b"PGCONTX1"
ENGLISH = Path(__file__).parents[1] / "models" / "context" / "english.bin"
WHAT = "a model of contexts"


@dataclass(frozen=True, eq=False)
class Classifiers:
    """The classifiers of all words, one after the other.

    `offsets` int64 [words + 1] says where the features (uint32 hashes, sorted in each word) and weights
    (int8) of each word are; weights and `biases` (int32) are to be multiplied by `scales` (float64).
    `counts` int64 [words, 4] are the positives, negatives, examples kept apart, and of these those
    classified correctly.
    """

    offsets: Ints
    features: NDArray[np.uint32]
    weights: NDArray[np.int8]
    scales: NDArray[np.float64]
    biases: NDArray[np.int32]
    counts: Ints

    @classmethod
    def joined(cls, parts: list[Classifiers]) -> Classifiers:
        """The classifiers of all parts."""
        starts = np.cumsum([0, *(len(part.features) for part in parts)])
        offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts, strict=False)]
        names = ("features", "weights", "scales", "biases", "counts")
        return cls(
            np.concatenate([*offsets, starts[-1:]]).astype(np.int64),
            *(np.concatenate([getattr(part, name) for part in parts]) for name in names),
        )


@dataclass(frozen=True)
class ContextReason:
    """A feature that spoke for a word (weight above 0) or against it."""

    place: str
    words: str
    weight: float


@dataclass(frozen=True)
class ContextExplanation:
    """Why a word has its score at a place: score = bias + weights - threshold."""

    word: str
    score: float
    bias: float
    threshold: float
    reasons: tuple[ContextReason, ...]


class ContextModel:
    """A filter of substitutions by context.

    >>> model = ContextModel.default()
    >>> tokens = Lines.of(["it is hard to believe that such changes have taken place ."])
    >>> at, words = np.array([2, 10]), Lines.of(["difficult", "home"])
    >>> (model.scores(tokens, np.array([0, 0]), at, words, np.array([0, 1])) >= 0).tolist()
    [True, False]
    """

    def __init__(
        self,
        words: Iterable[str],
        classifiers: Classifiers,
        shape: ContextShape,
        *,
        threshold: float = 0.0,
        about: dict[str, Any] | None = None,
    ) -> None:
        self.words = tuple(words)
        self.classifiers = classifiers
        self.shape = shape
        self.threshold = check_threshold(threshold)
        self.about = about or {}
        self._rows = {word: row for row, word in enumerate(self.words)}
        c = classifiers
        if len(self.words) != len(c.scales) or len(self._rows) != len(self.words):
            raise ShapeError(f"words: expected {len(c.scales)} different ones, got {len(self.words)}")
        arrays = (c.offsets, c.features, c.weights, c.scales, c.biases)
        try:
            self._native = _native.ContextTable(arrays, shape.native)
        except ValueError as error:
            raise ShapeError(f"classifiers: {error}") from None

    @classmethod
    def default(cls) -> ContextModel:
        """The English model that comes with the package; it is opened once.

        >>> ContextModel.default() is ContextModel.default()
        True
        """
        return _english()

    @classmethod
    def open(cls, path: str | Path, *, threshold: float | None = None) -> ContextModel:
        """The model in a file, with its own threshold or another one.

        >>> ContextModel.open("none.bin")
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: none.bin: no such file; check the path
        """
        about, arrays = read_arrays(path, MAGIC, WHAT)
        try:
            text = arrays["words"].astype(np.uint8).tobytes().decode("utf-8")
            classifiers = Classifiers(
                arrays["offsets"].astype(np.int64),
                np.cumsum(arrays["features"].astype(np.uint32), dtype=np.uint32),
                arrays["weights"].astype(np.uint8).view(np.int8),
                arrays["scales"].astype(np.float64),
                arrays["biases"].astype(np.uint32).view(np.int32),
                arrays["counts"].astype(np.int64),
            )
            shape = ContextShape(**about["shape"])
            own = float(about["threshold"])
            return cls(
                text.split("\n") if text else [],
                classifiers,
                shape,
                threshold=own if threshold is None else threshold,
                about=dict(about["training"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            if threshold is not None and not _finite(threshold):
                raise
            message = f"expected {WHAT} of this version ({error}); train it again"
            raise FileFormatError(display_name(path), None, message) from None

    def save(self, path: str | Path) -> None:
        """Write the model to a file, which appears whole or not at all."""
        c = self.classifiers
        arrays: dict[str, NDArray[Any]] = {
            "words": np.frombuffer("\n".join(self.words).encode(), np.uint8),
            "offsets": c.offsets,
            # Differences, which at a word's first feature wrap around.
            "features": np.diff(c.features, prepend=np.zeros(1, np.uint32)),
            "weights": c.weights.view(np.uint8),
            "scales": c.scales,
            "biases": c.biases.view(np.uint32),
            "counts": c.counts,
        }
        about = {
            "shape": dataclasses.asdict(self.shape),
            "threshold": self.threshold,
            "training": self.about,
        }
        write_arrays(path, MAGIC, about, arrays)

    @functools.cached_property
    def name(self) -> str:
        """The kind of filter, the first digits of the classifiers' SHA-256, and the threshold.

        >>> ContextModel.default().name.partition("-")[0]
        'context'
        """
        digest = hashlib.sha256("\n".join(self.words).encode())
        c = self.classifiers
        for array in (c.offsets, c.features, c.weights, c.scales, c.biases):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(repr(self.shape).encode())
        return f"context-{digest.hexdigest()[:8]}@{self.threshold:g}"

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._rows

    def __repr__(self) -> str:
        return f"ContextModel({self.name}, {len(self)} words)"

    def accuracy(self) -> float:
        """Share of the examples kept apart that were classified correctly; NaN if there were none."""
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
        """A score for each proposal (see `ContextFilter`): 0 and more accepts, NaN: no classifier."""
        check_threads(threads)
        rows = np.array([self._rows.get(each, -1) for each in words], np.int64)
        segments, places, chosen = (np.asarray(each, np.int64) for each in (segment, position, word))
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < len(rows):
            raise ShapeError(f"word: expected rows of the {len(rows)} words, got others")
        proposed = rows[chosen] if chosen.size else np.zeros(0, np.int64)
        try:
            found = self._native.scores(
                tokens.buffer,
                np.ascontiguousarray(tokens.spans),
                np.ascontiguousarray(segments),
                np.ascontiguousarray(places),
                proposed,
                threads,
            )
        except ValueError as error:
            raise ShapeError(f"proposals: {error}") from None
        return found - self.threshold

    def explain(self, tokens: str, position: int, word: str) -> ContextExplanation:
        """What speaks for and against `word` in the place of a token, strongest first.

        >>> text = "it is hard to believe that such changes have taken place ."
        >>> why = ContextModel.default().explain(text, 10, "home")
        >>> why.score < 0, len(why.reasons) > 0
        (True, True)
        """
        line = Lines.of([tokens])
        row = self._rows.get(word)
        if row is None:
            raise InputError(
                f"'{word}': expected one of the {len(self):,} words that the model has classifiers for"
            )
        zero, place = np.zeros(1, np.int64), np.array([position], np.int64)
        score = self.scores(line, zero, place, Lines.of([word]), zero, 1)[0]
        hashes, offsets = _native.hash_words(line.buffer, line.spans, 1)
        features, places, _ = _native.context_features(hashes, offsets, zero, place, self.shape.native)
        c = self.classifiers
        first, last = c.offsets[row : row + 2].tolist()
        own, scale = c.features[first:last], float(c.scales[row])
        reasons: dict[int, ContextReason] = {}
        split = tokens.split(" ")
        starts = self._starts(position, len(split))
        for feature, kind, (_, length, _), start in zip(
            features.tolist(), places[:, 0].tolist(), places.tolist(), starts, strict=True
        ):
            at = int(np.searchsorted(own, feature))
            if at < len(own) and own[at] == feature and feature not in reasons:
                weight = float(c.weights[first + at]) * scale
                shown = _shown(split, position, start, length, collocation=kind == 1)
                side = "left" if start < position else "right"
                reasons[feature] = ContextReason("next to it" if kind == 1 else side, shown, weight)
        ranked = sorted(reasons.values(), key=lambda reason: -abs(reason.weight))
        return ContextExplanation(
            word, float(score), float(c.biases[row]) * scale, self.threshold, tuple(ranked)
        )

    def _starts(self, position: int, length: int) -> list[int]:
        """The token at which each feature of a place starts, in the kernel's order."""
        first, last = (
            max(0, position - self.shape.window),
            min(length, position + self.shape.window + 1),
        )
        starts = [
            i
            for i in range(first, last)
            for size in range(1, self.shape.order + 1)
            if i != position and i + size <= (position if i < position else last)
        ]
        if self.shape.collocations:
            starts += [position + o for i, o in enumerate((-2, -1, 1, 2)) for _ in range(4 - i)]
        return starts


def _shown(words: list[str], position: int, start: int, length: int, *, collocation: bool) -> str:
    """The words of a feature; a gap stands for the word that is replaced."""
    shown: list[str] = []
    at = start
    while len(shown) - shown.count("_") < length:
        if at == position and collocation:
            shown.append("_")
        else:
            shown.append("<s>" if at < 0 else "</s>" if at >= len(words) else words[at])
        at += 1
    if collocation and "_" not in shown:
        shown = ["_", *shown] if start > position else [*shown, "_"]
    return " ".join(shown)


def _finite(value: object) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def check_threshold(threshold: float) -> float:
    """The threshold as a number; an error if it is none.

    >>> check_threshold(1)
    1.0
    """
    if not _finite(threshold):
        raise SettingError(f"threshold: expected a number, got {threshold!r}")
    return float(threshold)


@functools.cache
def _english() -> ContextModel:
    return ContextModel.open(ENGLISH)
