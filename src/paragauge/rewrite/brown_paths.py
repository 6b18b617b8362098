"""Brown clusters as text: the `paths` file of Liang (2005), which other tools write and read.

    bit string of the cluster, tab, word, tab, how often the word occurs

one word a line. The bit string is the way from the root of the hierarchy to the cluster: clusters with
long beginnings in common were merged late. Lines are written cluster by cluster, the most frequent word
first; they are read in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from paragauge.errors import FileFormatError
from paragauge.text.files import atomic, display_name
from paragauge.text.plain import counted
from paragauge.text.reading import LineReader

LINES, BYTES = 1 << 16, 1 << 23
BITS = re.compile("[01]+")
COUNT = re.compile("[0-9]{1,18}")
WANTED = "expected a bit string, a word and a count with tabs between, "
Row = tuple[str, str, int]


def write_paths(path: str | Path, rows: Sequence[Row]) -> None:
    """Write rows (bits, word, count); .gz or .zst at the end of the name compresses."""
    ordered = sorted(rows, key=lambda row: (row[0], -row[2]))
    with atomic(path) as out:
        out.writelines(f"{bits}\t{word}\t{count}\n" for bits, word, count in ordered)


def read_paths(path: str | Path) -> list[Row]:
    """The rows of a file, as they stand."""
    rows = []
    seen: dict[str, int] = {}
    for number, row in enumerate(_rows(path), 1):
        before = seen.setdefault(row[1], number)
        if before != number:
            message = f"the word {row[1]!r} stands in line {before} too; leave one out"
            raise FileFormatError(display_name(path), number, message)
        rows.append(row)
    if not rows:
        raise FileFormatError(display_name(path), None, f"{WANTED}found an empty file")
    return rows


def _rows(path: str | Path) -> Iterator[Row]:
    with LineReader(path) as reader:
        while lines := reader.read(LINES, BYTES):
            first = reader.line - len(lines) + 1
            for number, line in enumerate(lines, first):
                yield _row(line, path, number)


def _row(line: str, path: str | Path, number: int) -> Row:
    fields = line.split("\t")
    if len(fields) != 3:
        found = f"found {counted(len(fields), 'field')}"
    elif not BITS.fullmatch(fields[0]):
        found = f"found {fields[0][:40]!r} as bits"
    elif len(fields[1].split()) != 1:
        found = f"found {fields[1][:40]!r} as a word"
    elif not COUNT.fullmatch(fields[2]):
        found = f"found {fields[2][:40]!r} as a count"
    else:
        return fields[0], fields[1].strip(), int(fields[2])
    message = f"{WANTED}{found}; make clusters with: paragauge rewrite train brown"
    raise FileFormatError(display_name(path), number, message)
