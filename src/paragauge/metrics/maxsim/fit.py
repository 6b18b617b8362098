"""Fit the weights and settings of a MAXSIM with weighted parts to human ratings.

The fit does not depend on what the parts are: a metric such as `MaxSimSoft` passes itself with equal
weights, and the values to try for each setting. For given settings the parts of all rated segments form
a table, and the weights are its ridge regression on the ratings, constrained to be at least 0.
Ratings and parts are centered, and ratings scaled, within a group (a language pair, a topic), because
only differences inside a group are to be explained. The search changes one setting at a time, in two
sweeps, and maximizes the mean Pearson correlation over the groups.

The figure to trust is `held_out`: the segments are divided into `folds`, with all candidates for one
reference in the same fold; each fold is scored by a metric whose settings and weights were fitted on
the others only (with equal weights if no part rises with those ratings); and these scores are
correlated with the ratings. Its bootstrap interval resamples references, so all candidates for one
reference, from any number of systems, are drawn together. The returned metric is then fitted on
everything. `pearson`, its correlation with its own training ratings, is optimistic.

Time: the search computes the parts about 25 times; folds share them.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.fit_files import save_fit
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.minimization import fit_nonnegative
from paragauge.metrics.resampling import check_run, correlation_interval
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.lines import LineGroups, group_means
from paragauge.text.wording import pluralize

M = TypeVar("M", bound=MaxSim)
# The values to try for each setting that is learned.
Grid = Mapping[str, Sequence[float]]

SWEEPS = 2
RIDGE = 10.0
LEAST_RATINGS = 20
NO_CORRELATION = -2.0  # below any correlation


@dataclass(frozen=True)
class MaxSimFit(Generic[M]):
    """A fitted `metric`; Pearson with its own ratings, and held out with an interval."""

    metric: M
    pearson: float
    held_out: float
    low: float | None
    high: float | None
    folds: int
    groups: int
    ratings: int
    missing: int
    seed: int

    def save(self, path: str | Path) -> None:
        """Write the fit as JSON, which `load` of the metric and the command line read."""
        facts = dataclasses.asdict(self)
        del facts["metric"]
        save_fit(path, self.metric, facts)


@dataclass(frozen=True)
class _RatedSegments:
    """Rated segments sorted by group: their rows in the batch, their ratings, the groups' offsets."""

    rows: Ints
    ratings: Floats
    offsets: Ints

    def select(self, mask: NDArray[np.bool_]) -> _RatedSegments:
        """The segments where `mask` is true."""
        before = np.concatenate([[0], np.cumsum(mask)])
        return _RatedSegments(self.rows[mask], self.ratings[mask], before[self.offsets])

    def center(self, values: Floats, *, scale: bool) -> Floats:
        """Values minus their group's mean, divided by its standard deviation if `scale`."""
        centered = values.copy()
        for first, last in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            group = centered[first:last]
            group -= group.mean(axis=0) if len(group) else 0.0
            if scale and len(group) and group.std() > 0:
                group /= group.std()
        return centered

    def pearson(self, values: Floats) -> float:
        """Mean over the groups of the correlation of values with the ratings."""
        by_group = _native.group_correlations(values, self.ratings, self.offsets, "pearson", 1)
        known = by_group[~np.isnan(by_group)]
        return float(known.mean()) if len(known) else 0.0


def fit_parts(
    start: M,
    grid: Grid,
    ratings: Sequence[float],
    candidates: Texts,
    *,
    references: GroupedTexts,
    groups: Sequence[str] | None = None,
    folds: int = 5,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    parts_of: Callable[[M, Batch], Floats] | None = None,
) -> MaxSimFit[M]:
    """Learn weights, and settings from the values in `grid`, starting at a metric with equal weights.

    There is one rating per segment, higher is better, and NaN marks a missing one. `references` are the
    sources, if the metric compares with those. `parts_of` gives the
    parts of a metric, as `segment_parts` does, if the caller can do it faster.

    >>> from paragauge import MaxSimSoft
    >>> references = [f"the large dog barked {n} times" for n in range(10)] * 2
    >>> candidates = [f"the {w} dog barked {n} times" for w in ("big", "old") for n in range(10)]
    >>> ratings = [5] * 10 + [3] * 10
    >>> start, grid = MaxSimSoft.unfitted(), {"synonym": [0.5, 1.0]}
    >>> fit_parts(start, grid, ratings, candidates, references=references, folds=2).ratings
    20
    """
    check_run(threads=threads, bootstrap=1, seed=seed, level=level)
    (what,) = start.needs
    batch = Batch.of({"": candidates}, **{what: references}, threads=threads, several=False)
    batch = batch.normalized(start.normalize)
    rated = _sort_by_group(ratings, groups, len(batch))
    units = _number_references(start.others(batch), seed)[rated.rows]
    fold_of = units % max(1, folds)
    if not isinstance(folds, int) or not 2 <= folds <= len(set(fold_of.tolist())):
        raise SettingError(
            f"folds: expected a whole number from 2 to the number of different references, "
            f"found {folds}"
        )
    tables = _PartTables(start, grid, batch, parts_of or segment_parts)
    held_out = np.empty(len(rated.rows))
    for fold in range(folds):
        is_out = fold_of == fold
        metric, _ = _search_settings(tables, rated.select(~is_out))
        held_out[is_out] = tables.parts(metric)[rated.rows[is_out]] @ metric.part_weights()
    metric, highest = _search_settings(tables, rated)
    if highest == NO_CORRELATION:
        raise InputError(
            "ratings: expected ratings that rise with quality; no part of the metric rises with them"
        )
    low, high = correlation_interval(
        held_out,
        rated.ratings,
        units,
        offsets=rated.offsets,
        seed=seed,
        level=level,
        threads=threads,
    )
    return MaxSimFit(
        metric,
        pearson=rated.pearson(tables.parts(metric)[rated.rows] @ metric.part_weights()),
        held_out=rated.pearson(held_out),
        low=low,
        high=high,
        folds=folds,
        groups=len(rated.offsets) - 1,
        ratings=len(rated.rows),
        missing=len(batch) - len(rated.rows),
        seed=seed,
    )


