"""The order in which a worker sees items, and the blind order of candidates on a page.

Each worker has their own order. Items are sorted by a polynomial of their serial number x,

    h(x) = c₃x³ + c₂x² + c₁x + c₀  mod p,    p = 2³¹ − 1,

whose coefficients come from a hash of the campaign's seed and the worker's public id. Such a family is
4-wise independent (Wegman and Carter 1981): any two, three or four items come in each of their orders
equally often. It needs no table, an item added later takes its position without moving the others, the
database can sort by it, and anyone with the seed can recompute it.

    >>> sorted(range(1, 9), key=lambda item: place(coefficients("7:w1"), item))
    [4, 7, 3, 8, 6, 1, 2, 5]
    >>> shuffle("7:w1:a", 4)
    (2, 3, 1, 0)
"""

from __future__ import annotations

import hashlib
from typing import Any

import sqlalchemy as sa

PRIME = 2**31 - 1


def order_seed(seed: int, worker: str) -> str:
    """The seed of a worker's order: the campaign's seed and the worker's public id."""
    return f"{seed}:{worker}"


def coefficients(seed: str) -> tuple[int, int, int, int]:
    """c₃ to c₀, each below the prime."""
    digest = hashlib.blake2b(seed.encode(), digest_size=32).digest()
    parts = [int.from_bytes(digest[at : at + 8], "big") % PRIME for at in (0, 8, 16, 24)]
    return (parts[0], parts[1], parts[2], parts[3])


def place(by: tuple[int, int, int, int], item_id: int) -> int:
    """h of one item."""
    value = 0
    for coefficient in by:
        value = (value * item_id + coefficient) % PRIME
    return value


def place_column(column: sa.Column[int]) -> sa.ColumnElement[int]:
    """h of a column, for ORDER BY, with parameters for `place_values`; no product exceeds 62 bits."""
    number = sa.cast(column, sa.BigInteger)
    value: sa.ColumnElement[Any] = sa.bindparam("c3", type_=sa.BigInteger)
    for name in ("c2", "c1", "c0"):
        value = (value * number + sa.bindparam(name, type_=sa.BigInteger)) % PRIME
    return value


def place_values(by: tuple[int, int, int, int]) -> dict[str, int]:
    """The coefficients as parameters.

    >>> place_values((4, 3, 2, 1))
    {'c3': 4, 'c2': 3, 'c1': 2, 'c0': 1}
    """
    return dict(zip(("c3", "c2", "c1", "c0"), by, strict=True))


def shuffle(seed: str, size: int) -> tuple[int, ...]:
    """A permutation of 0 to size − 1."""

    def rank(index: int) -> bytes:
        return hashlib.blake2b(f"{seed}:{index}".encode(), digest_size=8).digest()

    return tuple(sorted(range(size), key=rank))
