"""Sentences of the WMT news tasks with human ratings: `wmt_da/newstest*.tsv.gz` of the shared data."""

from __future__ import annotations

import gzip

from benchmarks.race import DATA


def pairs(year: int) -> list[tuple[str, str]]:
    """Translations and their references, in the order of the file."""
    path = DATA / "wmt_da" / f"newstest{year}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return [(row[2], row[3]) for row in rows]


def sentences(year: int) -> list[str]:
    """All translations and references, each pair one after the other."""
    return [text for pair in pairs(year) for text in pair]
