"""The figure to trust of a fitted metric: its correlation with ratings that it was not fitted to.

The sources are divided into folds, so that all candidates of a source are in one fold. Each fold is
predicted by a metric that was fitted to the others only; the figure is Pearson's correlation of all
these predictions with their ratings. The interval is a bootstrap over sources. With fewer sources than
folds, or predictions that do not vary, there is no figure.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.resampling import check_run, correlation_interval

FOLDS = 5
SEED = 7


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


def number_sources(sources: Iterable[Sequence[str]], seed: int) -> Ints:
    """A random number for each segment, the same for segments with the same sources.

    >>> number_sources([["a"], ["b"], ["a"]], seed=7).tolist()
    [1, 0, 1]
    """
    texts = ["\n".join(group) for group in sources]
    digests = {text: hashlib.sha256(f"{seed}\n{text}".encode()).digest() for text in texts}
    rank = {text: i for i, text in enumerate(sorted(digests, key=digests.__getitem__))}
    return np.array([rank[text] for text in texts], np.int64)


def held_out(
    predict: Callable[[NDArray[np.bool_]], Floats],
    ratings: Floats,
    units: Ints,
    *,
    folds: int = FOLDS,
    seed: int = SEED,
    level: float = 0.95,
    threads: int = 0,
) -> HeldOut:
    """Cross-validate: `predict` gets the segments of a fold and predicts them from all others.

    >>> ratings = np.arange(20.0)
    >>> units = np.arange(20)
    >>> figure = held_out(lambda is_out: ratings[is_out] ** 2, ratings, units)
    >>> round(figure.pearson, 2), figure.folds
    (0.97, 5)
    """
    check_run(threads=threads, bootstrap=1, seed=seed, level=level)
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
    pearson = float(np.corrcoef(predictions, ratings)[0, 1])
    low, high = correlation_interval(
        predictions, ratings, units, seed=seed, level=level, threads=threads
    )
    return HeldOut(pearson, low, high, folds, sources, seed)
