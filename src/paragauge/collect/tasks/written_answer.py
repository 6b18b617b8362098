"""A written answer for hints and the noise filter, whether from a store or a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WrittenAnswer:
    """One description or paraphrase.

    `item` is what it answers, `source` the sentence to paraphrase (empty for a description), `task`
    groups answers of one assignment, `seconds` is the time of the whole task, and `trusted` marks
    answers of qualified workers (tier 2).

    >>> WrittenAnswer("A dog runs.", item="v1", worker="ada").trusted
    False
    """

    text: str
    item: str
    worker: str
    source: str = ""
    language: str = "English"
    task: str = ""
    seconds: float | None = None
    trusted: bool = False
