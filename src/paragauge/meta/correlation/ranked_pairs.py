"""Agreement on pairs of candidates for one source: which of the two is better?

**Kendall's tau as the WMT metrics tasks count it.** Pairs come from rankings (each ranking task gives
all pairs of candidates that it ranks, so a pair that two judges compared counts twice) or, for other
criteria, from the mean ratings of a source's candidates, as far as they differ by more than
`difference` (25 on a scale of 100 for WMT's "DARR" pairs). Pairs that people tie are left out. With
concordant and discordant pairs and pairs T that the metric ties,

    wmt12   (con - dis - T) / (con + dis + T)      a tie is as bad as a wrong order
    wmt13   (con - dis) / (con + dis)              ties are left out
    wmt14   (con - dis) / (con + dis + T)          ties count as 0

(Machacek and Bojar 2014, section 4.2.) The counts are summed over all sources.

**Pairwise accuracy with ties** (Deutsch, Foster and Freitag 2023): the share of a source's pairs on
which metric and people agree, ties included on both sides, averaged over sources. *Tuned*: pairs
whose scores differ by at most a threshold count as tied, and the threshold is the one that makes the
accuracy largest (the smallest, if several do), found exactly by sorting the differences. It is tuned
again in every resample, so that the interval covers the tuning.

The permutation test exchanges the scores of two metrics for whole sources (a pair needs two scores of
the same metric), after standardizing them.

Time is P log P for P pairs, and B P for B draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Bools, Floats, Ints
from paragauge.meta.correlation.coefficients import group_items, resample_ratio, resample_sums
from paragauge.meta.correlation.statistic import Draws, Estimate, Statistic, View, standardize
from paragauge.meta.pair_limits import check_pairs, count_pairs
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.panel import Panel

Signs = NDArray[np.int8]
WMTVariant = Literal["wmt12", "wmt13", "wmt14"]
VARIANTS: tuple[WMTVariant, ...] = get_args(WMTVariant)
MOST_PAIRS = 2_000_000
PAIRS_PER_CANDIDATE = 64
_NONE = np.zeros(0, np.uint8)


@dataclass(frozen=True)
class Pairs:
    """Pairs of items, what people said (1: the left one is better, 0: tie), and their segment."""

    left: Ints
    right: Ints
    human: Signs
    segment: Ints

    def select(self, mask: Bools) -> Pairs:
        """The pairs where `mask` is true."""
        return Pairs(self.left[mask], self.right[mask], self.human[mask], self.segment[mask])


def pairs_within(key: Ints, item: Ints, gold: Floats, segment: Ints) -> Pairs:
    """All pairs of entries with the same key; entries are (item, gold), segments are of items.

    >>> key, item = np.array([0, 0, 0]), np.array([4, 5, 6])
    >>> pairs = pairs_within(key, item, np.array([2.0, 2.0, 1.0]), np.zeros(7, np.int64))
    >>> list(zip(pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist()))
    [(4, 5, 0), (4, 6, 1), (5, 6, 1)]
    """
    groups = group_items(key, np.arange(len(key)))
    sizes = np.diff(groups.offsets)
    check_pairs(
        count_pairs(sizes),
        len(item),
        "pairs of candidates for the same source",
        "check that the column segment names the source, or choose another coefficient",
        most=MOST_PAIRS,
        each=PAIRS_PER_CANDIDATE,
    )
    # Entry i of a group of n is the left side of n - 1 - i pairs.
    inside = np.arange(len(groups.item)) - np.repeat(groups.offsets[:-1], sizes)
    after = np.repeat(sizes, sizes) - 1 - inside
    left = np.repeat(np.arange(len(groups.item)), after)
    ends = np.concatenate([[0], np.cumsum(after)]).astype(np.int64)
    right = left + 1 + np.arange(len(left)) - ends[left]
    left, right = groups.item[left], groups.item[right]
    human = np.sign(gold[left] - gold[right]).astype(np.int8)
    return Pairs(item[left], item[right], human, segment[item[left]])


def rated_pairs(panel: Panel, difference: float = 0.0) -> Pairs:
    """All pairs of a source's candidates, judged by their mean ratings.

    Pairs whose ratings differ, but not by more than `difference`, are left out.
    """
    items = np.arange(panel.judged.items)
    pairs = pairs_within(panel.segment, items, panel.gold, panel.segment)
    if difference <= 0:
        return pairs
    gap = np.abs(panel.gold[pairs.left] - panel.gold[pairs.right])
    return pairs.select((gap > difference) | (gap == 0))


def ranked_pairs(panel: Panel) -> Pairs:
    """The pairs that ranking tasks compared; each task and judge gives its own."""
    judged = panel.judged
    values = judged.criterion(panel.criterion)
    known = ~np.isnan(values) & (judged.rating_task >= 0)
    if panel.judge is not None:
        known &= judged.rating_judge == judged.judge(panel.judge)
    item = judged.rating_item[known]
    return pairs_within(judged.rating_task[known], item, -values[known], panel.segment)


@dataclass(frozen=True)
class WMTKendall(Statistic):
    """Kendall's tau over pairs, as the WMT metrics task of a year counted it."""

    view: ClassVar[View] = "by-source"
    variant: WMTVariant = "wmt14"
    difference: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant not in VARIANTS:
            raise unknown_name("variant of Kendall's tau", self.variant, VARIANTS)
        if not self.difference >= 0:
            raise SettingError(f"difference: expected a number from 0, found {self.difference:g}")

    @property
    def name(self) -> str:
        """The name with the variant."""
        return f"kendall-{self.variant}"

    def pairs(self, panel: Panel) -> Pairs:
        """Pairs that people did not tie."""
        tasks = panel.criterion == "rank" and bool((panel.judged.rating_task >= 0).any())
        if tasks and self.difference > 0:
            raise SettingError("difference: rankings have an order only; leave the difference out")
        pairs = ranked_pairs(panel) if tasks else rated_pairs(panel, self.difference)
        return pairs.select(pairs.human != 0)

    def counts(self, panel: Panel, pairs: Pairs, x: Floats) -> Floats:
        """Numerator and denominator of each segment, float64 [segments, 2]."""
        metric = np.sign(x[pairs.left] - x[pairs.right])
        agreement = metric * pairs.human
        counted = np.ones(len(metric))
        if self.variant == "wmt12":
            agreement = np.where(metric == 0, -1.0, agreement)
        elif self.variant == "wmt13":
            counted = (metric != 0).astype(np.float64)
        size = len(panel.judged.segments)
        return np.stack(
            [np.bincount(pairs.segment, weights, size) for weights in (agreement, counted)], axis=1
        )

    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """Tau over all pairs."""
        pairs = self.pairs(panel)
        counts = self.counts(panel, pairs, scores.oriented)
        agreement, total = counts.sum(axis=0)
        parts = int((counts[:, 1] > 0).sum())
        if total == 0:
            reason = "the metric ties all pairs" if len(pairs.left) else "people order no pair"
            return Estimate(None, len(pairs.left), parts, reason=reason)
        return Estimate(float(agreement / total), len(pairs.left), parts)

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """Tau of resampled segments."""
        return resample_ratio(self.counts(panel, self.pairs(panel), scores.oriented), draws)

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """Tau of both metrics after exchanging whole sources."""
        pairs = self.pairs(panel)
        rows = [self.counts(panel, pairs, one.oriented) for one in (a, b)]
        return exchange_ratios(rows, draws)


