"""Correlation of two judges at the sentence and at the system level.

As pem-2010 (section 5.2): at the *sentence level* the vectors are the ratings of the items; at the
*system level* they are the mean ratings of the systems. Pearson's coefficient is the paper's;
Spearman's (mid-ranks for ties) and Kendall's tau-b can be chosen.

An item that several systems share counts for each of them at the system level. Fewer than three points
have no coefficient here, since two always lie on a line, and neither has a vector whose values are
all equal: these are undefined, with the reason.

Intervals come from resampled segments; at the system level the means are those of the resample, and
a system that a resample lacks is left out of it. A resample is noisier than the data, so that means
of few ratings correlate less in it: such an interval lies low, and may even miss the value.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paragauge.errors import unknown_name
from paragauge.meta.evalset import EvalSet
from paragauge.meta.statistic import BATCH, Bootstrap, Floats, Ints, Statistic, undefined

COEFFICIENTS = ("pearson", "spearman", "kendall")
FEWEST = 3
# Spread below this share of the values is rounding: means of equal ratings may differ by that.
ROUNDING = 1e-12
# Rows of a matrix of comparisons that are held at a time.
CELLS = 256


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
        return undefined(f"fewer than {FEWEST} common {what}", len(first))
    for name, vector in zip(names, (first, second), strict=True):
        if _constant(vector):
            return undefined(f"{name}: the same value for all {what}", len(first))
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
    segment = judged.item_segment[item]
    if found.value is None or not bootstrap.draws(segment):
        return found
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
    if found.value is None or not bootstrap.draws(np.concatenate([part[1] for part in parts])):
        return found
    # Columns: for either judge, the sum and then the number of ratings of each used system.
    place = np.full(count, -1)
    place[used] = np.arange(len(used))
    segments, columns = [], []
    cells: list[Floats] = []
    for judge, (system, segment, values) in enumerate(parts):
        kept = place[system] >= 0
        for shift, cell in ((0, values[kept]), (1, np.ones(int(kept.sum())))):
            segments.append(segment[kept])
            columns.append(place[system[kept]] + (2 * judge + shift) * len(used))
            cells.append(cell)
    known, row = np.unique(np.concatenate(segments), return_inverse=True)
    width = 4 * len(used)
    places = row * width + np.concatenate(columns)
    flat = np.zeros(len(known) * width)
    np.add.at(flat, places, np.concatenate(cells))
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
    _, x_place = np.unique(first, return_inverse=True)
    _, y_place = np.unique(second, return_inverse=True)
    # Items with the same two ratings move together: a short scale has few such cells.
    cells, cell = np.unique(x_place * (int(y_place.max()) + 1) + y_place, return_inverse=True)
    order = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[order], np.arange(len(cells)))
    places = [np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)]
    places[0][cell], places[1][cell] = x_place, y_place
    value = _weighted_spearman if coefficient == "spearman" else _weighted_kendall
    return np.concatenate(
        [
            value(np.add.reduceat(weights[:, order], starts, axis=1), *places)
            for weights in bootstrap.weights(segment)
        ]
    )


def _weighted_spearman(weights: Floats, first: Ints, second: Ints) -> Floats:
    """Spearman's coefficient of cells with weights [resamples, cells]; values are numbered in order."""
    x, y = _mid_ranks(weights, first), _mid_ranks(weights, second)
    columns = (np.ones_like(weights), x, y, x * x, y * y, x * y)
    return _of_moments(np.stack([(weights * column).sum(axis=1) for column in columns], axis=-1))


def _mid_ranks(weights: Floats, place: Ints) -> Floats:
    """Mid-ranks [resamples, cells], less half of the number of ratings."""
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(int(place.max()) + 1))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(counts, axis=1) - counts / 2
    return np.asarray(ranks[:, place] - counts.sum(axis=1, keepdims=True) / 2)


def _weighted_kendall(weights: Floats, first: Ints, second: Ints) -> Floats:
    """Kendall's tau-b of cells with weights [resamples, cells]; values are numbered in order."""
    agreed, x_moved, y_moved = (np.zeros(len(weights)) for _ in range(3))
    for row in range(0, len(first), CELLS):
        rows = slice(row, row + CELLS)
        x = np.sign(first[rows, None] - first[None, :]).astype(np.float64)
        y = np.sign(second[rows, None] - second[None, :]).astype(np.float64)
        mine = weights[:, rows]
        for sums, matrix in ((agreed, x * y), (x_moved, x * x), (y_moved, y * y)):
            sums += ((mine @ matrix) * weights).sum(axis=1)
    few = weights.sum(axis=1) < FEWEST
    with np.errstate(invalid="ignore", divide="ignore"):
        found = agreed / np.sqrt(x_moved * y_moved)
    return np.where(few | (x_moved == 0) | (y_moved == 0), np.nan, found)


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
    step = max(1, BATCH // first.shape[1] ** 2)
    starts = range(0, len(first), step)
    parts = [(first[start : start + step], second[start : start + step]) for start in starts]
    return np.concatenate([_rank_values(x, y, coefficient) for x, y in parts])


def _rank_values(first: Floats, second: Floats, coefficient: str) -> Floats:
    """Spearman's or Kendall's coefficient of each row, from comparisons of all its columns."""
    known = ~(np.isnan(first) | np.isnan(second))
    both = known[:, :, None] & known[:, None, :]
    x, y = (
        np.where(both, np.sign(rows[:, :, None] - rows[:, None, :]), 0.0) for rows in (first, second)
    )
    if coefficient == "spearman":
        # How many are below less how many are above is twice the mid-rank, centred.
        x, y = x.sum(axis=2, keepdims=True), y.sum(axis=2, keepdims=True)
    xx, yy, xy = (sums.sum(axis=(1, 2)) for sums in (x * x, y * y, x * y))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = xy / np.sqrt(xx * yy)
    return np.where((xx > 0) & (yy > 0) & (known.sum(axis=1) >= FEWEST), found, np.nan)


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
