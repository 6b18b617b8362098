"""Twin of brown.cpp: Brown clustering (Brown et al. 1992) with a window of clusters (Liang 2005).

With n(a, b) how often a word of cluster a stands before one of cluster b, l(a) and r(a) how often
words of a stand first and second in any bigram, and N the number of bigrams, the average mutual
information of the active clusters is

    I = sum over active a, b of  n(a, b) / N  log( n(a, b) N / (l(a) r(b)) ).

The first C words, the most frequent ones, start as clusters of one word. Then each further word enters
as a cluster of its own, and the two of the C + 1 clusters are merged that lose least of I, until all
words are in; the C clusters are the result. Merging continues in the same way to one cluster, which
gives the hierarchy. Words that have not entered yet count in l, r and N only.

Logarithms are whole numbers of 2^-s nats: n log n is rounded once, and n log l is n times the rounded
log l, with s = 54 less the bits of N. Sums of whole numbers do not depend on their order: losses made
of the same counts are equal, and the kernel, which updates losses step by step, finds the same.
Clusters are named by their first word. Of equal losses the pair of least names (the smaller, then the
other) is merged.

Here I is computed anew for each pair: O(C^4) a merge. The kernel takes O(C^2) (Liang 2005).
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints

BITS = 54
MOST_BIGRAMS = 1 << 44
MOST_CLUSTERS = 20000
Counts = dict[tuple[int, int], int]


class BrownClustering:
    """Merges of `words` words with these bigrams (int32, int32, int64, sorted, each pair once)."""

    def __init__(
        self, left: Ids, right: Ids, counts: Ints, words: int, clusters: int, threads: int
    ) -> None:
        del threads
        if not len(left) == len(right) == len(counts):
            raise ValueError("every bigram must have two words and a count")
        if not 1 <= clusters <= MOST_CLUSTERS:
            raise ValueError("clusters must be from 1 to 20000")
        pairs = list(zip(left.tolist(), right.tolist(), strict=True))
        before = None
        total = 0
        for pair, count in zip(pairs, counts.tolist(), strict=True):
            if not all(0 <= word < words for word in pair):
                raise ValueError("bigrams must be of words from 0 to the number of words")
            if before is not None and not before < pair:
                raise ValueError("bigrams must be sorted, each once")
            total += count
            if count <= 0 or total >= MOST_BIGRAMS:
                raise ValueError("counts must be positive and below 2^44 in all")
            before = pair
        self._counts: Counts = dict(zip(pairs, counts.tolist(), strict=True))
        self._total = max(total, 1)
        self._scale = 2.0 ** (BITS - total.bit_length())
        self._words = words
        self._names = {word: word for word in range(min(words, clusters))}  # cluster of each word
        self._left: dict[int, int] = defaultdict(int)
        self._right: dict[int, int] = defaultdict(int)
        for (first, second), count in self._counts.items():
            self._left[first] += count
            self._right[second] += count

    def merge(self, limit: int) -> tuple[Ids, Floats]:
        """The next merges, at most `limit`: (cluster that stays, cluster that goes) and nats lost."""
        pairs: list[tuple[int, int]] = []
        losses: list[float] = []
        while len(pairs) < limit:
            entered = len(self._names)
            if entered < self._words:
                self._names[entered] = entered
            active = sorted(set(self._names.values()))
            if len(active) < 2:
                break
            now = self._information(self._names)
            loss, stays, goes = min(
                (now - self._information(_merge(self._names, stays, goes)), stays, goes)
                for stays, goes in itertools.combinations(active, 2)
            )
            self._names = _merge(self._names, stays, goes)
            pairs.append((stays, goes))
            losses.append(loss / self._scale / self._total)
        return np.array(pairs, np.int32).reshape(-1, 2), np.array(losses, np.float64)

    def _information(self, names: dict[int, int]) -> int:
        """N times I of these clusters, without N log N, which no merge changes."""
        cells: Counts = defaultdict(int)
        for (first, second), count in self._counts.items():
            if first in names and second in names:
                cells[names[first], names[second]] += count
        lefts: dict[int, int] = defaultdict(int)
        rights: dict[int, int] = defaultdict(int)
        for word, name in names.items():
            lefts[name] += self._left[word]
            rights[name] += self._right[word]
        return sum(
            self._round_nats(count * math.log(count))
            - count * (self._round_nats(math.log(lefts[a])) + self._round_nats(math.log(rights[b])))
            for (a, b), count in cells.items()
        )

    def _round_nats(self, nats: float) -> int:
        return round(nats * self._scale)


def _merge(names: dict[int, int], stays: int, goes: int) -> dict[int, int]:
    return {word: stays if name == goes else name for word, name in names.items()}
