"""The order in which a worker sees items, and the blind order of candidates on a page.

Each worker has a permutation of their own: items are sorted by a hash of the campaign's seed, the
worker and the item. Items added later fall in at their places without moving the others, and anybody
with the seed can recompute the order.

    >>> sorted("abcd", key=lambda key: rank("7:w1", key))
    ['b', 'd', 'a', 'c']
    >>> shuffled("7:w1:a", 4)
    (2, 3, 1, 0)
"""

from __future__ import annotations

import hashlib


def order_seed(seed: int, worker: str) -> str:
    """What seeds a worker's order: the campaign's seed and the worker's public id."""
    return f"{seed}:{worker}"


def rank(seed: str, key: str) -> bytes:
    """The place of `key` in the order of `seed`, as bytes to compare."""
    return hashlib.blake2b(f"{seed}:{key}".encode(), digest_size=8).digest()


def shuffled(seed: str, size: int) -> tuple[int, ...]:
    """A permutation of 0 to size − 1."""
    return tuple(sorted(range(size), key=lambda index: rank(seed, str(index))))