@dataclass(frozen=True)
class PairAccuracy(Statistic):
    """Pairwise accuracy with ties, averaged over sources."""

    view: ClassVar[View] = "by-source"

    @property
    def name(self) -> str:
        """Its name."""
        return "accuracy"

    def rows(self, panel: Panel, pairs: Pairs, x: Floats) -> Floats:
        """(accuracy, 1) of each segment that has pairs, (0, 0) of others."""
        right = np.sign(x[pairs.left] - x[pairs.right]) == pairs.human
        size = len(panel.judged.segments)
        counts = np.bincount(pairs.segment, minlength=size)
        shares = np.bincount(pairs.segment, right.astype(np.float64), size) / np.maximum(counts, 1)
        return np.stack([shares, (counts > 0).astype(np.float64)], axis=1)

    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """The mean accuracy."""
        pairs = rated_pairs(panel)
        total, parts = self.rows(panel, pairs, scores.oriented).sum(axis=0)
        if parts == 0:
            return Estimate(None, 0, 0, reason="no source has two candidates")
        return Estimate(float(total / parts), len(pairs.left), int(parts))

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The mean accuracy over resampled sources."""
        return resample_ratio(self.rows(panel, rated_pairs(panel), scores.oriented), draws)

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """The mean accuracies after exchanging whole sources."""
        pairs = rated_pairs(panel)
        rows = [self.rows(panel, pairs, one.oriented) for one in (a, b)]
        return exchange_ratios(rows, draws)


@dataclass(frozen=True)
class _Sweep:
    """Accuracy as the tie threshold grows: it starts at `base` and changes by `gain` at each step.

    Steps are pairs in order of the absolute difference of their scores; `last` marks those after
    which a threshold may lie. `base` and `counted` are per segment.
    """

    gain: Floats
    last: NDArray[np.uint8]
    segment: Ints
    gap: Floats
    base: Floats
    counted: Floats


def sweep(pairs: Pairs, x: Floats, segments: int) -> _Sweep:
    """The sweep over thresholds for these scores."""
    change = x[pairs.left] - x[pairs.right]
    gap = np.abs(change)
    order = np.argsort(gap, kind="stable")
    counts = np.bincount(pairs.segment, minlength=segments)
    share = 1.0 / np.maximum(counts, 1)[pairs.segment]
    right = np.sign(change) == pairs.human
    tied = pairs.human == 0
    gain = np.where(change == 0, 0.0, tied.astype(np.float64) - right) * share
    ranked = gap[order]
    last = np.ones(len(order), np.uint8)
    last[:-1] = ranked[1:] > ranked[:-1]
    return _Sweep(
        gain[order],
        last,
        pairs.segment[order],
        ranked,
        np.asarray(np.bincount(pairs.segment, right * share, segments), np.float64),
        (counts > 0).astype(np.float64),
    )


@dataclass(frozen=True)
class TunedAccuracy(Statistic):
    """Pairwise accuracy with ties, at the tie threshold that makes it largest."""

    view: ClassVar[View] = "by-source"

    @property
    def name(self) -> str:
        """Its name."""
        return "accuracy-tuned"

    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """The largest mean accuracy, and the threshold."""
        pairs = rated_pairs(panel)
        steps = sweep(pairs, scores.oriented, len(panel.judged.segments))
        parts = int(steps.counted.sum())
        if parts == 0:
            return Estimate(None, 0, 0, reason="no source has two candidates")
        reached = np.where(steps.last == 1, np.cumsum(steps.gain), -np.inf)
        best = int(np.argmax(reached))
        # Sums of many shares round: an advantage in the last digits is none.
        tuned = reached[best] > 1e-9
        first = int(np.argmax(reached >= reached[best] - 1e-9))
        value = (steps.base.sum() + (reached[best] if tuned else 0.0)) / parts
        tie = float(steps.gap[first]) if tuned else 0.0
        tied = float(np.mean(steps.gap <= tie))
        return Estimate(float(value), len(pairs.left), parts, tie=tie, tied=tied)

    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """The largest mean accuracy over resampled sources, tuned in each."""
        steps = sweep(rated_pairs(panel), scores.oriented, len(panel.judged.segments))
        sums = resample_sums(np.stack([steps.base, steps.counted], axis=1), draws)
        most = _native.resampled_maxima(
            steps.gain,
            steps.last,
            steps.segment,
            _NONE,
            "poisson",
            draws.seed,
            draws.count,
            draws.threads,
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((sums[:, 0] + most) / sums[:, 1])

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """The largest mean accuracies after exchanging whole sources, tuned in each draw."""
        pairs, size = rated_pairs(panel), len(panel.judged.segments)
        one, two = (sweep(pairs, standardize(metric), size) for metric in (a, b))
        gap = np.concatenate([one.gap, two.gap])
        order = np.argsort(gap, kind="stable")
        gain = np.concatenate([one.gain, two.gain])[order]
        unit = np.concatenate([one.segment, two.segment])[order]
        second = np.repeat([0, 1], len(one.gap)).astype(np.uint8)[order]
        ranked = gap[order]
        last = np.ones(len(order), np.uint8)
        last[:-1] = ranked[1:] > ranked[:-1]
        moved = resample_sums((one.base - two.base)[:, None], draws, "coin")[:, 0]
        parts = one.counted.sum()
        result = []
        # A coin of 1 keeps a source where it is.
        for complement, start in (
            (second, two.base.sum() + moved),
            (1 - second, one.base.sum() - moved),
        ):
            most = _native.resampled_maxima(
                gain, last, unit, complement, "coin", draws.seed, draws.count, draws.threads
            )
            result.append(np.asarray((start + most) / max(parts, 1.0)))
        return result[0], result[1]


def exchange_ratios(rows: Sequence[Floats], draws: Draws) -> tuple[Floats, Floats]:
    """Ratios of summed rows [segments, 2] of two metrics after exchanging whole segments."""
    one, two = rows
    moved = resample_sums(two - one, draws, "coin")
    with np.errstate(invalid="ignore", divide="ignore"):
        first = one.sum(axis=0) + moved
        second = two.sum(axis=0) - moved
        return first[:, 0] / first[:, 1], second[:, 0] / second[:, 1]
