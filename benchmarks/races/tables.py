"""Race: reading a table of ratings from CSV, against the same table as TSV.

Both sides read all columns of the table into memory, as `meta` and `agree` do, and two columns in
batches, as `score --table` does. CSV may take 1.5 times as long as TSV: a ratio of 0.67 is wanted.

    python -m benchmarks.races.tables [rows]
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.race import race, report, require_equal
from paragauge.text.csv_rows import csv_line
from paragauge.text.table_in_memory import read_records
from paragauge.text.table_readers import open_table

NAMES = ("segment", "system", "judge", "note", "overall")
WORDS = ["the", "a", "of", "house", "tree", "people,", "metric", "system", "sentence", "is", "good"]


def make_tables(folder: Path, count: int) -> dict[str, Path]:
    """The same rows as TSV, and as CSV with commas and with semicolons."""
    draw = random.Random(7)
    rows = [
        (
            str(number // 4 + 1),
            "abcd"[number % 4],
            f"judge{number % 7}",
            " ".join(draw.choices(WORDS, k=18)),
            str(draw.randint(1, 5)),
        )
        for number in range(count)
    ]
    paths = {name: folder / name for name in ("ratings.tsv", "ratings.csv", "semicolons.csv")}
    table = [NAMES, *rows]
    paths["ratings.tsv"].write_text("".join("\t".join(row) + "\n" for row in table))
    paths["ratings.csv"].write_text("".join(map(csv_line, table)))
    paths["semicolons.csv"].write_text("".join(";".join(row) + "\n" for row in table))
    return paths


def read_batches(path: Path) -> int:
    rows = 0
    with open_table(path, ["note", "overall"]) as reader:
        while count := len(reader.read(1 << 13)["note"]):
            rows += count
    return rows


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = make_tables(Path(folder), count)
        tsv = paths["ratings.tsv"]
        columns = read_records(tsv).columns
        results = []
        for name in ("ratings.csv", "semicolons.csv"):
            csv = paths[name]
            require_equal(f"rows of {name}", float(read_records(csv).columns == columns), 1.0, 0.0)
            require_equal(f"rows of {name} in batches", read_batches(csv), read_batches(tsv), 0.0)
            ways: dict[str, Callable[[Path], object]] = {
                "all columns": read_records,
                "two columns in batches": read_batches,
            }
            results += [
                race(
                    f"{name}, {count:,} rows, {what}",
                    "TSV",
                    count,
                    theirs=partial(read, tsv),
                    ours=partial(read, csv),
                    repeats=5,
                    wanted=0.67,
                )
                for what, read in ways.items()
            ]
        report("tables", results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
