"""Where a collection draws what is random: public ids, keys, tokens, secrets of forms.

A worker's order of items, the blind order of candidates and the places of controls are computed from
the worker's public id (`ordering.py`), so they come from here too. A store has one source, the
operating system's cryptographic randomness. Only Python code that opens a store can give it another:
no setting, option, environment variable or request does.
"""

from __future__ import annotations

import secrets
from typing import Protocol

# Bytes of a public id: 96 bits.
ID_BYTES = 12


class Randomness(Protocol):
    """Draws tokens; calls from several threads are safe."""

    def token(self, size: int) -> str:
        """`size` random bytes as text that may stand in an address."""


class SystemRandomness:
    """The operating system's cryptographic randomness: nobody can guess or repeat it."""

    def token(self, size: int) -> str:
        """`size` random bytes as text that may stand in an address.

        >>> len(SystemRandomness().token(12))
        16
        """
        return secrets.token_urlsafe(size)


SYSTEM: Randomness = SystemRandomness()
