"""Rows to a file as they come: TSV, JSON Lines or Parquet, by the name of the file.

The file appears when all rows are written; `.gz` and `.zst` compress TSV and JSON Lines. NaN is an
empty field in TSV, null in JSON, and NaN in Parquet.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Protocol

from paragauge.report.tables import tsv_cell
from paragauge.text.files import atomic_path, compression, open_text
from paragauge.text.tables import table_format

Columns = Mapping[str, list[Any]]


class RowWriter(Protocol):
    """Something that rows are given to, as columns of equal length."""

    def write(self, columns: Columns) -> None:
        """Write some more rows."""


class _TextRows:
    def __init__(self, out: IO[str], form: str, names: list[str]) -> None:
        self._out = out
        self._form = form
        if form == "tsv":
            out.write("\t".join(map(tsv_cell, names)) + "\n")

    def write(self, columns: Columns) -> None:
        rows = zip(*columns.values(), strict=True)
        if self._form == "tsv":
            self._out.writelines("\t".join(map(tsv_cell, row)) + "\n" for row in rows)
            return
        for row in rows:
            values = [None if value != value else value for value in row]
            record = dict(zip(columns, values, strict=True))
            self._out.write(json.dumps(record, ensure_ascii=False) + "\n")


class _ParquetRows:
    def __init__(self, path: Path, kinds: Mapping[str, type], stack: contextlib.ExitStack) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = {int: pa.int64(), float: pa.float64(), str: pa.string()}
        self._schema = pa.schema([(name, types[kind]) for name, kind in kinds.items()])
        self._writer = stack.enter_context(pq.ParquetWriter(path, self._schema))

    def write(self, columns: Columns) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.table(dict(columns), schema=self._schema))


@contextlib.contextmanager
def row_writer(path: str | Path, kinds: Mapping[str, type]) -> Iterator[RowWriter]:
    """A writer of rows with these columns, each of int, float or str.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.tsv")
    ...     with row_writer(path, {"word": str, "count": int}) as rows:
    ...         rows.write({"word": ["a", "b"], "count": [1, 2]})
    ...     path.read_text().split()
    ['word', 'count', 'a', '1', 'b', '2']
    """
    form = table_format(path)
    with atomic_path(path) as temporary, contextlib.ExitStack() as stack:
        if form == "parquet":
            yield _ParquetRows(temporary, kinds, stack)
        else:
            out = stack.enter_context(open_text(temporary, compression(path)))
            yield _TextRows(out, form, list(kinds))
