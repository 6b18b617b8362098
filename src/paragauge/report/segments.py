"""Segment scores to a file: one row per segment and system, one column per metric.

`SegmentWriter` is an observer of the batch scorer. TSV, JSON Lines and Parquet, by the name of the
file; rows are written as batches arrive, and the file appears when all are written.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paragauge.metrics.base import Metric
from paragauge.report.tables import tsv_cell
from paragauge.text.batch import Batch
from paragauge.text.files import atomic_path, compression, open_text
from paragauge.text.tables import table_format

Floats = NDArray[np.float64]


class _Sink(Protocol):
    def write(self, columns: dict[str, list[Any]]) -> None: ...


class _TextSink:
    def __init__(self, out: IO[str], form: str, names: list[str]) -> None:
        self._out = out
        self._form = form
        if form == "tsv":
            out.write("\t".join(names) + "\n")

    def write(self, columns: dict[str, list[Any]]) -> None:
        rows = zip(*columns.values(), strict=True)
        if self._form == "tsv":
            self._out.writelines("\t".join(map(tsv_cell, row)) + "\n" for row in rows)
            return
        for row in rows:
            values = [None if value != value else value for value in row]
            record = dict(zip(columns, values, strict=True))
            self._out.write(json.dumps(record, ensure_ascii=False) + "\n")


class _ParquetSink:
    def __init__(self, path: Path, stack: contextlib.ExitStack) -> None:
        self._path = path
        self._stack = stack
        self._writer: Any = None

    def write(self, columns: dict[str, list[Any]]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table(columns)
        if self._writer is None:
            self._writer = self._stack.enter_context(pq.ParquetWriter(self._path, table.schema))
        self._writer.write_table(table)


class SegmentWriter:
    """Writes the segment scores of each batch it observes."""

    def __init__(self, sink: _Sink, metrics: Mapping[str, Metric]) -> None:
        self._sink = sink
        self._metrics = metrics

    def __call__(self, batch: Batch, stats: dict[tuple[str, str], Floats]) -> None:
        """One row per segment and system: segment (from 1), system, then the metrics."""
        self.write(batch.first, list(batch.systems), stats)

    def write(self, first: int, systems: list[str], stats: dict[tuple[str, str], Floats]) -> None:
        """The same, of the statistics of the segments from number `first` (from 0) on."""
        count = len(next(iter(stats.values())))
        numbers = np.repeat(np.arange(first + 1, first + count + 1), len(systems))
        columns: dict[str, list[Any]] = {
            "segment": numbers.tolist(),
            "system": systems * count,
        }
        for label, metric in self._metrics.items():
            values = [metric.segment_values(stats[system, label]) for system in systems]
            columns[label] = np.stack(values, axis=1).reshape(-1).tolist()
        self._sink.write(columns)


@contextlib.contextmanager
def segment_writer(path: str | Path, metrics: Mapping[str, Metric]) -> Iterator[SegmentWriter]:
    """A writer for `path`, whose name tells the format and the compression."""
    form = table_format(path)
    with atomic_path(path) as temporary, contextlib.ExitStack() as stack:
        sink: _Sink
        if form == "parquet":
            sink = _ParquetSink(temporary, stack)
        else:
            out = stack.enter_context(open_text(temporary, compression(path)))
            sink = _TextSink(out, form, ["segment", "system", *metrics])
        yield SegmentWriter(sink, metrics)
