"""Rough times of the stages of an evaluation, to say before they run whether to wait or to go home.

The rates were measured on two cores of a small server with 1,000 pairs of news; they are right to a
factor of about three, except for parsing with a grammar, where rules decide more than words.
"""

from __future__ import annotations

from pathlib import Path

from paragauge.grammar.sentence_pairs import SentencePairs
from paragauge.text.files import compression

LINE = 120  # bytes of a rule in a text file
PACKED = 5  # how much compression saves


class Durations:
    """Guesses in seconds for the stages on some pairs.

    >>> guess = Durations(SentencePairs.of(["a b"] * 1000, ["c d"] * 1000))
    >>> guess.coverage(10_000_000) > guess.coverage(1000) > 0
    True
    """

    def __init__(self, pairs: SentencePairs) -> None:
        self._pairs = len(pairs)
        lengths = pairs.lengths.astype(float)
        self._words = float(lengths.sum())
        self._cubes = float((lengths[:, 0] ** 3).sum())

    @property
    def text(self) -> float:
        """Writing the tokens."""
        return 0.1 + self._words / 1e7

    @property
    def links(self) -> float:
        """Aligning words."""
        return 2 + self._words / 5e3

    @property
    def trees(self) -> float:
        """Parsing one side into constituents."""
        return 0.3 + self._cubes / 4e7

    @property
    def gold(self) -> float:
        """Extracting the gold grammar."""
        return 0.2 + self._words / 5e4

    @property
    def phrases(self) -> float:
        """Extracting and comparing phrases."""
        return 0.1 + self._words / 2e5

    def rules_of(self, path: Path) -> int:
        """About how many rules a text file has."""
        return path.stat().st_size * (PACKED if compression(path) else 1) // LINE

    def resource(self, rules: int) -> float:
        """Reading a text file and sorting its rules."""
        return 0.1 + rules / 2e5

    def reading(self, rules: int) -> float:
        """Reading all rules once."""
        return 0.2 + rules / 1e6

    def overlap(self, rules: int) -> float:
        """Joining a resource with the gold grammar."""
        return 0.1 + rules / 1e6 + self._words / 5e5

    def coverage(self, rules: int) -> float:
        """Parsing all pairs with a resource."""
        return self.reading(rules) + self._words * (0.1 + rules / 1e6) / 5e4
