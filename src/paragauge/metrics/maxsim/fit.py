"""Fitting the extended MAXSIM (`soft.py`) to human ratings.

What is learned: alpha, the weights of the parts, and the settings of the similarity of words. For
given settings the parts of all rated segments are a table, and the weights are its ridge regression on
the ratings with weights from 0 up; ratings and parts are centered, and ratings scaled, within a group
(a language pair, a topic), because only differences inside a group are to be explained. Settings are
searched one at a time over the values in `SEARCH`, twice, for the highest mean Pearson correlation over
the groups.

The figure to believe is `held_out`: the segments are cut into `folds` (all candidates of one reference
in one fold); each fold is scored by a metric that was fitted, settings and weights, on the others
only (with equal weights if no part rises with those ratings); and those scores are correlated with
the ratings, with a bootstrap interval over references, whose candidates, of however many systems, are
drawn together. The metric that is returned is then fitted on everything. `pearson` is its correlation
with its own training ratings, which flatters it.

Time: the search computes the parts about 25 times; folds share them.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.fits import Ratings, batch_ratings, check_rated, save_fit
from paragauge.metrics.maxsim.soft import MaxSimSoft, segment_parts
from paragauge.metrics.minimization import fit_nonnegative
from paragauge.metrics.resampling import check_run, correlation_interval
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.lines import LineGroups
from paragauge.text.wording import counted

SEARCH: dict[str, tuple[float, ...]] = {
    "alpha": (0.5, 0.6, 0.7, 0.8, 0.9),
    "function": (0.1, 0.3, 0.5, 1.0),
    "synonym": (0.6, 0.8, 1.0),
    "characters": (0.5, 0.75, 1.0),
    "category": (0.8, 0.9, 1.0),
    "distance": (0.0, 0.25, 0.5),
    "floor": (0.2, 0.35, 0.5),
}
SWEEPS = 2
RIDGE = 10.0
FEWEST = 20
NOTHING = -2.0  # below any correlation


@dataclass(frozen=True)
class MaxSimFit:
    """A fitted `metric`; Pearson with its own ratings, and held out with an interval."""

    metric: MaxSimSoft
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
        """Write the fit as JSON, from which `MaxSimSoft.load` and the command line read it."""
        facts = dataclasses.asdict(self)
        del facts["metric"]
        save_fit(path, self.metric, facts)


@dataclass(frozen=True)
class _Rated:
    """Rated segments, sorted by group: their numbers in the batch, ratings, offsets of groups."""

    rows: Ints
    ratings: Floats
    offsets: Ints

    def of(self, chosen: NDArray[np.bool_]) -> _Rated:
        """The chosen ones of these."""
        before = np.concatenate([[0], np.cumsum(chosen)])
        return _Rated(self.rows[chosen], self.ratings[chosen], before[self.offsets])

    def centered(self, values: Floats, *, scaled: bool) -> Floats:
        """Values without their group's mean and, if wanted, in units of its deviation."""
        result = values.copy()
        for first, last in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            part = result[first:last]
            part -= part.mean(axis=0) if len(part) else 0.0
            if scaled and len(part) and part.std() > 0:
                part /= part.std()
        return result

    def pearson(self, values: Floats) -> float:
        """Mean over the groups of the correlation of values with the ratings."""
        each = _native.group_correlations(values, self.ratings, self.offsets, "pearson", 1)
        known = each[~np.isnan(each)]
        return float(known.mean()) if len(known) else 0.0


def fit_maxsim(
    ratings: Sequence[float],
    candidates: Texts,
    *,
    references: GroupedTexts,
    groups: Sequence[str] | None = None,
    folds: int = 5,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    **settings: Any,
) -> MaxSimFit:
    """Learn from one rating per segment (NaN: missing), higher is better; see the module.

    `groups` names the group of each segment. `settings` are those of `MaxSimSoft` that are not to be
    learned, such as parser="spacy".
    """
    check_run(threads=threads, bootstrap=1, seed=seed, level=level)
    batch = Batch.of({"": candidates}, references=references, threads=threads)
    if batch.references is None:
        raise InputError("expected references, got none")
    learned = sorted({*SEARCH, "weights"} & set(settings))
    if learned:
        raise SettingError(f"{learned[0]}: is learned by the fit; leave it out")
    rated = _rated(ratings, groups, len(batch))
    units = _units(batch.references, seed)[rated.rows]
    numbers = units % max(1, folds)
    if not isinstance(folds, int) or not 2 <= folds <= len(set(numbers.tolist())):
        raise SettingError(
            f"folds: expected a whole number from 2 to the number of different references, got {folds}"
        )
    tables = _Tables(batch, settings)
    held_out = np.empty(len(rated.rows))
    for fold in range(folds):
        out = numbers == fold
        metric, _ = _search(tables, rated.of(~out))
        held_out[out] = tables.parts(metric)[rated.rows[out]] @ metric.part_weights()
    metric, highest = _search(tables, rated)
    if highest == NOTHING:
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


