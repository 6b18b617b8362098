"""A whole table in memory, column by column: TSV, CSV, JSON, Excel or Parquet, any columns.

For tables that people fill in (judgments, rankings, scores of segments), which fit in memory; corpora
are read in batches by `text.table_readers`. A cell is a string, a number, a list of strings, or None
for an empty TSV, CSV or Excel cell, a JSON null, a missing JSON key or a Parquet null. Spaces around
the names of columns do not count. CSV and Excel rows without any cell are left out: spreadsheets
leave them behind. Errors know the line, or the row of a sheet.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, SettingError, unknown_name
from paragauge.text.csv_rows import CsvRows
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.table_readers import TsvRows, open_parquet, open_text_table
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.excel_sheet import read_sheet
from paragauge.text.tables.headers import header_key, require_header, split_headers
from paragauge.text.tables.json_rows import json_rows
from paragauge.text.tables.number_format import number_hint, parse_number
from paragauge.text.tables.rating_roles import OTHER_NAMES

BATCH = 1 << 14
MOST_COLUMNS = 2000
_WHOLE = re.compile(r"([1-9][0-9]{0,14})\.0+\Z")


@dataclass(frozen=True)
class Records:
    """The columns of a table by name, and the line of each row (None in Parquet).

    `decimal` is the sign before decimals of numbers that are texts, `notes` say what was left out, and
    `hint` ends messages on missing columns.
    """

    path: str | Path
    columns: dict[str, list[Any]]
    lines: Sequence[int] | None
    decimal: str = "."
    notes: tuple[str, ...] = ()
    hint: str = ""

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

    def find(self, *names: str) -> list[str]:
        """The columns with these names, whatever their case and spaces; an error if one is missing.

        >>> Records("t.tsv", {"Overall ": []}, []).find("overall")
        ['Overall ']
        """
        try:
            return [require_header(name, self.columns) for name in names]
        except SettingError as error:
            raise self.error(None, f"{error}{self.hint}") from None

    def find_listed(self, *texts: str) -> list[str]:
        """As `find`, where a text may be several names separated by commas.

        >>> Records("t.tsv", {"Note, mean": [], "Fluency": []}, []).find_listed("fluency,note, mean")
        ['Fluency', 'Note, mean']
        """
        return self.find(*(name for text in texts for name in split_headers(text, self.columns)))

    def roles(self, known: Mapping[str, Sequence[str]], columns: Mapping[str, str]) -> dict[str, str]:
        """The column of each role: the one in `columns`, or one of the role's `known` names."""
        for role in columns:
            if role not in known:
                raise unknown_name("role of a column", role, known)
        column_of = {role: self.find(name)[0] for role, name in columns.items()}
        for role, names in known.items():
            if role in column_of:
                continue
            named = set(column_of.values())
            there: list[str] = []
            for group in (names, OTHER_NAMES.get(role, ())):
                keys = set(map(header_key, group))
                there = there or [
                    name for name in self.columns if header_key(name) in keys and name not in named
                ]
            if not there:
                continue
            if len(there) > 1:
                raise self.error(
                    None,
                    f"columns {' and '.join(there)} could both be the {role}; say which one it is with "
                    f"--column {role}=NAME",
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

    def label(self, row: int, name: str) -> str:
        """A cell as the name of a segment, system or judge: spaces around it do not count.

        Programs write 1.0 for segment 1 if a number is missing in the column.

        >>> Records("t.tsv", {"segment": ["12.0"]}, [2]).label(0, "segment")
        '12'
        """
        text = self.text(row, name).strip()
        if not text:
            raise self.error(row, f"column '{name}': expected a text, found only spaces")
        return _WHOLE.sub(r"\1", text)

    def names(self, row: int, name: str, separator: str) -> list[str]:
        """A cell as the names of systems that share a candidate: separated, or a list; none if empty.

        >>> Records("t.tsv", {"system": ["a | b"]}, [2]).names(0, "system", "|")
        ['a', 'b']
        """
        cells = self.texts(row, name)
        if isinstance(self.columns[name][row], list):
            return list(dict.fromkeys(cells))
        parts = (part.strip() for cell in cells for part in cell.split(separator))
        return list(dict.fromkeys(part for part in parts if part))

    def number(self, row: int, name: str) -> float:
        """A cell as a finite number, NaN if it is empty; an error if it is anything else."""
        value = self.columns[name][row]
        number = parse_number(value, self.decimal)
        if number is None:
            hint = number_hint(value, self.decimal)
            message = f"column '{name}': expected a number, found {_abbreviate(value)}{hint}"
            raise self.error(row, message)
        return number

    def texts(self, row: int, name: str) -> list[str]:
        """A cell as a list of texts: none, one or several."""
        value = self.columns[name][row]
        values = [] if value is None else value if isinstance(value, list) else [value]
        for item in values:
            if not isinstance(item, (str, int, float)) or isinstance(item, bool):
                raise self.error(row, f"column '{name}': expected texts, found {_abbreviate(item)}")
        return [str(item) for item in values]


def read_records(path: str | Path, dialect: TableDialect | None = None) -> Records:
    r"""All rows of a table; its format is that of `dialect`, of the file's name or found by looking.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "a.tsv")
    ...     _ = table.write_text("segment\toverall\n1\t4\n2\t\n")
    ...     read_records(table).columns
    {'segment': ['1', '2'], 'overall': ['4', None]}
    """
    dialect = dialect or TableDialect()
    kind, text = open_text_table(path, dialect)
    if text is not None:
        with text:
            if kind == "jsonl":
                records = read_jsonl(text, dialect.decimal)
            else:
                records = _read_flat(text, kind, dialect.decimal)
    elif kind == "excel":
        records = _read_excel(path, dialect)
    else:
        records = _read_parquet(path, dialect.decimal)
    if len(records) == 0:
        raise records.error(None, "the table has no rows")
    return records


def _read_flat(file: LineReader, kind: str, decimal: str) -> Records:
    with TsvRows(file) if kind == "tsv" else CsvRows(file, skip_empty=True) as rows:
        names = [name.strip() for name in rows.names]
        check_columns(file.path, len(names), rows.header)
        _check_header(file.path, names, rows.header)
        columns: list[list[Any]] = [[] for _ in names]
        lines: list[int] = []
        while len(fields := rows.read(BATCH)):
            for place, column in enumerate(columns):
                column += [field or None for field in fields.column(place)]
            lines += fields.lines.tolist()
        hint = rows.hint() if isinstance(rows, TsvRows) else ""
    return _named(Records(file.path, {}, lines, decimal, hint=hint), names, columns)


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


def _read_excel(path: str | Path, dialect: TableDialect) -> Records:
    sheet = read_sheet(path, dialect.sheet, dialect.header_row)
    check_columns(path, len(sheet.names), sheet.header)
    _check_header(path, sheet.names, sheet.header)
    columns = [list(column) for column in zip(*sheet.rows, strict=True)] or [[] for _ in sheet.names]
    return _named(Records(path, {}, sheet.numbers, dialect.decimal), sheet.names, columns)


def _named(records: Records, names: list[str], columns: list[list[Any]]) -> Records:
    """The table with its columns; one without a name must be empty, or number the rows."""
    for place, (name, column) in enumerate(zip(names, columns, strict=True), 1):
        row = next((row for row, cell in enumerate(column) if cell is not None), None)
        if name:
            records.columns[name] = column
        elif row is not None and place == 1 and _numbers_rows(column):
            note = "column 1, which has no name and numbers the rows"
            records = replace(records, notes=(*records.notes, note))
        elif row is not None:
            raise records.error(
                row,
                f"column {place} has a value but no name in the header; name it, or say which row has "
                "the names with --header-row (in Python header_row=)",
            )
    return records


def _numbers_rows(column: list[Any]) -> bool:
    """Whether a column is one that pandas and R write before the others: a different number a row."""
    texts = [str(cell) for cell in column]
    return all(text.isascii() and text.isdigit() for text in texts) and len(set(texts)) == len(texts)


def _check_header(path: str | Path, names: list[str], line: int) -> None:
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            message = f"column '{name}' stands twice in the header; rename one"
            raise FileFormatError(display_name(path), line, message)
        seen.add(name)


def read_jsonl(file: str | Path | LineReader, decimal: str = ".") -> Records:
    """All rows of JSON Lines, or of an array of objects.

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
        for line, row in json_rows(reader):
            for name in row:
                if name not in columns:
                    columns[name] = [None] * len(lines)
                    check_columns(reader.path, len(columns), line)
            for name, column in columns.items():
                column.append(row.get(name))
            lines.append(line)
    records = Records(reader.path, columns, lines, decimal)
    if len(records) == 0:
        raise records.error(None, "the table has no rows")
    return records


def _read_parquet(path: str | Path, decimal: str) -> Records:
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
    return Records(path, columns, None, decimal)


def _abbreviate(value: object) -> str:
    if isinstance(value, (datetime.date, datetime.time)):
        return f"the date {value}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "..."
