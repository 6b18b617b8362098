"""Queries of a back-off language model and entropy pruning, on dictionaries.

Levels are tuples (parents, words, probabilities, back-offs), one for each order; `lm/table.py` says what
they hold. A state is the number of an n-gram: 0 for the empty one, then order by order.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.reference.arrays import Bytes, Floats, Ids, Ints, sentences
from paragauge.kernels.reference.lm_estimate import BEGIN, END, LOG_ZERO, UNKNOWN, Ngram, Singles

Level = tuple[Ids, Ids, Singles, Singles]


def ngrams_of(levels: Sequence[Level]) -> list[list[Ngram]]:
    """The n-grams of each order as tuples of words; a ValueError if the levels are not a trie."""
    orders: list[list[Ngram]] = [[()]]
    for k, (parents, words, _, _) in enumerate(levels, 1):
        pairs = list(zip(parents.tolist(), words.tolist(), strict=True))
        size = len(levels[0][1])
        good = all(0 <= up < len(orders[-1]) and 0 <= word < size for up, word in pairs)
        ascending = all(left < right for left, right in zip(pairs, pairs[1:], strict=False))
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
        return BEGIN + 1

    def sentences(self, ids: Ids, offsets: Ints, threads: int) -> tuple[Floats, Floats, Ints]:
        """log10 of each sentence with ``</s>``, the part that is not of unknown words, their number."""
        del threads
        rows = []
        for words in sentences(ids, offsets):
            given = [*map(self._known, words), END]
            found = [log10 for log10, _ in self._steps(given)]
            known = [log10 for word, log10 in zip(given, found, strict=True) if word != UNKNOWN]
            rows.append((_total(found), _total(known), len(found) - len(known)))
        columns = list(zip(*rows, strict=True)) or [(), (), ()]
        return (
            np.array(columns[0], np.float64),
            np.array(columns[1], np.float64),
            np.array(columns[2], np.int64),
        )

    def tokens(self, ids: Ids, offsets: Ints, threads: int) -> tuple[Floats, Ids, Ints]:
        """log10 of each token with ``</s>``, the length of the n-gram found, offsets of sentences."""
        del threads
        found = [
            list(self._steps([*map(self._known, words), END])) for words in sentences(ids, offsets)
        ]
        flat = [step for each in found for step in each]
        return (
            np.array([log10 for log10, _ in flat], np.float64),
            np.array([length for _, length in flat], np.int32),
            np.cumsum([0, *map(len, found)], dtype=np.int64),
        )

    def step(self, state: int, word: int) -> tuple[float, int]:
        """log10 of `word` after `state`, and the state after it."""
        if not 0 <= state < len(self._flat):
            raise ValueError("no such state")
        if not 0 <= word < self._words:
            raise ValueError("no such word")
        log10, _, after = self._after(self._flat[state], word)
        return log10, self._numbers[after]

    def _known(self, word: int) -> int:
        return word if END < word < self._words else UNKNOWN

    def _steps(self, words: Sequence[int]) -> list[tuple[float, int]]:
        context: Ngram = (BEGIN,)
        found = []
        for word in words:
            log10, length, context = self._after(context, word)
            found.append((log10, length))
        return found

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


def _total(values: Sequence[float]) -> float:
    """The sum from left to right, as the kernel adds; `sum` is more exact in newer Pythons."""
    total = 0.0
    for value in values:
        total += value
    return total


def entropy_prune(
    levels: Sequence[Level], threshold: float, threads: int
) -> list[tuple[Bytes, Singles]]:
    """Which n-grams stay (Stolcke 1998; `lm/table.py` has the formula), and all back-offs anew."""
    del threads
    orders = ngrams_of(levels)
    values: dict[Ngram, tuple[float, float]] = {}
    for grams, (_, _, probabilities, backoffs) in zip(orders[1:], levels, strict=True):
        pairs = zip(probabilities.tolist(), backoffs.tolist(), strict=True)
        values |= dict(zip(grams, pairs, strict=True))
    kept = set(values)
    for grams in reversed(orders[2:]):
        contexts = {gram[:-1] for gram in kept}
        for context, children in _by_context(grams).items():
            _choose(context, children, values, contexts, threshold, kept)
    backoff = {gram: pair[1] for gram, pair in values.items()}
    for grams in orders[2:]:
        listed = _by_context(grams)
        for context in orders[len(grams[0]) - 1] if grams else []:
            backoff[context] = _balanced(context, listed.get(context, []), values, kept, backoff)
    return [
        (
            np.array([gram in kept for gram in grams], np.uint8),
            np.array([backoff[gram] for gram in grams], np.float32),
        )
        for grams in orders[1:]
    ]


def _by_context(grams: Sequence[Ngram]) -> dict[Ngram, list[Ngram]]:
    groups: defaultdict[Ngram, list[Ngram]] = defaultdict(list)
    for gram in grams:
        groups[gram[:-1]].append(gram)
    return groups


def _log10(
    gram: Ngram,
    values: dict[Ngram, tuple[float, float]],
    kept: set[Ngram],
    backoff: dict[Ngram, float],
) -> float:
    """log10 of the last word after the others, by n-grams that are kept."""
    total = 0.0
    while gram not in kept:
        total += backoff.get(gram[:-1], 0.0)
        gram = gram[1:]
    return total + values[gram][0]


def _choose(
    context: Ngram,
    children: list[Ngram],
    values: dict[Ngram, tuple[float, float]],
    contexts: set[Ngram],
    threshold: float,
    kept: set[Ngram],
) -> None:
    everything, backoff = set(values), {gram: pair[1] for gram, pair in values.items()}
    lower = {gram: _log10(gram[1:], values, everything, backoff) for gram in children}
    left = max(0.0, 1 - _total([10 ** values[gram][0] for gram in children]))
    left_lower = max(0.0, 1 - _total([10 ** lower[gram] for gram in children]))
    start = 0.0
    for k in range(1, len(context) + 1):
        # <s> stands as often as </s>, and has no probability of its own.
        start += values[(END,) if context[:k] == (BEGIN,) else context[:k]][0]
    for gram in children:
        if gram in contexts:
            continue
        own, low = values[gram][0], lower[gram]
        after = math.log10(left + 10**own) - math.log10(left_lower + 10**low)
        change = 10**own * (low + after - own)
        if left > 0 and left_lower > 0:
            change += left * (after - math.log10(left) + math.log10(left_lower))
        if 10 ** (-(10**start) * change) - 1 < threshold:
            kept.discard(gram)


def _balanced(
    context: Ngram,
    children: list[Ngram],
    values: dict[Ngram, tuple[float, float]],
    kept: set[Ngram],
    backoff: dict[Ngram, float],
) -> float:
    """The back-off that makes a context sum to one."""
    stay = [gram for gram in children if gram in kept]
    left = 1 - _total([10 ** values[gram][0] for gram in stay])
    left_lower = 1 - _total([10 ** _log10(gram[1:], values, kept, backoff) for gram in stay])
    if not stay or left_lower <= 0:
        return 0.0
    return float(np.float32(math.log10(left / left_lower) if left > 0 else LOG_ZERO))
