"""Human ratings of candidates: a table with the columns segment, system and one per criterion.

Segments count from 1 and systems are named as in the call. Several rows for one candidate, from
several judges, are averaged. An empty field is a missing rating.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import SettingError, unknown_name
from paragauge.text.name_coverage import check_gaps, coverage_gaps
from paragauge.text.rated_pairs import SegmentRange, check_rating, segment_number
from paragauge.text.table_in_memory import read_records
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.rating_roles import ROLES


@dataclass(frozen=True)
class SystemRatings:
    """Mean rating by (system, segment from 0), and how many ratings other systems have, likewise."""

    means: dict[tuple[str, int], float]
    others: dict[tuple[str, int], int]
    unrated: frozenset[tuple[str, int]] = frozenset()  # rows without a rating

    def match(
        self,
        systems: Sequence[str],
        size: int,
        segments: SegmentRange | None = None,
        *,
        allow_missing: bool = False,
    ) -> tuple[dict[tuple[str, int], float], list[str]]:
        """The ratings of files with `size` lines, and what ratings and files lack of each other.

        Systems and segments that only one side has are an error unless `allow_missing`.

        >>> ratings = SystemRatings({("a", 0): 2.0}, {("c", 0): 1})
        >>> ratings.match(["a"], 1, allow_missing=True)
        ({('a', 0): 2.0}, ['1 system of the ratings is not in the files: c'])
        """
        rows = (*self.means, *self.others, *sorted(self.unrated))
        keys = [key for key in rows if _is_chosen(key[1], segments)]
        if not keys:
            return {}, []  # whoever takes the ratings of the range says that there are none
        lines = [str(n + 1) for n in range(size) if _is_chosen(n, segments)]
        rated = [str(n + 1) for n in sorted({number for _, number in keys})]
        places = ("the ratings", "the files")
        gaps = coverage_gaps("system", (system for system, _ in keys), systems, *places)
        gaps += coverage_gaps("segment", rated, lines, *places)
        check_gaps(gaps, allow_missing=allow_missing)
        return {key: mean for key, mean in self.means.items() if key[1] < size}, gaps


def read_ratings(
    path: str | Path,
    column: str,
    systems: Sequence[str],
    scale: tuple[float, float] = (-math.inf, math.inf),
    *,
    columns: Mapping[str, str] | None = None,
    separator: str = "|",
    dialect: TableDialect | None = None,
) -> SystemRatings:
    """The ratings of these systems; those of other systems are counted only.

    A rating outside the scale is an error that names its line. `columns` names the columns `segment`
    and `system` if they have other names; `separator` stands between systems that share a candidate.
    """
    if not separator:
        raise SettingError("separator: expected at least one character, found none")
    records = read_records(path, dialect)
    roles = records.roles(ROLES, columns or {})
    missing = [role for role in ("segment", "system") if role not in roles]
    if missing:
        message = f"{unknown_name('column', missing[0], records.columns)}; or say which column it is"
        options = " ".join(f"--column {role}=NAME" for role in missing)
        raise records.error(None, f"{message}: {options}")
    (rated,) = records.find(column)
    ratings: dict[tuple[str, int], list[float]] = {}
    others: Counter[tuple[str, int]] = Counter()
    unrated: set[tuple[str, int]] = set()
    for row in range(len(records)):
        segment = records.label(row, roles["segment"]) if records.columns[roles["segment"]][row] else ""
        number = segment_number(segment)
        if number is None:
            raise records.error(row, f"expected a segment from 1 on, found '{segment[:40]}'")
        names = records.names(row, roles["system"], separator)
        if not names:
            raise records.error(row, f"column '{roles['system']}': expected a system, found nothing")
        keys = [(system, number - 1) for system in names]
        if records.columns[rated][row] is None:
            unrated.update(keys)
            continue
        others.update(key for key in keys if key[0] not in systems)
        known = [key for key in keys if key[0] in systems]
        if not known:
            continue
        rating = check_rating(records, row, rated, scale, "rating")
        if math.isnan(rating):
            unrated.update(known)
            continue
        for key in known:
            ratings.setdefault(key, []).append(rating)
    if not ratings:
        unknown = next(iter(others), ("none", 0))[0]
        reason = unknown_name("system", unknown, systems)
        raise records.error(None, f"expected ratings of the systems given: {reason}")
    means = {key: sum(values) / len(values) for key, values in ratings.items()}
    return SystemRatings(means, dict(others), frozenset(unrated))


def _is_chosen(number: int, segments: SegmentRange | None) -> bool:
    return segments is None or number + 1 in segments
