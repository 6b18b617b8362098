"""Segments kept for a report: texts and scores of the first segments, up to a limit.

`Examples` is an observer of the batch scorer. Texts stay packed as they were read, so that 50,000
segments of five systems take about their size on disk. A report says so when the corpus has more.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch

LIMIT = 50_000


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
        self._count = 0
        self._starts: list[int] = []
        self._batches: list[Batch] = []
        self._values: dict[tuple[str, str], list[Floats]] = {}

    def __call__(self, batch: Batch, stats: dict[tuple[str, str], Floats]) -> None:
        """Keep what fits."""
        room = min(len(batch), self.limit - self._count)
        if room <= 0:
            return
        for (system, label), rows in stats.items():
            values = self.metrics[label].segment_values(rows[:room])
            self._values.setdefault((system, label), []).append(values)
        part = Batch(
            {name: lines[:room] for name, lines in batch.systems.items()},
            None if batch.sources is None else batch.sources[:room],
            None if batch.references is None else batch.references[:room],
            batch.first,
        )
        self._starts.append(self._count)
        self._batches.append(part)
        self._count += room

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Example:
        if not 0 <= index < self._count:
            raise IndexError(f"segment {index} of {self._count}")
        part = bisect.bisect_right(self._starts, index) - 1
        batch, i = self._batches[part], index - self._starts[part]
        return Example(
            batch.first + i + 1,
            [] if batch.sources is None else batch.sources[i],
            [] if batch.references is None else batch.references[i],
            {name: lines[i] for name, lines in batch.systems.items()},
        )

    def candidates(self, system: str) -> Iterator[str]:
        """What a system wrote, segment by segment."""
        for batch in self._batches:
            yield from batch.systems[system]

    def groups(self, what: str) -> Iterator[list[str]] | None:
        """The "sources" or "references" of each segment; None if there are none."""
        columns = [getattr(batch, what) for batch in self._batches]
        if not columns or columns[0] is None:
            return None
        return (texts for column in columns for texts in column)

    def values(self, system: str, label: str) -> Floats:
        """Scores of the segments that were kept, float64 [n]."""
        parts = self._values.get((system, label), [])
        if len(parts) > 1:
            self._values[system, label] = parts = [np.concatenate(parts)]
        return parts[0] if parts else np.zeros(0)
