"""Filters and texts for the tests of rewriting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from paragauge.kernels.layout import Ints
from paragauge.text.lines import Lines


@dataclass(frozen=True)
class WordScores:
    """A filter whose score depends only on the word: NaN for None and for words not listed."""

    known: dict[str, float] = field(default_factory=dict)
    name: str = "words"

    def scores(
        self,
        tokens: Lines,
        segment: Ints,
        position: Ints,
        words: Lines,
        word: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        del threads
        for line, at in zip(segment.tolist(), position.tolist(), strict=True):
            assert tokens[line].split(" ")[at] == tokens[line].split(" ")[at].lower()
        return np.array([self.known.get(words[i], np.nan) for i in word.tolist()], np.float64)


@pytest.fixture(name="word_scores")
def _word_scores() -> type[WordScores]:
    return WordScores
