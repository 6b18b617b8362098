"""Entropy pruning of a back-off language model (Stolcke 1998), on dictionaries."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Bytes, Singles
from paragauge.kernels.reference.lm.estimate import BEGIN, END, LOG_ZERO, Ngram
from paragauge.kernels.reference.lm.model import Level, ngrams_of, sum_in_order


def entropy_prune(
    levels: Sequence[Level], threshold: float, threads: int
) -> list[tuple[Bytes, Singles]]:
    """Which n-grams stay (Stolcke 1998; `lm/ngram_table.py` has the formula), and all new back-offs."""
    del threads
    orders = ngrams_of(levels)
    values: dict[Ngram, tuple[float, float]] = {}
    for grams, (_, _, probabilities, backoffs) in zip(orders[1:], levels, strict=True):
        pairs = zip(probabilities.tolist(), backoffs.tolist(), strict=True)
        values |= dict(zip(grams, pairs, strict=True))
    kept = set(values)
    for grams in reversed(orders[2:]):
        contexts = {gram[:-1] for gram in kept}
        for context, children in _group_by_context(grams).items():
            _choose(context, children, values, contexts, threshold, kept)
    backoff = {gram: pair[1] for gram, pair in values.items()}
    for grams in orders[2:]:
        listed = _group_by_context(grams)
        for context in orders[len(grams[0]) - 1] if grams else []:
            backoff[context] = _balance(listed.get(context, []), values, kept, backoff)
    return [
        (
            np.array([gram in kept for gram in grams], np.uint8),
            np.array([backoff[gram] for gram in grams], np.float32),
        )
        for grams in orders[1:]
    ]


def _group_by_context(grams: Sequence[Ngram]) -> dict[Ngram, list[Ngram]]:
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
    left = max(0.0, 1 - sum_in_order([10 ** values[gram][0] for gram in children]))
    left_lower = max(0.0, 1 - sum_in_order([10 ** lower[gram] for gram in children]))
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


def _balance(
    children: list[Ngram],
    values: dict[Ngram, tuple[float, float]],
    kept: set[Ngram],
    backoff: dict[Ngram, float],
) -> float:
    """The back-off that makes a context sum to one."""
    stay = [gram for gram in children if gram in kept]
    left = 1 - sum_in_order([10 ** values[gram][0] for gram in stay])
    left_lower = 1 - sum_in_order([10 ** _log10(gram[1:], values, kept, backoff) for gram in stay])
    if not stay or left_lower <= 0:
        return 0.0
    return float(np.float32(math.log10(left / left_lower) if left > 0 else LOG_ZERO))
