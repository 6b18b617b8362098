"""Rows in several Parquet files: read batch by batch, and written as parts of a limited size.

A set of parts is a folder `part-00000.parquet`, `part-00001.parquet` and so on, whose rows are those of
the parts in the order of their names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, InputError
from paragauge.text.files import atomic_path
from paragauge.text.table_readers import open_parquet

BATCH = 1 << 12  # rows in a batch that `Engine.map` passes to a function
PART_BYTES = 1 << 28  # of a part, in memory


def row_batches(
    rows: Any, columns: Sequence[str] | None = None, number: str | None = None, size: int = BATCH
) -> Iterator[Any]:
    """The rows as Arrow record batches of at most `size` rows, with flat memory.

    Of all `columns` if None; `number` is the name of one more, with the number of each row from 0.

    >>> import pyarrow as pa
    >>> batches = row_batches(pa.table({"x": range(5)}), number="n", size=3)
    >>> [batch.column("n").to_pylist() for batch in batches]
    [[0, 1, 2], [3, 4]]
    """
    import pyarrow as pa

    first = 0
    for batch in _batches(rows, columns, size):
        if number is None:
            yield batch
        else:
            yield batch.append_column(number, pa.array(np.arange(first, first + len(batch))))
            first += len(batch)


def _batches(rows: Any, columns: Sequence[str] | None, size: int) -> Iterator[Any]:
    import pyarrow as pa

    if isinstance(rows, pa.Table):
        yield from (rows if columns is None else rows.select(list(columns))).to_batches(size)
        return
    for path in file_list(rows):
        with contextlib.closing(open_parquet(path)) as file:
            try:
                yield from file.iter_batches(
                    batch_size=size, columns=None if columns is None else list(columns)
                )
            except (pa.ArrowException, OSError) as error:
                raise FileFormatError(path, None, f"damaged Parquet file: {error}") from None


def file_list(rows: Path | Sequence[Path]) -> list[Path]:
    """The files that rows are in.

    >>> [path.name for path in file_list(Path("rows.parquet"))]
    ['rows.parquet']
    """
    return [rows] if isinstance(rows, Path) else list(rows)


def write_parts(batches: Iterator[Any], schema: Any, folder: Path, size: int) -> list[Path]:
    """Write batches as parts of about `size` bytes (in memory) to a folder; returns their paths.

    There is at least one part, so that the columns are known even without rows.
    """
    import pyarrow.parquet as pq

    paths: list[Path] = []
    rest: Any = next(batches, None)
    while rest is not None or not paths:
        paths.append(folder / f"part-{len(paths):05d}.parquet")
        with (
            atomic_path(paths[-1]) as temporary,
            pq.ParquetWriter(temporary, schema, compression="lz4") as writer,
        ):
            written = 0
            while rest is not None and written < size:
                batch = cast_to_schema(rest, schema)
                writer.write_batch(batch)
                written += batch.nbytes
                rest = next(batches, None)
    return paths


def cast_to_schema(batch: Any, schema: Any) -> Any:
    """A batch with the columns and types of the schema; an error names what cannot be converted.

    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"y": [1], "x": [2]})
    >>> cast_to_schema(batch, pa.schema([("x", pa.int32())])).to_pydict()
    {'x': [2]}
    """
    import pyarrow as pa

    missing = [name for name in schema.names if name not in batch.schema.names]
    if missing:
        wanted, existing = ", ".join(schema.names), ", ".join(batch.schema.names)
        raise InputError(f"expected rows with the columns {wanted}, found {existing}")
    columns = []
    for field in schema:
        try:
            columns.append(batch.column(field.name).cast(field.type))
        except pa.ArrowException as error:
            reason = " ".join(str(error).split())
            raise InputError(f"column {field.name}: expected {field.type}: {reason}") from None
    return pa.RecordBatch.from_arrays(columns, schema=schema)
