"""Progress of long work: it calls a function with a word for each step that begins."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]


def silent(word: str) -> None:
    """Report nothing.

    >>> silent("counting")
    """
    del word
