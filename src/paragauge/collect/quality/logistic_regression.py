"""Logistic regression with a quadratic penalty, for the noise filter: small, exact, no dependencies.

    minimize  sum_i log(1 + exp(-y_i (w z_i + b))) + |w|^2 / (2 C)       y_i = 1 or -1

over standardized features z = (x - mean) / deviation; the intercept is not penalized. A missing value
(NaN) counts as the feature's mean, z = 0. Newton's method with step halving; the problem is convex, so
that the result does not depend on the start. Time O(n k^2) a step, fewer than ten steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats

STEPS = 100
CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """A fitted regression.

    >>> x = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = fit_logistic(x, np.array([False, False, True, True]))
    >>> model.probability(np.array([[0.0], [3.0], [np.nan]])).round(2).tolist()
    [0.36, 0.64, 0.5]
    """

    mean: Floats
    deviation: Floats
    weights: Floats
    intercept: float

    def contributions(self, x: Floats) -> Floats:
        """What each feature adds to the log odds, float [n, k]."""
        return np.nan_to_num((np.asarray(x, np.float64) - self.mean) / self.deviation) * self.weights

    def probability(self, x: Floats) -> Floats:
        """The probability of the positive class, float [n]."""
        return _sigmoid(self.contributions(x).sum(axis=1) + self.intercept)


def fit_logistic(x: Floats, positive: NDArray[np.bool_], strength: float = 0.3) -> LogisticModel:
    """Fit rows `x` [n, k] to the labels `positive` [n]; `strength` is C above."""
    x, y = np.asarray(x, np.float64), np.asarray(positive, np.bool_)
    if x.ndim != 2 or y.shape != x.shape[:1]:
        raise InputError(f"expected one label for each row, found {y.shape} and {x.shape}")
    if not y.any() or y.all():
        raise InputError("expected examples of both classes, found those of one")
    known = ~np.isnan(x)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, x, 0).sum(axis=0) / counts
    spread = np.sqrt((np.where(known, x - mean, 0) ** 2).sum(axis=0) / counts)
    deviation = np.where(spread > CLOSE * (1 + np.abs(mean)), spread, np.inf)
    z = np.hstack([np.nan_to_num((x - mean) / deviation), np.ones((len(x), 1))])
    penalty = np.append(np.full(x.shape[1], 1 / strength), 0.0)
    w = np.zeros(z.shape[1])
    value = _loss(z, y, w, penalty)
    for _ in range(STEPS):
        p = _sigmoid(z @ w)
        gradient = z.T @ (p - y) + penalty * w
        # A tiny addition keeps the matrix regular when the classes are separable.
        curvature = (z * (p * (1 - p))[:, None]).T @ z + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while (new := _loss(z, y, w - size * step, penalty)) > value and size > CLOSE:
            size /= 2
        if value - new <= CLOSE * (1 + value):
            break
        w, value = w - size * step, new
    return LogisticModel(mean, deviation, w[:-1], float(w[-1]))


def _loss(z: Floats, y: NDArray[np.bool_], w: Floats, penalty: Floats) -> float:
    score = z @ w
    return float(np.logaddexp(0, np.where(y, -score, score)).sum() + (penalty * w**2).sum() / 2)


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))
