"""Twins of contexts.cpp and context_table.cpp: features of the context of a word, and scores.

A feature is a 32-bit hash, made from the hashes of words by ``_mix`` alone. A *shape* says what counts:
(order, window, reach, collocations, positions). For a target at position t of a sentence these are its
features:

- n-grams of 1 to `order` words that lie within `window` words of t and on one side of it, with the
  offset from t of their first word. Offsets beyond `reach` count as `reach` (1: only the side counts;
  0: every offset is exact). Without `positions`, every offset counts as 0;
- if `collocations`, the n-grams of 1 to 4 words of the four words at t-2, t-1, t+1 and t+2, which are
  neighbors once the target is left out: ten of them, with their length and the offset of their start.
  Beyond the ends of the sentence stand <s> and </s>.

The target itself is never part of a feature.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Bytes, Floats, Ids, Ints, sentences, texts
from paragauge.kernels.reference.base.hashing import WORD, mix
from paragauge.kernels.reference.base.random import splitmix

Hashes = NDArray[np.uint32]
Shape = tuple[int, int, int, bool, bool]
Place = tuple[int, int, int]  # kind (0: n-gram, 1: collocation), length, offset of the start
# Offsets of features, features (sorted in each word), weights, scales, biases.
Classifiers = tuple[Ints, Hashes, NDArray[np.int8], Floats, Ids]

_HALF = (1 << 32) - 1
_FARTHEST = (1 << 19) - 1


def word_hash(word: str) -> int:
    """The 32-bit hash of a word's UTF-8 bytes: FNV-1a, mixed."""
    key = 0xCBF29CE484222325
    for byte in word.encode():
        key = ((key ^ byte) * 0x100000001B3) & WORD
    return mix(key) & _HALF


def hash_words(buffer: Bytes, spans: Ints, threads: int) -> tuple[Hashes, Ints]:
    """Hashes of the words of each line, which one space separates, and the offsets of the lines."""
    del threads
    rows = [line.split(" ") if line else [] for line in texts(buffer, spans)]
    flat = [word_hash(word) for row in rows for word in row]
    return np.array(flat, np.uint32), np.cumsum([0, *map(len, rows)], dtype=np.int64)


def _hash_feature(place: Place, words: list[int]) -> int:
    kind, length, start = place
    key = mix((kind << 24 | length << 20 | (start + _FARTHEST + 1)) << 32 | words[0])
    for word in words[1:]:
        key = mix(key ^ word)
    return key & _HALF


def features_of(words: list[int], target: int, shape: Shape) -> list[tuple[int, Place]]:
    """Every feature of one context with its place; a feature may occur twice."""
    order, window, reach, collocations, positions = shape
    features: list[tuple[int, Place]] = []
    first, last = max(0, target - window), min(len(words), target + window + 1)
    limit = reach or _FARTHEST
    for i in range(first, last):
        end = target if i < target else last
        for length in range(1, order + 1):
            if i != target and i + length <= end:
                place = (0, length, max(-limit, min(limit, i - target)) if positions else 0)
                features.append((_hash_feature(place, words[i : i + length]), place))
    if collocations:
        begin, stop = [word_hash("<s>")] * 2, [word_hash("</s>")] * 2
        near = [*(begin + words[:target])[-2:], *(words[target + 1 :] + stop)[:2]]
        for i, offset in enumerate((-2, -1, 1, 2)):
            for length in range(1, 4 - i + 1):
                place = (1, length, offset)
                features.append((_hash_feature(place, near[i : i + length]), place))
    return features


def check_shape(shape: Shape) -> None:
    """Raise the error for a shape that is out of bounds."""
    order, window, reach, _, _ = shape
    if order > 4:
        raise ValueError("order must be from 0 to 4")
    if not 1 <= window <= 1000:
        raise ValueError("window must be from 1 to 1000")
    if reach > 1000:
        raise ValueError("reach must be from 0 to 1000")


def check_offsets(offsets: Ints, limit: int, message: str) -> None:
    """Raise `message` unless offsets start at 0 or later, never decrease and stay within `limit`."""
    inside = len(offsets) > 0 and offsets[0] >= 0 and offsets[-1] <= limit
    if not inside or bool((np.diff(offsets) < 0).any()):
        raise ValueError(message)


def _check_places(offsets: Ints, lines: Ints, positions: Ints) -> None:
    if len(lines) != len(positions):
        raise ValueError("every place must have a line and a position")
    for line, position in zip(lines.tolist(), positions.tolist(), strict=True):
        if not 0 <= line < len(offsets) - 1:
            raise ValueError("lines must be numbers of lines")
        if not 0 <= position < offsets[line + 1] - offsets[line]:
            raise ValueError("positions must be those of tokens of their lines")


