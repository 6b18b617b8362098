"""Twins of correlate.cpp: correlations of groups and of resamples."""

from __future__ import annotations

import itertools
import math

import numpy as np

from paragauge.kernels.layout import Bytes, Floats, Ints
from paragauge.kernels.reference.statistics.resample import resample_weight


def _mean_ranks(values: list[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    return [
        1 + sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def _pearson(x: list[float], y: list[float]) -> float:
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    products = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    squares_x = math.fsum((a - mean_x) ** 2 for a in x)
    squares_y = math.fsum((b - mean_y) ** 2 for b in y)
    return products / math.sqrt(squares_x) / math.sqrt(squares_y)


def _kendall(x: list[float], y: list[float]) -> float:
    """Tau-b: concordant minus discordant pairs, by the pairs untied in x and those untied in y."""
    balance, untied_x, untied_y = 0, 0, 0
    for i in range(len(x)):
        for j in range(i):
            across, up = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
            balance += across * up
            untied_x += across != 0
            untied_y += up != 0
    return balance / math.sqrt(untied_x) / math.sqrt(untied_y)


def _correlation(x: list[float], y: list[float], coefficient: str) -> float:
    if coefficient == "spearman":
        return _pearson(_mean_ranks(x), _mean_ranks(y))
    if coefficient not in ("pearson", "kendall"):
        raise ValueError("coefficient must be 'pearson', 'spearman' or 'kendall'")
    return {"pearson": _pearson, "kendall": _kendall}[coefficient](x, y)


def group_correlations(x: Floats, y: Floats, offsets: Ints, coefficient: str, threads: int) -> Floats:
    """The coefficient of the pairs of each group; NaN where a side is constant or has one value."""
    del threads
    result = []
    for first, last in itertools.pairwise(offsets.tolist()):
        a, b = x[first:last].tolist(), y[first:last].tolist()
        constant = len(set(a)) < 2 or len(set(b)) < 2
        result.append(math.nan if constant else _correlation(a, b, coefficient))
    return np.array(result)


def resampled_correlations(
    x: Floats,
    y: Floats,
    offsets: Ints,
    units: Ints,
    complement: Bytes,
    coefficient: str,
    weights: str,
    zero_constant: bool,
    seed: int,
    replicates: int,
    threads: int,
) -> Floats:
    """For each replicate the mean over groups of the coefficient of the resampled pairs.

    A pair counts as often as the weight of its unit says, or as 1 minus that where `complement` (of
    all pairs, or empty) is 1. A group whose y is constant is left out; one whose x is constant
    counts as 0 or is left out too. NaN if no group is left.
    """
    del threads
    result = []
    for replicate in range(replicates):
        coefficients = []
        for first, last in itertools.pairwise(offsets.tolist()):
            a: list[float] = []
            b: list[float] = []
            for i in range(first, last):
                weight = resample_weight(weights, seed, replicate, int(units[i]))
                if len(complement) and complement[i]:
                    weight = 1 - weight
                a += [float(x[i])] * weight
                b += [float(y[i])] * weight
            if len(set(b)) < 2 or (len(set(a)) < 2 and not zero_constant):
                continue
            coefficients.append(0.0 if len(set(a)) < 2 else _correlation(a, b, coefficient))
        result.append(sum(coefficients) / len(coefficients) if coefficients else math.nan)
    return np.array(result)


def exchanged_correlations(
    one: Floats,
    other: Floats,
    gold: Floats,
    offsets: Ints,
    units: Ints,
    coefficient: str,
    zero_constant: bool,
    seed: int,
    replicates: int,
    threads: int,
) -> tuple[Floats, Floats]:
    """`resampled_correlations` with two metrics' scores, exchanged where the coin of the unit is 0.

    Two lists: the correlations of `one` after the exchange and those of `other`. The coefficient is
    Spearman's or Kendall's.
    """
    # In each group the first metric's scores, then the second's: both share a coin.
    order = np.concatenate(
        [
            np.arange(first, last) + side * len(one)
            for first, last in itertools.pairwise(offsets.tolist())
            for side in (0, 1)
        ]
        or [np.zeros(0, np.int64)]
    ).astype(np.int64)
    scores = np.concatenate([one, other])[order]
    golds, coins = (np.concatenate([values, values])[order] for values in (gold, units))
    lists = [
        resampled_correlations(
            scores,
            golds,
            2 * (offsets - offsets[0]),
            coins,
            (order // len(one) == side).astype(np.uint8),
            coefficient,
            "coin",
            zero_constant,
            seed,
            replicates,
            threads,
        )
        for side in (1, 0)
    ]
    return lists[0], lists[1]


def resampled_maxima(
    gain: Floats,
    last: Bytes,
    units: Ints,
    complement: Bytes,
    weights: str,
    seed: int,
    replicates: int,
    threads: int,
) -> Floats:
    """For each replicate the largest prefix sum of weight * gain, or 0 if none is larger.

    Prefixes end only where `last` is 1; weights as in `resampled_correlations`.
    """
    del threads
    result = []
    for replicate in range(replicates):
        total = best = 0.0
        for i, value in enumerate(gain.tolist()):
            weight = resample_weight(weights, seed, replicate, int(units[i]))
            total += (1 - weight if len(complement) and complement[i] else weight) * value
            best = max(best, total) if last[i] else best
        result.append(best)
    return np.array(result)
