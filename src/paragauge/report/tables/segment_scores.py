"""Write segment scores to a file: one row per segment and system, one column per metric.

A metric that shows its parts has a column for each after its own, named as in `pem.fluency`.

`SegmentWriter` is an observer of the batch scorer. The format (TSV, CSV, JSON Lines or Parquet) follows
from the file's name. Rows are written as batches arrive; the file appears when it is complete.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.text.batch import Batch
from paragauge.text.table_writers import RowWriter, row_writer


class SegmentWriter:
    """Writes the segment scores of each batch it observes."""

    def __init__(self, rows: RowWriter, metrics: Mapping[str, Metric]) -> None:
        self._rows = rows
        self._metrics = metrics

    def __call__(self, batch: Batch, stats: dict[tuple[str, str], Floats]) -> None:
        """One row per segment and system: segment (from 1), system, then the metrics."""
        self.write(batch.first, list(batch.systems), stats)

    def write(self, first: int, systems: list[str], stats: dict[tuple[str, str], Floats]) -> None:
        """The same, from the statistics of the segments that start at number `first` (from 0)."""
        count = len(next(iter(stats.values())))
        numbers = np.repeat(np.arange(first + 1, first + count + 1), len(systems))
        columns: dict[str, list[Any]] = {
            "segment": numbers.tolist(),
            "system": systems * count,
        }
        for label, metric in self._metrics.items():
            values = [metric.segment_values(stats[system, label]) for system in systems]
            columns[label] = _interleave(values)
            parts = [metric.segment_parts(stats[system, label]) for system in systems]
            for name in metric.shown_parts:
                columns[part_column(label, name)] = _interleave([part[name] for part in parts])
        self._rows.write(columns)


@contextlib.contextmanager
def segment_writer(path: str | Path, metrics: Mapping[str, Metric]) -> Iterator[SegmentWriter]:
    """A writer for `path`; its name sets the format and the compression."""
    kinds: dict[str, type] = {"segment": int, "system": str}
    for label, metric in metrics.items():
        names = [label, *(part_column(label, part) for part in metric.shown_parts)]
        kinds |= dict.fromkeys(names, float)
    with row_writer(path, kinds) as rows:
        yield SegmentWriter(rows, metrics)


def part_column(label: str, part: str) -> str:
    """The name of the column of a metric's part.

    >>> part_column("pem", "fluency")
    'pem.fluency'
    """
    return f"{label}.{part}"


def _interleave(values: list[Floats]) -> list[float]:
    """The values of all systems for the first segment, then for the second, and so on."""
    numbers: list[float] = np.stack(values, axis=1).reshape(-1).tolist()
    return numbers
