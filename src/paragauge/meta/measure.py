"""A measure of agreement that may be undefined, and its resamples.

Agreement is undefined on degenerate data: a judge who gives the same rating to everything correlates
with nobody, and two judges without common items have nothing to agree on. Such a measure has a
reason instead of a value; it is never NaN and never a number that stands for "unknown".

Resamples are drawn over segments, because ratings of one segment are not independent. Measures
that are functions of sums go through `metrics.resampling.Resampler`; the others are computed again
with `segment_weights`, which are the same Poisson(1) weights.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.resampling import Resampler, check_run, interval

# Columns of one call that unfolds weights: small, because the work grows with its square.
BLOCK = 64
# Numbers in one batch of weights.
BATCH = 1 << 20


@dataclass(frozen=True, slots=True)
class Measure:
    """A value with its interval and the number of things it was computed from, or a reason.

    >>> Measure(0.5, 12)
    Measure(value=0.5, n=12, low=None, high=None, reason='')
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    reason: str = ""

    def within(self, resampled: Floats, level: float) -> Measure:
        """With the interval of the resamples; undefined resamples are left out."""
        if self.value is None:
            return self
        low, high = interval(resampled, level)
        return dataclasses.replace(self, low=low, high=high)


def undefined_measure(reason: str, n: int) -> Measure:
    """A statistic without a value.

    >>> undefined_measure("no common items", 0).value is None
    True
    """
    return Measure(None, n, reason=reason)


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are computed: resamples (0 for none), level, seed and threads."""

    resamples: int = 1000
    level: float = 0.95
    seed: int = 7
    threads: int = 0

    def check(self) -> None:
        """Refuse settings that no run can use."""
        check_run(threads=self.threads, bootstrap=self.resamples, seed=self.seed, level=self.level)

    def draws(self, segment: Ints) -> bool:
        """Whether there is anything to draw: one segment alone says nothing about how others vary."""
        return self.resamples > 0 and len(np.unique(segment)) > 1

    def sums(self, rows: Floats, segment: Ints) -> Floats:
        """Resampled sums [resamples, k] of rows [n, k] whose segments are `segment` [n]."""
        _, place = np.unique(segment, return_inverse=True)
        merged = np.zeros((int(place.max()) + 1 if len(place) else 0, rows.shape[1]))
        np.add.at(merged, place, rows)
        resampler = Resampler(rows.shape[1], self.resamples, seed=self.seed, threads=self.threads)
        resampler.add(merged, 0)
        return resampler.sums

    def weights(self, segment: Ints) -> Iterator[Floats]:
        """Batches [some resamples, n] of how often each resample draws each row."""
        segments, place = np.unique(segment, return_inverse=True)
        drawn = segment_weights(len(segments), self)
        step = max(1, BATCH // max(len(place), 1))
        for first in range(0, self.resamples, step):
            yield drawn[first : first + step, place].astype(np.float64)

    def values(self, segment: Ints, value: Callable[[Floats], float]) -> Floats:
        """`value` of the weights [n] of each resample, for rows whose segments are `segment` [n]."""
        return np.array([value(row) for rows in self.weights(segment) for row in rows])


def segment_weights(segments: int, bootstrap: Bootstrap) -> NDArray[np.uint8]:
    """How often each resample draws each segment, [resamples, segments].

    >>> segment_weights(3, Bootstrap(2, seed=1)).shape
    (2, 3)
    """
    return _weights(1 << max(segments - 1, BLOCK - 1).bit_length(), bootstrap)[:, :segments]


# Pairs of judges need the weights of few or many segments; those of few are part of those of many.
@lru_cache(maxsize=4)
def _weights(segments: int, bootstrap: Bootstrap) -> NDArray[np.uint8]:
    weights = np.zeros((bootstrap.resamples, segments), np.uint8)
    for first in range(0, segments, BLOCK):
        resampler = Resampler(
            BLOCK, bootstrap.resamples, seed=bootstrap.seed, threads=bootstrap.threads
        )
        resampler.add(np.eye(BLOCK), first)
        weights[:, first : first + BLOCK] = resampler.sums
    return weights
