"""Wilcoxon's signed-rank test (1945): do differences tend to be above 0?

W is the sum of the ranks, by size, of the differences above 0; equal sizes share the mean of their
ranks. Under the null hypothesis every sign is a fair toss. The distribution of W is then counted
exactly, adding one rank at a time, for up to 50 differences of different sizes or 13 with equal ones.
Beyond that W is taken as normal with mean n (n + 1) / 4 and variance n (n + 1) (2n + 1) / 24 -
sum (t^3 - t) / 48, the sum over groups of t equal sizes. These are the rules of SciPy's `wilcoxon`.
"""

from __future__ import annotations

import math

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.significance.distributions import normal_p

EXACT, EXACT_TIED = 50, 13


def signed_rank_p(differences: Floats) -> float:
    """The one-sided p-value of differences [n] that are not 0.

    Of the 8 ways to sign 1, 2 and 3, two give a sum of 5 or more:

    >>> signed_rank_p(np.array([-1.0, 2, 3]))
    0.25
    """
    if not len(differences) or not np.all(differences):
        raise InputError("expected differences that are not 0, found 0 or none")
    missing = np.isnan(differences)
    if missing.any():
        place = int(missing.argmax())
        raise InputError(f"difference {place}: expected a number, found NaN; leave it out")
    _, group, sizes = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    # Twice the mean ranks, which are whole numbers.
    ranks = (2 * np.cumsum(sizes) - sizes + 1)[group]
    above = int(ranks[differences > 0].sum())
    n, tied = len(ranks), bool((sizes > 1).any())
    if n <= (EXACT_TIED if tied else EXACT):
        counts = _sums(ranks)
        return float(counts[above:].sum() / counts.sum())
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((sizes.astype(float) ** 3 - sizes).sum()) / 48
    return normal_p((above / 2 - n * (n + 1) / 4) / math.sqrt(variance))


def _sums(ranks: Ints) -> Ints:
    """In how many of the 2^n sets of ranks each sum is reached, int [sum + 1]."""
    counts = np.zeros(int(ranks.sum()) + 1, np.int64)
    counts[0] = 1
    for rank in ranks.tolist():
        counts[rank:] += counts[:-rank].copy()
    return counts
