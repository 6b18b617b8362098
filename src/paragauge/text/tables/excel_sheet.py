"""A sheet of an Excel file (.xlsx, .xlsm, .xlsb, .xls) or of LibreOffice (.ods).

The first row that is not empty is the header, unless another is named; rows have the numbers that the
sheet shows.
python-calamine reads the cells (extra `excel`): `benchmarks/races/excel.py` compares it with openpyxl.
Whole numbers are integers, an empty cell is None, and a row of empty cells is no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import FileFormatError, MissingExtraError, SettingError, unknown_name
from paragauge.text.files import RawFile


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
    python_calamine = _require_calamine()
    if str(path) == "-":
        raise SettingError("Excel cannot be read from standard input; give a file")
    RawFile(path).close()
    if not Path(path).is_file():
        raise FileFormatError(path, None, "Excel cannot be read from a pipe; give a file")
    try:
        with python_calamine.load_workbook(str(path)) as book:
            if sheet is not None and sheet not in book.sheet_names:
                raise unknown_name("sheet", sheet, book.sheet_names)
            names = book.sheet_names if sheet is None else [sheet]
            cells = {name: _read_cells(book.get_sheet_by_name(name)) for name in names}
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, SettingError):
            raise FileFormatError(path, None, str(error)) from None
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FileFormatError(path, None, f"expected an Excel file: {reason}") from None
    filled = {name: rows for name, rows in cells.items() if any(map(_is_filled, rows))}
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
    import python_calamine

    with python_calamine.load_workbook(str(path)) as book:
        rows = {
            name: sum(map(_is_filled, book.get_sheet_by_name(name).to_python()))
            for name in book.sheet_names
        }
    return max(rows, key=rows.__getitem__)


def _read_cells(sheet: Any) -> list[list[Any]]:
    cells: list[list[Any]] = sheet.to_python(skip_empty_area=False)
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if left == right and bottom < len(cells) and left < len(cells[top]):
            for row in range(top + 1, bottom + 1):
                cells[row][left] = cells[top][left]
    return cells


def _table_of(
    path: str | Path, rows: Sequence[Sequence[Any]], header_row: int | None = None
) -> SheetRows:
    first = next(number for number, row in enumerate(rows) if _is_filled(row))
    if header_row is not None:
        first = header_row - 1
        if first >= len(rows) or not _is_filled(rows[first]):
            raise FileFormatError(path, header_row, "expected column names in this row, found no cells")
    used = [column for column, cell in enumerate(rows[first]) if not _is_empty(cell)]
    names = [_as_text(rows[first][column]).strip() for column in used]
    kept: list[list[Any]] = []
    numbers: list[int] = []
    for number, row in enumerate(rows[first + 1 :], first + 2):
        if not _is_filled(row):
            continue
        stray = next((c for c, cell in enumerate(row) if not _is_empty(cell) and c not in used), None)
        if stray is not None:
            message = (
                f"column {_letters(stray)} has a value but no name in row {first + 1}; name it, or say "
                "which row has the names with --header-row (in Python header_row=)"
            )
            raise FileFormatError(path, number, message)
        kept.append([_cell(row[column]) for column in used])
        numbers.append(number)
    return SheetRows(names, first + 1, kept, numbers)


def _is_empty(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _is_filled(row: Sequence[object]) -> bool:
    return not all(map(_is_empty, row))


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


def _require_calamine() -> Any:
    try:
        import python_calamine
    except ImportError:
        raise MissingExtraError("python-calamine, which reads Excel files,", "excel") from None
    return python_calamine
