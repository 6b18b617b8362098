"""Race: reading a sheet of ratings by python-calamine, which the package uses, against openpyxl.

openpyxl writes the file and reads it in its fastest mode (read-only, values only).

    python -m benchmarks.races.excel [rows]
"""

from __future__ import annotations

import random
import sys
import tempfile
from functools import partial
from pathlib import Path

import openpyxl

from benchmarks.race import race, report, require_equal
from paragauge.text.table_in_memory import read_records

NAMES = ("segment", "system", "judge", "note", "overall")


def write_sheet(path: Path, count: int) -> None:
    draw = random.Random(7)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("ratings")
    sheet.append(NAMES)
    for number in range(count):
        note = f"note {draw.randint(0, 10**9)}"
        sheet.append((number // 4 + 1, "abcd"[number % 4], f"judge{number % 7}", note, draw.random()))
    book.save(path)


def with_openpyxl(path: Path) -> dict[str, list[object]]:
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    names, *rows = book.worksheets[0].iter_rows(values_only=True)
    book.close()
    return {
        str(name): list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ratings.xlsx")
        write_sheet(path, count)
        same = read_records(path).columns == with_openpyxl(path)
        require_equal("cells of the sheet", float(same), 1.0, 0.0)
        result = race(
            f"Excel sheet of {count:,} rows",
            "openpyxl",
            count,
            theirs=partial(with_openpyxl, path),
            ours=partial(read_records, path),
        )
        report("excel", [result])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
