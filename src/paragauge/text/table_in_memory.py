"""A whole table in memory, column by column: TSV, CSV, JSON Lines or Parquet, any columns.

For tables that people fill in (judgments, rankings, scores of segments), which fit in memory; corpora
are read in batches by `text.table_readers`. A cell is a string, a number, a list of strings, or None
for an empty TSV or CSV field, a JSON null, a missing JSON key or a Parquet null. Errors know the line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, unknown_name
from paragauge.text.csv_rows import CsvRows
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.table_readers import FORMATS, open_parquet, parse_json_line, table_format

BATCH = 1 << 14
MOST_COLUMNS = 2000
NOTHING = ("", "NA", "NaN", "nan", "None", "null")


@dataclass(frozen=True)
class Records:
    """The columns of a table by name, and the line of each row (None in Parquet)."""

    path: str | Path
    columns: dict[str, list[Any]]
    lines: Sequence[int] | None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def error(self, row: int | None, message: str) -> FileFormatError:
        """The error for one row, or for the whole table."""
        if row is not None and self.lines is None:
            return FileFormatError(self.path, None, f"row {row + 1}: {message}")
        line = None if row is None or self.lines is None else self.lines[row]
        return FileFormatError(display_name(self.path), line, message)

    def require(self, *names: str) -> None:
        """Raise an error if a column is missing."""
        for name in names:
            if name not in self.columns:
                raise self.error(None, str(unknown_name("column", name, self.columns)))

    def roles(self, known: Mapping[str, Sequence[str]], columns: Mapping[str, str]) -> dict[str, str]:
        """The column of each role: the one in `columns`, or one of the role's `known` names."""
        for role, name in columns.items():
            if role not in known:
                raise unknown_name("role of a column", role, known)
            self.require(name)
        column_of = dict(columns)
        for role, names in known.items():
            there = [name for name in names if name in self.columns]
            if role in column_of or not there:
                continue
            if len(there) > 1:
                raise self.error(
                    None, f"columns {' and '.join(there)} could both be the {role}; say which one it is"
                )
            column_of[role] = there[0]
        return column_of

    def text(self, row: int, name: str) -> str:
        """A cell as text; an error if it is empty or a list."""
        value = self.columns[name][row]
        if value is None or isinstance(value, (list, dict)):
            shape = "nothing" if value is None else "a list"
            raise self.error(row, f"column '{name}': expected a text, found {shape}")
        return str(value)

    def number(self, row: int, name: str) -> float:
        """A cell as a finite number, NaN if it is empty; an error if it is anything else."""
        value = self.columns[name][row]
        if value is None or (isinstance(value, str) and value.strip() in NOTHING):
            return math.nan
        try:
            number = float(value) if not isinstance(value, bool) else math.inf
        except (TypeError, ValueError, OverflowError):
            number = math.inf
        if math.isnan(number):
            return math.nan
        if not -1e15 < number < 1e15:
            raise self.error(row, f"column '{name}': expected a number, found {_abbreviate(value)}")
        return number

    def texts(self, row: int, name: str) -> list[str]:
        """A cell as a list of texts: none, one or several."""
        value = self.columns[name][row]
        values = [] if value is None else value if isinstance(value, list) else [value]
        for item in values:
            if not isinstance(item, (str, int, float)) or isinstance(item, bool):
                raise self.error(row, f"column '{name}': expected texts, found {_abbreviate(item)}")
        return [str(item) for item in values]


def read_records(path: str | Path, kind: str | None = None) -> Records:
    r"""All rows of a table; the format is `kind`, or that of the file's name.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "a.tsv")
    ...     _ = table.write_text("segment\toverall\n1\t4\n2\t\n")
    ...     read_records(table).columns
    {'segment': ['1', '2'], 'overall': ['4', None]}
    """
    kind = kind or table_format(path)
    if kind not in FORMATS:
        raise unknown_name("table format", kind, FORMATS)
    readers = {"tsv": _read_tsv, "csv": _read_csv, "jsonl": read_jsonl, "parquet": _read_parquet}
    records = readers[kind](path)
    if len(records) == 0:
        raise records.error(None, "the table has no rows")
    return records


