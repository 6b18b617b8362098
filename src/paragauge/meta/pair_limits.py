"""Bounds on numbers of pairs, which are quadratic in what is compared.

Pairs of the candidates of a source, of the ratings of an item, or of the judges of an item are few in
real data. Thousands in one group are a column that was taken for another, and would fill the memory.
The bound grows with the data: large sets have many pairs in small groups.
"""

from __future__ import annotations

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Ints


def count_pairs(sizes: Ints) -> float:
    """How many pairs groups of these sizes have.

    >>> count_pairs(np.array([3, 1, 2]))
    4.0
    """
    wide = np.asarray(sizes, np.float64)
    return float((wide * (wide - 1)).sum() / 2)


def check_pairs(pairs: float, entries: int, what: str, remedy: str, *, most: int, each: int) -> None:
    """Refuse more than `most` pairs, if they are also more than `each` for each entry.

    >>> check_pairs(9, 3, "pairs of ratings", "look at it", most=5, each=2)
    Traceback (most recent call last):
    paragauge.errors.InputError: expected at most 6 pairs of ratings, found 9; look at it
    """
    limit = max(most, each * entries)
    if pairs > limit:
        raise InputError(f"expected at most {limit:,} {what}, found {pairs:,.0f}; {remedy}")
