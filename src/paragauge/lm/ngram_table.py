"""The n-grams of a model as arrays: what estimation and readers return, and writers take.

An order's arrays have one item per n-gram, sorted by (parent, word). The parent of an n-gram is its
context, the n-gram without the last word, as a number inside the order below; unigrams have parent 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paragauge.errors import SettingError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids, Singles
from paragauge.text.tokenizers import check_threads
from paragauge.text.vocabulary import Vocabulary

BATCH = 1 << 15


@dataclass(frozen=True)
class Level:
    """The n-grams of one order; probabilities and back-offs are log10."""

    parents: Ids
    words: Ids
    probabilities: Singles
    backoffs: Singles

    def __len__(self) -> int:
        return len(self.words)

    def arrays(self) -> tuple[Ids, Ids, Singles, Singles]:
        """The arrays as kernels take them."""
        return self.parents, self.words, self.probabilities, self.backoffs


@dataclass(frozen=True)
class NgramTable:
    """All orders and the words; words 0, 1 and 2 are ``<unk>``, ``<s>`` and ``</s>``."""

    vocabulary: Vocabulary
    levels: tuple[Level, ...]

    @property
    def order(self) -> int:
        """The highest order."""
        return len(self.levels)

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        return tuple(map(len, self.levels))

    def ngrams(self, order: int) -> Iterator[tuple[Ids, Singles, Singles]]:
        """Words [n, order], probabilities and back-offs of the n-grams of one order, in batches."""
        level = self.levels[order - 1]
        for first in range(0, len(level), BATCH):
            part = slice(first, first + BATCH)
            columns, parents = [level.words[part]], level.parents[part]
            for lower in reversed(self.levels[: order - 1]):
                columns.append(lower.words[parents])
                parents = lower.parents[parents]
            words = np.stack(columns[::-1], axis=1)
            yield words, level.probabilities[part], level.backoffs[part]

    def prune_by_entropy(self, threshold: float, threads: int = 0) -> NgramTable:
        """Remove the n-grams whose loss raises the perplexity by less than the share `threshold`.

        After Stolcke (1998): for an n-gram hw, with h' the context without its first word and a(h) the
        back-off weight, the relative entropy between the model and the one without hw is

            D = -P(h) { P(w|h) [log P(w|h') + log a'(h) - log P(w|h)]
                        + [log a'(h) - log a(h)] (1 - sum of P(v|h) over all v listed after h) }

        and hw goes if exp(D) - 1 < threshold. P(h) is the product of the model's probabilities of its
        words, where that of ``<s>`` at the start is that of ``</s>``. Orders go from the highest to
        2; n-grams that are contexts of others stay. Back-offs are then computed anew, so that each
        context sums to one. Linear in the number of n-grams.
        """
        check_threads(threads)
        if not 0 <= threshold < 1:
            raise SettingError(
                f"entropy pruning: expected a share from 0 to 1, for example 1e-7, found {threshold!r}"
            )
        pruned = _native.entropy_prune([level.arrays() for level in self.levels], threshold, threads)
        levels: list[Level] = []
        numbers = np.zeros(1, np.int32)  # of the contexts that stay
        for level, (flags, backoffs) in zip(self.levels, pruned, strict=True):
            stay = flags.astype(bool)
            levels.append(
                Level(
                    numbers[level.parents[stay]],
                    level.words[stay],
                    level.probabilities[stay],
                    backoffs[stay],
                )
            )
            numbers = (np.cumsum(stay) - 1).astype(np.int32)
        return NgramTable(self.vocabulary, tuple(levels))
