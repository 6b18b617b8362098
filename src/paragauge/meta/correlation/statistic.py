"""The interface of measures of agreement between scores and ratings.

A `Statistic` has a value on a panel, values on resampled panels (the bootstrap: segments are drawn
with Poisson weights, see `metrics.resampling`, the same ones for all metrics, so that differences are
paired) and values after exchanging the scores of two metrics at random (the permutation test).

An undefined value is None with a reason, never NaN:

- fewer than two items or systems, or all ratings equal: there is nothing to agree with;
- a *constant metric*, whose scores are all equal. Where a statistic is averaged over many sources or
  systems, a part in which only the metric is constant counts as 0, because the metric could have told
  the candidates apart and did not (setting `constant="zero"`; ``skip`` leaves such parts out); a part
  whose ratings are constant is left out and counted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import SettingError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.panel import Panel
from paragauge.metrics.resampling import MOST_REPLICATES

ConstantPolicy = Literal["zero", "skip"]
ExchangeUnit = Literal["segments", "cells"]
View = Literal["pooled", "by-source", "by-system", "system"]
CONSTANT: tuple[ConstantPolicy, ...] = get_args(ConstantPolicy)
EXCHANGES: tuple[ExchangeUnit, ...] = get_args(ExchangeUnit)
VIEWS: tuple[View, ...] = get_args(View)


@dataclass(frozen=True)
class Draws:
    """How random draws are made: how many, from which seed, on how many threads.

    `exchange` says what a permutation test exchanges between two metrics: their scores of a whole
    segment, or of a single cell (system, segment).
    """

    count: int
    seed: int = 7
    threads: int = 0
    exchange: ExchangeUnit = "cells"

    def __post_init__(self) -> None:
        if self.exchange not in EXCHANGES:
            raise unknown_name("unit of exchange", self.exchange, EXCHANGES)


@dataclass(frozen=True)
class Estimate:
    """A value on one panel, what it is based on, and what was left out; None has a reason."""

    value: float | None
    pairs: int
    parts: int = 1
    left_out: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    tie: float | None = None  # the tuned tie threshold, where there is one
    tied: float | None = None  # the share of pairs that are tied then


@dataclass(frozen=True)
class Statistic(ABC):
    """One measure of agreement."""

    view: ClassVar[View]
    most_resamples: ClassVar[int] = MOST_REPLICATES  # those beyond are NaN
    constant: ConstantPolicy = "zero"

    def __post_init__(self) -> None:
        if self.constant not in CONSTANT:
            raise unknown_name("policy for constant metrics", self.constant, CONSTANT)

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name."""

    @abstractmethod
    def value(self, panel: Panel, scores: MetricScores) -> Estimate:
        """The value on the panel."""

    @abstractmethod
    def resample_values(self, panel: Panel, scores: MetricScores, draws: Draws) -> Floats:
        """Values on resampled panels, float64 [draws]; NaN where undefined."""

    def exchange_scores(
        self, panel: Panel, a: MetricScores, b: MetricScores, draws: Draws
    ) -> tuple[Floats, Floats]:
        """Values of both metrics after scores are exchanged at random, float64 [draws] each."""
        del panel, a, b, draws
        raise SettingError(f"{self.name} ({self.view}) has no permutation test; use the bootstrap")


def rescale(values: Floats) -> Floats:
    """The values, scaled if their squares would overflow or underflow."""
    most = float(np.max(np.abs(values), initial=0.0))
    moderate = most == 0 or 1e-100 < most < 1e100
    return np.ascontiguousarray(values if moderate else values / most, np.float64)


def standardize(scores: MetricScores) -> Floats:
    """Scores with mean 0 and deviation 1, larger being better, so that metrics can be exchanged."""
    values = rescale(scores.oriented)
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread if spread > 0 else 1.0))


def undefined_reason(x: Floats, y: Floats, what: str) -> str:
    """Why the correlation of these values is undefined; empty if it is defined."""
    if len(x) < 2:
        return f"fewer than two {what}"
    if len(np.unique(y)) < 2:
        return "all ratings are equal"
    if len(np.unique(x)) < 2:
        return "the metric is constant"
    return ""
