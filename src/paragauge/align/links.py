"""Word alignments of many sentence pairs in three flat arrays.

`source` and `target` (int32) hold the two token positions (from 0) of every link, `offsets` (int64,
one more than there are pairs) says whose they are: pair i has the links ``offsets[i]:offsets[i + 1]``,
sorted by source, then target, each once. Kernels take these arrays. The lengths of the
sentences are not included; `check_lengths` compares with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from paragauge.errors import LengthError, ShapeError
from paragauge.kernels.layout import Ids, Ints
from paragauge.text.ragged import gather

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Links:
    """The links of each sentence pair.

    >>> links = Links.from_lists([[(0, 0), (1, 2)], [], [(0, 1)]])
    >>> len(links), links.lengths.tolist(), links[1:].to_lists()
    (3, [2, 0, 1], [[], [(0, 1)]])
    """

    source: Ids
    target: Ids
    offsets: Ints

    def __post_init__(self) -> None:
        for name, kind in (("source", np.int32), ("target", np.int32), ("offsets", np.int64)):
            array = np.asarray(getattr(self, name))
            if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
                raise ShapeError(
                    f"{name}: expected a one-dimensional array of whole numbers, "
                    f"found {array.dtype} of shape {array.shape}"
                )
            object.__setattr__(self, name, np.ascontiguousarray(array, kind))
        if len(self.source) != len(self.target):
            raise ShapeError(
                f"expected one source and one target position per link, found {len(self.source)} "
                f"and {len(self.target)}"
            )
        bounds = self.offsets
        if len(bounds) == 0 or bounds[0] != 0 or bounds[-1] != len(self.source):
            raise ShapeError(
                f"offsets: expected to run from 0 to {len(self.source)}, the number of links"
            )
        if bool((np.diff(bounds) < 0).any()):
            raise ShapeError("offsets: expected never to decrease")
        if len(self.source) and min(int(self.source.min()), int(self.target.min())) < 0:
            raise ShapeError("expected positions from 0, found a negative one")
        self._check_order()

    def _check_order(self) -> None:
        keys = self.source.astype(np.int64) << 32 | self.target
        rises = np.diff(keys) > 0
        starts = self.offsets[1:-1]
        rises[starts[(starts > 0) & (starts < len(keys))] - 1] = True
        if not bool(rises.all()):
            at = int(np.argmin(rises)) + 1
            pair = int(np.searchsorted(self.offsets, at, "right")) - 1
            raise ShapeError(
                f"sentence pair {pair + 1}: expected links sorted and without repetition, found "
                f"{self.source[at]}-{self.target[at]} after {self.source[at - 1]}-{self.target[at - 1]}"
                "; Links.from_unsorted puts them in order"
            )

    @classmethod
    def from_lists(cls, pairs: Iterable[Iterable[Pair]]) -> Links:
        """Build from lists of (source, target), in any order; repetitions count once.

        >>> Links.from_lists([[(1, 0), (0, 1), (1, 0)]]).to_lists()
        [[(0, 1), (1, 0)]]
        """
        rows = [sorted(set(map(tuple, pair))) for pair in pairs]
        flat = np.array([link for row in rows for link in row], np.int64).reshape(-1, 2)
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return cls(flat[:, 0].astype(np.int32), flat[:, 1].astype(np.int32), offsets)

    @classmethod
    def from_unsorted(cls, source: ArrayLike, target: ArrayLike, offsets: ArrayLike) -> Links:
        """Build from links in any order within their pairs; repetitions count once.

        >>> Links.from_unsorted([1, 0, 1, 0], [0, 1, 0, 5], [0, 3, 4]).to_lists()
        [[(0, 1), (1, 0)], [(0, 5)]]
        """
        left, right = np.asarray(source, np.int32), np.asarray(target, np.int32)
        bounds = np.asarray(offsets, np.int64)
        pair = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        order = np.lexsort((right, left, pair))
        left, right, pair = left[order], right[order], pair[order]
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = (np.diff(pair) != 0) | (np.diff(left) != 0) | (np.diff(right) != 0)
        counts = np.bincount(pair[fresh], minlength=len(bounds) - 1)
        return cls(left[fresh], right[fresh], np.concatenate([[0], np.cumsum(counts)]))

    @classmethod
    def concatenate(cls, parts: Sequence[Links]) -> Links:
        """The pairs of all parts, one part after the other.

        >>> parts = [Links.from_lists([[(0, 0)]]), Links.from_lists([[], [(1, 1)]])]
        >>> Links.concatenate(parts).to_lists()
        [[(0, 0)], [], [(1, 1)]]
        """
        lengths = np.concatenate([np.zeros(1, np.int64), *(part.lengths for part in parts)])
        empty = np.zeros(0, np.int32)
        return cls(
            np.concatenate([empty, *(part.source for part in parts)]),
            np.concatenate([empty, *(part.target for part in parts)]),
            np.cumsum(lengths),
        )

    @property
    def lengths(self) -> Ints:
        """Number of links of each sentence pair, int64 [n]."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[list[Pair]]:
        for i in range(len(self)):
            yield self[i]

    @overload
    def __getitem__(self, key: int) -> list[Pair]: ...
    @overload
    def __getitem__(self, key: slice) -> Links: ...
    def __getitem__(self, key: int | slice) -> list[Pair] | Links:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                return Links.from_lists([self[i] for i in range(start, stop, step)])
            bounds = self.offsets[start : max(start, stop) + 1]
            part = slice(int(bounds[0]), int(bounds[-1]))
            return Links(self.source[part], self.target[part], bounds - bounds[0])
        if not -len(self) <= key < len(self):
            raise IndexError(f"sentence pair {key} of {len(self)}")
        part = slice(int(self.offsets[key % len(self)]), int(self.offsets[key % len(self) + 1]))
        return list(zip(self.source[part].tolist(), self.target[part].tolist(), strict=True))

    def to_lists(self) -> list[list[Pair]]:
        """The links of each pair as (source, target).

        >>> Links.from_lists([[(0, 0)], []]).to_lists()
        [[(0, 0)], []]
        """
        return list(self)

    def spread(self, places: ArrayLike, size: int) -> Links:
        """Links of `size` pairs: those of pair i at the place `places[i]`, rising, none elsewhere.

        >>> Links.from_lists([[(0, 0)], [(1, 1)]]).spread([0, 2], 4).to_lists()
        [[(0, 0)], [], [(1, 1)], []]
        """
        counts = np.zeros(size, np.int64)
        counts[np.asarray(places, np.int64)] = self.lengths
        return Links(self.source, self.target, np.concatenate([[0], np.cumsum(counts)]))

    def take(self, places: ArrayLike) -> Links:
        """The links of the pairs at these places, in this order.

        >>> Links.from_lists([[(0, 0)], [], [(1, 1), (2, 2)]]).take([2, 1]).to_lists()
        [[(1, 1), (2, 2)], []]
        """
        chosen, offsets = gather(self.offsets, np.asarray(places, np.int64))
        return Links(self.source[chosen], self.target[chosen], offsets)

    def transpose(self) -> Links:
        """The same links seen from the other side.

        >>> Links.from_lists([[(0, 2), (1, 0)]]).transpose().to_lists()
        [[(0, 1), (2, 0)]]
        """
        return Links.from_unsorted(self.target, self.source, self.offsets)

    def check_lengths(self, source: Ints, target: Ints) -> None:
        """Raise the error for a link beyond the end of its sentences, which have these lengths.

        >>> Links.from_lists([[(5, 3)]]).check_lengths(np.array([5]), np.array([4]))
        Traceback (most recent call last):
        paragauge.errors.ShapeError: sentence pair 1: link 5-3, but the source has 5 tokens
        """
        for name, lengths in (("source", source), ("target", target)):
            if len(lengths) != len(self):
                raise LengthError(
                    f"the alignment has {len(self)} sentence pairs but the {name} has {len(lengths)}"
                )
        if (outside := self.first_outside(source, target)) is not None:
            pair, message = outside
            raise ShapeError(f"sentence pair {pair + 1}: {message}")

    def first_outside(self, source: Ints, target: Ints) -> tuple[int, str] | None:
        """The first pair with a link beyond the end of a sentence, and what is wrong with it.

        >>> Links.from_lists([[], [(0, 1)]]).first_outside(np.array([1, 1]), np.array([1, 1]))
        (1, 'link 0-1, but the target has 1 token')
        """
        outside = [
            positions >= np.repeat(lengths, self.lengths)
            for positions, lengths in ((self.source, source), (self.target, target))
        ]
        either = outside[0] | outside[1]
        if not bool(either.any()):
            return None
        at = int(np.argmax(either))
        pair = int(np.searchsorted(self.offsets, at, "right")) - 1
        side, lengths = ("source", source) if outside[0][at] else ("target", target)
        tokens = "1 token" if lengths[pair] == 1 else f"{lengths[pair]} tokens"
        return pair, f"link {self.source[at]}-{self.target[at]}, but the {side} has {tokens}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Links):
            return NotImplemented
        return (
            np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.source, other.source)
            and np.array_equal(self.target, other.target)
        )

    __hash__ = None  # type: ignore[assignment]  # mutable arrays

    def __repr__(self) -> str:
        return f"Links({len(self)} sentence pairs, {len(self.source)} links)"
