"""Rated pairs of a source and a candidate, from a table with named columns.

Several rows of one pair, from several judges, are averaged. A row without a rating is skipped and
counted; a pair without any rating is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from paragauge.text.table_in_memory import read_records

COLUMNS = ("source", "candidate", "rating")


@dataclass(frozen=True)
class RatedPairs:
    """Pairs in the order of their first row; `rows` were read, `unrated` of them had no rating."""

    sources: list[str]
    candidates: list[str]
    ratings: list[float]
    rows: int
    unrated: int

    def __len__(self) -> int:
        return len(self.ratings)


def read_rated_pairs(
    path: str | Path,
    columns: tuple[str, str, str] = COLUMNS,
    scale: tuple[float, float] = (-math.inf, math.inf),
) -> RatedPairs:
    """Read TSV, CSV, JSON Lines or Parquet; `columns` name source, candidate and rating.

    A rating outside the scale is an error that names its line.
    """
    records = read_records(path)
    records.require(*columns)
    source, candidate, rating = columns
    ratings: dict[tuple[str, str], list[float]] = {}
    unrated = 0
    low, high = scale
    for row in range(len(records)):
        pair = records.text(row, source), records.text(row, candidate)
        pair_ratings = ratings.setdefault(pair, [])
        value = records.number(row, rating)
        if math.isnan(value):
            unrated += 1
        elif not low <= value <= high:
            raise records.error(
                row,
                f"expected a {rating} from {low:g} to {high:g}, found {value:g}; "
                "correct the row, or give the scale that people rated on",
            )
        else:
            pair_ratings.append(value)
    means = {
        pair: sum(pair_ratings) / len(pair_ratings)
        for pair, pair_ratings in ratings.items()
        if pair_ratings
    }
    return RatedPairs(
        [pair[0] for pair in means],
        [pair[1] for pair in means],
        list(means.values()),
        len(records),
        unrated,
    )
