"""Twin of base/random.hpp: random numbers from counters."""

from __future__ import annotations

from paragauge.kernels.reference.base.hashing import GOLDEN, WORD


def splitmix(x: int) -> int:
    """The output function of SplitMix64 (Steele, Lea and Flood 2014), used on counters."""
    x = (x + GOLDEN) & WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


class Draws:
    """A stream of random numbers."""

    def __init__(self, stream: int) -> None:
        self._stream, self._count = splitmix(stream), 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        number = splitmix((self._stream + self._count) & WORD) % limit
        self._count += 1
        return number
