"""Twin of ter.cpp: translation edit rate by tercom's greedy search, as sacreBLEU runs it.

The search shifts words of the candidate as long as that saves edits, each time the shift that saves
most, and then counts insertions, deletions and substitutions. A shift moves words that the reference
has elsewhere. The edit distance is that of a beam around the diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paragauge.kernels.layout import Bytes, IdColumn, Ids, Ints, lines_of_segments, sentences

MATCH, SUBSTITUTE, INSERT, DELETE = range(4)
BEAM = 25
MOST_WORDS = 10  # that are shifted at once
MOST_DISTANCE = 50  # between the positions of equal words
MOST_CANDIDATES = 1000  # in the search of one pair


def beam_edits(candidate: list[int], reference: list[int]) -> tuple[int, list[int]]:
    """The edit distance within the beam, and its steps from left to right.

    Of equally cheap steps into a cell, a match or substitution wins over a deletion, and that over an
    insertion.

    >>> beam_edits([1, 2, 3], [1, 3])
    (1, [0, 3, 0])
    """
    ratio = len(reference) / len(candidate) if candidate else 1.0
    beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    columns = len(reference) + 1
    # The cost of each cell and the step into it; cells outside the beam are missing.
    table: list[dict[int, tuple[int, int]]] = [{j: (j, INSERT) for j in range(columns)}]
    for i, word in enumerate(candidate, 1):
        middle = math.floor(i * ratio)
        last = columns if i == len(candidate) else min(columns, middle + beam)
        above = table[-1]
        row: dict[int, tuple[int, int]] = {}
        for j in range(max(0, middle - beam), last):
            ways = []
            if j - 1 in above:
                same = word == reference[j - 1]
                ways.append((above[j - 1][0] + (not same), MATCH if same else SUBSTITUTE))
            if j in above:
                ways.append((above[j][0] + 1, DELETE))
            if j - 1 in row:
                ways.append((row[j - 1][0] + 1, INSERT))
            row[j] = min(ways, key=lambda way: way[0])
        table.append(row)
    steps = []
    i, j = len(candidate), len(reference)
    while i or j:
        steps.append(table[i][j][1])
        i -= steps[-1] != INSERT
        j -= steps[-1] != DELETE
    return table[-1][columns - 1][0], steps[::-1]


@dataclass(frozen=True)
class _Alignment:
    """What the steps say of the words: the place after each reference word, and who is not matched."""

    places: list[int]
    wrong_candidate: list[bool]
    wrong_reference: list[bool]

    @classmethod
    def of(cls, steps: list[int]) -> _Alignment:
        passed, alignment = 0, cls([], [], [])
        for step in steps:
            if step != INSERT:
                passed += 1
                alignment.wrong_candidate.append(step != MATCH)
            if step != DELETE:
                alignment.places.append(passed)
                alignment.wrong_reference.append(step != MATCH)
        return alignment


def _equal_words(candidate: list[int], reference: list[int]) -> Iterator[tuple[int, int, int]]:
    """Sequences of equal words: where they start on either side, and how many words they have."""
    for first in range(len(candidate)):
        for other in range(len(reference)):
            if abs(first - other) > MOST_DISTANCE:
                continue
            most = min(MOST_WORDS, len(candidate) - first, len(reference) - other)
            for size in range(1, most + 1):
                if candidate[first + size - 1] != reference[other + size - 1]:
                    break
                yield first, other, size


def shift_words(words: list[int], first: int, size: int, target: int) -> list[int]:
    """The words with `size` of them, from `first` on, moved so that they start at `target`.

    >>> shift_words([1, 2, 3, 4], 0, 2, 1)
    [3, 1, 2, 4]
    """
    rest = words[:first] + words[first + size :]
    return rest[:target] + words[first : first + size] + rest[target:]


def _best_shift(
    candidate: list[int], reference: list[int], tried: int
) -> tuple[tuple[int, int, int] | None, int]:
    """The shift (first word, words, target) that saves most edits, or None, and the tries so far."""
    cost, steps = beam_edits(candidate, reference)
    alignment = _Alignment.of(steps)
    best, best_rank = None, (0, 0, 0, 0)
    for first, other, size in _equal_words(candidate, reference):
        if not any(alignment.wrong_candidate[first : first + size]):
            continue
        if not any(alignment.wrong_reference[other : other + size]):
            continue
        if first < alignment.places[other] <= first + size:
            continue
        places = [alignment.places[at - 1] if at else 0 for at in range(other, other + size + 1)]
        for place in dict.fromkeys(places):
            # Places beyond the moved words count them; those within or right after do not.
            target = place - size if place > first + size else min(place, len(candidate) - size)
            saved = cost - beam_edits(shift_words(candidate, first, size, target), reference)[0]
            tried += 1
            rank = (saved, size, -first, -place)
            if saved > 0 and rank > best_rank:
                best, best_rank = (first, size, target), rank
        if tried >= MOST_CANDIDATES:
            return None, tried
    return best, tried


def find_edits(
    candidate: list[int], reference: list[int]
) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The shifts (first word, words, target) and then the steps that make the candidate the reference.

    >>> find_edits([3, 1, 2], [1, 2, 3])
    ([(0, 1, 2)], [0, 0, 0])
    """
    shifts: list[tuple[int, int, int]] = []
    tried = 0
    while reference and tried < MOST_CANDIDATES:
        shift, tried = _best_shift(candidate, reference, tried)
        if shift is None:
            break
        shifts.append(shift)
        candidate = shift_words(candidate, *shift)
    return shifts, beam_edits(candidate, reference)[1]


def ter_edits(candidate: Ids, reference: Ids) -> tuple[Ints, Bytes]:
    """The edits between two sentences: shifts [k, 3], then steps [m].

    A shift is (first word, number of words, target): words of the candidate, as earlier shifts left it,
    move so that the first stands at `target` of the new one. A step is 0 for a match, 1 for a
    substitution, 2 for an insertion of a word of the reference and 3 for a deletion of the candidate's.
    """
    shifts, steps = find_edits(candidate.tolist(), reference.tolist())
    return np.array(shifts, np.int64).reshape(-1, 3), np.array(steps, np.uint8)


def ter_counts(candidates: IdColumn, references: IdColumn, threads: int) -> Ints:
    """For each segment a row of 7 numbers.

    All edits, the words of all references, then insertions, deletions, substitutions and shifts, and
    the number of the chosen reference: the first that needs the fewest edits. Zeros without references.
    """
    del threads
    mine, theirs = sentences(*candidates[:2]), sentences(*references[:2])
    rows = []
    for candidate, lines in zip(
        mine, lines_of_segments(len(references[1]) - 1, references[2]), strict=True
    ):
        words = sum(len(theirs[line]) for line in lines)
        row = [0, words, 0, 0, 0, 0, 0]
        for number, line in enumerate(lines):
            shifts, steps = find_edits(candidate, theirs[line])
            kinds = [steps.count(INSERT), steps.count(DELETE), steps.count(SUBSTITUTE), len(shifts)]
            if number == 0 or sum(kinds) < row[0]:
                row = [sum(kinds), words, *kinds, number]
        rows.append(row)
    return np.array(rows, np.int64).reshape(-1, 7)
