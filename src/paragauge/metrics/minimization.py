"""Small minimization problems that arise in fitting metrics.

`search_simplex` is the downhill simplex of Nelder and Mead (1965) with reflection 1, expansion 2,
contraction and shrinkage 1/2: no gradient, for a few parameters. It begins with the start and a step
of 5 % (0.00025 from 0) along each axis, and ends when the simplex is smaller than 1e-4 in every
parameter and in value.

`fit_nonnegative` is the active-set method of Lawson and Hanson (1974) for least squares with weights of
at least 0: columns enter one by one, the one with the steepest gradient first, and leave when their
weight would fall below 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paragauge.kernels.layout import Floats

CLOSE = 1e-4


def search_simplex(
    loss: Callable[[Floats], float], start: Floats, iterations: int
) -> tuple[Floats, float]:
    """Parameters [k] with a local minimum of the loss, and the loss there.

    >>> point, least = search_simplex(lambda p: (p[0] - 3) ** 2 + p[1] ** 2, np.array([1.0, 1]), 500)
    >>> point.round(3).tolist()
    [3.0, 0.0]
    """
    size = len(start)
    moved = np.where(start != 0, 1.05 * start, 0.00025)
    corners = np.vstack([start, np.where(np.eye(size, dtype=bool), moved, start)])
    values = np.array([loss(corner) for corner in corners])
    for _ in range(iterations):
        order = np.argsort(values, kind="stable")
        corners, values = corners[order], values[order]
        if np.abs(corners[1:] - corners[0]).max() <= CLOSE and values[-1] - values[0] <= CLOSE:
            break
        center, worst = corners[:-1].sum(axis=0) / size, corners[-1]
        new = 2 * center - worst
        value = loss(new)
        if value < values[0]:
            farther = 3 * center - 2 * worst
            reached = loss(farther)
            if reached < value:
                new, value = farther, reached
        elif value >= values[-2]:
            bound = min(value, values[-1])
            nearer = 1.5 * center - 0.5 * worst if value < values[-1] else 0.5 * (center + worst)
            new, value = nearer, loss(nearer)
            if value > bound or (value == bound == values[-1]):
                corners[1:] = corners[0] + 0.5 * (corners[1:] - corners[0])
                values[1:] = [loss(corner) for corner in corners[1:]]
                continue
        corners[-1], values[-1] = new, value
    best = int(values.argmin())
    return corners[best], float(values[best])


def fit_nonnegative(rows: Floats, targets: Floats) -> Floats:
    """The weights w >= 0 [k] with the least |rows w - targets|, rows [n, k] of full rank.

    >>> fit_nonnegative(np.eye(2), np.array([3.0, -1.0])).tolist()
    [3.0, 0.0]
    """
    size = rows.shape[1]
    weights, free = np.zeros(size), np.zeros(size, bool)
    scale = float(np.abs(rows).sum(axis=0).max(initial=0.0))
    least = 10 * np.finfo(float).eps * scale * max(rows.shape)
    for _ in range(3 * size):
        gradient = rows.T @ (targets - rows @ weights)
        if free.all() or gradient[~free].max() <= least:
            break
        free[np.where(free, -np.inf, gradient).argmax()] = True
        while True:
            trial = np.zeros(size)
            trial[free] = np.linalg.lstsq(rows[:, free], targets, rcond=None)[0]
            below = free & (trial <= 0)
            if not below.any():
                break
            # Move until the first weight reaches 0; that one leaves.
            reach = np.full(size, np.inf)
            reach[below] = weights[below] / (weights[below] - trial[below])
            weights = weights + reach.min() * (trial - weights)
            free &= reach > reach.min()
            weights[~free] = 0.0
        weights = trial
    return weights
