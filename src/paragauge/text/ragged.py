"""Sentences of different length in two flat arrays.

`Ragged` holds `ids` (int32, all sentences one after the other) and `offsets` (int64, one more than
there are sentences): sentence i is ``ids[offsets[i]:offsets[i + 1]]``. It is what goes into kernels.
Indexing by an integer gives one sentence; by a slice, a mask or an integer array, another Ragged.
A slice with step 1 shares memory; anything else copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import overload

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ShapeError
from paragauge.kernels.layout import Ids, Ints


def gather(offsets: Ints, indices: Ints) -> tuple[Ints, Ints]:
    """Where the items of the rows `indices` lie in a flat array, and the offsets they get.

    >>> positions, offsets = gather(np.array([0, 1, 3]), np.array([1, 0]))
    >>> positions.tolist(), offsets.tolist()
    ([1, 2, 0], [0, 2, 3])
    """
    lengths = np.diff(offsets)[indices]
    new_offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    starts = np.repeat(offsets[:-1][indices] - new_offsets[:-1], lengths)
    return starts + np.arange(new_offsets[-1]), new_offsets


class Ragged:
    """Integer sentences.

    >>> corpus = Ragged.from_lists([[4, 5], [], [6]])
    >>> corpus[::-1].to_lists()
    [[6], [], [4, 5]]
    >>> corpus[[True, False, True]].lengths.tolist()
    [2, 1]
    """

    __slots__ = ("ids", "offsets")

    def __init__(self, ids: Ids, offsets: Ints) -> None:
        self.ids = np.ascontiguousarray(ids, np.int32)
        self.offsets = np.ascontiguousarray(offsets, np.int64)
        if self.ids.ndim != 1 or self.offsets.ndim != 1 or len(self.offsets) == 0:
            raise ShapeError(
                "a Ragged takes one-dimensional ids and at least one offset, "
                f"found shapes {self.ids.shape} and {self.offsets.shape}"
            )
        inside = self.offsets[0] >= 0 and self.offsets[-1] <= len(self.ids)
        if not inside or bool((np.diff(self.offsets) < 0).any()):
            raise ShapeError(f"offsets must not decrease and must stay within 0..{len(self.ids)}")

    @classmethod
    def from_lists(cls, sentences: Iterable[Iterable[int]]) -> Ragged:
        """Build from lists of ids.

        >>> Ragged.from_lists([[1, 2], [3]]).offsets.tolist()
        [0, 2, 3]
        """
        rows = [list(sentence) for sentence in sentences]
        flat = [token for row in rows for token in row]
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return cls(np.array(flat, np.int32), offsets)

    @property
    def lengths(self) -> Ints:
        """Number of tokens of each sentence, int64 [n]."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Ids]:
        for i in range(len(self)):
            yield self.ids[self.offsets[i] : self.offsets[i + 1]]

    @overload
    def __getitem__(self, key: int | np.integer) -> Ids: ...
    @overload
    def __getitem__(self, key: slice | list[bool] | list[int] | NDArray[np.generic]) -> Ragged: ...
    def __getitem__(
        self, key: int | np.integer | slice | list[bool] | list[int] | NDArray[np.generic]
    ) -> Ids | Ragged:
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            i = int(key)
            if not -len(self) <= i < len(self):
                raise IndexError(f"sentence {i} of a corpus of {len(self)}")
            i %= len(self)
            return self.ids[self.offsets[i] : self.offsets[i + 1]]
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step == 1:
                return Ragged(self.ids, self.offsets[start : max(start, stop) + 1])
            return self.take(np.arange(start, stop, step))
        array = np.asarray(key)
        if array.dtype == np.bool_:
            if array.shape != (len(self),):
                raise IndexError(f"a mask of shape {array.shape} for a corpus of {len(self)}")
            return self.take(np.flatnonzero(array))
        if array.size and not np.issubdtype(array.dtype, np.integer):
            raise TypeError("a Ragged is indexed by an integer, a slice, a mask or integers")
        indices = array.astype(np.int64).reshape(-1)
        if bool(((indices < -len(self)) | (indices >= len(self))).any()):
            raise IndexError(f"index out of range for a corpus of {len(self)}")
        return self.take(indices % len(self) if len(self) else indices)

    def take(self, indices: Ints) -> Ragged:
        """The sentences with these numbers, in this order.

        >>> Ragged.from_lists([[1], [2, 3]]).take(np.array([1, 1, 0])).to_lists()
        [[2, 3], [2, 3], [1]]
        """
        positions, offsets = gather(self.offsets, indices)
        return Ragged(self.ids[positions], offsets)

    def pad(self) -> Ids:
        """All sentences as rows of equal length, filled up with -1: int32 [n, longest].

        >>> Ragged.from_lists([[1], [2, 3]]).pad().tolist()
        [[1, -1], [2, 3]]
        """
        lengths = self.lengths
        rows = np.full((len(self), int(lengths.max(initial=0))), -1, np.int32)
        inside = np.arange(rows.shape[1]) < lengths[:, None]
        rows[inside] = self._flat()
        return rows

    def to_lists(self) -> list[list[int]]:
        """All sentences as lists.

        >>> Ragged.from_lists([[1], []]).to_lists()
        [[1], []]
        """
        return [row.tolist() for row in self]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ragged):
            return NotImplemented
        return np.array_equal(self.lengths, other.lengths) and np.array_equal(
            self._flat(), other._flat()
        )

    __hash__ = None  # type: ignore[assignment]  # mutable arrays

    def _flat(self) -> Ids:
        return self.ids[self.offsets[0] : self.offsets[-1]]

    def __repr__(self) -> str:
        return f"Ragged({len(self)} sentences, {len(self._flat())} tokens)"
