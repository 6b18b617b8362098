"""The figure to trust of a fitted metric: its correlation with ratings that it was not fitted to.

The sources are divided into folds, so that all candidates of a source are in one fold. Each fold is
predicted by a metric that was fitted to the others only; the figure is Pearson's correlation of all
these predictions with their ratings. The interval is a bootstrap over sources. With fewer sources than
folds, or predictions that do not vary, there is no figure.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.resampling import check_run, correlation_interval

FOLDS = 5
SEED = 7
REPLICATES = 1000
LEVEL = 0.95


@dataclass(frozen=True)
class HeldOut:
    """Pearson's correlation with its interval, all None if there is no figure; see the module."""

    pearson: float | None
    low: float | None
    high: float | None
    folds: int
    sources: int
    seed: int

    def facts(self) -> dict[str, float | None]:
        """The figure as the file of a fit names it."""
        facts = dataclasses.asdict(self)
        return {"held_out": facts.pop("pearson"), **facts}


def number_sources(sources: Iterable[Hashable], seed: int) -> Ints:
    """A random number for each segment, the same for segments with equal sources.

    >>> number_sources(["a", "b", "c", "a"], seed=7).tolist()
    [0, 2, 1, 0]
    """
    numbers: dict[Hashable, int] = {}
    first_seen = np.array([numbers.setdefault(source, len(numbers)) for source in sources], np.int64)
    return np.random.default_rng([seed, 1]).permutation(len(numbers))[first_seen]


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's correlation, 0 if one side does not vary.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])), 9)
    1.0
    >>> pearson(np.ones(3), np.arange(3.0))
    0.0
    """
    ends = np.array([0, len(x)], np.int64)
    mine, theirs = np.ascontiguousarray(x), np.ascontiguousarray(y)
    return float(np.nan_to_num(_native.group_correlations(mine, theirs, ends, "pearson", 1)[0]))


def held_out(
    predict: Callable[[NDArray[np.bool_]], Floats],
    ratings: Floats,
    units: Ints,
    *,
    folds: int = FOLDS,
    seed: int = SEED,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    threads: int = 0,
) -> HeldOut:
    """Cross-validate: `predict` gets the segments of a fold and predicts them from all others.

    >>> ratings = np.arange(20.0)
    >>> units = np.arange(20)
    >>> figure = held_out(lambda is_out: ratings[is_out] ** 2, ratings, units)
    >>> round(figure.pearson, 2), figure.folds
    (0.97, 5)
    """
    check_run(threads=threads, bootstrap=replicates, seed=seed, level=level)
    if not isinstance(folds, int) or isinstance(folds, bool) or not 2 <= folds <= 1000:
        raise SettingError(f"folds: expected a whole number from 2 to 1,000, found {folds!r}")
    fold_of = units % folds
    sources = len(set(units.tolist()))
    nothing = HeldOut(None, None, None, folds, sources, seed)
    if len(set(fold_of.tolist())) < folds:
        return nothing
    predictions = np.empty(len(ratings))
    for fold in range(folds):
        predictions[fold_of == fold] = predict(fold_of == fold)
    if float(np.ptp(predictions)) == 0 or float(np.ptp(ratings)) == 0:
        return nothing
    figure = pearson(predictions, ratings)
    if not replicates:
        return HeldOut(figure, None, None, folds, sources, seed)
    low, high = correlation_interval(
        predictions, ratings, units, replicates=replicates, seed=seed, level=level, threads=threads
    )
    return HeldOut(figure, low, high, folds, sources, seed)
