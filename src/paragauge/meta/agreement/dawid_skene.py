"""Dawid and Skene's EM (1979): the classes of items and the error rates of judges, from ratings alone.

Item i has one true, unknown class j; classes have prevalences p_j. Judge k says l of an item
of class j with probability pi_jl^k, independently of all other ratings. With n_il^k the number of times
that judge k says l of item i (0 where a rating is missing, more than 1 where a judge rates an item
again), the two steps are

    M:  p_j      =  sum_i T_ij / I                                      (their equation 2.4)
        pi_jl^k  =  sum_i T_ij n_il^k  /  sum_l sum_i T_ij n_il^k       (2.3)
    E:  T_ij     ∝  p_j prod_k prod_l (pi_jl^k)^(n_il^k)                (2.5)

for the probability T_ij that item i is of class j. EM begins with the majority vote, T_ij = the share
of the item's ratings that say j, and ends when no T_ij changes by more than `tolerance`, or after
`iterations` rounds. The likelihood of the ratings never falls; EM finds a local maximum.

Nothing is random. Ratings are sorted first, so that their order has no effect at all. The numbering of
items, judges and classes affects only rounding, because sums are in another order. If EM begins between
two equally good maxima, as with symmetric votes, rounding can decide which of them it finds.

One deviation: sums in the numerator of (2.3) are at least 1e-10. So logarithms are finite, and a judge
who rated no item of class j says every l of it with the same probability, where (2.3) is 0/0.

Time O(n C + J C^2) a round and memory O((n + I) C + J C^2) for n ratings of I items by J judges in C
classes.

A. P. Dawid and A. M. Skene. Maximum likelihood estimation of observer error-rates using the EM
algorithm. Applied Statistics 28(1), 1979.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from paragauge.errors import LengthError, SettingError, ShapeError
from paragauge.kernels.layout import Floats, Ints

ITERATIONS = 1000
TOLERANCE = 1e-6
LEAST_COUNT = 1e-10


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """What the ratings say about items, classes and judges."""

    classes: Floats  # [items, classes]: T, the probability of each class
    prevalence: Floats  # [classes]: p
    error_rates: Floats  # [judges, true classes, classes said]: pi
    log_likelihood: float  # of the ratings
    iterations: int
    converged: bool


def fit_dawid_skene(
    items: ArrayLike,
    judges: ArrayLike,
    labels: ArrayLike,
    *,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> DawidSkene:
    """Estimate classes and error rates from ratings: rating n says `labels[n]` of `items[n]`.

    All three are whole numbers from 0. Every number up to the largest item, judge and label has a
    rating; `numpy.unique(values, return_inverse=True)` numbers any values this way.

    Two judges agree on two items and disagree on the third, where the votes leave it open:

    >>> fitted = fit_dawid_skene([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 1])
    >>> fitted.classes.round(3).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    >>> fitted.error_rates[0].round(3).tolist()
    [[1.0, 0.0], [0.333, 0.667]]
    """
    if iterations < 1:
        raise SettingError(f"iterations: expected a whole number from 1, found {iterations}")
    if not tolerance >= 0:
        raise SettingError(f"tolerance: expected a number from 0, found {tolerance}")
    item, judge, label = (
        _numbers(*named) for named in (("items", items), ("judges", judges), ("labels", labels))
    )
    if not len(item) == len(judge) == len(label):
        raise LengthError(
            f"expected an item, a judge and a label for each rating, found {len(item)}, {len(judge)} "
            f"and {len(label)}"
        )
    if len(item) == 0:
        raise ShapeError("expected at least one rating, found none")
    for what, values in (("item", item), ("judge", judge), ("label", label)):
        _check_dense(what, values)
    order = np.lexsort((label, judge, item))
    item, judge, label = item[order], judge[order], label[order]
    size = int(label.max()) + 1
    votes = np.bincount(item * size + label, minlength=(int(item.max()) + 1) * size)
    votes = votes.reshape(-1, size)
    classes = votes / votes.sum(axis=1, keepdims=True)
    cell = judge * size + label
    cells = (int(judge.max()) + 1) * size
    change, rounds = np.inf, 0
    while rounds < iterations and change > tolerance:
        prevalence, rates = _maximize(classes, item, cell, cells)
        updated, log_likelihood = _expect(prevalence, rates, item, cell, len(votes))
        change = float(np.abs(updated - classes).max())
        classes, rounds = updated, rounds + 1
    error_rates = rates.reshape(size, -1, size).transpose(1, 0, 2)
    return DawidSkene(classes, prevalence, error_rates, log_likelihood, rounds, change <= tolerance)


def _maximize(classes: Floats, item: Ints, cell: Ints, cells: int) -> tuple[Floats, Floats]:
    """Prevalences [classes] and error rates [true classes, judges * classes said]."""
    size = classes.shape[1]
    counts = np.stack([np.bincount(cell, chances[item], cells) for chances in classes.T])
    counts = np.maximum(counts, LEAST_COUNT).reshape(size, -1, size)
    rates = counts / counts.sum(axis=2, keepdims=True)
    return classes.mean(axis=0), rates.reshape(size, cells)


def _expect(
    prevalence: Floats, rates: Floats, item: Ints, cell: Ints, items: int
) -> tuple[Floats, float]:
    """The probabilities of classes [items, classes] and the log likelihood."""
    logs = [np.bincount(item, log_rates[cell], items) for log_rates in np.log(rates)]
    chances = np.stack(logs, axis=1)
    chances += np.log(np.maximum(prevalence, np.finfo(float).tiny))
    highest = chances.max(axis=1, keepdims=True)
    shares = np.exp(chances - highest)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / totals, float((highest + np.log(totals)).sum())


def _numbers(name: str, values: ArrayLike) -> Ints:
    numbers = np.asarray(values)
    if numbers.ndim != 1 or (len(numbers) and (numbers.dtype.kind not in "iu" or numbers.min() < 0)):
        raise ShapeError(f"{name}: expected a list of whole numbers from 0, found {values!r:.60}")
    return numbers.astype(np.int64)


def _check_dense(what: str, values: Ints) -> None:
    """Refuse gaps in the numbers, before arrays of the largest number's size are made."""
    seen = np.unique(values)
    if int(seen[-1]) >= len(seen):
        missing = int((seen != np.arange(len(seen))).argmax())
        raise ShapeError(
            f"expected a rating for every {what} up to {seen[-1]}, found none for {missing}; number "
            "them by numpy.unique(..., return_inverse=True)"
        )
