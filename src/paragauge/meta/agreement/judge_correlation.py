"""Correlation of two judges at the sentence and at the system level.

As in Liu et al. (2010, section 5.2): at the *sentence level* the vectors are the ratings of the items;
at the *system level* they are the mean ratings of the systems. Pearson's coefficient is the paper's;
Spearman's (mid-ranks for ties) and Kendall's tau-b can be chosen.

An item that several systems share counts for each of them at the system level. Fewer than three points
have no coefficient here, since two always lie on a line, nor does a vector whose values are all
equal: these are undefined, with the reason.

Intervals come from resampled segments; at the system level the means are those of the resample, and
a system missing from a resample is left out of it. A resample is noisier than the data, so means of
few ratings correlate less in it: such an interval is too low, and may even exclude the value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.correlation.coefficients import CoefficientName, check_coefficient
from paragauge.meta.correlation.coefficients import coefficient as plain_coefficient
from paragauge.meta.measure import Bootstrap, Measure, undefined_measure
from paragauge.meta.sets.evalset import EvalSet

FEWEST = 3
# Spread below this share of the values is rounding: means of equal ratings may differ by that.
ROUNDING = 1e-12


def correlation(
    first: Floats,
    second: Floats,
    coefficient: CoefficientName = "pearson",
    *,
    names: tuple[str, str] = ("the first", "the second"),
    what: str = "items",
) -> Measure:
    """The correlation of two vectors [n] without missing values.

    >>> round(correlation(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).value, 3)
    0.5
    """
    check_coefficient(coefficient)
    if len(first) == 0:
        return undefined_measure(f"no common {what}", 0)
    if len(first) < FEWEST:
        return undefined_measure(f"fewer than {FEWEST} common {what}", len(first))
    for name, vector in zip(names, (first, second), strict=True):
        if _constant(vector):
            return undefined_measure(f"{name}: the same value for all {what}", len(first))
    return Measure(plain_coefficient(first, second, coefficient), len(first))


def sentence_level(
    judged: EvalSet,
    item: Ints,
    first: Floats,
    second: Floats,
    coefficient: CoefficientName,
    bootstrap: Bootstrap,
    names: tuple[str, str],
) -> Measure:
    """The correlation of two judges' ratings [n] of the items `item` [n], with its interval."""
    measure = correlation(first, second, coefficient, names=names)
    segment = judged.item_segment[item]
    if measure.value is None or not bootstrap.draws(segment):
        return measure
    return measure.within(
        _resample_sentences(segment, first, second, coefficient, bootstrap), bootstrap.level
    )


@dataclass(frozen=True)
class Outputs:
    """The systems of items: `system` [outputs] in the order of items, item i's from `starts[i]` on.

    `segment` [items] is the segment of each item, `systems` the number of systems.
    """

    systems: int
    segment: Ints
    system: Ints
    starts: Ints

    @classmethod
    def of(cls, judged: EvalSet) -> Outputs:
        """The outputs of a set."""
        order = np.argsort(judged.output_item, kind="stable")
        counts = np.bincount(judged.output_item, minlength=judged.items)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(len(judged.systems), judged.item_segment, judged.output_system[order], starts)

    def rows(self, item: Ints) -> tuple[Ints, Ints]:
        """For each output of the items `item` [n], the place of its item in them, and its system."""
        counts = self.starts[item + 1] - self.starts[item]
        place = np.repeat(np.arange(len(item)), counts)
        before = np.cumsum(counts) - counts
        return place, self.system[np.arange(len(place)) + (self.starts[item] - before)[place]]


def system_level(
    outputs: Outputs,
    first: tuple[Ints, Floats],
    second: tuple[Ints, Floats],
    coefficient: CoefficientName,
    bootstrap: Bootstrap,
    names: tuple[str, str],
) -> Measure:
    """The correlation of the systems' means of two judges, each with items [n] and ratings [n]."""
    count = outputs.systems
    parts = [_system_rows(outputs, *mine) for mine in (first, second)]
    sums = [np.bincount(system, values, count) for system, _, values in parts]
    counts = [np.bincount(system, minlength=count) for system, _, _ in parts]
    used = np.flatnonzero((counts[0] > 0) & (counts[1] > 0))
    means = [total[used] / number[used] for total, number in zip(sums, counts, strict=True)]
    measure = correlation(means[0], means[1], coefficient, names=names, what="systems")
    if measure.value is None or not bootstrap.draws(np.concatenate([part[1] for part in parts])):
        return measure
    # Columns: for either judge, the sum and then the number of ratings of each used system.
    place = np.full(count, -1)
    place[used] = np.arange(len(used))
    segments, columns = [], []
    cells: list[Floats] = []
    for judge, (system, segment, values) in enumerate(parts):
        in_use = place[system] >= 0
        for shift, cell in ((0, values[in_use]), (1, np.ones(int(in_use.sum())))):
            segments.append(segment[in_use])
            columns.append(place[system[in_use]] + (2 * judge + shift) * len(used))
            cells.append(cell)
    known, row = np.unique(np.concatenate(segments), return_inverse=True)
    width = 4 * len(used)
    places = row * width + np.concatenate(columns)
    flat = np.zeros(len(known) * width)
    np.add.at(flat, places, np.concatenate(cells))
    drawn = bootstrap.sums(flat.reshape(-1, width), known).reshape(-1, 4, len(used))
    with np.errstate(invalid="ignore", divide="ignore"):
        resampled = _row_values(drawn[:, 0] / drawn[:, 1], drawn[:, 2] / drawn[:, 3], coefficient)
    return measure.within(resampled, bootstrap.level)


def _system_rows(outputs: Outputs, item: Ints, values: Floats) -> tuple[Ints, Ints, Floats]:
    """System, segment and rating of each output that a judge rated."""
    place, system = outputs.rows(item)
    return system, outputs.segment[item[place]], values[place]


def _resample_sentences(
    segment: Ints, first: Floats, second: Floats, coefficient: CoefficientName, bootstrap: Bootstrap
) -> Floats:
    """The coefficient of each resample of the segments; NaN where it is undefined."""
    _, place = np.unique(segment, return_inverse=True)
    return _native.resampled_correlations(
        np.ascontiguousarray(first),
        np.ascontiguousarray(second),
        np.array([0, len(first)]),
        place.astype(np.int64),
        np.zeros(0, np.uint8),
        coefficient,
        "poisson",
        False,
        bootstrap.seed,
        bootstrap.resamples,
        bootstrap.threads,
    )


def _row_values(first: Floats, second: Floats, coefficient: CoefficientName) -> Floats:
    """The coefficient of each row of two matrices, over the columns known in both."""
    known = ~(np.isnan(first) | np.isnan(second))
    counts = known.sum(axis=1)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    x, y = (_round_digits(rows[known]) for rows in (first, second))
    values = _native.group_correlations(x, y, offsets, coefficient, 0)
    return np.where(counts >= FEWEST, values, np.nan)


def _round_digits(values: Floats) -> Floats:
    """Values without the last digits, in which means of equal ratings may differ."""
    scale = float(np.max(np.abs(values), initial=0.0)) or 1.0
    return np.round(values / scale, 12)


def _constant(values: Floats) -> bool:
    return bool(np.ptp(values) <= ROUNDING * np.max(np.abs(values)))
