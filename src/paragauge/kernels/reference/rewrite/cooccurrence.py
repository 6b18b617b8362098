"""Twins of cooccurrence.cpp: counts of words that stand near each other."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np

from paragauge.kernels.layout import Ids, Ints


def _lines(ids: Ids, offsets: Ints) -> Iterator[list[int]]:
    steps = list(itertools.pairwise(offsets.tolist()))
    inside = len(offsets) > 0 and offsets[0] >= 0 and offsets[-1] <= len(ids)
    if not inside or any(first > last for first, last in steps):
        raise ValueError("offsets must not decrease and must stay within the ids")
    return (ids[first:last].tolist() for first, last in steps)


class BigramCounter:
    """Counts neighbors within a line; a negative id is no word and has no neighbors."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[int, int]] = Counter()

    def add(self, ids: Ids, offsets: Ints) -> None:
        """Count the bigrams of some lines."""
        for line in _lines(ids, offsets):
            self._counts.update(pair for pair in itertools.pairwise(line) if min(pair) >= 0)

    def bigrams(self) -> tuple[Ids, Ids, Ints]:
        """Left word, right word and count of all bigrams so far, sorted."""
        pairs = sorted(self._counts)
        words = np.array(pairs, np.int32).reshape(-1, 2)
        counts = np.array([self._counts[pair] for pair in pairs], np.int64)
        return words[:, 0].copy(), words[:, 1].copy(), counts


def count_cooccurrences(
    ids: Ids, offsets: Ints, columns: Ids, window: int, counts: Ints, threads: int
) -> None:
    """Add to `counts` [words, features] how often a feature word stands near a word.

    Near is at most `window` places before or after it in its line. `columns` [words] is the feature
    that a word is, or negative. A negative id takes a place and counts for nothing.
    """
    del threads
    lines = _lines(ids, offsets)
    if len(counts) != len(columns):
        raise ValueError("counts must have a row for each word")
    if len(ids) and ids.max() >= len(columns):
        raise ValueError("ids must be below the number of words")
    if len(columns) and columns.max() >= counts.shape[1]:
        raise ValueError("columns must be below the number of features")
    for line in lines:
        for place, word in enumerate(line):
            first = max(0, place - window)
            for near in line[first:place] + line[place + 1 : place + window + 1]:
                if word >= 0 and near >= 0 and columns[near] >= 0:
                    counts[word, columns[near]] += 1
