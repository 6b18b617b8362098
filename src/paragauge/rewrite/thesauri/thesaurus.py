"""Thesauri, which propose substitutions: whether one word may replace another.

A thesaurus answers for pairs of word types. It gets all unmatched pairs of a batch at once, about a
hundred for each pair of sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, overload

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Ids, Ints
from paragauge.text.lines import Lines


class Tags(Sequence[str]):
    """Tags as indices into their names, so that a caller looks up each distinct tag once.

    >>> tags = Tags(np.array([1, 0, 1], np.int32), ("NN", "VB"))
    >>> list(tags), tags.map({"VB": 7}, -1).tolist()
    (['VB', 'NN', 'VB'], [7, -1, 7])
    """

    def __init__(self, numbers: Ids, names: Sequence[str]) -> None:
        self.numbers = numbers
        self.names = tuple(names)

    @classmethod
    def of(cls, tags: Sequence[str]) -> Tags:
        """Tags from names.

        >>> Tags.of(["NN", "VB", "NN"]).names
        ('NN', 'VB')
        """
        if isinstance(tags, Tags):
            return tags
        number = {name: i for i, name in enumerate(dict.fromkeys(tags))}
        return cls(np.array([number[tag] for tag in tags], np.int32), tuple(number))

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, key: int) -> str: ...
    @overload
    def __getitem__(self, key: slice) -> Tags: ...
    def __getitem__(self, key: int | slice) -> str | Tags:
        if isinstance(key, slice):
            return Tags(self.numbers[key], self.names)
        return self.names[int(self.numbers[key])]

    def map(self, values: Mapping[str, int], otherwise: int) -> Ints:
        """The value for each tag, `otherwise` for tags without one, int64 [tags]."""
        table = np.array([values.get(name, otherwise) for name in self.names] or [0], np.int64)
        return np.asarray(table[self.numbers])


class Thesaurus(Protocol):
    """Knows which words have the same or nearly the same meaning."""

    @property
    def name(self) -> str:
        """The resource with its version or fingerprint, for signatures."""

    @property
    def needs_tags(self) -> bool:
        """Whether answers depend on the Penn tag of the replaced word."""

    def substitutable(
        self,
        words: Lines,
        left: Ints,
        right: Ints,
        tags: Sequence[str] | None,
        threads: int = 0,
    ) -> NDArray[np.bool_]:
        """For each pair of rows of `words` (lowercase types), whether right may replace left.

        `tags` has the Penn tag of the left word of each pair, if the thesaurus needs tags.
        """
