"""Rated pairs of a source and a candidate, from a table with named columns.

Several rows of one pair, from several judges, are averaged. A row without a rating is skipped and
counted; a pair without any rating is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import SettingError
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.wording import pluralize

COLUMNS = ("source", "candidate", "rating")
SEGMENT = "segment"


@dataclass(frozen=True)
class SegmentRange:
    """Segments by number, from 1, both ends included.

    >>> 200 in SegmentRange(1, 200), 201 in SegmentRange(1, 200), str(SegmentRange(1, 200))
    (True, False, '1:200')
    """

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 1 <= self.first <= self.last:
            raise SettingError(
                f"expected a first segment from 1 on and a last one not before it, found {self}"
            )

    def __contains__(self, number: int) -> bool:
        return self.first <= number <= self.last

    def __str__(self) -> str:
        return f"{self.first}:{self.last}"


def segment_number(text: str) -> int | None:
    """The number of a segment, or None if its name is not a number from 1 on.

    >>> segment_number("12"), segment_number("0"), segment_number("item-12")
    (12, None, None)
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= 15
    return int(text) if is_number and int(text) > 0 else None


@dataclass(frozen=True)
class RatedPairs:
    """Pairs in the order of their first row; `rows` were read, `unrated` of them had no rating.

    `left_out` says in words what was not used; it is empty if all was.
    """

    sources: list[str]
    candidates: list[str]
    ratings: list[float]
    rows: int
    unrated: int
    left_out: str = ""

    def __len__(self) -> int:
        return len(self.ratings)


def read_rated_pairs(
    path: str | Path,
    columns: tuple[str, str, str] = COLUMNS,
    scale: tuple[float, float] = (-math.inf, math.inf),
    segments: SegmentRange | None = None,
    dialect: TableDialect | None = None,
    segment_column: str | None = None,
    other_columns: Sequence[str] = (),
) -> RatedPairs:
    """Read TSV, CSV, JSON, Excel or Parquet; `columns` name source, candidate and rating.

    A rating outside the scale is an error that names its line. With `segments`, only rows whose
    segment, in the column `segment_column`, is in that range. `other_columns` must be there, too.
    """
    records = read_records(path, dialect)
    source, candidate, rating = records.find(*columns)
    records.find(*other_columns)
    segment = records.find(segment_column or SEGMENT)[0] if segments is not None else ""
    ratings: dict[tuple[str, str], list[float]] = {}
    read = unrated = 0
    for row in range(len(records)):
        if segments is not None and not _is_within(records, row, segment, segments):
            continue
        read += 1
        pair = records.text(row, source), records.text(row, candidate)
        pair_ratings = ratings.setdefault(pair, [])
        value = check_rating(records, row, rating, scale)
        if math.isnan(value):
            unrated += 1
        else:
            pair_ratings.append(value)
    if segments is not None and not read and len(records):
        numbers = [int(records.text(row, segment)) for row in range(len(records))]
        raise records.error(None, outside_range(segments, min(numbers), max(numbers)))
    means = {
        pair: sum(pair_ratings) / len(pair_ratings)
        for pair, pair_ratings in ratings.items()
        if pair_ratings
    }
    return RatedPairs(
        [pair[0] for pair in means],
        [pair[1] for pair in means],
        list(means.values()),
        read,
        unrated,
        f"{pluralize(unrated, 'row')} without a rating" if unrated else "",
    )


def check_rating(
    records: Records, row: int, name: str, scale: tuple[float, float], what: str = ""
) -> float:
    """A rating, NaN if the cell is empty; one outside the scale is an error that names its line.

    The error calls it `what`, by default as its column.
    """
    value = records.number(row, name)
    low, high = scale
    if not math.isnan(value) and not low <= value <= high:
        raise records.error(
            row,
            f"expected a {what or name} from {low:g} to {high:g}, found {value:g}; "
            "correct the row, or give the scale that people rated on",
        )
    return value


def outside_range(segments: SegmentRange, first: int, last: int) -> str:
    """That none of the segments, `first` to `last`, is in the range.

    >>> outside_range(SegmentRange(4, 9), 1, 3)
    'segments 4:9: expected rated candidates, found none; the segments are 1 to 3'
    """
    return (
        f"segments {segments}: expected rated candidates, found none; the segments are {first} "
        f"to {last}"
    )


def _is_within(records: Records, row: int, column: str, segments: SegmentRange) -> bool:
    name = records.text(row, column)
    number = segment_number(name)
    if number is None:
        raise records.error(
            row,
            f"column '{column}': expected a number from 1 on, because a range is asked for, "
            f"found {name[:40]!r}; number the segments, or give a table with the rows to use",
        )
    return number in segments
