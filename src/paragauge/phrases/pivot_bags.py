"""Bags of n-grams with weights, and their agreement (Liu, Dahlmeier and Ng 2010, sections 4.2 and 4.4).

Two bags are compared by precision, recall and F1 of their weights:

    F1 = 2 sum min(W_R, W_P) / (sum W_R + sum W_P)

This is PEM's pivot F1 if the bags are those of two networks (`pivot_network.py`), and its target F1 if
they hold the sentences' own n-grams with their counts. An n-gram may also count as much as its words
do, for example by inverse document frequency. Time is linear in the number of n-grams.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ids, Ints
from paragauge.text.ragged import Ragged

ORDER = 4


@dataclass(frozen=True)
class PivotBags:
    """The bags of many sentences: n-grams int32 [m, 4] filled up with -1, weights, offsets."""

    grams: Ids
    weights: Floats
    offsets: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def overlaps(
        self,
        other: PivotBags,
        mine: Ints,
        theirs: Ints,
        word_weights: Floats | None = None,
        other_weight: float = 1.0,
        threads: int = 0,
    ) -> Floats:
        """For each pair (mine[i], theirs[i]) of bags: shared weight, ours, theirs; [n, order, 3].

        With `word_weights` an n-gram counts as much as its words do on average; `other_weight` is
        that of words beyond the array.
        """
        overlaps = _native.gram_overlaps(
            (self.grams, self.weights, self.offsets),
            (other.grams, other.weights, other.offsets),
            np.ascontiguousarray(mine, np.int64),
            np.ascontiguousarray(theirs, np.int64),
            np.zeros(0) if word_weights is None else word_weights,
            other_weight,
            threads,
        )
        return overlaps.reshape(len(mine), ORDER, 3)


def precision_recall_f1(overlaps: Floats) -> Floats:
    """From (shared, ours, theirs) [..., 3]; two empty bags agree fully, an empty and a full one not.

    >>> precision_recall_f1(np.array([[3.8, 10.0, 10.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.38, 0.38, 0.38], [1.0, 1.0, 1.0]]
    """
    shared, ours, theirs = (overlaps[..., i] for i in range(3))
    both_empty = (ours == 0) & (theirs == 0)
    results = [
        np.divide(shared * factor, below, out=np.zeros_like(shared), where=below > 0)
        for factor, below in ((1.0, ours), (1.0, theirs), (2.0, ours + theirs))
    ]
    return np.where(both_empty[..., None], 1.0, np.stack(results, axis=-1))


def count_bags(sentences: Ragged, order: int = ORDER, threads: int = 0) -> PivotBags:
    """The bags of the sentences' own n-grams, with counts: a network in which all words pass through.

    >>> count_bags(Ragged.from_lists([[5, 6, 5]]), 2).weights.tolist()
    [2.0, 1.0, 1.0, 1.0]
    """
    none = np.zeros(0, np.int32), np.zeros(1, np.int64)
    table = _native.PivotTable(none, np.zeros(0), none[1], none[0], np.zeros(0), none)
    return PivotBags(*table.bags((sentences.ids, sentences.offsets), 0.0, 1, order, 0.0, threads))


def idf(documents: Ints, sentences: int) -> tuple[Floats, float]:
    """Inverse document frequencies, and that of a word that no sentence has.

    >>> weights, other = idf(np.array([1, 9]), 9)
    >>> weights.round(3).tolist(), round(other, 3)
    ([1.897, 0.051], 2.996)
    """
    weights = np.log((sentences + 1) / (documents + 0.5))
    return weights, math.log((sentences + 1) / 0.5)
