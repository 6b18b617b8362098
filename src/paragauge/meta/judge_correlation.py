"""Correlation of two judges at the sentence and at the system level.

As pem-2010 (section 5.2): at the *sentence level* the vectors are the ratings of the items; at the
*system level* they are the mean ratings of the systems. Pearson's coefficient is the paper's;
Spearman's (mid-ranks for ties) and Kendall's tau-b can be chosen.

An item that several systems share counts for each of them at the system level. Fewer than three points
have no coefficient here, since two always lie on a line, and neither has a vector whose values are
all equal: these are undefined, with the reason.

Intervals come from resampled segments; at the system level the means are those of the resample, and
a system that a resample lacks is left out of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paragauge.errors import unknown_name
from paragauge.meta.evalset import EvalSet
from paragauge.meta.statistic import Bootstrap, Floats, Ints, Statistic, undefined

COEFFICIENTS = ("pearson", "spearman", "kendall")
FEWEST = 3
# Spread below this share of the values is rounding: means of equal ratings may differ by that.
ROUNDING = 1e-12


def check_coefficient(name: str) -> None:
    """Refuse an unknown coefficient."""
    if name not in COEFFICIENTS:
        raise unknown_name("coefficient", name, COEFFICIENTS)


def correlation(
    first: Floats,
    second: Floats,
    coefficient: str = "pearson",
    *,
    names: tuple[str, str] = ("the first", "the second"),
    what: str = "items",
) -> Statistic:
    """The correlation of two vectors [n] without missing values.

    >>> correlation(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).value
    0.5
    """
    check_coefficient(coefficient)
    if len(first) == 0:
        return undefined(f"no common {what}", 0)
    if len(first) < FEWEST:
        return undefined(f"only {len(first)} common {what}", len(first))
    for name, vector in zip(names, (first, second), strict=True):
        if _constant(vector):
            return undefined(f"{name}: the same value for all {len(first)} {what}", len(first))
    return Statistic(_coefficients()[coefficient](first, second), len(first))


def sentence_level(
    judged: EvalSet,
    item: Ints,
    first: Floats,
    second: Floats,
    coefficient: str,
    bootstrap: Bootstrap,
    names: tuple[str, str],
) -> Statistic:
    """The correlation of two judges' ratings [n] of the items `item` [n], with its interval."""
    found = correlation(first, second, coefficient, names=names)
    if found.value is None or bootstrap.resamples == 0:
        return found
    segment = judged.item_segment[item]
    return found.within(
        _resampled_sentences(segment, first, second, coefficient, bootstrap), bootstrap.level
    )


def system_level(
    judged: EvalSet,
    first: tuple[Ints, Floats],
    second: tuple[Ints, Floats],
    coefficient: str,
    bootstrap: Bootstrap,
    names: tuple[str, str],
) -> Statistic:
    """The correlation of the systems' means of two judges, each with items [n] and ratings [n]."""
    count = len(judged.systems)
    parts = [_system_rows(judged, *mine) for mine in (first, second)]
    sums = [np.bincount(system, values, count) for system, _, values in parts]
    counts = [np.bincount(system, minlength=count) for system, _, _ in parts]
    used = np.flatnonzero((counts[0] > 0) & (counts[1] > 0))
    means = [total[used] / number[used] for total, number in zip(sums, counts, strict=True)]
    found = correlation(means[0], means[1], coefficient, names=names, what="systems")
    if found.value is None or bootstrap.resamples == 0:
        return found
    # Columns: for either judge, the sum and then the number of ratings of each used system.
    place = np.full(count, -1)
    place[used] = np.arange(len(used))
    segments, columns, cells = [], [], []
    for judge, (system, segment, values) in enumerate(parts):
        kept = place[system] >= 0
        for shift, cell in ((0, values[kept]), (1, np.ones(int(kept.sum())))):
            segments.append(segment[kept])
            columns.append(place[system[kept]] + (2 * judge + shift) * len(used))
            cells.append(cell)
    known, row = np.unique(np.concatenate(segments), return_inverse=True)
    width = 4 * len(used)
    flat = np.bincount(
        row * width + np.concatenate(columns), np.concatenate(cells), len(known) * width
    )
    drawn = bootstrap.sums(flat.reshape(-1, width), known).reshape(-1, 4, len(used))
    with np.errstate(invalid="ignore", divide="ignore"):
        resampled = _row_values(drawn[:, 0] / drawn[:, 1], drawn[:, 2] / drawn[:, 3], coefficient)
    return found.within(resampled, bootstrap.level)


