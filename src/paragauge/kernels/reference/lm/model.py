"""Queries of a back-off language model, on dictionaries.

Levels are tuples (parents, words, probabilities, back-offs), one per order; `lm/ngram_table.py` says
what they hold. A state is the number of an n-gram below the highest order: 0 for the empty one,
then order by order.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints, Singles, sentences
from paragauge.kernels.reference.lm.estimate import BEGIN, END, UNKNOWN, Ngram

Level = tuple[Ids, Ids, Singles, Singles]


def ngrams_of(levels: Sequence[Level]) -> list[list[Ngram]]:
    """The n-grams of each order as tuples of words; a ValueError if the levels are not a trie."""
    orders: list[list[Ngram]] = [[()]]
    for k, (parents, words, _, _) in enumerate(levels, 1):
        pairs = list(zip(parents.tolist(), words.tolist(), strict=True))
        size = len(levels[0][1])
        good = all(0 <= up < len(orders[-1]) and 0 <= word < size for up, word in pairs)
        ascending = all(left < right for left, right in itertools.pairwise(pairs))
        if not good or not ascending or (k == 1 and pairs != [(0, i) for i in range(size)]):
            raise ValueError("the levels are not a trie of n-grams")
        orders.append([(*orders[-1][up], word) for up, word in pairs])
    if not 2 <= len(orders) <= 7 or len(orders[1]) < 3:
        raise ValueError("the levels are not a trie of n-grams")
    return orders


class NgramModel:
    """Probabilities of sentences."""

    def __init__(self, levels: Sequence[Level], threads: int) -> None:
        del threads
        self._orders = ngrams_of(levels)
        self._order = len(levels)
        self._words = len(levels[0][1])
        self._values: dict[Ngram, tuple[float, float]] = {}
        for grams, (_, _, probabilities, backoffs) in zip(self._orders[1:], levels, strict=True):
            pairs = zip(probabilities.tolist(), backoffs.tolist(), strict=True)
            self._values |= dict(zip(grams, pairs, strict=True))
        flat = [gram for grams in self._orders for gram in grams]
        self._numbers = {gram: number for number, gram in enumerate(flat)}
        self._flat = flat

    @property
    def begin(self) -> int:
        """The state after ``<s>``."""
        return BEGIN + 1 if self._order > 1 else 0

    @property
    def order(self) -> int:
        """Words in the longest n-grams."""
        return self._order

    def sentences(self, ids: Ids, offsets: Ints, threads: int) -> tuple[Floats, Floats, Ints]:
        """log10 of each sentence with ``</s>``, the part that is not of unknown words, their number."""
        del threads
        rows = []
        for words in sentences(ids, offsets):
            tokens = [*map(self.known, words), END]
            log10s = [log10 for log10, _ in self._steps(tokens)]
            known = [log10 for word, log10 in zip(tokens, log10s, strict=True) if word != UNKNOWN]
            rows.append((sum_in_order(log10s), sum_in_order(known), len(log10s) - len(known)))
        columns = list(zip(*rows, strict=True)) or [(), (), ()]
        return (
            np.array(columns[0], np.float64),
            np.array(columns[1], np.float64),
            np.array(columns[2], np.int64),
        )

    def tokens(self, ids: Ids, offsets: Ints, threads: int) -> tuple[Floats, Ids, Ints]:
        """log10 of each token with ``</s>``, the length of the n-gram found, offsets of sentences."""
        del threads
        steps = [list(self._steps([*map(self.known, words), END])) for words in sentences(ids, offsets)]
        flat = [step for sentence_steps in steps for step in sentence_steps]
        return (
            np.array([log10 for log10, _ in flat], np.float64),
            np.array([length for _, length in flat], np.int32),
            np.cumsum([0, *map(len, steps)], dtype=np.int64),
        )

    def step(self, state: int, word: int) -> tuple[float, int]:
        """log10 of `word` after `state`, and the state after it."""
        if not 0 <= state < sum(map(len, self._orders[:-1])):
            raise ValueError("no such state")
        if not 0 <= word < self._words:
            raise ValueError("no such word")
        log10, _, after = self._after(self._flat[state], word)
        return log10, self._numbers[after]

    def known(self, word: int) -> int:
        """The word, or ``<unk>`` for a mark or a word that the model does not have."""
        return word if END < word < self._words else UNKNOWN

    def _steps(self, words: Sequence[int]) -> list[tuple[float, int]]:
        context: Ngram = (BEGIN,) if self._order > 1 else ()
        steps = []
        for word in words:
            log10, length, context = self._after(context, word)
            steps.append((log10, length))
        return steps

    def _after(self, context: Ngram, word: int) -> tuple[float, int, Ngram]:
        """log10, the length of the n-gram found, and the longest context that ends there."""
        log10 = 0.0
        while (*context, word) not in self._values:
            log10 += self._values[context][1] if context in self._values else 0.0
            context = context[1:]
        gram = (*context, word)
        after = gram if len(gram) < self._order else gram[1:]
        while after not in self._numbers:
            after = after[1:]
        return log10 + self._values[gram][0], len(gram), after


def sum_in_order(values: Sequence[float]) -> float:
    """The sum from left to right, as the kernel adds; `sum` is more exact in newer Pythons."""
    total = 0.0
    for value in values:
        total += value
    return total
