"""What proposes substitutions: whether one word may stand for another.

A thesaurus answers for pairs of word types. It is asked once for each different pair (and tag) of a
batch, so that its answers may be slow to make and cost little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paragauge.text.lines import Ints, Lines


class Thesaurus(Protocol):
    """Something that knows which words mean the same, or nearly."""

    @property
    def name(self) -> str:
        """The resource with its version or fingerprint, for signatures."""

    @property
    def tagged(self) -> bool:
        """Whether answers depend on the Penn tag of the word that is replaced."""

    def substitutable(
        self,
        words: Lines,
        left: Ints,
        right: Ints,
        tags: Sequence[str] | None,
        threads: int = 0,
    ) -> NDArray[np.bool_]:
        """For each pair of rows of `words` (types, lower case) whether right may stand for left.

        `tags` has the Penn tag of the left word of each pair, if the thesaurus is `tagged`.
        """
