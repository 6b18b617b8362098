"""Training and test items: a share of the items, chosen by the hash of their keys.

Chen and Dolan (2011), section 5.1, divide the clusters "into 90% for training and 10% for testing".
Here the items with the smallest hashes of (seed, key) are the test items, exactly `round(share *
items)` of them. The choice does not depend on the order of the items, and an item that is added later
changes the side of at most one other. All sentences of an item are on one side, so that no test item
was trained on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from paragauge.collect.corpus.clusters import Cluster, Clusters
from paragauge.errors import SettingError, unknown_name

PartName = Literal["all", "train", "test"]
PARTS: tuple[PartName, ...] = get_args(PartName)


@dataclass(frozen=True)
class Split:
    """Which items are for testing.

    >>> split = Split.of((f"v{number}" for number in range(1000)), share=0.1, seed=7)
    >>> sum(split.is_test(f"v{number}") for number in range(1000))
    100
    """

    seed: int
    limit: int

    @classmethod
    def of(cls, items: Iterable[str], *, share: float = 0.1, seed: int = 7) -> Split:
        """The split of these items, which must be distinct; takes 8 bytes of memory per item."""
        if not 0 < share < 1:
            raise SettingError(f"test share: expected a number between 0 and 1, found {share:g}")
        hashes = np.fromiter((_hash(seed, item) for item in items), np.uint64)
        size = round(share * len(hashes))
        limit = int(np.partition(hashes, size - 1)[size - 1]) + 1 if size else 0
        return cls(seed, limit)

    def is_test(self, item: str) -> bool:
        """Whether an item is for testing."""
        return _hash(self.seed, item) < self.limit


@dataclass(frozen=True)
class SplitPart:
    """The clusters of one side of a split."""

    clusters: Clusters
    split: Split
    part: PartName

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise unknown_name("part", self.part, PARTS)

    def __iter__(self) -> Iterator[Cluster]:
        for cluster in self.clusters:
            if self.part == "all" or self.split.is_test(cluster.item) == (self.part == "test"):
                yield cluster


def _hash(seed: int, item: str) -> int:
    text = f"{seed}\t{item}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())
