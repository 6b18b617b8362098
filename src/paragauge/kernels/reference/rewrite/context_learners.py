"""Twins of logistic.cpp and boosting.cpp: linear classifiers of sets of features.

Both take examples, lists of feature numbers, with labels 0 and 1, and give (bias, weights): an example
is positive if the bias and the weights of its features sum to 0 or more.
"""

from __future__ import annotations

import math

Linear = tuple[float, list[float]]


def learn_logistic(
    examples: list[list[int]],
    labels: list[int],
    different: int,
    rounds: int,
    rate: float,
    penalty: float,
) -> Linear:
    """Logistic regression by stochastic gradient, `rounds` passes in the given order.

    Steps are AdaGrad's (Duchi, Hazan and Singer 2011): rate / sqrt(sum of squared slopes so far). The
    penalty is on the squares of weights, and is applied to the weights of the features at hand.
    """
    bias, bias_squares = 0.0, 0.0
    weights, squares = [0.0] * different, [0.0] * different
    for _ in range(rounds):
        for features, label in zip(examples, labels, strict=True):
            margin = bias
            for f in features:
                margin += weights[f]
            slope = 1 / (1 + _exp(-margin)) - label
            if slope != 0:
                bias_squares += slope * slope
                bias -= rate * slope / math.sqrt(bias_squares)
            for f in features:
                pull = slope + penalty * weights[f]
                if pull != 0:
                    squares[f] += pull * pull
                    weights[f] -= rate * pull / math.sqrt(squares[f])
    return bias, weights


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def learn_boosting(examples: list[list[int]], labels: list[int], different: int, rounds: int) -> Linear:
    """Real AdaBoost of stumps on the presence of one feature (Schapire and Singer 2000, BoosTexter).

    Examples have weights that sum to 1. In each round the feature is chosen whose stump has the least
    Z = 2 sum over presence j of sqrt(W+[j] W-[j]), where W+[j] and W-[j] are the weights of positive
    and negative examples (the first of equals). With e = 1 / examples the stump answers
    c[j] = 1/2 ln((W+[j] + e) / (W-[j] + e)), and weights are multiplied by exp(-y c[j]). The sum of all
    stumps is linear in presence: the bias is the sum of the c[0], a weight the sum of its c[1] - c[0].
    """
    bias, weights = 0.0, [0.0] * different
    if not examples or not different:
        return bias, weights
    smoothing = 1 / len(examples)
    shares = [smoothing] * len(examples)
    for _ in range(rounds):
        masses = [[0.0, 0.0] for _ in range(different)]  # of negatives, of positives
        total = [0.0, 0.0]
        for features, label, share in zip(examples, labels, shares, strict=True):
            total[label] += share
            for f in features:
                masses[f][label] += share
        losses = [_loss(mass) + _loss(_subtract(total, mass)) for mass in masses]
        best = losses.index(min(losses))
        absent = _answer(_subtract(total, masses[best]), smoothing)
        present = _answer(masses[best], smoothing)
        bias += absent
        weights[best] += present - absent
        for i, (features, label) in enumerate(zip(examples, labels, strict=True)):
            answer = present if best in features else absent
            shares[i] *= math.exp(-answer if label else answer)
        whole = 0.0
        for share in shares:
            whole += share
        shares = [share / whole for share in shares]
    return bias, weights


def _subtract(total: list[float], mass: list[float]) -> list[float]:
    return [max(0.0, total[0] - mass[0]), max(0.0, total[1] - mass[1])]


def _loss(mass: list[float]) -> float:
    return math.sqrt(mass[1] * mass[0])


def _answer(mass: list[float], smoothing: float) -> float:
    return 0.5 * math.log((mass[1] + smoothing) / (mass[0] + smoothing))
