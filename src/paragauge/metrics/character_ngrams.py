"""Character n-grams that two lines share, after chrF (Popović 2015).

For each order from 1 to 6: how many character n-grams of the candidate the other line also has
(occurrences beyond the other's count do not match), and how many the candidate and the other line
have. Spaces do not count.
"""

from __future__ import annotations

import numpy as np

from paragauge.kernels import _native
from paragauge.kernels.layout import Floats, Ints
from paragauge.text.ragged import Ragged

LETTERS = 6


def letter_overlaps(
    mine: Ragged, theirs: Ragged, groups: Ints | None, threads: int
) -> tuple[Floats, Floats, Floats]:
    """Shared n-grams, own n-grams and the other's, each [lines of the other side, orders].

    `mine` has one line per segment, `theirs` those that `groups` say; characters are numbers that
    agree at least inside a segment.

    >>> shared, own, other = letter_overlaps(
    ...     Ragged.from_lists([[1, 2, 3]]), Ragged.from_lists([[1, 2]]), None, 1
    ... )
    >>> shared[0, :3].tolist(), own[0, :3].tolist(), other[0, :3].tolist()
    ([2.0, 1.0, 0.0], [3.0, 2.0, 1.0], [2.0, 1.0, 0.0])
    """
    rows = _native.match_ngrams(
        (mine.ids, mine.offsets, None),
        (theirs.ids, theirs.offsets, groups),
        LETTERS,
        "clip",
        False,
        threads,
    ).astype(np.float64)
    other = np.maximum(theirs.lengths[:, None] - np.arange(LETTERS), 0).astype(np.float64)
    return rows[:, :LETTERS], rows[:, LETTERS:], other
