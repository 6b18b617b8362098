"""Progress of long work: a function that is called with a few words when a step begins."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]


def silent(word: str) -> None:
    """Report nothing.

    >>> silent("counting")
    """
    del word
