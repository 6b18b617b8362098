"""The source of randomness of a store: public ids, keys, tokens and form secrets.

A worker's order of items, the blind order of candidates and the positions of controls are computed from
the worker's public id (`task_order.py`), so they depend on it too. A store has one source, the
operating system's cryptographic randomness. Only Python code that opens a store can pass another one;
no setting, option, environment variable or request can.
"""

from __future__ import annotations

import secrets
from typing import Protocol

# Bytes of a public id: 96 bits.
ID_BYTES = 12


class Randomness(Protocol):
    """Draws random tokens; thread-safe."""

    def token(self, size: int) -> str:
        """`size` random bytes as text that may appear in a URL."""


class SystemRandomness:
    """The operating system's cryptographic randomness: nobody can guess or repeat it."""

    def token(self, size: int) -> str:
        """`size` random bytes as text that may appear in a URL.

        >>> len(SystemRandomness().token(12))
        16
        """
        return secrets.token_urlsafe(size)


SYSTEM: Randomness = SystemRandomness()