def _read_tsv(path: str | Path) -> Records:
    with LineReader(path) as reader:
        header = reader.read(1)
        if len(header) == 0:
            message = "the file is empty; expected a header line with column names"
            raise FileFormatError(display_name(path), None, message)
        names = header[0].split("\t")
        check_columns(path, len(names))
        _check_header(path, names)
        columns: list[list[Any]] = [[] for _ in names]
        lines: list[int] = []
        while batch := reader.read(BATCH, 1 << 26):
            first = reader.line - len(batch) + 1
            for number, line in enumerate(batch, first):
                fields = line.split("\t")
                if len(fields) != len(names):
                    raise FileFormatError(
                        display_name(path),
                        number,
                        f"expected {len(names)} tab-separated fields as in the header, "
                        f"found {len(fields)}",
                    )
                for column, field in zip(columns, fields, strict=True):
                    column.append(field or None)
                lines.append(number)
    return Records(path, dict(zip(names, columns, strict=True)), lines)


def _read_csv(path: str | Path) -> Records:
    with CsvRows(path) as reader:
        check_columns(path, len(reader.names))
        _check_header(path, reader.names)
        columns: list[list[Any]] = [[] for _ in reader.names]
        lines: list[int] = []
        while (batch := reader.read(BATCH))[0]:
            rows, starts = batch
            for column, fields in zip(columns, zip(*rows, strict=True), strict=True):
                column += [field or None for field in fields]
            lines += starts
    return Records(path, dict(zip(reader.names, columns, strict=True)), lines)


def check_columns(path: str | Path, count: int, line: int | None = 1) -> None:
    """Refuse more columns than tables that people fill in have: work and memory grow with each.

    >>> check_columns("a.tsv", 60_000)
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: a.tsv:1: expected at most 2,000 columns, found more; ...
    """
    if count > MOST_COLUMNS:
        message = (
            f"expected at most {MOST_COLUMNS:,} columns, found more; check that the table has a row "
            "for each rating, and leave out columns that are not needed"
        )
        raise FileFormatError(display_name(path), line, message)


def _check_header(path: str | Path, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            message = f"column '{name}' stands twice in the header; rename one"
            raise FileFormatError(display_name(path), 1, message)
        seen.add(name)


def read_jsonl(file: str | Path | LineReader) -> Records:
    """All rows of JSON Lines.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a")
    ...     _ = path.write_text('{"n": 1}')
    ...     read_jsonl(path).columns
    {'n': [1]}
    """
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    with LineReader.of(file) as reader:
        while batch := reader.read(BATCH, 1 << 26):
            for number, line in enumerate(batch, reader.line - len(batch) + 1):
                row = parse_json_line(line, reader.path, number)
                for name in row:
                    if name not in columns:
                        columns[name] = [None] * len(lines)
                        check_columns(reader.path, len(columns), number)
                for name, column in columns.items():
                    column.append(row.get(name))
                lines.append(number)
    records = Records(reader.path, columns, lines)
    if len(records) == 0:
        raise records.error(None, "the table has no rows")
    return records


def _read_parquet(path: str | Path) -> Records:
    file = open_parquet(path)
    import pyarrow as pa

    try:
        names = file.schema_arrow.names
        check_columns(path, len(names))
        for name in names:
            if names.count(name) > 1:
                raise FileFormatError(path, None, f"column '{name}' stands twice; rename one")
        columns = file.read().to_pydict()
    except UnicodeDecodeError as cause:
        message = f"expected UTF-8 strings, found bytes that are none ({cause.reason})"
        raise FileFormatError(path, None, message) from None
    except (pa.ArrowException, OSError) as cause:
        raise FileFormatError(path, None, f"damaged Parquet file: {cause}") from None
    finally:
        file.close()
    return Records(path, columns, None)


def _abbreviate(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "..."
