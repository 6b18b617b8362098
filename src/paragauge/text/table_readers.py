"""Tables with named columns: TSV, CSV, JSON Lines and Parquet, read in batches.

TSV is plain: a header line, then one row a line, fields cut at every tab, no quoting. CSV has commas
and quotes (`text.csv_rows`). In JSON Lines each line is an object; a value is a string or, where
several texts belong to one segment, a list of strings (null stands for none). Parquet columns are
strings or lists of strings. A reader is told which columns to return and checks that they exist before
anything is computed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text.csv_rows import CsvRows
from paragauge.text.files import Closable, RawFile, display_name, os_error
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.numbers import parse_json
from paragauge.text.pyarrow_extra import require_pyarrow

FORMATS = ("tsv", "csv", "jsonl", "parquet")
# Formats without lists: several texts stand in several columns, where an empty cell is no text.
FLAT_FORMATS = ("tsv", "csv")
_SUFFIXES = {
    ".tsv": "tsv",
    ".tab": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}


def table_format(path: str | Path) -> str:
    """The format of a table by its file name.

    >>> table_format("data.jsonl.gz")
    'jsonl'
    """
    kind = format_by_name(path)
    if kind is not None:
        return kind
    raise SettingError(
        f"{path}: expected a name that ends in .tsv, .csv, .jsonl (.gz or .zst may follow) or "
        ".parquet; rename it, or name the format where that is possible"
    )


def format_by_name(path: str | Path) -> str | None:
    """The format of a table by its file name, or None if the name does not tell.

    >>> format_by_name("data.csv.gz"), format_by_name("data.txt")
    ('csv', None)
    """
    *before, last = ["", *Path(path).suffixes]
    packed = last in (".gz", ".zst")
    kind = _SUFFIXES.get(before[-1] if packed else last)
    return None if packed and kind == "parquet" else kind


class TableReader(Closable):
    """Rows of a table, some columns of it."""

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        self.path = path
        self.columns = tuple(columns)
        self.lines: Sequence[int] | None = None  # of the rows read last; None if there are no lines

    @abstractmethod
    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows of the columns asked for; none at the end."""

    def _require(self, known: Sequence[str], line: int | None) -> None:
        for column in self.columns:
            if column not in known:
                message = str(unknown_name("column", column, known))
            elif known.count(column) > 1:
                message = f"column '{column}' stands twice in the header; rename one"
            else:
                continue
            self.close()
            raise FileFormatError(display_name(self.path), line, message)


class TsvReader(TableReader):
    """A header line, then tab-separated rows."""

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._lines = LineReader(path)
        header = self._lines.read(1)
        if len(header) == 0:
            self.close()
            raise FileFormatError(
                display_name(path),
                None,
                "the file is empty; expected a header line with column names",
            )
        self._names = header[0].split("\t")
        self._require(self._names, 1)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        before = self._lines.line
        lines = self._lines.read(limit, max_bytes=1 << 26)
        spans, groups = _native.split_fields(lines.buffer, lines.spans)
        widths = np.diff(groups)
        wrong = np.flatnonzero(widths != len(self._names))
        if len(wrong):
            raise FileFormatError(
                display_name(self.path),
                before + int(wrong[0]) + 1,
                f"expected {len(self._names)} tab-separated fields as in the header, "
                f"found {int(widths[wrong[0]])}",
            )
        self.lines = range(before + 1, before + len(lines) + 1)
        fields = spans.reshape(-1, len(self._names), 2)
        return {
            name: LineGroups(
                Lines(lines.buffer, np.ascontiguousarray(fields[:, self._names.index(name)]))
            )
            for name in self.columns
        }


class CsvReader(TableReader):
    """A header line, then comma-separated rows with quotes."""

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._rows = CsvRows(path)
        self._require(self._rows.names, 1)

    def close(self) -> None:
        """Close the file."""
        self._rows.close()

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        rows, self.lines = self._rows.read(limit)
        places = {name: self._rows.names.index(name) for name in self.columns}
        return {
            name: LineGroups(Lines.of([row[place] for row in rows], name))
            for name, place in places.items()
        }


class JsonLinesReader(TableReader):
    """One JSON object a line."""

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._lines = LineReader(path)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        before = self._lines.line
        rows = []
        for number, text in enumerate(self._lines.read(limit, max_bytes=1 << 26), before + 1):
            row = parse_json_line(text, self.path, number)
            self._require(list(row), number)
            rows.append(row)
        self.lines = range(before + 1, before + len(rows) + 1)
        return {
            name: _grouped_values(
                [row[name] for row in rows], lambda i, why: self._error(before + 1 + i, why), name
            )
            for name in self.columns
        }

    def _error(self, line: int, message: str) -> FileFormatError:
        return FileFormatError(display_name(self.path), line, message)


