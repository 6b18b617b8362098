"""Segments kept for a report: texts and scores of the first few thousand segments.

`Examples` is an observer of the batch scorer. A report shows some of these segments and draws how
scores are distributed over them; it says so when the corpus has more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch

Floats = NDArray[np.float64]
LIMIT = 5000


@dataclass(frozen=True)
class Example:
    """One segment: its number from 1 and its texts."""

    number: int
    sources: list[str]
    references: list[str]
    candidates: dict[str, str]


class Examples:
    """Collects segments from the batches it observes, up to `limit`."""

    def __init__(self, metrics: Mapping[str, Metric], limit: int = LIMIT) -> None:
        self.metrics = metrics
        self.limit = limit
        self.segments: list[Example] = []
        self._values: dict[tuple[str, str], list[Floats]] = {}

    def __call__(self, batch: Batch, stats: dict[tuple[str, str], Floats]) -> None:
        """Keep what fits."""
        room = min(len(batch), self.limit - len(self.segments))
        if room <= 0:
            return
        for (system, label), rows in stats.items():
            values = self.metrics[label].segment_values(rows[:room])
            self._values.setdefault((system, label), []).append(values)
        for i in range(room):
            self.segments.append(
                Example(
                    batch.first + i + 1,
                    [] if batch.sources is None else batch.sources[i],
                    [] if batch.references is None else batch.references[i],
                    {name: lines[i] for name, lines in batch.systems.items()},
                )
            )

    def values(self, system: str, label: str) -> Floats:
        """Scores of the segments that were kept, float64 [n]."""
        return np.concatenate(self._values[system, label])
