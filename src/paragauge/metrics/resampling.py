"""The bootstrap in one streaming pass.

The classical bootstrap draws n segments with replacement and needs all n at once. Here replicate b
gives segment i an independent Poisson(1) weight instead, which differs only in that the size of a
resample is n only on average (Hanley and MacGibbon 2006; Chamandy et al. 2012): scores
are ratios of sums, so the size cancels. Statistics are added with these weights as they arrive and
are then forgotten: memory holds [replicates, k] numbers, whatever the size of the corpus. Weights
depend on (seed, replicate, segment) only, so two systems scored on the same segments get the same
resamples (a paired bootstrap) and results do not depend on batches or threads.

Time is replicates x segments x k; memory replicates x k.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Literal

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.text.tokenizers import MOST_THREADS

MOST_REPLICATES = 1_000_000
ResamplingWeights = Literal["poisson", "coin"]


class Resampler:
    """Resampled sums of statistics with k columns.

    >>> resampler = Resampler(1, 500, seed=1)
    >>> resampler.add(np.ones((1000, 1)), first=0)
    >>> resampler.sums.shape, bool(abs(resampler.sums.mean() - 1000) < 10)
    ((500, 1), True)
    """

    def __init__(
        self,
        columns: int,
        replicates: int,
        *,
        seed: int,
        weights: ResamplingWeights = "poisson",
        threads: int = 0,
    ) -> None:
        # One more column adds up the weights: a resample without any segment has no score.
        self._sums: Floats = np.zeros((replicates, columns + 1))
        self._seed = seed
        self._weights = weights
        self._threads = threads

    def add(self, stats: Floats, first: int) -> None:
        """Add the statistics [n, k] of the segments from number `first` on."""
        counted = np.concatenate([stats, np.ones((len(stats), 1))], axis=1)
        _native.resample_sums(counted, self._weights, self._seed, first, self._sums, self._threads)

    @property
    def sums(self) -> Floats:
        """Resampled sums, float64 [replicates, k]."""
        return self._sums[:, :-1]

    def scores(self, values: Callable[[Floats], Floats]) -> Floats:
        """`values` of the resampled sums, float64 [replicates]; NaN where nothing was drawn."""
        return np.where(self._sums[:, -1] > 0, values(self.sums), np.nan)


def running_sum(before: Floats | None, stats: Floats) -> Floats:
    """The sum of statistics [n, k] added to the sum before, row by row.

    The order of additions is that of the rows, so that batches may be cut anywhere.

    >>> running_sum(np.array([1.0]), np.array([[2.0], [3.0]]))
    array([6.])
    """
    if len(stats) == 0:
        return np.zeros(stats.shape[1]) if before is None else before
    rows = stats if before is None else np.concatenate([before[None, :], stats])
    return np.asarray(np.add.accumulate(rows, axis=0)[-1])


def check_run(*, threads: int, bootstrap: int, seed: int, level: float) -> None:
    """Refuse what no run can use, before anything is computed.

    >>> check_run(threads=0, bootstrap=1000, seed=7, level=95)
    Traceback (most recent call last):
    paragauge.errors.SettingError: expected a level between 0 and 1, found 95
    """
    for name, value, most in (
        ("threads", threads, MOST_THREADS),
        ("resamples", bootstrap, MOST_REPLICATES),
        ("seed", seed, 2**63 - 1),
    ):
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        if not whole or not 0 <= value <= most:
            raise SettingError(f"{name}: expected a whole number from 0 to {most:,}, found {value!r}")
    if not isinstance(level, numbers.Real) or not 0 < level < 1:
        raise SettingError(f"expected a level between 0 and 1, found {level}")


def interval(values: Floats, level: float) -> tuple[float | None, float | None]:
    """The central `level` of the values (percentile method); undefined ones are left out.

    >>> interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    known = values[~np.isnan(values)]
    if len(known) == 0:
        return None, None
    # np.quantile would do, but it loads numpy.ma, which every short run would wait for.
    ranked = np.sort(known)
    low, high = (_quantile(ranked, share) for share in ((1 - level) / 2, (1 + level) / 2))
    return low, high


def _quantile(ranked: Floats, share: float) -> float:
    """The value below which `share` of the sorted values lie, interpolated linearly."""
    place = share * (len(ranked) - 1)
    below = int(place)
    above = min(below + 1, len(ranked) - 1)
    return float(ranked[below] + (place - below) * (ranked[above] - ranked[below]))


def correlation_interval(
    x: Floats,
    y: Floats,
    units: Ints,
    *,
    offsets: Ints | None = None,
    replicates: int = 1000,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
) -> tuple[float | None, float | None]:
    """A bootstrap interval of Pearson's correlation, in which items of one unit are drawn together.

    With `offsets` of groups, the interval is that of the mean over the groups.
    """
    correlations = _native.resampled_correlations(
        np.ascontiguousarray(x, np.float64),
        np.ascontiguousarray(y, np.float64),
        np.array([0, len(x)], np.int64) if offsets is None else offsets,
        units,
        np.zeros(0, np.uint8),
        "pearson",
        "poisson",
        False,
        seed,
        replicates,
        threads,
    )
    return interval(correlations, level)