def fit_batches(ratings: Ratings, batches: Iterable[Batch], **options: Any) -> MaxSimFit:
    """Learn from ratings by (system, segment from 0); NaN or absent is missing. See `fit`."""
    gold: list[float] = []
    candidates: list[str] = []
    references: list[list[str]] = []
    sizes: dict[str, int] = {}
    for batch in batches:
        if batch.references is None:
            raise InputError("expected references, got none")
        for system, lines in batch.systems.items():
            gold += batch_ratings(ratings, batch, system)
            candidates += lines
            references += batch.references
            sizes[system] = batch.first + len(batch)
    check_rated(ratings, sizes)
    return fit_maxsim(gold, candidates, references=references, **options)


class _Tables:
    """The parts of all segments for settings that were asked for, [segments, parts] each."""

    def __init__(self, batch: Batch, settings: Mapping[str, Any]) -> None:
        self._batch = batch
        start = {"weights": "1", **settings}
        names = _names(start)
        self.start = MaxSimSoft(**{**start, "weights": "/".join("1" * len(names))})
        self._known: dict[tuple[float, ...], Floats] = {}

    def parts(self, metric: MaxSimSoft) -> Floats:
        key = tuple(getattr(metric, name) for name in SEARCH)
        if key not in self._known:
            self._known[key] = segment_parts(metric, self._batch, "")
        return self._known[key]


def _names(settings: Mapping[str, Any]) -> list[str]:
    order = settings.get("order", 3)
    parsed = settings.get("parser", "none") != "none"
    return ["F"] * order + ["relations"] * parsed + ["soft", "order", "near", "letters"]


def _search(tables: _Tables, rated: _Rated) -> tuple[MaxSimSoft, float]:
    """The settings and weights with the highest correlation, one setting at a time, and that."""
    best, highest = _weighted(tables, tables.start, rated)
    for _ in range(SWEEPS):
        before = highest
        for name, values in SEARCH.items():
            for value in values:
                if value != getattr(best, name):
                    change: dict[str, Any] = {name: value}
                    other = dataclasses.replace(best, **change)
                    found, pearson = _weighted(tables, other, rated)
                    if pearson > highest + 1e-9:
                        best, highest = found, pearson
        if highest <= before:
            break
    return best, highest


def _weighted(tables: _Tables, metric: MaxSimSoft, rated: _Rated) -> tuple[MaxSimSoft, float]:
    """The metric with weights fitted, and its correlation; as it is if no part rises with ratings."""
    parts = tables.parts(metric)[rated.rows]
    centered = rated.centered(parts, scaled=False)
    spread = np.where(centered.std(axis=0) > 1e-12, centered.std(axis=0), 1.0)
    penalty = np.sqrt(RIDGE) * np.eye(parts.shape[1])
    wanted = rated.centered(rated.ratings, scaled=True)
    weights = fit_nonnegative(
        np.vstack([centered / spread, penalty]), np.concatenate([wanted, np.zeros(parts.shape[1])])
    )
    weights = weights / spread
    if not weights.any():
        return metric, NOTHING
    text = "/".join(f"{weight:.4g}" for weight in weights / weights.sum())
    fitted = dataclasses.replace(metric, weights=text)
    return fitted, rated.pearson(parts @ fitted.part_weights())


def _rated(ratings: Sequence[float], groups: Sequence[str] | None, segments: int) -> _Rated:
    gold = np.array(list(ratings), np.float64)
    names = np.array(["" for _ in range(segments)] if groups is None else list(groups))
    for what, values in (("ratings", gold), ("groups", names)):
        if len(values) != segments:
            raise LengthError(
                f"{what} has {counted(len(values), 'value')} but candidates has "
                f"{counted(segments, 'segment')}"
            )
    known = np.flatnonzero(~np.isnan(gold))
    if not np.isfinite(gold[known]).all():
        raise InputError("ratings: expected numbers or NaN, got an infinite one")
    if len(known) < FEWEST:
        raise InputError(f"ratings: expected at least {FEWEST}, got {len(known)}; rate more segments")
    rows = known[np.argsort(names[known], kind="stable")]
    _, counts = np.unique(names[rows], return_counts=True)
    return _Rated(rows, gold[rows], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _units(references: LineGroups, seed: int) -> Ints:
    """A number for each segment, drawn by the text of its references: equal texts, equal numbers."""
    texts = ["\n".join(group) for group in references]
    digests = {text: hashlib.sha256(f"{seed}\n{text}".encode()).digest() for text in texts}
    rank = {text: i for i, text in enumerate(sorted(digests, key=digests.__getitem__))}
    return np.array([rank[text] for text in texts], np.int64)
