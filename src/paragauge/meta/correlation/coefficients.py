"""Pearson, Spearman and Kendall tau-b between scores and ratings of single candidates.

Three views of the same data:

- *pooled*: one coefficient over all items. It mixes differences between sources with differences
  between systems, and is what Liu et al. (2010) and Chen and Dolan (2011) report as "sentence level".
- *by-source*: one coefficient per source sentence over its candidates, averaged: does the metric
  rank the candidates for one sentence as people do?
- *by-system*: one coefficient per system over its sentences, averaged: does the metric find a
  system's bad sentences?

Resampling draws segments with all their candidates, because candidates for one source are not
independent. The permutation test standardizes both metrics' scores and exchanges them with chance
1/2, for whole segments (PERM-INPUT of Deutsch, Dror and Roth 2021) or in each cell (system, segment)
on its own (their PERM-BOTH). Cells assume that the scores of one source's candidates are independent;
where a metric favors or disfavors whole sources they are not, and exchanging cells finds far too many
differences. An exchanged score is a pair that enters both lists with complementary weights.

Time for B draws is B n for Pearson, B n for Spearman and B n log n for Kendall.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.correlation.statistic import (
    Draws,
    Estimate,
    Statistic,
    View,
    rescale,
    standardize,
    undefined_reason,
)
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.panel import Panel
from paragauge.metrics.resampling import Resampler, ResamplingWeights

CoefficientName = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[CoefficientName, ...] = get_args(CoefficientName)
_NONE = np.zeros(0, np.uint8)


def check_coefficient(name: str) -> None:
    """Refuse an unknown coefficient."""
    if name not in COEFFICIENTS:
        raise unknown_name("coefficient", name, COEFFICIENTS)


def coefficient(x: Floats, y: Floats, name: CoefficientName = "pearson") -> float | None:
    """Pearson, Spearman or Kendall tau-b of two lists; None if a side is constant.

    >>> coefficient(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]), "kendall")
    0.333...
    """
    check_coefficient(name)
    value = _native.group_correlations(
        rescale(x),
        rescale(y),
        np.array([0, len(x)]),
        name,
        1,
    )[0]
    return None if np.isnan(value) else float(value)


@dataclass(frozen=True)
class _Grouped:
    """Items in groups: positions [pairs] into the items, and offsets of the groups."""

    item: Ints
    offsets: Ints


def group_items(key: Ints, item: Ints) -> _Grouped:
    """The items by their key, groups in order of the key."""
    order = np.argsort(key, kind="stable")
    ends = np.flatnonzero(np.diff(key[order])) + 1
    return _Grouped(item[order], np.concatenate([[0], ends, [len(order)]]).astype(np.int64))


@dataclass(frozen=True)
class Coefficient(Statistic):
    """One coefficient over the groups of a view."""

    coefficient: CoefficientName = "pearson"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_coefficient(self.coefficient)

    @property
    def name(self) -> str:
        """The coefficient's name."""
        return self.coefficient

    def groups(self, panel: Panel) -> _Grouped:
        """How the items of a panel are grouped in this view."""
        everything = np.arange(panel.judged.items)
        return group_items(np.zeros(len(everything), np.int64), everything)

    def _parts(self, panel: Panel, scores: MetricScores) -> tuple[_Grouped, Floats, Floats]:
        """Groups, the coefficient of each, and 1 for each that counts in the mean."""
        groups = self.groups(panel)
        y = panel.gold[groups.item]
        values = _native.group_correlations(
            rescale(scores.oriented[groups.item]),
            rescale(y),
            groups.offsets,
            self.coefficient,
            0,
        )
        varied = _find_varied(y, groups.offsets)
        counts = varied if self.constant == "zero" else ~np.isnan(values)
        return groups, np.where(np.isnan(values), 0.0, values), counts.astype(np.float64)

    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """The coefficient, or its mean over groups."""
        groups, values, counts = self._parts(panel, scores)
        used = int(counts.sum())
        items = int(np.diff(groups.offsets)[counts > 0].sum())
        if self.view == "pooled":
            reason = undefined_reason(scores.values, panel.gold, "items")
            return Estimate(None if reason else float(values[0]), len(panel.gold), reason=reason)
        if len(groups.item) == 0:
            return Estimate(None, 0, 0, reason="no candidate belongs to a system")
        kind = self.view.removeprefix("by-") + "s"
        varied = int(_find_varied(panel.gold[groups.item], groups.offsets).sum())
        out = {
            f"{kind} with equal or single ratings": len(values) - varied,
            f"{kind} on which the metric is constant": varied - used,
        }
        left_out = {reason: count for reason, count in out.items() if count}
        if used == 0:
            what = "different scores and ratings" if varied else "different ratings"
            return Estimate(None, 0, 0, left_out, f"no {kind[:-1]} has {what}")
        return Estimate(float(values @ counts / used), items, used, left_out)

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The coefficient of resampled segments."""
        groups = self.groups(panel)
        return self._draw(
            scores.oriented[groups.item],
            panel.gold[groups.item],
            groups.offsets,
            panel.segment[groups.item],
            _NONE,
            draws,
        )

    def _draw(
        self, x: Floats, y: Floats, offsets: Ints, units: Ints, complement: np.ndarray, draws: Draws
    ) -> Floats:
        return _native.resampled_correlations(
            rescale(x),
            rescale(y),
            offsets,
            np.ascontiguousarray(units),
            complement,
            self.coefficient,
            "coin" if len(complement) else "poisson",
            self.constant == "zero" and self.view != "pooled",
            draws.seed,
            draws.count,
            draws.threads,
        )

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """The coefficients of both metrics after exchanging segments or single cells."""
        groups = self.groups(panel)
        if self.coefficient != "pearson":
            units = groups.item if draws.exchange == "cells" else panel.segment[groups.item]
            return _native.exchanged_correlations(
                standardize(a)[groups.item],
                standardize(b)[groups.item],
                rescale(panel.gold[groups.item]),
                groups.offsets,
                np.ascontiguousarray(units),
                self.coefficient,
                self.constant == "zero" and self.view != "pooled",
                draws.seed,
                draws.count,
                draws.threads,
            )
        sizes = np.diff(groups.offsets)
        # In each group the first metric's cells, then the second's: both share a coin.
        group = np.repeat(np.arange(len(sizes)), 2 * sizes)
        second = np.arange(2 * len(groups.item)) - 2 * groups.offsets[group] >= sizes[group]
        item = np.empty(len(second), np.int64)
        item[~second] = item[second] = groups.item
        x = np.where(second, standardize(b)[item], standardize(a)[item])
        y = panel.gold[item]
        unit = item if draws.exchange == "cells" else panel.segment[item]
        first_list = self._draw(x, y, 2 * groups.offsets, unit, second.astype(np.uint8), draws)
        second_list = self._draw(x, y, 2 * groups.offsets, unit, (~second).astype(np.uint8), draws)
        return first_list, second_list


@dataclass(frozen=True)
class Pooled(Coefficient):
    """One coefficient over all items."""

    view: ClassVar[View] = "pooled"

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """The coefficients of both metrics after exchanging their scores; Pearson's from sums."""
        if self.coefficient != "pearson":
            return super().exchange_scores(panel, a, b, draws)
        y = panel.gold - panel.gold.mean()
        one, two = (np.stack([x, x * x, x * y], axis=1) for x in (standardize(a), standardize(b)))
        drawn = Resampler(3, draws.count, seed=draws.seed, weights="coin", threads=draws.threads)
        rows = one - two
        if draws.exchange == "segments":
            rows = np.zeros((len(panel.judged.segments), 3))
            np.add.at(rows, panel.segment, one - two)
        drawn.add(rows, 0)
        # A coin of 1 keeps scores where they are.
        lists = two.sum(axis=0) + drawn.sums, one.sum(axis=0) - drawn.sums
        first, second = (_pearson(sums, y) for sums in lists)
        return first, second


