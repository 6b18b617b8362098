"""Twin of meteor.cpp: METEOR's alignment, by trying all of them.

A stage gives each word a set of keys; two words match in it if their sets intersect. Stage by stage,
words that have no mapping yet get one: of all ways to add mappings, each word in at most one, those
with the most; of these, those whose whole alignment has the fewest crosses (pairs of mappings whose
order differs on the two sides); of these, those with the fewest chunks (runs of mappings that are
neighbors on both sides). If several remain, the first word of the candidate in which they differ
goes to the earliest position in the reference, and to any rather than to none.

The kernel searches partial alignments that differ for the words to come, and keeps at most `beam` of
them; if there were more it says so (third column), and the alignment may not be the best. The same
holds for sentences with more than 2^20 pairs of words, in which each word simply goes to the first free
position that matches, and from the point where a stage would compare more than 2^22 positions of
partial alignments. The twin tries everything, whatever the beam, so it is for short sentences only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from paragauge.kernels.layout import IdColumn, Ids, Ints, lines_of_segments, sentences

Alignment = tuple[int | None, ...]


def meteor_alignments(
    candidates: IdColumn,
    references: IdColumn,
    stages: Sequence[tuple[Ids, Ints]],
    beam: int,
    threads: int,
) -> Ints:
    """For each reference line (matches, chunks, 1 if the search was cut), int64 [lines, 3].

    Candidates have one line per segment. A stage is a ragged array with one row of sorted keys for
    each word.
    """
    del threads
    if beam < 1:
        raise ValueError("beam must be at least 1")
    ours, theirs = sentences(*candidates[:2]), sentences(*references[:2])
    keys = [[set(row) for row in sentences(*stage)] for stage in stages]
    rows = []
    for candidate, lines in zip(ours, lines_of_segments(len(theirs), references[2]), strict=True):
        for line in lines:
            alignment: Alignment = (None,) * len(candidate)
            for stage in keys:
                alignment = _extend(alignment, candidate, theirs[line], stage)
            rows.append((_matches(alignment), _chunks(alignment), 0))
    return np.array(rows, np.int64).reshape(-1, 3)


def meteor_links(candidate: Ids, reference: Ids, stages: Sequence[tuple[Ids, Ints]], beam: int) -> Ints:
    """The alignment of one pair, int64 [candidate words, 2].

    For each word of the candidate its position in the reference and the number of the stage that
    mapped it, or -1 twice.
    """
    if beam < 1:
        raise ValueError("beam must be at least 1")
    ours, theirs = candidate.tolist(), reference.tolist()
    alignment: Alignment = (None,) * len(ours)
    numbers = [-1] * len(ours)
    for number, stage in enumerate(stages):
        keys = [set(row) for row in sentences(*stage)]
        if any(not 0 <= word < len(keys) for word in [*ours, *theirs]):
            raise ValueError("every word must have a row in every stage")
        extended = _extend(alignment, ours, theirs, keys)
        for word, (before, after) in enumerate(zip(alignment, extended, strict=True)):
            if before is None and after is not None:
                numbers[word] = number
        alignment = extended
    rows = [
        (-1 if place is None else place, number)
        for place, number in zip(alignment, numbers, strict=True)
    ]
    return np.array(rows, np.int64).reshape(-1, 2)


def _extend(
    alignment: Alignment, candidate: list[int], reference: list[int], stage: list[set[int]]
) -> Alignment:
    """The best alignment that adds the stage's mappings."""
    options = [
        [
            j
            for j, theirs in enumerate(reference)
            if place is None and j not in alignment and not stage[word].isdisjoint(stage[theirs])
        ]
        for word, place in zip(candidate, alignment, strict=True)
    ]
    extensions = _all_extensions(alignment, options, 0)
    return min(extensions, key=lambda extension: (*_cost(extension), _order(extension, len(reference))))


def _all_extensions(alignment: Alignment, options: list[list[int]], at: int) -> Iterator[Alignment]:
    if at == len(alignment):
        yield alignment
        return
    yield from _all_extensions(alignment, options, at + 1)
    for place in options[at]:
        if place not in alignment:
            with_place = (*alignment[:at], place, *alignment[at + 1 :])
            yield from _all_extensions(with_place, options, at + 1)


def _cost(alignment: Alignment) -> tuple[int, int, int]:
    places = [place for place in alignment if place is not None]
    crosses = sum(left > right for i, left in enumerate(places) for right in places[i + 1 :])
    return -_matches(alignment), crosses, _chunks(alignment)


def _order(alignment: Alignment, last: int) -> list[int]:
    return [last if place is None else place for place in alignment]


def _matches(alignment: Alignment) -> int:
    return sum(place is not None for place in alignment)


def _chunks(alignment: Alignment) -> int:
    return sum(
        place is not None and (left is None or left + 1 != place)
        for left, place in zip((None, *alignment), alignment, strict=False)
    )
