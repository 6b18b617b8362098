"""Twins of pair_counts.cpp: n-grams of one candidate against its own references or sources."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.reference.matching.ngrams import match_ngrams
from paragauge.kernels.reference.text.text import tokens


def match_pair(
    candidate: str, others: str | Sequence[str], scheme: str, order: int, counting: str, joint: bool
) -> tuple[list[int], list[int]]:
    """Tokens of the candidate and of each other line, and the rows of `match_ngrams` in one list."""
    if order < 1:
        raise ValueError("order must be at least 1")
    listed = [others] if isinstance(others, str) else others
    if not isinstance(listed, (list, tuple)) or not listed:
        raise TypeError("expected a text or a list of texts")
    for text in (candidate, *listed):
        if not isinstance(text, str) or not _is_unicode(text):
            raise TypeError("expected text")
    lines = [tokens(line, scheme) for line in (candidate, *listed)]
    numbers: dict[str, int] = {}
    for token in itertools.chain(*lines):
        numbers.setdefault(token, len(numbers))
    ids = [np.array([numbers[token] for token in line], np.int32) for line in lines]
    offsets = np.cumsum([0, *map(len, ids[1:])], dtype=np.int64)
    rows = match_ngrams(
        (ids[0], np.array([0, len(ids[0])], np.int64), None),
        (np.concatenate(ids[1:]), offsets, np.array([0, len(listed)], np.int64)),
        order,
        counting,
        joint,
        1,
    )
    return [len(line) for line in lines], rows.ravel().tolist()


def pair_novelty(
    candidate: str,
    others: str | Sequence[str],
    scheme: str,
    order: int,
    counting: str,
    joint: bool,
    missing: float,
) -> float:
    """The mean share of n-grams that are not matched, over the orders that the candidate has.

    If `missing` is not negative, it is the share of the other orders.
    """
    lengths, row = match_pair(candidate, others, scheme, order, counting, joint)
    if not joint and len(lengths) != 2:
        raise TypeError("expected one other text")
    shares = []
    for matched, ngrams in zip(row[:order], row[order:], strict=True):
        if ngrams:
            shares.append((ngrams - matched) / ngrams)
        elif missing >= 0:
            shares.append(missing)
    return sum(shares) / max(len(shares), 1)


def _is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogate."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