@dataclass(frozen=True)
class BySource(Coefficient):
    """The mean over sources of the coefficient over their candidates."""

    view: ClassVar[View] = "by-source"

    def groups(self, panel: Panel) -> _Grouped:
        """Items by segment."""
        return group_items(panel.segment, np.arange(panel.judged.items))

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The mean over resampled sources: a source's coefficient does not change, its weight does."""
        groups, values, counts = self._parts(panel, scores)
        rows = np.zeros((len(panel.judged.segments), 2))
        rows[panel.segment[groups.item[groups.offsets[:-1]]]] = np.stack([values * counts, counts], 1)
        return resample_ratio(rows, draws)


@dataclass(frozen=True)
class BySystem(Coefficient):
    """The mean over systems of the coefficient over their sentences."""

    view: ClassVar[View] = "by-system"

    def groups(self, panel: Panel) -> _Grouped:
        """Items by system; an item that two systems share is in both."""
        return group_items(panel.judged.output_system, panel.judged.output_item)


def _pearson(sums: Floats, y: Floats) -> Floats:
    """Pearson's r from sums [draws, 3] of x, x^2 and xy, y having mean 0; NaN where x is constant."""
    squares = sums[:, 1] - sums[:, 0] ** 2 / len(y)
    # Mixtures of standardized scores vary by about 1, so a much smaller variance is rounding.
    varied = squares > 1e-12 * len(y)
    below = np.sqrt(np.where(varied, squares, 1.0)) * np.sqrt(y @ y)
    return np.where(varied, np.clip(sums[:, 2] / below, -1.0, 1.0), np.nan)


def resample_ratio(rows: Floats, draws: Draws) -> Floats:
    """First column divided by second, summed over resampled segments; rows [segments, 2]."""
    sums = resample_sums(rows, draws)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[:, 0] / sums[:, 1])


def resample_sums(rows: Floats, draws: Draws, weights: ResamplingWeights = "poisson") -> Floats:
    """Sums of rows [segments, k] over resampled segments, float64 [draws, k].

    Segments before and after those of a group have rows of zeros, and are skipped.
    """
    resampler = Resampler(
        rows.shape[1], draws.count, seed=draws.seed, weights=weights, threads=draws.threads
    )
    used = np.flatnonzero(rows.any(axis=1))
    if len(used):
        resampler.add(np.ascontiguousarray(rows[used[0] : used[-1] + 1]), int(used[0]))
    return resampler.sums


def _find_varied(values: Floats, offsets: Ints) -> np.ndarray:
    """Which groups have at least two different values."""
    sizes = np.diff(offsets)
    result = np.zeros(len(sizes), bool)
    full = sizes > 0
    starts = offsets[:-1][full]
    result[full] = np.maximum.reduceat(values, starts) > np.minimum.reduceat(values, starts)
    return result
