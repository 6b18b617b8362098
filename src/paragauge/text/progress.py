"""How long work tells that it goes on: it calls a function with a word on each step that begins."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]


def silent(word: str) -> None:
    """Tell nobody.

    >>> silent("counting")
    """
    del word
