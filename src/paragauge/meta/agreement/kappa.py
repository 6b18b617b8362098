"""Kappa: agreement on categories beyond what chance would give.

All of them are (P_o - P_e) / (1 - P_e), with P_o the observed agreement and P_e that of ratings drawn
at random from the judges' own distributions.

**Cohen's kappa** (1960) is for two judges over the items both rated; P_e is the product of their two
distributions. With `weights`, a disagreement counts by the distance of the two ratings (Cohen 1968):
its absolute value (`linear`) or its square (`quadratic`). Distances are those of the values, so a
category in the middle of the scale that nobody used still counts as a step.

**Fleiss' kappa** (1971) is for any number of ratings per item, by any judges. Fleiss requires the same
number on each item; here an item may have any number from two up, with

    P_i = sum_c n_ic (n_ic - 1) / (n_i (n_i - 1))
    P_o = mean of P_i
    P_e = sum_c (sum_i n_ic / sum_i n_i)^2

which is Fleiss' formula when all n_i are equal, and keeps the items that one judge more or less has
rated. Items with fewer than two ratings are left out.

**Percent agreement** is P_o of Fleiss' kappa: for two judges, the share of items on which they agree.

Intervals come from resampled segments: tables of counts, and agreement and counts of items, add up.

Where P_e is 1 (all ratings are one category) kappa is 0/0: undefined, with the reason.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.measure import Bootstrap, Measure, undefined_measure

KappaWeights = Literal["none", "linear", "quadratic"]
WEIGHTS: tuple[KappaWeights, ...] = get_args(KappaWeights)
MOST_CATEGORIES = 20
NO_ITEMS = "no item has two ratings"
ONE_CATEGORY = "all ratings are equal, so that chance agrees as well"


def cohen_kappa(first: Floats, second: Floats, weights: KappaWeights = "none") -> Measure:
    """Cohen's kappa of two judges' ratings [n] of the same items.

    Two judges agree on 3 of 4 items and both say 1 half of the time: (3/4 - 1/2) / (1 - 1/2).

    >>> cohen_kappa(np.array([1.0, 1, 2, 2]), np.array([1.0, 1, 2, 1])).value
    0.5
    """
    if weights not in WEIGHTS:
        raise unknown_name("weighting", weights, WEIGHTS)
    first, second = _parallel(first, second)
    if len(first) == 0:
        return undefined_measure("no common items", 0)
    values, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    size = len(values)
    if size == 1:
        return undefined_measure(ONE_CATEGORY, len(first))
    mine = np.bincount(place[: len(first)], minlength=size) / len(first)
    theirs = np.bincount(place[len(first) :], minlength=size) / len(first)
    if weights == "none":
        expected = 1 - float(mine @ theirs)
        return Measure(1 - float(np.mean(first != second)) / expected, len(first))
    power = {"linear": 1, "quadratic": 2}[weights]
    distance = np.abs(values[:, None] - values[None, :]) ** power
    observed = float(np.mean(np.abs(first - second) ** power))
    return Measure(1 - observed / float(mine @ distance @ theirs), len(first))


def fleiss_kappa(units: Ints, values: Floats) -> Measure:
    """Fleiss' kappa of ratings `values` [n] of the items `units` [n]; n counts the items used.

    >>> fleiss_kappa(np.array([0, 0, 1, 1]), np.array([1.0, 1, 2, 2])).value
    1.0
    """
    agreement, shares = _observed_agreement(units, values)
    if len(agreement) == 0:
        return undefined_measure(NO_ITEMS, 0)
    if len(shares) == 1:
        return undefined_measure(ONE_CATEGORY, len(agreement))
    expected = float(shares @ shares)
    return Measure((float(agreement.mean()) - expected) / (1 - expected), len(agreement))


def percent_agreement(units: Ints, values: Floats) -> Measure:
    """The share of pairs of ratings of an item that are equal, averaged over the items.

    >>> percent_agreement(np.array([0, 0, 0, 1, 1]), np.array([1.0, 2, 3, 4, 4])).value
    0.5
    """
    agreement, _ = _observed_agreement(units, values)
    if len(agreement) == 0:
        return undefined_measure(NO_ITEMS, 0)
    return Measure(float(agreement.mean()), len(agreement))


def resample_cohen(
    first: Floats, second: Floats, segment: Ints, bootstrap: Bootstrap
) -> dict[str, Floats]:
    """Cohen's kappa of resampled segments [n], by weighting; by "" the share of equal ratings.

    Counts of pairs of categories add up, so that a resample is a table of weighted counts. NaN where
    kappa is undefined.
    """
    values, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    size = len(values)
    rows = np.zeros((len(first), size * size))
    rows[np.arange(len(first)), place[: len(first)] * size + place[len(first) :]] = 1
    tables = bootstrap.sums(rows, segment).reshape(-1, size, size)
    gap = np.abs(values[:, None] - values[None, :])
    with np.errstate(invalid="ignore", divide="ignore"):
        tables = tables / tables.sum(axis=(1, 2), keepdims=True)
        mine, theirs = tables.sum(axis=2), tables.sum(axis=1)
        statistics = {"": np.trace(tables, axis1=1, axis2=2)}
        for weights, distance in zip(WEIGHTS, ((gap > 0).astype(np.float64), gap, gap**2), strict=True):
            expected = np.einsum("bi,ij,bj->b", mine, distance, theirs)
            observed = (tables * distance).sum(axis=(1, 2))
            statistics[weights] = np.where(expected > 1e-12, 1 - observed / expected, np.nan)
    return statistics


def resample_fleiss(
    units: Ints, values: Floats, segment: Ints, bootstrap: Bootstrap
) -> tuple[Floats, Floats]:
    """Fleiss' kappa and the percent agreement of each resample of the segments.

    `segment` [n] is that of each rating's item. NaN where the statistic is undefined.
    """
    usable = rated_twice(units)
    items, first, unit = np.unique(units[usable], return_index=True, return_inverse=True)
    if len(items) == 0:
        nothing = np.full(bootstrap.resamples, np.nan)
        return nothing, nothing
    agreement, _ = _observed_agreement(units, values)
    scale, category = np.unique(values[usable], return_inverse=True)
    rows = np.zeros((len(items), 2 + len(scale)))
    rows[:, 0], rows[:, 1] = agreement, 1
    np.add.at(rows, (unit, 2 + category), 1)
    sums = bootstrap.sums(rows, segment[usable][first])
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = sums[:, 0] / sums[:, 1]
        shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        expected = (shares**2).sum(axis=1)
        return np.where(expected < 1 - 1e-12, (observed - expected) / (1 - expected), np.nan), observed


def bin_values(values: Floats, bins: int, low: float, high: float) -> Floats:
    """Values as the numbers 1 to `bins` of equal parts of the range from `low` to `high`.

    >>> bin_values(np.array([0.0, 24, 25, 100]), 4, 0, 100)
    array([1., 1., 2., 4.])
    """
    if not isinstance(bins, int) or isinstance(bins, bool) or bins < 2:
        raise SettingError(f"bins: expected a whole number from 2, found {bins!r}")
    if high <= low:
        return np.where(np.isnan(values), np.nan, 1.0)
    return np.asarray(np.clip(np.floor((values - low) / (high - low) * bins), 0, bins - 1) + 1)


def too_fine(values: Floats) -> str:
    """Why values cannot be categories; empty if they can.

    >>> too_fine(np.arange(30.0))
    '30 different ratings are no categories; cut them into bins'
    """
    count = len(np.unique(values))
    if count <= MOST_CATEGORIES:
        return ""
    return f"{count} different ratings are no categories; cut them into bins"


def rated_twice(units: Ints) -> NDArray[np.bool_]:
    """Which ratings are of items that have more than one, bool [n]."""
    _, place, counts = np.unique(units, return_inverse=True, return_counts=True)
    return np.asarray(counts[place] > 1)


def known_ratings(units: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The ratings that are not missing; an error if the two arrays are not parallel."""
    units = np.asarray(units, np.int64)
    values = np.asarray(values, np.float64)
    if units.ndim != 1 or units.shape != values.shape:
        raise InputError(f"expected one unit for each rating, found {units.shape} and {values.shape}")
    known = ~np.isnan(values)
    return units[known], values[known]


def _observed_agreement(units: Ints, values: Floats) -> tuple[Floats, Floats]:
    """Agreement P_i of each item with two ratings or more, and the share of each category."""
    units, values = known_ratings(units, values)
    usable = rated_twice(units)
    _, unit = np.unique(units[usable], return_inverse=True)
    scale, category = np.unique(values[usable], return_inverse=True)
    if len(unit) == 0:
        return np.zeros(0), np.zeros(0)
    cells, counts = np.unique(unit * len(scale) + category, return_counts=True)
    ratings = np.bincount(unit)
    equal = np.bincount(cells // len(scale), counts * (counts - 1.0), len(ratings))
    return equal / (ratings * (ratings - 1.0)), np.bincount(category) / len(category)


def _parallel(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Both judges' ratings where neither is missing."""
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise InputError(
            f"expected ratings of the same items, found arrays of {first.shape} and {second.shape}"
        )
    known = ~(np.isnan(first) | np.isnan(second))
    return first[known], second[known]
