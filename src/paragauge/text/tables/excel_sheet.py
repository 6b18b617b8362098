"""A sheet of an Excel file (.xlsx, .xlsm, .xlsb, .xls) or of LibreOffice (.ods).

The first row that is not empty is the header, unless another is named; rows have the numbers that the
sheet shows.
python-calamine reads the cells (extra `excel`) in a process of its own, which a damaged file can end
(`excel_worker.py`): `benchmarks/races/excel.py` compares it with openpyxl.
Whole numbers are integers, an empty cell is None, and a row of empty cells is no row.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, MissingExtraError, SettingError, unknown_name
from paragauge.text.files import RawFile
from paragauge.text.tables.excel_worker import is_empty


@dataclass(frozen=True)
class SheetRows:
    """The header, the rows under it, and the number of each row in the sheet."""

    names: list[str]
    header: int
    rows: list[list[Any]]
    numbers: list[int]


def read_sheet(path: str | Path, sheet: str | None = None, header_row: int | None = None) -> SheetRows:
    """The rows of a sheet; without a name, of the only one that is not empty.

    The header is the first row that is not empty, or `header_row`. Cells that are merged downward have
    the value of the uppermost.
    """
    _require_calamine()
    if str(path) == "-":
        raise SettingError("Excel cannot be read from standard input; give a file")
    RawFile(path).close()
    if not Path(path).is_file():
        raise FileFormatError(path, None, "Excel cannot be read from a pipe; give a file")
    names, sheets, wrong = _run_worker(path, sheet)
    if wrong is not None:
        raise FileFormatError(path, None, f"expected an Excel file: {wrong}")
    if sheet is not None and sheet not in names:
        raise FileFormatError(path, None, str(unknown_name("sheet", sheet, names)))
    filled = {name: rows for name, rows in sheets.items() if rows}
    if not filled:
        raise FileFormatError(path, None, "the sheet is empty; expected a row with column names")
    if len(filled) > 1:
        listed = ", ".join(f"'{name}'" for name in filled)
        message = (
            f"expected one sheet with cells, found {len(filled)}: {listed}; choose one with --sheet"
        )
        raise FileFormatError(path, None, f"{message} (in Python sheet=)")
    return _table_of(path, next(iter(filled.values())), header_row)


def largest_sheet(path: str | Path) -> str:
    """The name of the sheet of an Excel file that has the most rows with cells."""
    sheets = _run_worker(path, None)[1]
    return max(sheets, key=lambda name: len(sheets[name]))


def _run_worker(
    path: str | Path, sheet: str | None
) -> tuple[list[str], dict[str, dict[int, list[Any]]], str | None]:
    """The names of the sheets, the filled rows of one or all by number, and what is wrong."""
    words = ["-m", "paragauge.text.tables.excel_worker", str(path), *([] if sheet is None else [sheet])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = subprocess.run(  # noqa: S603  # our own module
        [sys.executable, *words],
        capture_output=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if ended.returncode == -signal.SIGINT:  # Ctrl-C is sent to all processes of a command
        raise KeyboardInterrupt
    if ended.returncode:
        raise FileFormatError(
            path,
            None,
            "expected an Excel file with a table, found one that cannot be read in the memory that its "
            "size allows; look for a cell far from the others, or save the sheet as CSV",
        )
    names, rows, wrong = pickle.loads(ended.stdout)  # noqa: S301  # written by our own module
    return names, rows, wrong


def _table_of(path: str | Path, rows: dict[int, list[Any]], header_row: int | None = None) -> SheetRows:
    first = next(iter(rows))
    if header_row is not None:
        first = header_row - 1
        if first not in rows:
            raise FileFormatError(path, header_row, "expected column names in this row, found no cells")
    used = [column for column, cell in enumerate(rows[first]) if not is_empty(cell)]
    names = [_as_text(rows[first][column]).strip() for column in used]
    kept: list[list[Any]] = []
    numbers: list[int] = []
    for place, row in rows.items():
        if place <= first:
            continue
        number = place + 1
        stray = next((c for c, cell in enumerate(row) if not is_empty(cell) and c not in used), None)
        if stray is not None:
            message = (
                f"column {_letters(stray)} has a value but no name in row {first + 1}; name it, or say "
                "which row has the names with --header-row (in Python header_row=)"
            )
            raise FileFormatError(path, number, message)
        kept.append([_cell(row[column]) for column in used])
        numbers.append(number)
    return SheetRows(names, first + 1, kept, numbers)


def _cell(cell: Any) -> Any:
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return None if cell == "" else cell


def _as_text(cell: Any) -> str:
    return str(_cell(cell))


def _letters(column: int) -> str:
    """A column as Excel names it.

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    name = ""
    number = column + 1
    while number:
        number, place = divmod(number - 1, 26)
        name = chr(ord("A") + place) + name
    return name


def _require_calamine() -> None:
    try:
        import python_calamine  # noqa: F401  # by the worker
    except ImportError:
        raise MissingExtraError("python-calamine, which reads Excel files,", "excel") from None
