"""Weighted bags and their agreement: the arithmetic of TargetF1.

PEM's own F1 is in `phrases/pivot_bags.py`, which weighs the n-grams of networks too.

A bag gives each key a weight. Two bags share, for each key, the smaller of the two weights; with the
shared weight m and the bags' total weights a and b,

    precision = m / a        recall = m / b        F1 = 2m / (a + b)

`WeightedBags` keeps the bags of many sentences flat: int32 keys, float64 weights, int64 offsets.
Keys must agree between the two sides only within a segment. Time is linear in the number of keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.text.batch import TokenGroups
from paragauge.text.ragged import gather


@dataclass(frozen=True)
class WeightedBags:
    """The bags of many sentences.

    >>> left = WeightedBags(np.array([0, 1], np.int32), np.array([2.0, 0.5]), np.array([0, 2]))
    >>> right = WeightedBags(np.array([0, 7], np.int32), np.array([1.0, 1.0]), np.array([0, 2]))
    >>> left.overlaps(right).tolist(), left.f1(right).round(3).tolist()
    ([1.0], [0.444])
    """

    keys: NDArray[np.int32]
    weights: Floats
    offsets: Ints

    def __post_init__(self) -> None:
        for name, kind in (("keys", np.int32), ("weights", np.float64), ("offsets", np.int64)):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), kind))
        if len(self.offsets) == 0 or len(self.keys) != len(self.weights):
            raise ShapeError(
                f"expected as many keys as weights and at least one offset, found {len(self.keys)}, "
                f"{len(self.weights)} and {len(self.offsets)}"
            )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def totals(self) -> Floats:
        """Total weight of each bag, float64 [n]."""
        # Bag by bag: a difference of running sums would lose digits of fractional weights.
        padded = np.append(self.weights, 0.0)
        sums = np.add.reduceat(padded, self.offsets[:-1]) if len(self) else np.zeros(0)
        return np.where(np.diff(self.offsets) > 0, sums, 0.0)

    def take(self, indices: Ints) -> WeightedBags:
        """The bags with these numbers, in this order."""
        positions, offsets = gather(self.offsets, indices)
        return WeightedBags(self.keys[positions], self.weights[positions], offsets)

    def overlaps(self, other: WeightedBags, threads: int = 0) -> Floats:
        """Weight that each bag shares with the other side's, float64 [n]."""
        if len(self) != len(other):
            raise ShapeError(
                f"expected equally many bags on both sides, found {len(self)} and {len(other)}"
            )
        mine, theirs = ((bags.keys, bags.weights, bags.offsets) for bags in (self, other))
        return _native.bag_overlaps(mine, theirs, threads)

    def f1(self, other: WeightedBags, threads: int = 0) -> Floats:
        """F1 agreement of each pair of bags, float64 [n]; two empty bags agree fully."""
        shared, total = self.overlaps(other, threads), self.totals() + other.totals()
        return np.divide(2.0 * shared, total, out=np.ones_like(total), where=total > 0)


def ngram_bags(columns: Sequence[TokenGroups], order: int, threads: int = 0) -> list[WeightedBags]:
    """For each column the bags of all 1- to `order`-grams of each line, counts as weights."""
    bags = _native.ngram_bags([column.column for column in columns], order, threads)
    return [WeightedBags(*parts) for parts in bags]