class ParquetReader(TableReader):
    """Columns of strings or of lists of strings."""

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._file = open_parquet(path)
        import pyarrow as pa

        names = self._file.schema_arrow.names
        self._require(names, None)
        for name in columns:
            kind = inner = self._file.schema_arrow.field(name).type
            if pa.types.is_list(inner) or pa.types.is_large_list(inner):
                inner = inner.value_type
            if pa.types.is_dictionary(inner):
                inner = inner.value_type
            if str(inner) not in ("string", "large_string", "string_view"):
                self.close()
                raise FileFormatError(
                    path, None, f"column '{name}': expected strings or lists of strings, found {kind}"
                )
        self._row = 0
        self._batches: Iterator[Any] | None = None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        import pyarrow as pa

        if self._batches is None:
            columns = list(dict.fromkeys(self.columns))
            self._batches = self._file.iter_batches(batch_size=limit, columns=columns)
        try:
            batch = next(self._batches, None)
        except (pa.ArrowException, OSError) as cause:
            raise FileFormatError(self.path, None, f"damaged Parquet file: {cause}") from None
        if batch is None:
            return {name: LineGroups(Lines.of([])) for name in self.columns}
        self._row += len(batch)
        return arrow_groups(batch, self.columns, self.path, self._row - len(batch))


def arrow_groups(
    batch: Any, columns: Sequence[str], path: str | Path, before: int
) -> dict[str, LineGroups]:
    """The texts of some columns of an Arrow batch; in errors, `before` rows of `path` precede it.

    >>> import pyarrow as pa
    >>> list(arrow_groups(pa.record_batch({"a": ["x", None]}), ["a"], "t.parquet", 0)["a"])
    [['x'], []]
    """

    def error(index: int, why: str) -> FileFormatError:
        return FileFormatError(path, None, f"row {before + index + 1}: {why}")

    texts_by_name = {}
    for name in columns:
        groups = plain_groups(batch.column(name))
        if groups is None:
            try:
                values = batch.column(name).to_pylist()
            except UnicodeDecodeError as cause:
                message = f"expected UTF-8 strings, found bytes that are none ({cause.reason})"
                raise FileFormatError(path, None, message) from None
            groups = _grouped_values(values, error, name)
        texts_by_name[name] = groups
    return texts_by_name


def open_table(path: str | Path, columns: Sequence[str], kind: str | None = None) -> TableReader:
    """The reader for a table of this format, or of that of its name."""
    kind = kind or table_format(path)
    readers: dict[str, type[TableReader]] = {
        "tsv": TsvReader,
        "csv": CsvReader,
        "jsonl": JsonLinesReader,
        "parquet": ParquetReader,
    }
    if kind not in readers:
        raise unknown_name("table format", kind, FORMATS)
    return readers[kind](path, columns)


def open_parquet(path: str | Path) -> Any:
    """A `pyarrow.parquet.ParquetFile`; an error that names the file if it is not Parquet."""
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    if str(path) == "-":
        raise SettingError("Parquet cannot be read from standard input; give a file")
    RawFile(path).close()
    if not Path(path).is_file():
        raise FileFormatError(path, None, "Parquet cannot be read from a pipe; give a file")
    try:
        file = pq.ParquetFile(path)
        file.schema_arrow.names  # noqa: B018  # reads the names, which may be no text
    except (pa.ArrowException, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split()).split(". ")[0]
        raise FileFormatError(path, None, f"expected a Parquet file: {reason}") from None
    except OSError as error:
        raise os_error(path, error) from None
    return file


def parse_json_line(text: str, path: str | Path, line: int) -> dict[str, Any]:
    """The object that a line of JSON Lines holds."""
    try:
        row = parse_json(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        message = f"expected a JSON object, found bad JSON: {reason}"
        raise FileFormatError(display_name(path), line, message) from None
    if not isinstance(row, dict):
        message = f"expected a JSON object, found {_json_kind(row)}"
        raise FileFormatError(display_name(path), line, message)
    return row


def _grouped_values(
    values: list[Any], error: Callable[[int, str], FileFormatError], column: str
) -> LineGroups:
    """Strings, or lists of strings, one per row; null, alone or in a list, counts as no text."""
    groups: list[list[str]] = []
    for index, value in enumerate(values):
        items = [] if value is None else value if isinstance(value, list) else [value]
        items = [item for item in items if item is not None]
        for item in items:
            if not isinstance(item, str):
                expected = "a string or a list of strings"
                raise error(index, f"column '{column}': expected {expected}, found {_json_kind(item)}")
            if not _is_text(item):
                raise error(
                    index, f"column '{column}': expected text, found a lone surrogate (\\ud800)"
                )
        groups.append(items)
    if all(isinstance(value, str) for value in values):
        return LineGroups(Lines.of(values, column))
    return LineGroups.of(groups, column)


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _json_kind(value: object) -> str:
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else "a string")


def plain_groups(column: Any) -> LineGroups | None:
    """The texts of a column of strings or of lists of strings, which share its memory.

    None if there is a null or invalid UTF-8: then each value must be examined.

    >>> import pyarrow as pa
    >>> list(plain_groups(pa.array([["a", "b"], ["c"]])[1:]))
    [['c']]
    >>> plain_groups(pa.array(["a", None])) is None
    True
    """
    import pyarrow as pa

    if column.null_count:
        return None
    groups: Ints | None = None
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        bounds = column.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
        groups = bounds - bounds[0]
        column = column.flatten()
        if column.null_count:
            return None
    array = column.cast(pa.large_string())
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return None
    _, offsets, data = array.buffers()
    if len(array) == 0 or offsets is None:
        return LineGroups(Lines.of([]), groups)
    ends = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    buffer = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return LineGroups(Lines(buffer, np.stack([ends[:-1], ends[1:]], axis=1)), groups)
