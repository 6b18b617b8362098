"""Tables with named columns: TSV, CSV, JSON, Excel and Parquet, read in batches.

TSV is plain: a header line, then one row a line, fields cut at every tab, no quoting. CSV has commas,
semicolons or tabs and quotes (`text.csv_rows`). In JSON Lines each line is an object, in JSON the file
is an array of them; a value is a string or, where several texts belong to one segment, a list of
strings (null stands for none). Excel sheets have strings and numbers (`tables.excel_sheet`). Parquet
columns are strings or lists of strings. A reader is told which columns to return and checks that they
exist before anything is computed; case, spaces and underscores of a column's name do not count, except
in Parquet.

The format is that of the file's name or else found by looking at the file.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError, SettingError, unknown_name
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text.csv_rows import CsvRows, Fields
from paragauge.text.files import Closable, RawFile, display_name, os_error
from paragauge.text.line_reader import LineReader
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.tables.dialect import TableDialect, find_delimiter, named_delimiter
from paragauge.text.tables.excel_sheet import read_sheet
from paragauge.text.tables.headers import find_header
from paragauge.text.tables.json_rows import json_kind, json_rows
from paragauge.text.tables.table_format import format_by_magic, format_by_name
from paragauge.text.wording import pluralize

NAME_ENCODING = (
    'name its encoding, for example --encoding windows-1252 (in Python encoding="windows-1252"), or '
    "save the file as UTF-8"
)


class TsvRows(Closable):
    """The rows of a TSV file, as `CsvRows` has those of CSV."""

    def __init__(self, file: str | Path | LineReader, *, skip_empty: bool = False) -> None:
        del skip_empty  # rows of empty fields are rows
        self._lines = LineReader.of(file)
        self.path = self._lines.path
        self.header = self._lines.line + 1
        self._sample = self._lines.peek()
        header = self._lines.read(1)
        if len(header) == 0:
            self.close()
            raise FileFormatError(
                display_name(self.path),
                None,
                "the file is empty; expected a header line with column names",
            )
        self.names = header[0].split("\t")

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def read(self, limit: int) -> Fields:
        """At most `limit` rows; none at the end."""
        before = self._lines.line
        lines = self._lines.read(limit, max_bytes=1 << 26)
        spans, groups = _native.split_fields(lines.buffer, lines.spans)
        widths = np.diff(groups)
        wrong = np.flatnonzero(widths != len(self.names))
        if len(wrong):
            raise FileFormatError(
                display_name(self.path),
                before + int(wrong[0]) + 1,
                f"expected {len(self.names)} tab-separated fields as in the header, "
                f"found {int(widths[wrong[0]])}",
            )
        numbers = np.arange(before + 1, before + len(lines) + 1)
        return Fields(lines.buffer, spans.reshape(-1, len(self.names), 2), numbers)

    def hint(self) -> str:
        """What to do if a column is missing, as the end of a message."""
        sample, complete = self._sample
        if len(self.names) > 1 or (found := find_delimiter(sample, complete=complete)) not in _MARKS:
            return ""
        if found.encode() not in sample.split(b"\n", 1)[0]:
            return ""
        return (
            f'; the header has {_MARKS[found]}, no tabs: give --table-format csv (in Python kind="csv")'
        )


_MARKS = {",": "commas", ";": "semicolons"}


def open_text_table(
    path: str | Path, dialect: TableDialect | None = None
) -> tuple[str, LineReader | None]:
    """The format of a table, and the reader of its text, from whose beginning nothing is missing.

    Excel and Parquet have no reader of text. JSON Lines and JSON are both ``jsonl``.
    """
    dialect = dialect or TableDialect()
    kind = dialect.kind or format_by_name(path)
    if kind in ("excel", "parquet"):
        _check_header_row(kind, dialect.header_row)
        return kind, None
    reader = LineReader(path, encoding=dialect.encoding, remedy=NAME_ENCODING)
    if kind is None:
        try:
            sample, complete = reader.peek()
        except BaseException:
            reader.close()
            raise
        kind = format_by_magic(sample)
        if kind is not None:
            reader.close()
            _check_header_row(kind, dialect.header_row)
            return kind, None
        kind = _text_format(sample, complete)
    if dialect.header_row is not None:
        try:
            _skip_to(reader, kind, dialect.header_row)
        except BaseException:
            reader.close()
            raise
    return "jsonl" if kind == "json" else kind, reader


def _check_header_row(kind: str, header_row: int | None) -> None:
    if header_row is not None and kind in ("parquet", "jsonl", "json"):
        raise SettingError(
            f"--header-row has no effect on {kind}, which has no header row; leave it out "
            "(in Python header_row=)"
        )


def _skip_to(reader: LineReader, kind: str, header_row: int) -> None:
    """Read past the lines above the header."""
    _check_header_row(kind, header_row)
    reader.read(header_row - 1)
    if reader.line < header_row - 1 or reader.peek() == (b"", True):
        raise FileFormatError(
            display_name(reader.path),
            None,
            f"expected column names in line {header_row:,}, found {pluralize(reader.line, 'line')}",
        )


def _text_format(sample: bytes, complete: bool) -> str:
    if sample.lstrip()[:1] in (b"{", b"["):
        return "jsonl"
    if named_delimiter(sample) is not None or find_delimiter(sample, complete=complete) != "\t":
        return "csv"
    # With tabs, quotes may be text: what does not read as CSV is TSV.
    buffer = np.frombuffer(sample, np.uint8)
    _, groups, *_, problem, _ = _native.split_rows(buffer, 1 << 30, "\t", complete)
    return "tsv" if problem or len(np.unique(np.diff(groups))) > 1 else "csv"


class TableReader(Closable):
    """Rows of a table of format `kind`, some columns of it."""

    kind: str

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        self.path = path
        self.columns = tuple(columns)
        self.lines: Sequence[int] | None = None  # of the rows read last; None if there are no lines

    @abstractmethod
    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows of the columns asked for; none at the end."""

    def _find(
        self, known: Sequence[str], line: int | None, *, exact: bool = False, hint: str = ""
    ) -> dict[str, str]:
        """The name in the table of each column; an error unless each is there once."""
        found = {}
        for column in self.columns:
            try:
                found[column] = _find_column(column, known, exact=exact)
            except SettingError as error:
                self.close()
                raise FileFormatError(display_name(self.path), line, f"{error}{hint}") from None
        return found


