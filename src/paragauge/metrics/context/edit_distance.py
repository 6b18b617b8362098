"""Edit distance of two texts in characters (Levenshtein 1966).

The fewest insertions, deletions and substitutions that turn one text into the other. With D[i, j] the
distance of the first i characters of one and the first j of the other,

    D[i, j] = min(D[i-1, j] + 1, D[i, j-1] + 1, D[i-1, j-1] + (a_i != b_j))

A row is computed at once: without the middle term first, then D[i, j] = min over k <= j of
(D[i, k] + j - k), which is a running minimum. Time grows with the product of the lengths,
memory with the shorter one.
"""

from __future__ import annotations

import numpy as np


def edit_distance(left: str, right: str) -> int:
    """The edit distance of two texts.

    >>> edit_distance("kitten", "sitting"), edit_distance("", "abc"), edit_distance("a", "a")
    (3, 3, 0)
    """
    if len(left) < len(right):
        left, right = right, left
    shorter = np.array([ord(character) for character in right], np.int64)
    places = np.arange(len(shorter) + 1)
    row = places.copy()
    for character in left:
        above = row + 1
        above[1:] = np.minimum(above[1:], row[:-1] + (shorter != ord(character)))
        row = np.minimum.accumulate(above - places) + places
    return int(row[-1])
