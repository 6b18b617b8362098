"""Twin of base/hashing.hpp: a hash of 64-bit numbers."""

from __future__ import annotations

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    """A 64-bit hash of a 64-bit number: multiply, fold the halves."""
    product = (x ^ GOLDEN) * 0xD6E8FEB86659FD93
    return (product & WORD) ^ (product >> 64)
