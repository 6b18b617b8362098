"""What accepts or refuses a proposed substitution by its context.

A filter gives each proposal a score; 0 and more accepts. It answers NaN where it cannot tell, for
example because it has no classifier for the word; what happens then is a setting of the rewriter.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paragauge.text.lines import Ints, Lines


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
        `segment[i]` of `tokens`, whose tokens (Penn Treebank's, lower case) one blank separates.
        """
