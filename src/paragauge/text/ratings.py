"""Human ratings of candidates: a table with the columns segment, system and one per criterion.

It is CSV if its name ends in `.csv` (`.gz` or `.zst` may follow), and TSV under any other name.
Segments count from 1 and systems are named as in the call. Several rows for one candidate, from
several judges, are averaged. An empty field is a missing rating.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from paragauge.errors import FileFormatError, unknown_name
from paragauge.text.files import display_name
from paragauge.text.table_readers import format_by_name, open_table


def read_ratings(path: str | Path, column: str, systems: Sequence[str]) -> dict[tuple[str, int], float]:
    """Mean rating by (system, segment from 0); rows of other systems are skipped."""
    ratings: dict[tuple[str, int], list[float]] = {}
    others = []
    kind = "csv" if format_by_name(path) == "csv" else "tsv"
    with open_table(path, ["segment", "system", column], kind) as reader:
        while len((rows := reader.read(1 << 13))["system"]):
            fields = (rows[name].lines for name in ("segment", "system", column))
            for line, segment, system, value in zip(reader.lines or (), *fields, strict=True):
                if not re.fullmatch("[0-9]{1,15}", segment) or int(segment) < 1:
                    raise FileFormatError(
                        display_name(path),
                        line,
                        f"expected a segment from 1 on, found '{segment[:40]}'",
                    )
                if system not in systems:
                    others.append(system)
                elif value:
                    key = (system, int(segment) - 1)
                    ratings.setdefault(key, []).append(_parse_rating(path, line, value))
    if not ratings:
        name = others[0] if others else "none"
        reason = unknown_name("system", name, systems)
        raise FileFormatError(
            display_name(path), None, f"expected ratings of the systems given: {reason}"
        )
    return {key: sum(values) / len(values) for key, values in ratings.items()}


def _parse_rating(path: str | Path, line: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1e9 < value < 1e9:
        raise FileFormatError(display_name(path), line, f"expected a number as rating, found '{text}'")
    return value
