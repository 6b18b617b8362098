"""Rows in several Parquet files: read batch by batch, and written as parts of a limited size.

A set of parts is a folder `part-00000.parquet`, `part-00001.parquet` and so on, whose rows are those of
the parts in the order of their names.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, InputError
from paragauge.text.files import atomic_path, os_error
from paragauge.text.tables import open_parquet

BATCH = 1 << 12  # rows that a function of `Engine.map` gets at once
PART_BYTES = 1 << 28  # of a part, in memory


def row_batches(rows: Any, size: int = BATCH) -> Iterator[Any]:
    """The rows as Arrow record batches of at most `size` rows, with flat memory.

    >>> import pyarrow as pa
    >>> [len(batch) for batch in row_batches(pa.table({"x": range(5)}), size=2)]
    [2, 2, 1]
    """
    import pyarrow as pa

    if isinstance(rows, pa.Table):
        yield from rows.to_batches(size)
        return
    for path in [rows] if isinstance(rows, Path) else rows:
        with contextlib.closing(open_parquet(path)) as file:
            try:
                yield from file.iter_batches(batch_size=size)
            except (pa.ArrowException, OSError) as error:
                raise FileFormatError(path, None, f"damaged Parquet file: {error}") from None


@contextlib.contextmanager
def new_parts(output: str | Path) -> Iterator[Path]:
    """The folder `output`, made anew, which is removed again if the block ends with an error.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, new_parts(f"{folder}/rows") as made:
    ...     made.name
    'rows'
    """
    folder = Path(output)
    try:
        folder.mkdir()
    except FileExistsError:
        raise FileFormatError(folder, None, "expected a new folder, found one; name another") from None
    except FileNotFoundError:
        message = f"its folder {folder.parent} does not exist; make it first"
        raise FileFormatError(folder, None, message) from None
    except OSError as error:
        raise os_error(folder, error) from None
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def write_parts(batches: Iterator[Any], schema: Any, folder: Path, size: int) -> list[Path]:
    """Write batches as parts of about `size` bytes (in memory) into a folder; gives their paths.

    There is at least one part, so that the columns are known where there are no rows.
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
                batch = as_schema(rest, schema)
                writer.write_batch(batch)
                written += batch.nbytes
                rest = next(batches, None)
    return paths


def as_schema(batch: Any, schema: Any) -> Any:
    """A batch with the columns and types of the schema; an error that names what cannot be.

    >>> import pyarrow as pa
    >>> as_schema(pa.record_batch({"y": [1], "x": [2]}), pa.schema([("x", pa.int32())])).to_pydict()
    {'x': [2]}
    """
    import pyarrow as pa

    missing = [name for name in schema.names if name not in batch.schema.names]
    if missing:
        wanted, found = (", ".join(each.names) for each in (schema, batch.schema))
        raise InputError(f"expected rows with the columns {wanted}, got {found}")
    columns = []
    for field in schema:
        try:
            columns.append(batch.column(field.name).cast(field.type))
        except pa.ArrowException as error:
            reason = " ".join(str(error).split())
            raise InputError(f"column {field.name}: expected {field.type}: {reason}") from None
    return pa.RecordBatch.from_arrays(columns, schema=schema)
