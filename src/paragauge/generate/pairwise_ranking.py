"""Pairs of hypotheses as examples, and the weights that rank the better of each above the worse.

These are the two steps of an iteration of PRO (Hopkins and May 2011; `tuning.py`): pairs are drawn from
each sentence's hypotheses, and logistic regression without an intercept learns from their differences.
Weights are rounded after the regression has converged, because processors differ in the last bits of
sums, and the next lists would differ too.
"""

from __future__ import annotations

import numpy as np

from paragauge.generate.hypothesis_pool import HypothesisPool
from paragauge.kernels.layout import Floats

DECIMALS = 6
STEPS = 200
EXACT = 1e-10  # of the gradient


def sample_pairs(
    pool: HypothesisPool, *, samples: int, keep: int, least: float, seed: tuple[int, ...]
) -> Floats:
    """Sample pairs; return their differences, better - worse, [pairs, features]."""
    differences = []
    for sentence, row in enumerate(pool.rows):
        scores = np.array(row.scores)
        if len(scores) < 2:
            continue
        rng = np.random.default_rng((*seed, sentence))
        left, right = rng.integers(len(scores), size=(2, samples))
        difference = scores[left] - scores[right]
        # A score that is undefined (NaN) compares as False and is left out.
        different = np.flatnonzero(np.abs(difference) > least)
        order = np.lexsort((different, -np.abs(difference[different])))[:keep]
        pairs = different[order]
        features = np.array(row.features)
        sign = np.sign(difference[pairs])[:, None]
        differences.append(sign * (features[left[pairs]] - features[right[pairs]]))
    return np.concatenate(differences) if differences else np.zeros((0, 0))


def fit_weights(better: Floats, weights: Floats, penalty: float) -> Floats:
    """Fit weights by logistic regression on differences [pairs, features], sum |w| = 1.

    The penalized loss is convex and smooth, so its minimum does not depend on the start.

    >>> fit_weights(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([0.25, 0.75]), 0.01).tolist()
    [0.25, 0.75]
    """
    scale = np.sqrt(np.mean(np.square(better), axis=0)) if len(better) else np.zeros_like(weights)
    active = scale > 1e-12 * max(1.0, float(scale.max(initial=0.0)))
    share = float(np.abs(weights[~active]).sum())
    if not active.any() or share >= 1:
        return weights
    rows = better[:, active] / scale[active]

    fitted = _minimize_loss(rows, penalty) / scale[active]
    updated = weights.copy()
    total = float(np.abs(fitted).sum())
    if total > 0:
        updated[active] = (1 - share) * fitted / total
    return updated


def _minimize_loss(rows: Floats, penalty: float) -> Floats:
    """Minimize mean log(1 + exp(-rows w)) + penalty / 2 |w|^2 over w, by damped Newton steps."""

    def loss(w: Floats) -> float:
        return float(np.logaddexp(0, -(rows @ w)).mean() + penalty / 2 * (w @ w))

    w = np.zeros(rows.shape[1])
    value = loss(w)
    for _ in range(STEPS):
        wrong = 0.5 * (1 - np.tanh(rows @ w / 2))  # the probability of the wrong order
        gradient = penalty * w - rows.T @ wrong / len(rows)
        if np.abs(gradient).max() <= EXACT:
            break
        curvature = (rows * (wrong * (1 - wrong))[:, None]).T @ rows / len(rows)
        # The tiny addition keeps the matrix regular if features are linearly dependent.
        step = np.linalg.solve(curvature + (penalty + 1e-12) * np.eye(len(w)), gradient)
        size = 1.0
        while (new := loss(w - size * step)) > value and size > EXACT:
            size /= 2
        if new > value:
            break
        w, value = w - size * step, new
    return w


def interpolate(old: Floats, new: Floats, rate: float) -> Floats:
    """(1 - rate) old + rate new, scaled to sum |w| = 1 and rounded.

    >>> interpolate(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.25).tolist()
    [0.75, 0.25]
    """
    return np.round(normalize((1 - rate) * old + rate * new), DECIMALS)


def normalize(weights: Floats) -> Floats:
    """Divide weights by the sum of their absolute values; all zeros become equal shares.

    >>> normalize(np.array([3.0, -1.0])).tolist()
    [0.75, -0.25]
    """
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else np.full(len(weights), 1 / max(1, len(weights)))
