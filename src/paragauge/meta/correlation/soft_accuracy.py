"""Soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah 2024).

Pairwise accuracy treats a pair of systems that people can hardly tell apart like one with a clear
winner. Here each pair has two p-values of the hypothesis that the first system is not better than the
second, one by the ratings and one by the metric, and

    SPA = 1 - mean over pairs of |p_human - p_metric|

A p-value is the share of random exchanges of the two systems' outputs (on the segments both have, the
same exchanges for ratings and metric) whose difference is at least the observed one; the observation
counts as one of them. 1 means that the metric is exactly as certain as people are.

The interval draws at most 100 resamples of segments and 100 exchanges in each, because every resample
needs p-values of its own. Resamples are noisier than the data, which lowers the statistic, so they
are moved to have the observed value as their mean. There is no permutation test between metrics.

Time is exchanges x segments x systems, or pairs of systems where a system lacks a segment.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.statistic import Draws, Estimate, Statistic, View
from paragauge.meta.correlation.system_level import Cells, cells, gold_cells, reason_against
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.panel import Panel

EXCHANGES = 1000
INNER = OUTER = 100
BLOCK = 1 << 22  # numbers in memory at once
MOST_SYSTEMS = 100
TOGETHER = 10  # resamples in memory at once


@dataclass(frozen=True)
class SoftAccuracy(Statistic):
    """Soft pairwise accuracy over all pairs of systems."""

    view: ClassVar[View] = "system"
    most_resamples: ClassVar[int] = OUTER
    exchanges: int = EXCHANGES
    seed: int = 7

    @property
    def name(self) -> str:
        """Its name."""
        return "soft-accuracy"

    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """The soft accuracy of the systems."""
        systems = len(panel.judged.systems)
        if systems < 2:
            return Estimate(None, systems, reason="fewer than two systems")
        if refusal := reason_against(panel.judged, MOST_SYSTEMS):
            return Estimate(None, systems, reason=refusal)
        draws = Draws(self.exchanges, self.seed)
        gold, mine = _select_segments(panel, scores)
        accuracy = _soft_accuracies(gold, mine, np.ones((1, len(gold.rows)), np.int64), draws)[0]
        if np.isnan(accuracy):
            return Estimate(None, systems, reason="no two systems have a segment in common")
        return Estimate(float(accuracy), systems)

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The soft accuracy on resampled segments, [draws] with NaN beyond the first 100."""
        gold, mine = _select_segments(panel, scores)
        result = np.full(draws.count, np.nan)
        if len(panel.judged.systems) < 2:
            return result
        inner = Draws(INNER, self.seed, draws.threads)
        for start in range(0, min(OUTER, draws.count), TOGETHER):
            replicates = range(start, min(start + TOGETHER, OUTER, draws.count))
            randoms = (np.random.default_rng([draws.seed, replicate]) for replicate in replicates)
            copies = np.stack([random.poisson(1.0, len(gold.rows)) for random in randoms])
            result[replicates.start : replicates.stop] = _soft_accuracies(gold, mine, copies, inner)
        known = result[~np.isnan(result)]
        value = self.value(panel, scores).value
        if len(known) and value is not None:
            result = np.minimum(result + (value - known.mean()), 1.0)
        return result


def _select_segments(panel: Panel, scores: MetricScores) -> tuple[Cells, Cells]:
    """The cells of ratings and metric, without segments that belong to other groups."""
    gold, mine = gold_cells(panel), cells(panel.judged, scores)
    used = gold.rows[:, :, 1].any(axis=1)
    return (
        dataclasses.replace(gold, rows=gold.rows[used]),
        dataclasses.replace(mine, rows=mine.rows[used]),
    )


def _soft_accuracies(gold: Cells, mine: Cells, copies: NDArray[np.int64], draws: Draws) -> Floats:
    """One minus the mean gap of the p-values in each resample; NaN if no two systems share a segment.

    A segment counts as often as `copies` [resamples, segments] says; every copy has coins of its own.
    """
    present = gold.rows[:, :, 1] > 0
    left, right = np.triu_indices(present.shape[1], 1)
    accuracies = np.full(len(copies), np.nan)
    if present.all():
        some = copies.any(axis=1)
        if some.any():
            flat = [side.rows.reshape(len(present), -1) for side in (gold, mine)]
            drawn = _sum_complete(flat, copies[some], draws)
            human, metric = (
                _complete_p_values(side, np.stack([left, right]), copies[some] @ rows, sums)
                for side, rows, sums in zip((gold, mine), flat, drawn, strict=True)
            )
            accuracies[some] = 1 - np.abs(human - metric).mean(axis=1)
        return accuracies
    for i, row in enumerate(copies):
        kept = np.repeat(np.arange(len(row)), row)
        shared = (present[kept][:, left] & present[kept][:, right]).any(axis=0)
        pairs = np.stack([left[shared], right[shared]])
        if not pairs.shape[1]:
            continue
        coins = _toss_coins(len(kept), draws)
        human, metric = (
            _p_values(dataclasses.replace(side, rows=side.rows[kept]), pairs, present[kept], coins)
            for side in (gold, mine)
        )
        accuracies[i] = 1 - np.abs(human - metric).mean()
    return accuracies


