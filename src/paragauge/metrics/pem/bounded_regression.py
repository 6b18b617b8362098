"""A regression whose rating is at most what adequacy allows: new words do not make up for lost meaning.

Without the bound, a fluent sentence in other words would be rated high at any middling adequacy: where
only words are compared, good paraphrases in new words have one too. The bound grows with adequacy:

    least + (100 - least) * (adequacy - low) / (high - low)        within [least, 100]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.regression.rbf import RBFRegression

TOP = 100.0


class Bounds(NamedTuple):
    """Up to adequacy `low` the rating is at most `least`; from `high` on it is free."""

    least: float
    low: float
    high: float

    def highest(self, adequacy: Floats) -> Floats:
        """The highest rating at each adequacy, from 0 to 1.

        >>> Bounds(10, 0.2, 0.8).highest(np.array([0.0, 0.5, 0.9])).round(6).tolist()
        [10.0, 55.0, 100.0]
        """
        share = np.clip((adequacy - self.low) / (self.high - self.low), 0.0, 1.0)
        return np.asarray(self.least + (TOP - self.least) * share)


UNBOUNDED = Bounds(TOP, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class BoundedRegression(RBFRegression):
    """A regression to ratings from 0 to 100 over parts, the first of which is adequacy."""

    bounds: Bounds = UNBOUNDED

    def predict(self, features: Floats, threads: int = 1) -> Floats:
        """The rating of each row of parts [n, k]; 0 threads for one per core."""
        return np.minimum(super().predict(features, threads), self.bounds.highest(features[:, 0]))

    @property
    def fingerprint(self) -> str:
        """Eight digits that change with any number of the regression, and the bounds."""
        return f"{super().fingerprint}-{'-'.join(f'{value:g}' for value in self.bounds)}"
