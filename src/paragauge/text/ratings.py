"""Human ratings of candidates: a table with the columns segment, system and one per criterion.

It is CSV if its name ends in `.csv` (`.gz` or `.zst` may follow), and TSV under any other name.
Segments count from 1 and systems are named as in the call. Several rows for one candidate, from
several judges, are averaged. An empty field is a missing rating.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import FileFormatError, unknown_name
from paragauge.text.files import display_name
from paragauge.text.rated_pairs import SegmentRange, segment_number
from paragauge.text.table_readers import format_by_name, open_table
from paragauge.text.wording import pluralize


@dataclass(frozen=True)
class SystemRatings:
    """Mean rating by (system, segment from 0), and how many ratings other systems have, likewise."""

    means: dict[tuple[str, int], float]
    others: dict[tuple[str, int], int]

    def left_out(
        self, systems: Sequence[str], unrated: int, segments: SegmentRange | None = None
    ) -> str:
        """What could not be used of these systems and of others, in words; empty if nothing.

        `unrated` candidates of the systems have no rating.

        >>> SystemRatings({("a", 0): 2.0}, {("c", 0): 1}).left_out(["a", "b"], 1)
        '1 candidate without a rating (all of b), 1 rating of a system without a file (c)'
        """
        reasons = []
        if unrated:
            rated = {system for system, number in self.means if _is_chosen(number, segments)}
            names = ", ".join(name for name in systems if name not in rated)
            candidates = pluralize(unrated, "candidate")
            reasons.append(f"{candidates} without a rating" + (f" (all of {names})" if names else ""))
        counts: Counter[str] = Counter()
        for (system, number), count in self.others.items():
            if _is_chosen(number, segments):
                counts[system] += count
        if counts:
            which = "a system" if len(counts) == 1 else "systems"
            ratings = pluralize(counts.total(), "rating")
            reasons.append(f"{ratings} of {which} without a file ({', '.join(counts)})")
        return ", ".join(reasons)


def read_ratings(
    path: str | Path,
    column: str,
    systems: Sequence[str],
    scale: tuple[float, float] = (-math.inf, math.inf),
) -> SystemRatings:
    """The ratings of these systems; those of other systems are counted only.

    A rating outside the scale is an error that names its line.
    """
    ratings: dict[tuple[str, int], list[float]] = {}
    others: Counter[tuple[str, int]] = Counter()
    unknown = None
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
                    unknown = unknown or system
                    others[system, number - 1] += bool(value)
                elif value:
                    rating = _parse_rating(path, line, value, scale)
                    ratings.setdefault((system, number - 1), []).append(rating)
    if not ratings:
        reason = unknown_name("system", unknown or "none", systems)
        raise FileFormatError(
            display_name(path), None, f"expected ratings of the systems given: {reason}"
        )
    means = {key: sum(values) / len(values) for key, values in ratings.items()}
    return SystemRatings(means, {key: count for key, count in others.items() if count})


def _is_chosen(number: int, segments: SegmentRange | None) -> bool:
    return segments is None or number + 1 in segments


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
