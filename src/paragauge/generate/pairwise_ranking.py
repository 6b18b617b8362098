"""Pairs of hypotheses as examples, and the weights that put the better of each above the worse.

The two steps of an iteration of PRO (Hopkins and May 2011; `tuning.py`): pairs are drawn from each
sentence's hypotheses, and logistic regression without an intercept learns from their differences.
Weights are rounded after the regression has converged, for processors differ in the last bits of sums,
and the next lists would differ with them.
"""

from __future__ import annotations

import numpy as np

from paragauge.generate.hypothesis_pool import HypothesisPool
from paragauge.kernels.layout import Floats

DECIMALS = 6
STEPS = 200
EXACT = 1e-10  # of the gradient


def sample_pairs(
    pool: HypothesisPool, *, samples: int, kept: int, least: float, seed: tuple[int, ...]
) -> Floats:
    """Differences better - worse of the pairs that are kept, [pairs, features]."""
    chosen = []
    for sentence, row in enumerate(pool.rows):
        scores = np.array(row.scores)
        if len(scores) < 2:
            continue
        rng = np.random.default_rng((*seed, sentence))
        left, right = rng.integers(len(scores), size=(2, samples))
        difference = scores[left] - scores[right]
        # A score that is undefined (NaN) compares as False and is left out.
        found = np.flatnonzero(np.abs(difference) > least)
        order = np.lexsort((found, -np.abs(difference[found])))[:kept]
        taken = found[order]
        features = np.array(row.features)
        sign = np.sign(difference[taken])[:, None]
        chosen.append(sign * (features[left[taken]] - features[right[taken]]))
    return np.concatenate(chosen) if chosen else np.zeros((0, 0))


def fit_weights(better: Floats, weights: Floats, penalty: float) -> Floats:
    """Weights by logistic regression on differences [pairs, features], sum |w| = 1.

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

    found = _minimum(rows, penalty)
    found = found / scale[active]
    updated = weights.copy()
    total = float(np.abs(found).sum())
    if total > 0:
        updated[active] = (1 - share) * found / total
    return updated


def _minimum(rows: Floats, penalty: float) -> Floats:
    """The w with the least mean log(1 + exp(-rows w)) + penalty / 2 |w|^2, by damped Newton steps."""

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
        # The tiny addition keeps the matrix regular where features depend on each other.
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
    """The weights divided by the sum of their absolute values; zeros become equal shares.

    >>> normalize(np.array([3.0, -1.0])).tolist()
    [0.75, -0.25]
    """
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else np.full(len(weights), 1 / max(1, len(weights)))
