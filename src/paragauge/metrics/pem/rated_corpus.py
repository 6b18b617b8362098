"""Rated pairs for PEM from systems' files and ratings by segment and system, as `paragauge fit` reads.

Every rated candidate is a pair of its own, even where two systems wrote the same sentence: 200 sources
and seven systems are 1,400 pairs, as in Liu, Dahlmeier and Ng (2010), section 6.1.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from paragauge.errors import InputError
from paragauge.metrics.fitting import Ratings, batch_ratings, check_rated_segments
from paragauge.text.batch import Batch
from paragauge.text.rated_pairs import RatedPairs, SegmentRange, outside_range


def gather_rated_pairs(
    batches: Iterable[Batch], ratings: Ratings, segments: SegmentRange | None = None
) -> RatedPairs:
    """The rated candidates with their sources, of all segments or of a range.

    `ratings` has the rating of a candidate by its system and its segment, counted from 0.

    >>> batch = Batch.of({"mine": ["a b", "c d"]}, sources=["a c", "d c"])
    >>> gather_rated_pairs([batch], {("mine", 0): 2.0, ("mine", 1): 4.0}, SegmentRange(2, 2)).ratings
    [4.0]
    """
    sources: list[str] = []
    candidates: list[str] = []
    values: list[float] = []
    sizes: dict[str, int] = {}
    for batch in batches:
        originals = _single_sources(batch)
        numbers = np.arange(batch.first + 1, batch.first + len(batch) + 1)
        chosen = [segments is None or number in segments for number in numbers.tolist()]
        for system, lines in batch.systems.items():
            sizes[system] = batch.first + len(batch)
            rows = zip(originals, lines, batch_ratings(ratings, batch, system), chosen, strict=True)
            for source, candidate, value, is_chosen in rows:
                if is_chosen:
                    sources.append(source)
                    candidates.append(candidate)
                    values.append(value)
    check_rated_segments(ratings, sizes)
    if segments is not None and not values and sizes:
        raise InputError(outside_range(segments, 1, max(sizes.values())))
    rated = np.flatnonzero(~np.isnan(values)).tolist()
    return RatedPairs(
        [sources[i] for i in rated],
        [candidates[i] for i in rated],
        [values[i] for i in rated],
        len(values),
        len(values) - len(rated),
    )


def _single_sources(batch: Batch) -> list[str]:
    if batch.sources is None:
        raise InputError("expected sources, found none; give them with -s")
    if batch.sources.groups is not None:
        raise InputError("expected one source for each segment, found several; give one file with -s")
    return list(batch.sources.lines)