def _system_rows(judged: EvalSet, item: Ints, values: Floats) -> tuple[Ints, Ints, Floats]:
    """System, segment and rating of each output that a judge rated."""
    place = np.full(judged.items, -1)
    place[item] = np.arange(len(item))
    rated = place[judged.output_item]
    kept = rated >= 0
    segment = judged.item_segment[judged.output_item[kept]]
    return judged.output_system[kept], segment, values[rated[kept]]


def _resampled_sentences(
    segment: Ints, first: Floats, second: Floats, coefficient: str, bootstrap: Bootstrap
) -> Floats:
    """The coefficient of each resample of the segments; NaN where it is undefined."""
    if coefficient == "pearson":
        x, y = first - first.mean(), second - second.mean()
        rows = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
        return _of_moments(bootstrap.sums(rows, segment))
    if coefficient == "spearman":
        _, x_place = np.unique(first, return_inverse=True)
        _, y_place = np.unique(second, return_inverse=True)

        def spearman(weights: Floats) -> float:
            x, y = (_mid_ranks(place, weights) for place in (x_place, y_place))
            rows = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
            return float(_of_moments(weights @ rows))

        return bootstrap.values(segment, spearman)
    kendall = _coefficients()["kendall"]

    def drawn(weights: Floats) -> float:
        index = np.repeat(np.arange(len(first)), weights.astype(np.int64))
        x, y = first[index], second[index]
        return np.nan if len(x) < FEWEST or _constant(x) or _constant(y) else kendall(x, y)

    return bootstrap.values(segment, drawn)


def _mid_ranks(place: Ints, weights: Floats) -> Floats:
    """Weighted mid-ranks, centred; `place` [n] numbers the values in order."""
    counts = np.bincount(place, weights)
    ranks = (np.cumsum(counts) - counts / 2)[place]
    return np.asarray(ranks - (weights @ ranks) / max(float(weights.sum()), 1.0))


def _of_moments(sums: Floats) -> Floats:
    """Pearson's coefficient from the sums [..., 6] of 1, x, y, xx, yy and xy."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        x_spread, y_spread = xx - x * x / n, yy - y * y / n
        found = (xy - x * y / n) / np.sqrt(x_spread * y_spread)
        flat = (x_spread <= ROUNDING * xx) | (y_spread <= ROUNDING * yy) | (n < FEWEST)
    return np.asarray(np.where(flat, np.nan, np.clip(found, -1, 1)))


def _row_values(first: Floats, second: Floats, coefficient: str) -> Floats:
    """The coefficient of each row of two matrices, over the columns known in both."""
    if coefficient == "pearson":
        known = ~(np.isnan(first) | np.isnan(second))
        # Moved near 0 by the same amount in all rows, which changes no coefficient.
        x = np.where(known, first - np.nanmean(first), 0.0)
        y = np.where(known, second - np.nanmean(second), 0.0)
        columns = (known.astype(np.float64), x, y, x * x, y * y, x * y)
        return _of_moments(np.stack([column.sum(axis=1) for column in columns], axis=-1))
    return np.array(
        [_row_value(x, y, coefficient) for x, y in zip(first, second, strict=True)], np.float64
    )


def _row_value(first: Floats, second: Floats, coefficient: str) -> float:
    known = ~(np.isnan(first) | np.isnan(second))
    found = correlation(first[known], second[known], coefficient)
    return np.nan if found.value is None else found.value


def _constant(values: Floats) -> bool:
    return bool(np.ptp(values) <= ROUNDING * np.max(np.abs(values)))


def _pearson(first: Floats, second: Floats) -> float:
    x, y = first - first.mean(), second - second.mean()
    return float(np.clip(x @ y / np.sqrt((x @ x) * (y @ y)), -1, 1))


def _coefficients() -> dict[str, Callable[[Floats, Floats], float]]:
    """The coefficients of vectors that are not constant."""

    def spearman(first: Floats, second: Floats) -> float:
        from scipy.stats import rankdata

        return _pearson(rankdata(first), rankdata(second))

    def kendall(first: Floats, second: Floats) -> float:
        from scipy.stats import kendalltau

        return float(kendalltau(first, second, method="asymptotic").statistic)

    return {"pearson": _pearson, "spearman": spearman, "kendall": kendall}