def _find_column(column: str, known: Sequence[str], *, exact: bool) -> str:
    """The header of a column; an error if it is missing or stands twice."""
    name = (column if column in known else None) if exact else find_header(column, known)
    if name is None:
        raise unknown_name("column", column, known)
    if known.count(name) > 1:
        raise SettingError(f"column '{name}' stands twice in the header; rename one")
    return name


class FlatReader(TableReader):
    """Rows of TSV or CSV."""

    def __init__(self, file: str | Path | LineReader, columns: Sequence[str], kind: str) -> None:
        rows: TsvRows | CsvRows = TsvRows(file) if kind == "tsv" else CsvRows(file)
        super().__init__(rows.path, columns)
        self.kind = kind
        self._rows = rows
        hint = rows.hint() if isinstance(rows, TsvRows) else ""
        names = self._find(rows.names, rows.header, hint=hint)
        self._places = {column: rows.names.index(name) for column, name in names.items()}

    def close(self) -> None:
        """Close the file."""
        self._rows.close()

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        fields = self._rows.read(limit)
        self.lines = fields.lines.tolist()
        return {name: LineGroups(fields.column(place)) for name, place in self._places.items()}


class JsonReader(TableReader):
    """Objects of JSON Lines or of a JSON array."""

    kind = "jsonl"

    def __init__(self, file: str | Path | LineReader, columns: Sequence[str]) -> None:
        self._lines = LineReader.of(file)
        super().__init__(self._lines.path, columns)
        self._rows = json_rows(self._lines)

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        values: dict[str, list[Any]] = {name: [] for name in self.columns}
        lines: list[int] = []
        for line, row in islice(self._rows, limit):
            names = self._find(list(row), line)
            for column, name in names.items():
                values[column].append(row[name])
            lines.append(line)
        self.lines = lines
        return {
            name: _grouped_values(column, lambda i, why: self._error(lines[i], why), name)
            for name, column in values.items()
        }

    def _error(self, line: int, message: str) -> FileFormatError:
        return FileFormatError(display_name(self.path), line, message)


class ExcelReader(TableReader):
    """Rows of a sheet; numbers are texts as they are shown without a format."""

    kind = "excel"

    def __init__(
        self, path: str | Path, columns: Sequence[str], dialect: TableDialect | None = None
    ) -> None:
        super().__init__(path, columns)
        dialect = dialect or TableDialect()
        self._sheet = read_sheet(path, dialect.sheet, dialect.header_row)
        self._row = 0
        names = self._find(self._sheet.names, self._sheet.header)
        self._places = {column: self._sheet.names.index(name) for column, name in names.items()}

    def close(self) -> None:
        """The sheet is in memory: nothing is open."""

    def read(self, limit: int) -> dict[str, LineGroups]:
        """At most `limit` rows."""
        rows = self._sheet.rows[self._row : self._row + limit]
        self.lines = self._sheet.numbers[self._row : self._row + limit]
        self._row += len(rows)
        return {
            name: LineGroups(
                Lines.of(["" if row[place] is None else str(row[place]) for row in rows], name)
            )
            for name, place in self._places.items()
        }


class ParquetReader(TableReader):
    """Columns of strings or of lists of strings."""

    kind = "parquet"

    def __init__(self, path: str | Path, columns: Sequence[str]) -> None:
        super().__init__(path, columns)
        self._file = open_parquet(path)
        import pyarrow as pa

        names = self._file.schema_arrow.names
        self._find(names, None, exact=True)
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


def open_table(
    path: str | Path, columns: Sequence[str], dialect: TableDialect | None = None
) -> TableReader:
    """The reader of some columns of a table."""
    kind, text = open_text_table(path, dialect)
    if text is None:
        if kind == "excel":
            return ExcelReader(path, columns, dialect)
        return ParquetReader(path, columns)
    try:
        return JsonReader(text, columns) if kind == "jsonl" else FlatReader(text, columns, kind)
    except BaseException:
        text.close()
        raise


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
        file = pq.ParquetFile(path, page_checksum_verification=True)
        file.schema_arrow.names  # noqa: B018  # reads the names, which may be no text
    except (pa.ArrowException, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split()).split(". ")[0]
        raise FileFormatError(path, None, f"expected a Parquet file: {reason}") from None
    except OSError as error:
        raise os_error(path, error) from None
    return file


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
                raise error(index, f"column '{column}': expected {expected}, found {json_kind(item)}")
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
