"""Agreement on systems: correlation and pairwise accuracy of system scores with mean ratings.

A system's rating is the mean over its rated candidates; its score is the metric's corpus score on
the same candidates, from summed statistics, or the mean of its segment scores where the metric is a
mean or only segment scores are known. Resampling draws segments (setting `resample`: ``systems``
draws systems instead and ``both`` draws both, which says how far a result carries over to other
systems; Deutsch, Dror and Roth 2021). With fewer than about ten systems a correlation says little,
however narrow the interval over segments is.

*Accuracy* is the share of pairs of systems that metric and people put in the same order (Kocmi et
al. 2021), equal scores being ties that must agree too.

The permutation test exchanges standardized scores of segments or cells, as `meta.coefficients` does.
It is for metrics whose system score is the mean of their segment scores: corpus statistics of two
metrics, such as BLEU's, cannot be exchanged.

Work is segments times systems, and draws times systems or pairs of systems. With thousands of systems,
which are a column that was taken for another, the statistics have no value.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.coefficients import (
    COEFFICIENTS,
    CoefficientName,
    check_coefficient,
    resample_sums,
)
from paragauge.meta.correlation.statistic import (
    Draws,
    Estimate,
    Statistic,
    View,
    standardize,
    undefined_reason,
)
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.meta.sets.panel import Panel
from paragauge.metrics.resampling import Resampler

FEWEST = 3
MOST_CELLS = 20_000_000  # of segments and systems
ResampledUnit = Literal["segments", "systems", "both"]
RESAMPLE: tuple[ResampledUnit, ...] = get_args(ResampledUnit)
# Systems are drawn from their own random stream.
_SYSTEMS = 0x5957E45


@dataclass(frozen=True)
class Cells:
    """Rows of additive statistics for each segment and system, float64 [segments, systems, k]."""

    rows: Floats
    scores: MetricScores

    @property
    def values(self) -> Floats:
        """The score of each system, float64 [systems]."""
        return self.score(self.rows.sum(axis=0))

    def score(self, sums: Floats) -> Floats:
        """Scores of sums [..., systems, k], larger being better."""
        values = round_bits(self.scores.aggregate(sums))
        return values if self.scores.higher_is_better else -values

    def resample(self, draws: Draws) -> Floats:
        """Scores of the systems on resampled segments, float64 [draws, systems]."""
        segments, systems, width = self.rows.shape
        sums = resample_sums(self.rows.reshape(segments, -1), draws)
        return self.score(sums.reshape(draws.count, systems, width))


def round_bits(values: Floats) -> Floats:
    """Values rounded to 44 binary digits, so that means of the same numbers in another order are equal.

    >>> 0.1 + 0.2 + 0.3 == 0.3 + 0.2 + 0.1
    False
    >>> bool(np.diff(round_bits(np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1])))[0])
    False
    """
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissa, 44)), exponent - 44))


def cells(judged: EvalSet, scores: MetricScores) -> Cells:
    """The cells of a metric's scores."""
    additive = scores.additive()
    rows = np.zeros((len(judged.segments), len(judged.systems), additive.shape[1]))
    rows[judged.item_segment[judged.output_item], judged.output_system] = additive[judged.output_item]
    return Cells(rows, scores)


def reason_against(judged: EvalSet, most_systems: int) -> str:
    """Why statistics of systems are not computed; empty if they are."""
    systems, segments = len(judged.systems), len(judged.segments)
    if systems > most_systems:
        return f"more than {most_systems:,} systems"
    if systems * segments > MOST_CELLS:
        return f"more than {MOST_CELLS:,} cells of segments and systems"
    return ""


def gold_cells(panel: Panel) -> Cells:
    """The cells of the ratings."""
    return cells(panel.judged, MetricScores(panel.criterion, panel.criterion, panel.gold))


