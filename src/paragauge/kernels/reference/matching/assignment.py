"""Twin of assignment.hpp: exact maximum-weight matching of rows and columns."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Ids, Ints


def assignment(weights: Ints) -> Ids:
    """The column matched to each row of a table [rows, columns] of weights from 0 to 2^40, or -1.

    The total weight of the matching is the largest there is; a row that would get an edge of weight
    0 is left alone. Kuhn and Munkres' method by shortest augmenting paths: the rows (the shorter
    side) join one after the other; the next row is found a place by the cheapest chain of moves. Of
    equally near columns the first is taken.

    >>> assignment(np.array([[3, 2], [2, 0]])).tolist()
    [1, 0]
    """
    if weights.size and (weights.min() < 0 or weights.max() > 1 << 40):
        raise ValueError("weights must be from 0 to 2^40")
    rows, columns = weights.shape
    match = np.full(rows, -1, np.int32)
    if rows <= columns:
        pairs = [(row, column) for column, row in _places(weights.tolist(), rows, columns)]
    else:
        pairs = list(_places(weights.T.tolist(), columns, rows))
    for row, column in pairs:
        if weights[row, column] > 0:
            match[row] = column
    return match


def matching_weight(weights: Ints) -> int:
    """The weight of the heaviest matching of a table [rows, columns] of weights from 0 to 1000.

    >>> matching_weight(np.array([[3, 2], [2, 0]]))
    4
    """
    if weights.size and (weights.min() < 0 or weights.max() > 1000):
        raise ValueError("weights must be from 0 to 1000")
    match = assignment(weights)
    return int(sum(weights[row, column] for row, column in enumerate(match) if column >= 0))


def _places(weights: list[list[int]], rows: int, columns: int) -> list[tuple[int, int]]:
    """Pairs (column, row) of the heaviest matching of all rows, rows <= columns."""
    row_potential, column_potential = [0] * (rows + 1), [0] * (columns + 1)
    owner = [0] * (columns + 1)  # rows are counted from 1; 0 is none
    for row in range(1, rows + 1):
        owner[0] = row
        distance: list[float] = [float("inf")] * (columns + 1)
        way, done = [0] * (columns + 1), [False] * (columns + 1)
        column = 0
        while owner[column] != 0:
            done[column] = True
            i, next_column = owner[column], 0
            for j in range(1, columns + 1):
                if not done[j]:
                    reduced = -weights[i - 1][j - 1] - row_potential[i] - column_potential[j]
                    if reduced < distance[j]:
                        distance[j], way[j] = reduced, column
                    if next_column == 0 or distance[j] < distance[next_column]:
                        next_column = j
            nearest = int(distance[next_column])
            for j in range(columns + 1):
                if done[j]:
                    row_potential[owner[j]] += nearest
                    column_potential[j] -= nearest
                else:
                    distance[j] -= nearest
            column = next_column
        while column != 0:
            owner[column] = owner[way[column]]
            column = way[column]
    return [(j - 1, owner[j] - 1) for j in range(1, columns + 1) if owner[j] != 0]
