"""Twins of resample.cpp: counter-based weights of resamples, and weighted sums."""

from __future__ import annotations

from paragauge.kernels.layout import Floats
from paragauge.kernels.reference.base.hashing import WORD
from paragauge.kernels.reference.base.random import splitmix

# round(65536 * P(X <= k)) of Poisson(1) for k = 0 ... 7
_POISSON = (24109, 48219, 60273, 64292, 65296, 65497, 65531, 65535)


def resample_weight(weights: str, seed: int, replicate: int, segment: int) -> int:
    """Weight of a segment in a replicate: Poisson(1) (``poisson``) or a coin toss (``coin``)."""
    stream = splitmix(seed ^ splitmix(replicate))
    if weights == "coin":
        return splitmix((stream + segment // 64) & WORD) >> (segment % 64) & 1
    if weights != "poisson":
        raise ValueError("weights must be 'poisson' or 'coin'")
    uniform = splitmix((stream + segment // 4) & WORD) >> (16 * (segment % 4)) & 0xFFFF
    return sum(uniform >= threshold for threshold in _POISSON)


def resample_sums(
    stats: Floats, weights: str, seed: int, first: int, sums: Floats, threads: int
) -> None:
    """Add weight(replicate, first + i) * stats[i] to sums[replicate], for all rows i."""
    del threads
    for replicate in range(len(sums)):
        for i, row in enumerate(stats):
            sums[replicate] += resample_weight(weights, seed, replicate, first + i) * row
