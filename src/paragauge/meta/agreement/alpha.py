"""Krippendorff's alpha: agreement of any number of judges, with missing ratings.

    alpha = 1 - D_o / D_e

(Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"; 2019, chapter 12.) D_o is the mean
disagreement of two ratings of the same item, D_e that of any two ratings of such items. An item with m
ratings counts as m of them, each pair within it with 1 / (m - 1); items with one rating do not count.
The disagreement of two values c and k depends on the level of measurement:

    nominal    1 if they differ
    ordinal    (n_c / 2 + n_k / 2 + sum of n_g of all g between c and k)^2, n_c: how often c occurs
    interval   (c - k)^2

The coincidence matrix of the literature is not built, because its size is that of the scale squared.
Nominal disagreement needs only how often each value occurs within each item. The ordinal one is the
interval one of mid-ranks: n_c / 2 plus all ratings below c, since their differences are the sums
above. And the interval one is a sum of squares: within an item, sum_ij (v_i - v_j)^2 is 2 m times the
squared deviations from the item's mean. All this is linear in the number of ratings, plus a sort.
Only resamples of scales of up to `FEW_VALUES` values go through coincidences, which are sums.

Where all ratings are equal alpha is 0/0: undefined, with the reason. Intervals resample segments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, get_args

import numpy as np

from paragauge.errors import unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.agreement.kappa import NO_ITEMS, known_ratings, rated_twice
from paragauge.meta.measure import Bootstrap, Measure, undefined_measure

MeasurementLevel = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[MeasurementLevel, ...] = get_args(MeasurementLevel)
FEW_VALUES = 10
ONE_VALUE = "all ratings are equal, so that there is nothing to agree on"


def krippendorff_alpha(
    units: Ints,
    values: Floats,
    level: MeasurementLevel = "nominal",
    *,
    segments: Ints | None = None,
    bootstrap: Bootstrap | None = None,
) -> Measure:
    """Alpha of ratings `values` [n] of the items `units` [n]; NaN is missing; n counts the items used.

    With `bootstrap`, segments are resampled: `segments` [n] says which one each rating belongs to, its
    item by default.

    >>> krippendorff_alpha(np.array([0, 0, 1, 1]), np.array([1.0, 1, 2, 2])).value
    1.0
    """
    if level not in LEVELS:
        raise unknown_name("level of measurement", level, LEVELS)
    owner = np.asarray(units if segments is None else segments, np.int64)
    known = ~np.isnan(np.asarray(values, np.float64))
    units, values = known_ratings(units, values)
    usable = rated_twice(units)
    _, unit = np.unique(units[usable], return_inverse=True)
    scale, place = np.unique(values[usable], return_inverse=True)
    if len(unit) == 0:
        return undefined_measure(NO_ITEMS, 0)
    count = int(unit.max()) + 1
    if len(scale) == 1:
        return undefined_measure(ONE_VALUE, count)
    segment = np.zeros(count, np.int64)
    segment[unit] = owner[known][usable]
    measured: _Measured
    if level == "nominal":
        measured = _Nominal(unit, place)
    elif level == "ordinal":
        measured = _Ordinal(unit, place)
    else:
        measured = _Interval(unit, scale[place])
    statistic = Measure(measured.alpha(np.ones(count)), count)
    if bootstrap is None or not bootstrap.draws(segment):
        return statistic
    return statistic.within(measured.resample(bootstrap, segment), bootstrap.level)


class _Measured(ABC):
    """Ratings `place` [n] of the items `unit` [n] at one level of measurement."""

    @abstractmethod
    def alpha(self, weights: Floats) -> float:
        """Alpha when each item counts as often as `weights` [items] say; NaN if it is undefined."""

    def resample(self, bootstrap: Bootstrap, segment: Ints) -> Floats:
        """Alpha of each resample; `segment` [items] says what is drawn together."""
        return bootstrap.values(segment, self.alpha)


class _Counted(_Measured):
    """Levels at which it matters only how often values occur, not what they are."""

    def __init__(self, unit: Ints, place: Ints) -> None:
        self._unit, self._place = unit, place

    @abstractmethod
    def gaps(self, counts: Floats, first: Ints, second: Ints) -> Floats:
        """The disagreement of values [pairs] if they occur as often as `counts` [n, values] say."""

    def resample(self, bootstrap: Bootstrap, segment: Ints) -> Floats:
        size = int(self._place.max()) + 1
        if size > FEW_VALUES:
            return super().resample(bootstrap, segment)
        cells = np.bincount(self._unit * size + self._place, minlength=len(segment) * size)
        counts = cells.reshape(-1, size).astype(np.float64)
        first, second = np.triu_indices(size, 1)
        together = counts[:, first] * counts[:, second] / (counts.sum(axis=1) - 1)[:, None]
        sums = bootstrap.sums(np.concatenate([counts, together], axis=1), segment)
        counts, together = sums[:, :size], sums[:, size:]
        gaps = self.gaps(counts, first, second)
        expected = 2 * (gaps * counts[:, first] * counts[:, second]).sum(axis=1)
        return _alpha(2 * (gaps * together).sum(axis=1), expected, counts.sum(axis=1), expected)


class _Nominal(_Counted):
    def __init__(self, unit: Ints, place: Ints) -> None:
        super().__init__(unit, place)
        size = int(place.max()) + 1
        cells, counts = np.unique(unit * size + place, return_counts=True)
        ratings = np.bincount(unit)
        which = cells // size
        self._disagreement = np.bincount(which, counts * (ratings[which] - counts)) / (ratings - 1.0)

    def gaps(self, counts: Floats, first: Ints, second: Ints) -> Floats:
        del second
        return np.ones((len(counts), len(first)))

    def alpha(self, weights: Floats) -> float:
        counts = np.bincount(self._place, weights[self._unit])
        total = counts.sum()
        expected = np.asarray(counts @ (total - counts))
        return float(_alpha(np.asarray(weights @ self._disagreement), expected, total, expected))


class _Interval(_Measured):
    def __init__(self, unit: Ints, numbers: Floats) -> None:
        # Centered, so that the expected disagreement is not a small difference of large sums.
        numbers = numbers - numbers.mean()
        ratings = np.bincount(unit).astype(np.float64)
        sums = np.bincount(unit, numbers)
        deviations = np.bincount(unit, (numbers - (sums / ratings)[unit]) ** 2)
        disagreement = 2 * ratings / (ratings - 1) * deviations
        self._rows = np.stack([disagreement, ratings, sums, np.bincount(unit, numbers**2)], axis=1)

    def alpha(self, weights: Floats) -> float:
        return float(self._of_sums(weights @ self._rows))

    def resample(self, bootstrap: Bootstrap, segment: Ints) -> Floats:
        return self._of_sums(bootstrap.sums(self._rows, segment))

    @staticmethod
    def _of_sums(sums: Floats) -> Floats:
        disagreement, total, first, second = np.moveaxis(sums, -1, 0)
        return _alpha(disagreement, 2 * (total * second - first**2), total, total * second)


class _Ordinal(_Counted):
    def gaps(self, counts: Floats, first: Ints, second: Ints) -> Floats:
        ranks = np.cumsum(counts, axis=1) - counts / 2
        return np.asarray((ranks[:, first] - ranks[:, second]) ** 2)

    def alpha(self, weights: Floats) -> float:
        # The ranks of a resample are its own, so that its sums are not those of other ranks.
        counts = np.bincount(self._place, weights[self._unit])
        ranks = np.cumsum(counts) - counts / 2
        return _Interval(self._unit, ranks[self._place]).alpha(weights)


def _alpha(observed: Floats, expected: Floats, total: Floats, scale: Floats) -> Floats:
    """1 - D_o / D_e; NaN where no two ratings differ by more than the rounding of such sums."""
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha = 1 - (total - 1) * observed / expected
    return np.asarray(np.where(expected <= 1e-12 * scale, np.nan, alpha))
