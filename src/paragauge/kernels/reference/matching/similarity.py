"""Twin of similarity.cpp: n-grams matched under any similarity of words."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints, lines_of_segments
from paragauge.kernels.reference.matching.assignment import assignment
from paragauge.kernels.reference.matching.soft import (
    WeightedColumn,
    Word,
    check_weighted_columns,
    round_half_up,
    weighted_words,
)

Link = tuple[int, int, int, int]


def similar_ngrams(
    candidates: WeightedColumn,
    references: WeightedColumn,
    similarities: Floats,
    order: int,
    phases: tuple[bool, bool, bool],
    links: bool,
    threads: int,
) -> Floats | tuple[Floats, Ids, Floats, Ints]:
    """Match the n-grams of each candidate with those of each reference line, n = 1 ... order.

    `similarities` has a table for each reference line, from 0 to 1: the candidate's words are its
    rows, the reference's its columns. An n-gram weighs as much as its words on average. The edge of two
    n-grams is the mean of S over their words, position by position, times the smaller of their
    weights. Phases are those of `maxsim_ngrams`: 1 links n-grams of equal lemmas and tags, 2 of equal
    lemmas, both with S = 1; 3 is the heaviest matching of the rest, where S is the table's and an
    edge is 0 if the S of any word is 0.

    Rows of 3 * order numbers, one per reference line: the weight of the matching (the graph's is
    found with edges rounded to 2^-20), and the weights of all candidate and all reference n-grams.
    With `links` also (n, phase, position, position) of each, its weight, and offsets.
    """
    del threads
    mine, theirs = weighted_words(candidates), weighted_words(references)
    members = lines_of_segments(len(theirs), references[4])
    check_weighted_columns(candidates, len(mine), len(members))
    if not 1 <= order <= 64:
        raise ValueError("order must be from 1 to 64")
    pairs = sum(
        len(own) * len(theirs[line]) for own, lines in zip(mine, members, strict=True) for line in lines
    )
    if len(similarities) != pairs:
        raise ValueError("every pair of words must have a similarity")
    if not np.all((similarities >= 0) & (similarities <= 1)):
        raise ValueError("similarities must be from 0 to 1")
    rows: list[list[float]] = []
    all_links: list[Link] = []
    weights: list[float] = []
    offsets = [0]
    start = 0
    for own, lines in zip(mine, members, strict=True):
        for line in lines:
            their = theirs[line]
            size = len(own) * len(their)
            table = similarities[start : start + size].reshape(len(own), len(their)).tolist()
            start += size
            row: list[float] = []
            for n in range(1, order + 1):
                left, right = _gram_weights(own, n), _gram_weights(their, n)
                total = 0.0
                for phase in _match_phases(own, their, table, n, left, right, phases):
                    phase_total = 0.0
                    for link, weight in phase:
                        phase_total += weight
                        all_links.append(link)
                        weights.append(weight)
                    total += phase_total
                row += [total, _add_up(left), _add_up(right)]
            rows.append(row)
            offsets.append(len(weights))
    result = np.array(rows, np.float64).reshape(-1, 3 * order)
    if not links:
        return result
    return (
        result,
        np.array(all_links, np.int32).reshape(-1, 4),
        np.array(weights, np.float64),
        np.array(offsets, np.int64),
    )


def _match_phases(
    own: list[Word],
    their: list[Word],
    table: list[list[float]],
    n: int,
    weights: list[float],
    other_weights: list[float],
    phases: tuple[bool, bool, bool],
) -> list[list[tuple[Link, float]]]:
    """The links of each phase with their weights."""
    left, right = list(range(len(weights))), list(range(len(other_weights)))
    by_phase: list[list[tuple[Link, float]]] = []
    for phase, fields in ((1, 2), (2, 1)):
        matched: list[tuple[Link, float]] = []
        for i in list(left) if phases[phase - 1] else []:
            gram = [word[:fields] for word in own[i : i + n]]
            for j in right:
                if [word[:fields] for word in their[j : j + n]] == gram:
                    matched.append(((n, phase, i, j), min(weights[i], other_weights[j])))
                    left.remove(i)
                    right.remove(j)
                    break
        by_phase.append(matched)
    if not phases[2]:
        return by_phase
    edges = [[_edge(table, i, j, n) * min(weights[i], other_weights[j]) for j in right] for i in left]
    units = [[round_half_up(edge * 2**20) for edge in row] for row in edges]
    match = assignment(np.array(units, np.int64).reshape(len(left), len(right))).tolist()
    by_phase.append(
        [
            ((n, 3, left[row], right[column]), edges[row][column])
            for row, column in enumerate(match)
            if column >= 0
        ]
    )
    return by_phase


def _edge(table: list[list[float]], i: int, j: int, n: int) -> float:
    values = [table[i + k][j + k] for k in range(n)]
    return _add_up(values) / n if min(values) > 0 else 0.0


def _gram_weights(words: list[Word], n: int) -> list[float]:
    return [_add_up([word[2] for word in words[i : i + n]]) / n for i in range(len(words) - n + 1)]


def _add_up(values: list[float]) -> float:
    """The plain sum from left to right; Python's own corrects its rounding errors."""
    total = 0.0
    for value in values:
        total += value
    return total
