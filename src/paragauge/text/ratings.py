"""Human ratings of candidates: a table with the columns segment, system and one per criterion.

It is CSV if its name ends in `.csv` (`.gz` or `.zst` may follow), and TSV under any other name.
Segments count from 1 and systems are named as in the call. Several rows for one candidate, from
several judges, are averaged. An empty field is a missing rating.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from paragauge.errors import FileFormatError, unknown_name
from paragauge.text.files import display_name
from paragauge.text.rated_pairs import segment_number
from paragauge.text.table_readers import format_by_name, open_table


def read_ratings(
    path: str | Path,
    column: str,
    systems: Sequence[str],
    scale: tuple[float, float] = (-math.inf, math.inf),
) -> dict[tuple[str, int], float]:
    """Mean rating by (system, segment from 0); rows of other systems are skipped.

    A rating outside the scale is an error that names its line.
    """
    ratings: dict[tuple[str, int], list[float]] = {}
    others = []
    kind = "csv" if format_by_name(path) == "csv" else "tsv"
    with open_table(path, ["segment", "system", column], kind) as reader:
        while len((rows := reader.read(1 << 13))["system"]):
            fields = (rows[name].lines for name in ("segment", "system", column))
            for line, segment, system, value in zip(reader.lines or (), *fields, strict=True):
                number = segment_number(segment)
                if number is None:
                    raise FileFormatError(
                        display_name(path),
                        line,
                        f"expected a segment from 1 on, found '{segment[:40]}'",
                    )
                if system not in systems:
                    others.append(system)
                elif value:
                    rating = _parse_rating(path, line, value, scale)
                    ratings.setdefault((system, number - 1), []).append(rating)
    if not ratings:
        name = others[0] if others else "none"
        reason = unknown_name("system", name, systems)
        raise FileFormatError(
            display_name(path), None, f"expected ratings of the systems given: {reason}"
        )
    return {key: sum(values) / len(values) for key, values in ratings.items()}


def _parse_rating(path: str | Path, line: int, text: str, scale: tuple[float, float]) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1e9 < value < 1e9:
        raise FileFormatError(display_name(path), line, f"expected a number as rating, found '{text}'")
    low, high = scale
    if not low <= value <= high:
        raise FileFormatError(
            display_name(path),
            line,
            f"expected a rating from {low:g} to {high:g}, found {value:g}; "
            "correct the row, or give the scale that people rated on",
        )
    return value
