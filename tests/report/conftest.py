"""What the tests of reports share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from paragauge.metrics.base import MeanMetric, mean_stats


@dataclass(frozen=True)
class Undefined(MeanMetric):
    """The length of a candidate; an empty one has none."""

    name: ClassVar[str] = "Length"
    summary: ClassVar[str] = "for tests"

    @property
    def needs(self) -> frozenset[str]:
        return frozenset()

    def batch_stats(self, batch, system):
        lengths = [float(len(text)) if text else math.nan for text in batch.systems[system]]
        return mean_stats(np.array(lengths))


@pytest.fixture
def undefined() -> MeanMetric:
    """A metric that has no value where the candidate is empty."""
    return Undefined()
