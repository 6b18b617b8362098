"""Opposites among words, as sets of numbers that a kernel compares.

`WordNet.opposite_sets` gives two sets of numbers for each word: its own and those of its opposites.
Two words are opposites if a number of one is among the opposites of the other. Inflected words count
as their base forms: hated and loves are opposites because hate and love are. There are two ways to be
opposites:

- `"direct"`: WordNet has an antonym pointer between a sense of one and a sense of the other. That is
  a relation between words: fast and slow have one, swift and slow do not.
- `"similar"`: also adjectives whose synsets, or the heads that these are similar to, have such a
  pointer between any of their words: swift (similar to fast) and slow, huge and tiny. This finds more
  and is less exact, because rare senses have heads too: fast and moral are opposites.

A sense counts however rare it is, as for synonyms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ints
from paragauge.text.ragged import Ragged
from paragauge.text.tokenizers import check_threads

Opposition = Literal["direct", "similar"]
OPPOSITIONS: tuple[Opposition, ...] = get_args(Opposition)


@dataclass(frozen=True)
class OppositeSets:
    """For each word, sorted numbers of its own and of its opposites; most words have none."""

    own: Ragged
    opposite: Ragged

    def __len__(self) -> int:
        return len(self.own)


def opposite_pairs(sets: OppositeSets, left: Ints, right: Ints, threads: int = 0) -> NDArray[np.bool_]:
    """For each pair of rows of the sets, whether their words are opposites, bool [pairs].

    >>> from paragauge.lexicon import WordNet
    >>> from paragauge.text import Lines
    >>> sets = WordNet.default().opposite_sets(Lines.of(["hated", "loves", "hotter", "colder"]))
    >>> opposite_pairs(sets, np.array([0, 2, 0, 1]), np.array([1, 3, 3, 1])).tolist()
    [True, True, False, False]
    """
    check_threads(threads)
    a, b = (np.ascontiguousarray(side, np.int64) for side in (left, right))
    rows = len(sets)
    both = np.concatenate([a, b])
    if len(a) != len(b) or (both.size and not 0 <= both.min() <= both.max() < rows):
        raise ShapeError(
            f"opposite_pairs: expected as many left as right rows, below {rows}, found {len(a)} and "
            f"{len(b)} from {both.min()} to {both.max()}"
        )
    # One array holds the words' own numbers, then those of their opposites.
    ids = np.concatenate([sets.own.ids, sets.opposite.ids])
    offsets = np.concatenate([sets.own.offsets, sets.opposite.offsets[1:] + sets.own.offsets[-1]])
    return _native.sets_meet(ids, offsets, a, b + rows, threads).astype(np.bool_)
