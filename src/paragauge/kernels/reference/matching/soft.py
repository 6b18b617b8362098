"""Twin of soft.cpp: words matched by degrees."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np

from paragauge.kernels.layout import Bytes, Floats, Ids, Ints, lines_of_segments, texts
from paragauge.kernels.reference.matching.assignment import assignment
from paragauge.kernels.reference.matching.maxsim import Sets, meet

WeightedColumn = tuple[Ids, Ids, Floats, Ints, Ints | None]
Word = tuple[int, int, float]


def character_ngrams(lemma: str) -> Counter[tuple[str | None, ...]]:
    """The 1- to 3-grams of the characters, with a mark at both ends but not the mark alone."""
    points = [None, *lemma, None]
    return Counter(
        gram
        for n in (1, 2, 3)
        for i in range(len(points) - n + 1)
        if (gram := tuple(points[i : i + n])) != (None,)
    )


def dice(a: str, b: str) -> float:
    """Twice the n-grams in common by all n-grams, each counted as often as it stands.

    >>> round(dice("colour", "color"), 3)
    0.743
    """
    left, right = character_ngrams(a), character_ngrams(b)
    both = left.total() + right.total()
    return 2 * (left & right).total() / both if both else 0.0


def soft_words(
    candidates: WeightedColumn,
    references: WeightedColumn,
    sets: Sets,
    lemmas: tuple[Bytes, Ints],
    synonym: float,
    characters: float,
    category: float,
    distance: float,
    floor: float,
    links: bool,
    threads: int,
) -> Floats | tuple[Floats, Ids, Floats, Ints]:
    """Match the words of each candidate with those of each reference line by similarity.

    A weighted column is (lemmas, categories, weights from 0 to 1, offsets, groups). The similarity of
    two words is 1 for equal lemmas, otherwise the larger of `synonym`, if their sets meet, and of
    `characters` times Dice's coefficient of their character n-grams; times `category` if their
    categories differ; times 1 - `distance` * (how far apart their relative positions are); and 0 if
    that is below `floor`. The edge is the similarity times the smaller of the two weights.

    One row per reference line: weight of the heaviest matching (found with edges rounded to 2^-20),
    weight of all candidate words, of all reference words, number of links, of chunks (runs of links
    that are neighbors in both sentences), and sum of the links' distances. With `links` also the
    pairs of positions, their similarities, and offsets.
    """
    del threads
    words = list(texts(*lemmas))
    mine, theirs = weighted_words(candidates), weighted_words(references)
    members = lines_of_segments(len(theirs), references[4])
    check_weighted_columns(candidates, len(mine), len(members))
    if len(words) != len(sets[1]) - 1:
        raise ValueError("every lemma must have a set and a text")
    for column in (candidates, references):
        if len(column[0]) and not 0 <= column[0].min() <= column[0].max() < len(words):
            raise ValueError("every lemma must have a set")
    if not all(0 <= share <= 1 for share in (synonym, characters, category, distance, floor)):
        raise ValueError("settings must be from 0 to 1")

    def similarity(a: Word, b: Word, apart: float) -> float:
        value = 1.0
        if a[0] != b[0]:
            value = characters * dice(words[a[0]], words[b[0]])
            if meet(sets, a[0], b[0]):
                value = max(value, synonym)
        if a[1] != b[1]:
            value *= category
        value *= 1.0 - distance * apart
        return value if value >= floor else 0.0

    rows: list[list[float]] = []
    pairs: list[tuple[int, int]] = []
    similarities: list[float] = []
    offsets = [0]
    for own, lines in zip(mine, members, strict=True):
        for line in lines:
            their = theirs[line]
            apart = [
                [abs((i + 0.5) / len(own) - (j + 0.5) / len(their)) for j in range(len(their))]
                for i in range(len(own))
            ]
            table = [
                [similarity(a, b, apart[i][j]) for j, b in enumerate(their)] for i, a in enumerate(own)
            ]
            edges = [
                [round_half_up(table[i][j] * min(a[2], b[2]) * 2**20) for j, b in enumerate(their)]
                for i, a in enumerate(own)
            ]
            match = assignment(np.array(edges, np.int64).reshape(len(own), len(their))).tolist()
            matched_pairs = [(i, j) for i, j in enumerate(match) if j >= 0]
            matched = moved = 0.0
            totals = [0.0, 0.0]
            for side, sentence in enumerate((own, their)):
                for word in sentence:
                    totals[side] += word[2]
            for i, j in matched_pairs:
                matched += table[i][j] * min(own[i][2], their[j][2])
                moved += apart[i][j]
            breaks = sum((i + 1, j + 1) != after for (i, j), after in itertools.pairwise(matched_pairs))
            chunks = breaks + 1 if matched_pairs else 0
            rows.append([matched, *totals, float(len(matched_pairs)), float(chunks), moved])
            pairs += matched_pairs
            similarities += [table[i][j] for i, j in matched_pairs]
            offsets.append(len(pairs))
    result = np.array(rows, np.float64).reshape(-1, 6)
    if not links:
        return result
    return (
        result,
        np.array(pairs, np.int32).reshape(-1, 2),
        np.array(similarities, np.float64),
        np.array(offsets, np.int64),
    )


def check_weighted_columns(candidates: WeightedColumn, lines: int, segments: int) -> None:
    """Refuse candidates that are not one line per segment."""
    if candidates[4] is not None:
        raise ValueError("candidates have one line per segment")
    if lines != segments:
        raise ValueError("all columns must have the same number of segments")


def weighted_words(column: WeightedColumn) -> list[list[Word]]:
    """The words of each line: lemma, category and weight."""
    if not len(column[0]) == len(column[1]) == len(column[2]):
        raise ValueError("the fields of a column must be equally long")
    if len(column[2]) and not (column[2].min() >= 0 and column[2].max() <= 1):
        raise ValueError("weights must be from 0 to 1")
    flat = list(zip(*(field.tolist() for field in column[:3]), strict=True))
    return [flat[first:last] for first, last in itertools.pairwise(column[3].tolist())]


def round_half_up(value: float) -> int:
    """The nearest whole number, halves away from 0."""
    whole = math.floor(value)
    return whole + (value - whole >= 0.5)
