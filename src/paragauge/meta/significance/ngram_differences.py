"""Which n-grams does one system get right, or add, more often than another?

With references, an n-gram counts where a candidate matches it with a reference, at most as often as
any one reference has it (the clipping of BLEU). Without references, it counts where the candidate adds
it: as often as it occurs in the candidate beyond its occurrences in the source that has most of them.
Words are those of the first metric's tokenizer, 13a if it has none, in lower case.

An n-gram that system A has a times among its N_A n-grams of that order, and system B b times among
N_B, is ranked by the log-likelihood ratio of Dunning (1993) in the form of Rayson and Garside (2000),

    G2 = 2 (a ln(a / E_A) + b ln(b / E_B)),    E_A = N_A (a + b) / (N_A + N_B), E_B likewise

which asks how surprising the counts are if both systems use the n-gram at the same rate. compare-mt
(Neubig et al. 2019) ranks by the smoothed ratio (a + s) / (a + b + 2s) instead, which says nothing
about the amount of evidence; the ratio with s = 1 is reported too. G2 above 10.83 corresponds to
p < 0.001 for a single n-gram.

`NgramCounts` is an observer of the batch scorer. It keeps word numbers of the first `limit` segments
(four bytes a word) and counts at the end with sorted arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch
from paragauge.text.lines import LineGroups
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import Tokenizer
from paragauge.text.vocabulary import Vocabulary

Unsigned = NDArray[np.uint64]

LIMIT = 20_000
ORDER = 4


@dataclass(frozen=True)
class NgramDifference:
    """An n-gram that `system` has `count` times and the rival `rival_count` times."""

    words: tuple[str, ...]
    count: int
    rival_count: int
    ratio: float
    g2: float


@dataclass(frozen=True)
class _NgramTable:
    """N-grams of one order: hashes, sorted, how often each counts, and one place of each."""

    keys: Unsigned
    counts: Ints
    places: Ints
    total: int


class NgramCounts:
    """Keeps the words of the batches it observes, up to `limit` segments, and compares systems."""

    def __init__(self, metrics: Mapping[str, Metric], *, limit: int = LIMIT, threads: int = 0) -> None:
        first = next(iter(metrics.values()), None)
        self._tokenizer: Tokenizer = getattr(first, "tokenize", "13a")
        self._threads = threads
        self._limit = limit
        self._vocabulary = Vocabulary()
        self._systems: dict[str, list[Ragged]] = {}
        self._rivals: list[Ragged] = []
        self._rival_segments: list[Ints] = []
        self._tables: dict[tuple[str, int], _NgramTable] = {}
        self._known: dict[int, tuple[Unsigned, Ints]] = {}
        self.matching = True
        self.segments = 0

    def __call__(self, batch: Batch, stats: object) -> None:  # noqa: ARG002  # as observers are called
        """Keep as many segments as the limit allows."""
        room = min(len(batch), self._limit - self.segments)
        texts = batch.references if batch.references is not None else batch.sources
        if room <= 0 or texts is None:
            return
        self.matching = batch.references is not None
        texts = texts[:room]
        for system, lines in batch.systems.items():
            self._systems.setdefault(system, []).append(self._encode(LineGroups(lines[:room])))
        self._rivals.append(self._encode(texts))
        segments = np.repeat(np.arange(room, dtype=np.int64), texts.counts())
        self._rival_segments.append(segments + self.segments)
        self.segments += room

    def differences(
        self, system: str, rival: str, *, most: int = 10, least: float = 0.0
    ) -> list[NgramDifference]:
        """The n-grams that `system` has more often than `rival`, by G2, at most `most` of them.

        Those with a G2 below `least` are left out. Of n-grams with equal counts of which one
        contains the other, only the longest is returned.
        """
        rows: list[NgramDifference] = []
        for order in range(ORDER, 0, -1):
            mine, theirs = self._count(system, order), self._count(rival, order)
            other = _lookup(theirs.keys, theirs.counts, mine.keys)
            g2 = log_likelihood_ratio(mine.counts, other, mine.total, theirs.total)
            g2[mine.counts * theirs.total <= other * mine.total] = 0.0
            best = np.argsort(-g2, kind="stable")[: 4 * most]
            best = best[(g2[best] > 0) & (g2[best] >= least)]
            words = _words_at(self._join(system), mine.places[best], order)
            for numbers, index in zip(words, best.tolist(), strict=True):
                a, b = int(mine.counts[index]), int(other[index])
                tokens = tuple(self._vocabulary.token(number) for number in numbers)
                row = NgramDifference(tokens, a, b, (a + 1) / (a + b + 2), float(g2[index]))
                if not any(_covers(longer, row) for longer in rows):
                    rows.append(row)
        return sorted(rows, key=lambda row: (-row.g2, row.words))[:most]

    def _encode(self, texts: LineGroups) -> Ragged:
        return self._vocabulary.encode(
            texts.lines, self._tokenizer, case="lower", threads=self._threads
        )

    def _join(self, system: str) -> Ragged:
        if len(self._systems[system]) > 1:
            self._systems[system] = [_concatenate(self._systems[system])]
        return self._systems[system][0]

    def _count(self, system: str, order: int) -> _NgramTable:
        """N-grams of one order of one system that count, computed once."""
        if (system, order) not in self._tables:
            if order not in self._known:
                rivals = _concatenate(self._rivals)
                segments = np.concatenate(self._rival_segments)
                self._known[order] = _rival_counts(rivals, segments, order)
            self._tables[system, order] = _count_ngrams(
                self._join(system), self._known[order], order, matching=self.matching
            )
        return self._tables[system, order]


def log_likelihood_ratio(a: Ints, b: Ints, total_a: int, total_b: int) -> Floats:
    """G2 of counts [n] among totals.

    >>> log_likelihood_ratio(np.array([10]), np.array([0]), 100, 100).round(3)  # 2 * 10 ln 2
    array([13.863])
    """
    whole = max(1, total_a + total_b)
    both = (a + b).astype(np.float64)
    result = np.zeros(len(both))
    for counts, total in ((a, total_a), (b, total_b)):
        expected = total * both / whole
        some = (counts > 0) & (expected > 0)
        result[some] += 2 * counts[some] * np.log(counts[some] / expected[some])
    return result


def _covers(longer: NgramDifference, row: NgramDifference) -> bool:
    """Whether a longer n-gram with the same counts contains this one."""
    if (longer.count, longer.rival_count) != (row.count, row.rival_count):
        return False
    size = len(row.words)
    return any(longer.words[i : i + size] == row.words for i in range(len(longer.words) - size + 1))


def _concatenate(parts: list[Ragged]) -> Ragged:
    starts = np.cumsum([0, *(len(part.ids) for part in parts)])
    offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts, strict=False)]
    return Ragged(np.concatenate([part.ids for part in parts]), np.concatenate([*offsets, starts[-1:]]))


def _ngrams(texts: Ragged, order: int) -> tuple[Unsigned, Ints, Ints]:
    """Hashes of all n-grams, the line of each, and where each begins."""
    lengths = np.maximum(texts.lengths - order + 1, 0)
    line = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    first = np.cumsum(lengths) - lengths
    places = texts.offsets[:-1][line] + np.arange(len(line)) - first[line]
    keys = np.zeros(len(line), np.uint64)
    for i in range(order):
        keys = _mix_hashes(keys, texts.ids[places + i])
    return keys, line, places


def _mix_hashes(keys: Unsigned, numbers: NDArray[np.integer]) -> Unsigned:
    """Hashes of (key, number); two of a million pairs collide with a chance of 3 in 10^8.

    The multiplier is that of Knuth's 64-bit linear congruential generator.
    """
    mixed = (keys ^ (numbers.astype(np.uint64) + np.uint64(1))) * np.uint64(6364136223846793005)
    return np.asarray(mixed ^ (mixed >> np.uint64(29)))


def _rival_counts(texts: Ragged, segments: Ints, order: int) -> tuple[Unsigned, Ints]:
    """Hashes of (n-gram, segment), sorted, and how often the line with most of them has each."""
    keys, line, _ = _ngrams(texts, order)
    _, first, counts = np.unique(_mix_hashes(keys, line), return_index=True, return_counts=True)
    pairs = _mix_hashes(keys[first], segments[line[first]])
    ranked = np.argsort(pairs)
    pairs, counts = pairs[ranked], counts[ranked]
    starts = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1])) if len(pairs) else ranked
    return pairs[starts], np.maximum.reduceat(counts, starts) if len(pairs) else counts


def _count_ngrams(
    texts: Ragged, rivals: tuple[Unsigned, Ints], order: int, *, matching: bool
) -> _NgramTable:
    """How often each n-gram of the candidates matches (or is not in) the texts of its segment."""
    keys, line, places = _ngrams(texts, order)
    pairs, first, counts = np.unique(_mix_hashes(keys, line), return_index=True, return_counts=True)
    there = _lookup(*rivals, pairs)
    counted = np.minimum(counts, there) if matching else np.maximum(counts - there, 0)
    some = counted > 0
    first, counted = first[some], counted[some]
    different, at, which = np.unique(keys[first], return_index=True, return_inverse=True)
    sums = np.bincount(which, weights=counted, minlength=len(different)).astype(np.int64)
    return _NgramTable(different, sums, places[first[at]], len(keys))


def _lookup(known: Unsigned, counts: Ints, keys: Unsigned) -> Ints:
    """The counts of these keys among the known ones, which are sorted; 0 for those not there."""
    if len(known) == 0:
        return np.zeros(len(keys), np.int64)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, counts[at], 0)


def _words_at(texts: Ragged, places: Ints, order: int) -> list[list[int]]:
    rows: list[list[int]] = texts.ids[places[:, None] + np.arange(order)].tolist()
    return rows
