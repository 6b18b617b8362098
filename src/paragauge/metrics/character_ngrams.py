"""N-grams that two lines share, of words or, after chrF (Popović 2015), of characters.

For each order: how many n-grams of the candidate the other line also has (occurrences beyond the
other's count do not match), and how many the candidate and the other line have. Of characters, orders 1
to 6 count, and spaces do not.
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
    """Shared n-grams of characters, own ones and the other's; see `ngram_overlaps`.

    >>> shared, own, other = letter_overlaps(
    ...     Ragged.from_lists([[1, 2, 3]]), Ragged.from_lists([[1, 2]]), None, 1
    ... )
    >>> shared[0, :3].tolist(), own[0, :3].tolist(), other[0, :3].tolist()
    ([2.0, 1.0, 0.0], [3.0, 2.0, 1.0], [2.0, 1.0, 0.0])
    """
    return ngram_overlaps(mine, theirs, groups, LETTERS, threads)


def ngram_overlaps(
    mine: Ragged, theirs: Ragged, groups: Ints | None, order: int, threads: int
) -> tuple[Floats, Floats, Floats]:
    """Shared n-grams, own n-grams and the other's, each [lines of the other side, order].

    `mine` has one line per segment, `theirs` those that `groups` say; words or characters are numbers
    that agree at least inside a segment.

    >>> one, other = Ragged.from_lists([[5, 6, 5]]), Ragged.from_lists([[5, 6]])
    >>> [counts.tolist() for counts in ngram_overlaps(one, other, None, 2, 1)]
    [[[2.0, 1.0]], [[3.0, 2.0]], [[2.0, 1.0]]]
    """
    rows = _native.match_ngrams(
        (mine.ids, mine.offsets, None),
        (theirs.ids, theirs.offsets, groups),
        order,
        "clip",
        False,
        threads,
    ).astype(np.float64)
    other = np.maximum(theirs.lengths[:, None] - np.arange(order), 0).astype(np.float64)
    return rows[:, :order], rows[:, order:], other
