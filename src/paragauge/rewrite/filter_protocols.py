"""What accepts or refuses a proposed substitution by its context.

A filter gives each proposal a score; 0 and more accepts. It answers NaN where it cannot tell, for
example because it has no classifier for the word; what happens then is a setting of the rewriter. A
filter that can also judge phrases has the method of `PhraseFilter`; others cannot tell of phrases.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Ints
from paragauge.text.lines import Lines


class ContextFilter(Protocol):
    """Something that knows whether a word fits a place in a sentence."""

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
        """A score for each proposal, accepted if it is 0 or more; NaN where the filter cannot tell.

        Proposal i puts the word `words[word[i]]` in the place of token `position[i]` of line
        `segment[i]` of `tokens`, whose tokens (Penn Treebank's, lowercase) are separated by one space.
        """


@runtime_checkable
class PhraseFilter(Protocol):
    """A filter that also knows whether a phrase fits in the place of another one."""

    def phrase_scores(
        self,
        tokens: Lines,
        segment: Ints,
        span: tuple[Ints, Ints],
        phrases: Lines,
        phrase: Ints,
        threads: int = 0,
    ) -> NDArray[np.float64]:
        """As `ContextFilter.scores`, for phrases of any number of words.

        Proposal i puts `phrases[phrase[i]]`, words with one space between, in the place of tokens
        `span[0][i]` to `span[1][i]`.
        """
