"""Filters that accept or refuse a proposed substitution by its context.

A filter scores each proposal and accepts it if the score is 0 or more. The score is NaN where the
filter cannot judge, for example because it has no classifier for the word; a setting of the rewriter
decides what happens then. A filter that can also judge phrases has the method of `PhraseFilter`; other
filters cannot judge phrases.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Ints
from paragauge.text.lines import Lines


class ContextFilter(Protocol):
    """Judges whether a word fits a place in a sentence."""

    @property
    def name(self) -> str:
        """The filter with its settings and fingerprint, for signatures."""

    def scores(
        self,
        tokens: Lines,
        segment: Ints,
        position: Ints,
        words: Lines,
        word: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """A score for each proposal, accepted if it is 0 or more; NaN where the filter cannot judge.

        Proposal i puts the word `words[word[i]]` in place of token `position[i]` of line `segment[i]`
        of `tokens`, whose tokens (lowercase, Penn Treebank's) are separated by one space.
        """


@runtime_checkable
class PhraseFilter(Protocol):
    """A filter that also judges whether a phrase fits in place of another."""

    def phrase_scores(
        self,
        tokens: Lines,
        segment: Ints,
        span: tuple[Ints, Ints],
        phrases: Lines,
        phrase: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """Like `ContextFilter.scores`, for phrases of any number of words.

        Proposal i puts `phrases[phrase[i]]`, words separated by one space, in place of tokens
        `span[0][i]` to `span[1][i]`.
        """


class PhraseJudge(ABC):
    """A filter to which a word is a phrase of one word."""

    def scores(
        self,
        tokens: Lines,
        segment: Ints,
        position: Ints,
        words: Lines,
        word: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """A score for each proposal; see `ContextFilter`."""
        return self.phrase_scores(tokens, segment, (position, position), words, word, threads)

    @abstractmethod
    def phrase_scores(
        self,
        tokens: Lines,
        segment: Ints,
        span: tuple[Ints, Ints],
        phrases: Lines,
        phrase: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """A score for each proposal; see `PhraseFilter`."""