def _toss_coins(count: int, draws: Draws) -> NDArray[np.int8]:
    """The coins of each exchange, [exchanges, count]."""
    return np.random.default_rng(draws.seed).integers(0, 2, (draws.count, count), np.int8)


def _sum_complete(flat: list[Floats], copies: NDArray[np.int64], draws: Draws) -> list[Floats]:
    """Sums of rows [segments, n] where the coin is 1, in each exchange of each resample.

    A list of [resamples, exchanges, n], one for each array of rows. As many exchanges as fit in memory
    are one product of matrices: many small ones take longer.
    """
    step = max(1, BLOCK // copies.shape[1])
    sums: list[list[Floats]] = [[] for _ in flat]
    waiting: list[Floats] = []

    def multiply() -> None:
        weights = np.concatenate(waiting)
        for parts, rows in zip(sums, flat, strict=True):
            parts.append(weights @ rows)
        waiting.clear()

    for row in copies:
        coins = _toss_coins(int(row.sum()), draws)
        for start in range(0, len(coins), step):
            waiting.append(_sum_copies(coins[start : start + step], row))
            if sum(map(len, waiting)) >= step:
                multiply()
    if waiting:
        multiply()
    return [np.concatenate(parts).reshape(len(copies), draws.count, -1) for parts in sums]


def _complete_p_values(side: Cells, pairs: NDArray[np.int64], totals: Floats, drawn: Floats) -> Floats:
    """`_p_values` of each resample where every system has every segment: [resamples, pairs].

    The sums of a pair are those of its systems: `totals` [resamples, n], and `drawn` [resamples,
    exchanges, n] where the coin is 1.
    """
    _, systems, width = side.rows.shape
    exchanges = drawn.shape[1]
    together = max(1, BLOCK // max(1, width * exchanges))
    result = np.zeros((len(drawn), pairs.shape[1]))
    for i, total in enumerate(totals.reshape(-1, systems, width).transpose(0, 2, 1)):
        # Statistics come first in memory, so that arithmetic on each of them is on neighboring numbers.
        own = np.ascontiguousarray(drawn[i].reshape(exchanges, systems, width).transpose(2, 0, 1))
        for start in range(0, pairs.shape[1], together):
            left, right = pairs[:, start : start + together]
            moved = own[:, :, right] - own[:, :, left]
            mine, theirs = total[:, None, left], total[:, None, right]
            observed, trials = (
                side.score(np.moveaxis(first, 0, -1)) - side.score(np.moveaxis(second, 0, -1))
                for first, second in ((mine, theirs), (mine + moved, theirs - moved))
            )
            result[i, start : start + together] = (trials >= observed - 1e-9).sum(axis=0)
    return np.asarray((result + 1) / (exchanges + 1))


def _sum_copies(coins: NDArray[np.int8], copies: NDArray[np.int64]) -> Floats:
    """How many copies of each segment have a coin of 1: [exchanges, copies] to [exchanges, segments].

    >>> _sum_copies(np.array([[1, 0, 1]], np.int8), np.array([2, 0, 1])).tolist()
    [[1.0, 0.0, 1.0]]
    """
    kept = copies > 0
    starts = (np.cumsum(copies) - copies)[kept]
    sums = np.zeros((len(coins), len(copies)))
    if not kept.any():
        return sums
    sums[:, kept] = np.add.reduceat(coins, starts, axis=1)
    return sums


def _p_values(
    side: Cells, pairs: NDArray[np.int64], present: NDArray[np.bool_], coins: NDArray[np.int8]
) -> Floats:
    """For each pair of systems the share of exchanges that favor the first one at least as much.

    Exchanges happen where both systems have an output, and only these segments count.
    """
    segments, _, width = side.rows.shape
    together = max(1, BLOCK // (width * max(segments, len(coins))))
    result = []
    for start in range(0, pairs.shape[1], together):
        left, right = pairs[:, start : start + together]
        both = (present[:, left] & present[:, right])[:, :, None]
        rows = side.rows[:, left] * both, side.rows[:, right] * both
        mine, theirs = (side.sum(axis=0) for side in rows)
        moved = _sum_exchanged(rows[1] - rows[0], coins)
        observed = side.score(mine) - side.score(theirs)
        trials = side.score(mine + moved) - side.score(theirs - moved)
        result.append((trials >= observed - 1e-9).sum(axis=0))
    return np.asarray((np.concatenate(result) + 1) / (len(coins) + 1))


def _sum_exchanged(rows: Floats, coins: NDArray[np.int8]) -> Floats:
    """Sums of rows [segments, n, k] where the coin is 1, float64 [exchanges, n, k].

    Coins are small as bytes and large as floats, so they are converted in blocks.
    """
    flat = rows.reshape(len(rows), math.prod(rows.shape[1:]))
    step = max(1, BLOCK // max(1, len(rows)))
    blocks = [coins[at : at + step].astype(np.float64) @ flat for at in range(0, len(coins), step)]
    return np.concatenate(blocks).reshape(len(coins), *rows.shape[1:])
