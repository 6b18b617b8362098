"""Measures of the noise filter: precision, recall, F1, AUC and their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Bools, Floats

DRAWS, SEED = 500, 7


def folds(groups: Sequence[str], parts: int) -> NDArray[np.int64]:
    """The part of each row; rows of the same group are in the same part."""
    names = sorted(set(groups))
    order = np.random.default_rng(SEED).permutation(len(names))
    part = dict(zip(names, (np.argsort(order) % parts).tolist(), strict=True))
    return np.array([part[group] for group in groups])


def auc(chances: Floats, bad: Bools) -> float:
    """The probability that a noisy answer scores higher than a good one; ties count half."""
    _, place, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    positives, negatives = int(bad.sum()), int((~bad).sum())
    return float((ranks[bad].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def figures(chances: Floats, flagged: Bools, bad: Bools) -> list[float]:
    """Precision, recall, F1 and AUC."""
    hits = int((flagged & bad).sum())
    precision, recall = hits / max(1, int(flagged.sum())), hits / max(1, int(bad.sum()))
    return [precision, recall, 2 * hits / max(1, int(flagged.sum() + bad.sum())), auc(chances, bad)]


def interval(groups: Sequence[str], measure: Callable[[NDArray[np.int64]], list[float]]) -> list[str]:
    """Figures of all rows with 95 % intervals; `measure` takes row numbers, groups are drawn whole."""
    names = sorted(set(groups))
    places = {name: np.flatnonzero(np.array(groups) == name) for name in names}
    random = np.random.default_rng(SEED)
    drawn = [
        measure(
            np.concatenate([places[names[i]] for i in random.integers(len(names), size=len(names))])
        )
        for _ in range(DRAWS)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    values = measure(np.arange(len(groups)))
    return [f"{value:.3f} ({a:.3f} to {b:.3f})" for value, a, b in zip(values, low, high, strict=True)]


def row(name: str, chances: Floats, flagged: Bools, bad: Bools, workers: Sequence[str]) -> str:
    """A line of the table of filters."""
    cells = interval(workers, lambda rows: figures(chances[rows], flagged[rows], bad[rows]))
    return f"| {name} | {' | '.join(cells)} |"


def f1(flagged: Bools, bad: Bools) -> float:
    """Twice the hits, divided by the sum of flagged and noisy answers."""
    return float(2 * (flagged & bad).sum() / max(1, int(flagged.sum() + bad.sum())))
