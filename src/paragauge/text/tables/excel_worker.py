"""The program that reads the cells of an Excel file, in a process of its own.

    python -m paragauge.text.tables.excel_worker FILE [SHEET]

A cell far from the others makes a sheet of billions of empty cells, and the library that reads it ends
the process. Here that is this one, which gets no more memory than a file of its size can need. It
writes a pickle: the names of all sheets, the rows that are not empty of those that were read, by their
numbers from 0, and what is wrong with the file, if anything.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LEAST = 256 << 20  # bytes for any file
EACH = 256  # for each byte of the file


def main() -> None:
    """Read the file that the command line names."""
    path, *chosen = sys.argv[1:]
    import python_calamine

    _limit_memory(Path(path).stat().st_size)
    names: list[str] = []
    filled: dict[str, dict[int, list[Any]]] = {}
    wrong = None
    try:
        with python_calamine.load_workbook(path) as book:
            names = book.sheet_names
            for name in chosen or names:
                if name in names:
                    cells = _read_cells(book.get_sheet_by_name(name))
                    filled[name] = {n: row for n, row in enumerate(cells) if is_filled(row)}
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        wrong = " ".join(str(error).split()) or type(error).__name__
    pickle.dump((names, filled, wrong), sys.stdout.buffer)


def is_empty(cell: object) -> bool:
    """Whether a cell has no value, or spaces only."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def is_filled(row: Iterable[object]) -> bool:
    """Whether a row has a cell with a value."""
    return not all(map(is_empty, row))


def _limit_memory(size: int) -> None:
    """Take no more memory than now and what a file of this size can need (Linux)."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + LEAST + EACH * size
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _read_cells(sheet: Any) -> list[list[Any]]:
    """All cells, those that are merged downward with the value of the uppermost."""
    cells: list[list[Any]] = sheet.to_python(skip_empty_area=False)
    room = sum(map(len, cells))  # merged cells do not overlap
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        room -= max(0, bottom - top)
        is_inside = top < bottom < len(cells) and left < min(len(cells[top]), len(cells[bottom]))
        if left == right and is_inside and room >= 0:
            for row in range(top + 1, bottom + 1):
                cells[row][left] = cells[top][left]
    return cells


if __name__ == "__main__":
    main()
