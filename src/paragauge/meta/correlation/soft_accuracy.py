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
from paragauge.meta.correlation.system_level import Cells, cells, gold_cells
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.panel import Panel

EXCHANGES = 1000
INNER = OUTER = 100
BLOCK = 1 << 22  # numbers in memory at once


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
        draws = Draws(self.exchanges, self.seed)
        accuracy = _soft_accuracy(*_select_segments(panel, scores), draws)
        if np.isnan(accuracy):
            return Estimate(None, systems, reason="no two systems have a segment in common")
        return Estimate(accuracy, systems)

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The soft accuracy on resampled segments, [draws] with NaN beyond the first 100."""
        gold, mine = _select_segments(panel, scores)
        result = np.full(draws.count, np.nan)
        if len(panel.judged.systems) < 2:
            return result
        inner = Draws(INNER, self.seed, draws.threads)
        for replicate in range(min(OUTER, draws.count)):
            random = np.random.default_rng([draws.seed, replicate])
            drawn = np.repeat(np.arange(len(gold.rows)), random.poisson(1.0, len(gold.rows)))
            result[replicate] = _soft_accuracy(
                dataclasses.replace(gold, rows=gold.rows[drawn]),
                dataclasses.replace(mine, rows=mine.rows[drawn]),
                inner,
            )
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


def _soft_accuracy(gold: Cells, mine: Cells, draws: Draws) -> float:
    """One minus the mean gap of the p-values; NaN if no two systems share a segment."""
    random = np.random.default_rng(draws.seed)
    coins = random.integers(0, 2, (draws.count, len(gold.rows)), np.int8)
    present = gold.rows[:, :, 1] > 0
    left, right = np.triu_indices(present.shape[1], 1)
    shared = (present[:, left] & present[:, right]).any(axis=0)
    pairs = np.stack([left[shared], right[shared]])
    human, metric = (_p_values(side, pairs, present, coins) for side in (gold, mine))
    return float(1 - np.abs(human - metric).mean()) if pairs.shape[1] else np.nan


def _p_values(
    side: Cells, pairs: NDArray[np.int64], present: NDArray[np.bool_], coins: NDArray[np.int8]
) -> Floats:
    """For each pair of systems the share of exchanges that favor the first one at least as much.

    Exchanges happen where both systems have an output, and only these segments count.
    """
    segments, _, width = side.rows.shape
    together = max(1, BLOCK // (width * max(segments, len(coins))))
    complete = bool(present.all())
    if complete:
        # Every pair counts all segments, so that its sums are those of its two systems.
        together = max(1, BLOCK // (width * len(coins)))
        total, drawn = side.rows.sum(axis=0), _sum_exchanged(side.rows, coins)
    result = []
    for start in range(0, pairs.shape[1], together):
        left, right = pairs[:, start : start + together]
        if complete:
            mine, theirs, moved = total[left], total[right], drawn[:, right] - drawn[:, left]
        else:
            both = (present[:, left] & present[:, right])[:, :, None]
            rows = side.rows[:, left] * both, side.rows[:, right] * both
            mine, theirs = (side.sum(axis=0) for side in rows)
            moved = _sum_exchanged(rows[1] - rows[0], coins)
        observed = side.score(mine) - side.score(theirs)
        trials = side.score(mine + moved) - side.score(theirs - moved)
        result.append((trials >= observed - 1e-9).sum(axis=0))
    return np.asarray((np.concatenate([*result, np.zeros(0)]) + 1) / (len(coins) + 1))


def _sum_exchanged(rows: Floats, coins: NDArray[np.int8]) -> Floats:
    """Sums of rows [segments, n, k] where the coin is 1, float64 [exchanges, n, k].

    Coins are small as bytes and large as floats, so they are converted in blocks.
    """
    flat = rows.reshape(len(rows), math.prod(rows.shape[1:]))
    step = max(1, BLOCK // max(1, len(rows)))
    blocks = [coins[at : at + step].astype(np.float64) @ flat for at in range(0, len(coins), step)]
    return np.concatenate(blocks).reshape(len(coins), *rows.shape[1:])