class _PartTables(Generic[M]):
    """The parts of all segments, [segments, parts], computed once for each choice of settings."""

    def __init__(
        self, start: M, grid: Grid, batch: Batch, parts_of: Callable[[M, Batch], Floats]
    ) -> None:
        self.start = start
        self._parts_of = parts_of
        self.grid = grid
        self._batch = batch
        self._tables: dict[tuple[float, ...], Floats] = {}

    def parts(self, metric: M) -> Floats:
        key = tuple(getattr(metric, name) for name in self.grid)
        if key not in self._tables:
            self._tables[key] = self._parts_of(metric, self._batch)
        return self._tables[key]


def segment_parts(metric: MaxSim, batch: Batch, system: str = "") -> Floats:
    """The parts of each segment of a system: [segments, parts]; see `average_parts`."""
    with metric.lock:
        values = metric.part_values(batch, system)
    return average_parts(values, metric.others(batch).groups)


def average_parts(values: Floats, groups: Ints | None) -> Floats:
    """The parts of each segment, averaged over its references: [lines, parts] to [segments, parts].

    A part that does not exist takes the mean of those that do, which leaves the score unchanged
    when all parts weigh the same; if no part exists, all are 1.

    >>> average_parts(np.array([[0.5, np.nan], [1.0, 0.0]]), np.array([0, 2]))
    array([[0.75, 0.25]])
    """
    exists = ~np.isnan(values)
    filled = np.where(exists, values, 0.0)
    count = exists.sum(axis=1, keepdims=True)
    means = np.where(count > 0, filled.sum(axis=1, keepdims=True) / np.maximum(count, 1), 1.0)
    return group_means(groups, np.where(exists, values, means))


def _search_settings(tables: _PartTables[M], rated: _RatedSegments) -> tuple[M, float]:
    """The metric with the highest correlation, changing one setting at a time, and the correlation."""
    best, highest = _fit_weights(tables, tables.start, rated)
    for _ in range(SWEEPS):
        before = highest
        for name, values in tables.grid.items():
            for value in values:
                if value != getattr(best, name):
                    change: dict[str, Any] = {name: value}
                    changed = dataclasses.replace(best, **change)
                    candidate, pearson = _fit_weights(tables, changed, rated)
                    if pearson > highest + 1e-9:
                        best, highest = candidate, pearson
        if highest <= before:
            break
    return best, highest


def _fit_weights(tables: _PartTables[M], metric: M, rated: _RatedSegments) -> tuple[M, float]:
    """The metric with fitted weights, and its correlation; unchanged if no part rises with ratings."""
    parts = tables.parts(metric)[rated.rows]
    centered = rated.center(parts, scale=False)
    spread = np.where(centered.std(axis=0) > 1e-12, centered.std(axis=0), 1.0)
    penalty = np.sqrt(RIDGE) * np.eye(parts.shape[1])
    targets = rated.center(rated.ratings, scale=True)
    weights = fit_nonnegative(
        np.vstack([centered / spread, penalty]), np.concatenate([targets, np.zeros(parts.shape[1])])
    )
    weights = weights / spread
    if not weights.any():
        return metric, NO_CORRELATION
    text = "/".join(f"{weight:.4g}" for weight in weights / weights.sum())
    fitted = dataclasses.replace(metric, weights=text)
    return fitted, rated.pearson(parts @ fitted.part_weights())


def _sort_by_group(
    ratings: Sequence[float], groups: Sequence[str] | None, segments: int
) -> _RatedSegments:
    gold = np.array(list(ratings), np.float64)
    names = np.array(["" for _ in range(segments)] if groups is None else list(groups))
    for what, values in (("ratings", gold), ("groups", names)):
        if len(values) != segments:
            raise LengthError(
                f"{what} has {pluralize(len(values), 'value')} but candidates has "
                f"{pluralize(segments, 'segment')}"
            )
    known = np.flatnonzero(~np.isnan(gold))
    if not np.isfinite(gold[known]).all():
        raise InputError("ratings: expected numbers or NaN, found an infinite one")
    if len(known) < LEAST_RATINGS:
        raise InputError(
            f"ratings: expected at least {LEAST_RATINGS}, found {len(known)}; rate more segments"
        )
    rows = known[np.argsort(names[known], kind="stable")]
    _, counts = np.unique(names[rows], return_counts=True)
    return _RatedSegments(rows, gold[rows], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _number_references(references: LineGroups, seed: int) -> Ints:
    """A random number for each segment, the same for segments with the same references."""
    texts = ["\n".join(group) for group in references]
    digests = {text: hashlib.sha256(f"{seed}\n{text}".encode()).digest() for text in texts}
    rank = {text: i for i, text in enumerate(sorted(digests, key=digests.__getitem__))}
    return np.array([rank[text] for text in texts], np.int64)
