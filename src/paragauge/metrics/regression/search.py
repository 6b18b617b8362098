"""The search for the parameters of PEM's regression, and its training.

See `fit.py` for what is searched and why.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import MissingExtraError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.regression.rbf import RBFRegression

SEARCH: dict[str, tuple[float, ...]] = {
    "gamma": (0.1, 0.3, 1.0),
    "c": (0.3, 1.0, 3.0),
    "epsilon": (0.05, 0.1, 0.2),
}
# scikit-learn's defaults.
START = {"gamma": 1.0, "c": 1.0, "epsilon": 0.1}
GAIN = 0.005
SWEEPS = 2
SEARCHED = 4000
INNER_FOLDS = 4
COPY_SCALE = 1 / 40


@dataclass(frozen=True)
class Data:
    """Features, ratings and sources (as numbers) of pairs to learn from."""

    names: tuple[str, ...]
    table: Floats
    ratings: Floats
    units: Ints
    weights: Floats
    folds: int
    seed: int

    def of(self, rows: NDArray[Any]) -> Data:
        """The chosen pairs."""
        return dataclasses.replace(
            self,
            table=self.table[rows],
            ratings=self.ratings[rows],
            units=self.units[rows],
            weights=self.weights[rows],
        )


def search(
    data: Data, extra: Data | None, without: int | None = None
) -> tuple[RBFRegression, dict[str, float]]:
    """The regression of all pairs but one fold's, with parameters found by cross-validation."""
    whole = data if extra is None else _concatenate(data, extra)
    if without is not None:
        whole = whole.of(whole.units % whole.folds != without)
    few = whole
    if len(whole.ratings) > SEARCHED:
        random = np.random.default_rng([data.seed, 2])
        few = whole.of(np.sort(random.choice(len(whole.ratings), SEARCHED, replace=False)))
    # Independent of the outer folds, which are the remainder of the same numbers.
    inner = few.units // data.folds % INNER_FOLDS
    tried: dict[tuple[float, ...], float] = {}

    def quality(parameters: dict[str, float]) -> float:
        key = tuple(parameters.values())
        if key not in tried:
            predicted = np.zeros(len(few.ratings))
            for fold in range(INNER_FOLDS):
                is_out = inner == fold
                if is_out.any() and not is_out.all():
                    regression = train(few.of(~is_out), parameters)
                    predicted[is_out] = regression.predict(few.table[is_out])
            tried[key] = _weighted_pearson(predicted, few.ratings, few.weights)
        return tried[key]

    parameters = dict(START)
    for _ in range(SWEEPS):
        for name, values in SEARCH.items():
            best = max(({**parameters, name: value} for value in values), key=quality)
            # Smaller differences are due to chance.
            if quality(best) > quality(parameters) + GAIN:
                parameters = best
    return train(whole, parameters), parameters


def _concatenate(data: Data, extra: Data) -> Data:
    return dataclasses.replace(
        data,
        table=np.concatenate([data.table, extra.table]),
        ratings=np.concatenate([data.ratings, extra.ratings]),
        units=np.concatenate([data.units, extra.units]),
        weights=np.concatenate([data.weights, extra.weights]),
    )


def train(data: Data, parameters: dict[str, float]) -> RBFRegression:
    """The regression of these pairs with these parameters."""
    table, ratings = data.table, data.ratings
    mean, scale = table.mean(axis=0), table.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    if "copy" in data.names:
        at = data.names.index("copy")
        mean[at], scale[at] = 0.0, COPY_SCALE
    center, spread = float(ratings.mean()), float(ratings.std()) or 1.0
    gamma = parameters["gamma"] / len(data.names)
    machine = regression_class()(
        C=parameters["c"], gamma=gamma, epsilon=parameters["epsilon"], cache_size=500
    )
    machine.fit((table - mean) / scale, (ratings - center) / spread, sample_weight=data.weights)
    return RBFRegression(
        data.names,
        mean,
        scale,
        gamma,
        float(machine.intercept_[0]) * spread + center,
        np.ascontiguousarray(machine.support_vectors_),
        machine.dual_coef_[0] * spread,
    )


def regression_class() -> Any:
    """scikit-learn's support-vector regression; an error with the pip line if it is not installed."""
    try:
        from sklearn.svm import SVR
    except ImportError:
        raise MissingExtraError("scikit-learn", "learn") from None
    return SVR


def _weighted_pearson(x: Floats, y: Floats, weights: Floats) -> float:
    """Correlation in which pairs weigh differently, 0 if one side does not vary."""
    left, right = (side - np.average(side, weights=weights) for side in (x, y))
    spread = float(np.sum(weights * left**2) * np.sum(weights * right**2))
    return float(np.sum(weights * left * right)) / spread**0.5 if spread > 0 else 0.0