def context_features(
    words: Hashes, offsets: Ints, lines: Ints, positions: Ints, shape: Shape
) -> tuple[Hashes, Ids, Ints]:
    """Features of each place, their places [m, 3], and the offsets [places + 1]; repeats included."""
    check_shape(shape)
    check_offsets(offsets, len(words), "offsets must not decrease and must stay within the words")
    _check_places(offsets, lines, positions)
    rows = []
    for line, position in zip(lines.tolist(), positions.tolist(), strict=True):
        sentence = words[offsets[line] : offsets[line + 1]].tolist()
        rows.append(features_of(sentence, position, shape))
    flat = [feature for row in rows for feature in row]
    return (
        np.array([feature for feature, _ in flat], np.uint32),
        np.array([place for _, place in flat], np.int32).reshape(-1, 3),
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
    )


def sample_positions(
    ids: Ids, rows: Ids, wanted: int, limit: int, seed: int
) -> tuple[Ints, Ints, Ints]:
    """Positions in `ids` of each wanted word, offsets [wanted + 1], and how often each word occurs.

    `rows` gives each id its row among the wanted words, or -1. A word that occurs more than `limit`
    times is sampled with a reservoir (Vitter 1985, algorithm R).
    """
    if any(not 0 <= number < len(rows) for number in ids.tolist()):
        raise ValueError("ids must be numbers of words")
    if any(row >= wanted for row in rows.tolist()):
        raise ValueError("rows must be below the number of wanted words")
    if limit < 1:
        raise ValueError("limit must be at least 1")
    samples: list[list[int]] = [[] for _ in range(wanted)]
    counts = [0] * wanted
    for at, number in enumerate(ids.tolist()):
        row = int(rows[number])
        if row < 0:
            continue
        seen = counts[row]
        counts[row] += 1
        if seen < limit:
            samples[row].append(at)
            continue
        place = splitmix((splitmix(seed ^ splitmix(row)) + seen) & WORD) % (seen + 1)
        if place < limit:
            samples[row][place] = at
    flat = [at for positions in samples for at in positions]
    offsets = np.cumsum([0, *map(len, samples)], dtype=np.int64)
    return np.array(flat, np.int64), offsets, np.array(counts, np.int64)


class ContextTable:
    """Classifiers, one per row: score = scale * (bias + weights of the features that are there)."""

    def __init__(self, classifiers: Classifiers, shape: Shape) -> None:
        offsets, features, weights, scales, biases = classifiers
        message = "offsets must not decrease and must stay within the features"
        check_offsets(offsets, len(features), message)
        if len(features) != len(weights):
            raise ValueError("every feature must have a weight")
        if len(scales) + 1 != len(offsets) or len(biases) != len(scales):
            raise ValueError("every word must have a scale and a bias")
        rows = sentences(features, offsets)
        if any(row != sorted(set(row)) for row in rows):
            raise ValueError("the features of a word must be sorted and differ")
        check_shape(shape)
        codes = sentences(weights, offsets)
        self._weights = [
            dict(zip(row, code, strict=True)) for row, code in zip(rows, codes, strict=True)
        ]
        self._scales, self._biases, self._shape = scales.tolist(), biases.tolist(), shape

    def __len__(self) -> int:
        return len(self._scales)

    def scores(
        self, buffer: Bytes, spans: Ints, lines: Ints, positions: Ints, words: Ints, threads: int
    ) -> Floats:
        """The score of classifier words[i] at positions[i] of lines[i]; NaN where words[i] is -1."""
        if len(words) != len(lines):
            raise ValueError("every proposal must have a word")
        if any(not -1 <= word < len(self) for word in words.tolist()):
            raise ValueError("words must be numbers of classifiers, or -1")
        hashes, offsets = hash_words(buffer, spans, threads)
        _check_places(offsets, lines, positions)
        result = []
        for line, at, word in zip(lines.tolist(), positions.tolist(), words.tolist(), strict=True):
            if word < 0:
                result.append(math.nan)
                continue
            sentence = hashes[offsets[line] : offsets[line + 1]].tolist()
            present = {feature for feature, _ in features_of(sentence, at, self._shape)}
            total = sum(self._weights[word].get(feature, 0) for feature in present)
            result.append((self._biases[word] + total) * self._scales[word])
        return np.array(result, np.float64)