@dataclass(frozen=True)
class SystemStatistic(Statistic):
    """What all statistics on system scores share."""

    view: ClassVar[View] = "system"
    most_systems: ClassVar[int] = 1000
    resample: ResampledUnit = "segments"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resample not in RESAMPLE:
            raise unknown_name("way to resample", self.resample, RESAMPLE)

    @abstractmethod
    def of_lists(self, x: Floats, y: Floats) -> Floats:
        """The statistic of each row of scores and ratings [n, systems]; NaN where undefined."""

    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """The statistic of the systems."""
        systems = len(panel.judged.systems)
        if refusal := reason_against(panel.judged, self.most_systems):
            return Estimate(None, systems, reason=refusal)
        x, y = cells(panel.judged, scores).values, gold_cells(panel).values
        reason = undefined_reason(x, y, "systems")
        if np.isnan(x).any():
            return Estimate(None, systems, reason="the metric has no score of some system")
        if systems < FEWEST and self.name in COEFFICIENTS:
            # Two points always lie on a line.
            return Estimate(None, systems, reason="fewer than three systems")
        if reason and (systems < 2 or self.name in COEFFICIENTS):
            return Estimate(None, systems, reason=reason)
        return Estimate(float(self.of_lists(x[None], y[None])[0]), systems)

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The statistic on resampled segments, systems or both."""
        mine, gold = cells(panel.judged, scores), gold_cells(panel)
        count = len(panel.judged.systems)
        if self.resample == "systems":
            x, y = (np.tile(side.values, (draws.count, 1)) for side in (mine, gold))
        else:
            x, y = mine.resample(draws), gold.resample(draws)
        weights = np.ones((draws.count, count))
        if self.resample != "segments":
            drawn = Resampler(count, draws.count, seed=draws.seed ^ _SYSTEMS, threads=draws.threads)
            drawn.add(np.eye(count), 0)
            weights = drawn.sums
        return self._weigh_systems(x, y, weights.astype(np.int64))

    def _weigh_systems(self, x: Floats, y: Floats, weights: np.ndarray) -> Floats:
        """The statistic of each row, every system counted as often as its weight says."""
        known = ~(np.isnan(x) | np.isnan(y)).any(axis=1)
        result = np.full(len(x), np.nan)
        if x.shape[1] < 2:
            return result
        if (weights == 1).all():
            result[known] = self.of_lists(x[known], y[known])
            return result
        for row in np.flatnonzero(known):
            a, b = np.repeat(x[row], weights[row]), np.repeat(y[row], weights[row])
            if len(a) > 1:
                result[row] = self.of_lists(a[None], b[None])[0]
        return result

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """The statistic of both metrics after exchanging segments or single cells."""
        judged = panel.judged
        order = np.argsort(judged.output_system, kind="stable")
        system, item = judged.output_system[order], judged.output_item[order]
        one, two = standardize(a)[item], standardize(b)[item]
        count = len(judged.systems)
        sizes = np.bincount(system, minlength=count)
        sums = [np.bincount(system, values, count) for values in (one, two)]
        moved = np.zeros((draws.count, count))
        if draws.exchange == "segments":
            change = np.zeros((len(judged.segments), count))
            change[judged.item_segment[item], system] = two - one
            moved = resample_sums(change, draws, "coin")
        first = 0
        for number, size in enumerate(sizes.tolist()) if draws.exchange == "cells" else ():
            drawn = Resampler(1, draws.count, seed=draws.seed, weights="coin", threads=draws.threads)
            drawn.add((two - one)[first : first + size, None], first)
            moved[:, number] = drawn.sums[:, 0]
            first += size
        gold = np.tile(gold_cells(panel).values, (draws.count, 1))
        return (
            self.of_lists((sums[0] + moved) / sizes, gold),
            self.of_lists((sums[1] - moved) / sizes, gold),
        )


@dataclass(frozen=True)
class SystemCoefficient(SystemStatistic):
    """Pearson, Spearman or Kendall tau-b over systems."""

    coefficient: CoefficientName = "pearson"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_coefficient(self.coefficient)

    @property
    def name(self) -> str:
        """The coefficient's name."""
        return self.coefficient

    def of_lists(self, x: Floats, y: Floats) -> Floats:
        """The coefficient of each row."""
        offsets = np.arange(len(x) + 1) * x.shape[1]
        a, b = (np.ascontiguousarray(side.reshape(-1)) for side in (x, y))
        return _native.group_correlations(a, b, offsets, self.coefficient, 0)


@dataclass(frozen=True)
class SystemAccuracy(SystemStatistic):
    """The share of pairs of systems in the same order."""

    most_systems: ClassVar[int] = 300

    @property
    def name(self) -> str:
        """Its name."""
        return "accuracy"

    def of_lists(self, x: Floats, y: Floats) -> Floats:
        """The accuracy of each row."""
        return self._weigh_systems(x, y, np.ones(x.shape, np.int64))

    def _weigh_systems(self, x: Floats, y: Floats, weights: np.ndarray) -> Floats:
        """Pairs count by the product of their weights; two copies of a system are not a pair."""
        left, right = np.triu_indices(x.shape[1], 1)
        agree = np.sign(x[:, left] - x[:, right]) == np.sign(y[:, left] - y[:, right])
        counts = weights[:, left] * weights[:, right]
        known = ~(np.isnan(x) | np.isnan(y)).any(axis=1) & (counts.sum(axis=1) > 0)
        accuracy = (agree * counts).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
        return np.where(known, accuracy, np.nan)
