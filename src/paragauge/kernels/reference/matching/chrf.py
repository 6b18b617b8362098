"""Twin of chrf.cpp: character and word n-grams in common with the best reference."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Ints, TextColumn, lines_of_segments, texts

SMALL = 1e-16


def _ngrams(symbols: Sequence[str], order: int) -> list[Counter[tuple[str, ...]]]:
    """The n-grams of each order up to `order`."""
    return [
        Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))
        for n in range(1, order + 1)
    ]


def _words(line: str) -> list[str]:
    """The words of a line, each split from one punctuation mark at its end or, if none, at its start.

    >>> _words('He said "no!" (twice)')
    ['He', 'said', '"no!', '"', '(twice', ')']
    """
    words = []
    for word in line.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def _f_score(row: list[int], beta: float, smooth: bool) -> float:
    """The F-score from 0 to 1 of a row of counts."""
    factor = beta * beta
    score = precision = recall = 0.0
    orders = 0
    for own, other, common in zip(row[::3], row[1::3], row[2::3], strict=True):
        p = common / own if own else SMALL
        r = common / other if other else SMALL
        divisor = factor * p + r
        score += (1 + factor) * p * r / divisor if divisor > 0 else SMALL
        if own and other:
            precision, recall, orders = precision + p, recall + r, orders + 1
    if smooth:
        return score / (len(row) // 3)
    if precision + recall == 0:
        return 0.0
    precision, recall = precision / orders, recall / orders
    return (1 + factor) * precision * recall / (factor * precision + recall)


def chrf_counts(
    candidates: TextColumn,
    references: TextColumn,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    smooth: bool,
    threads: int,
) -> Ints:
    """For each segment (own, the reference's, common) n-grams of each order, characters then words.

    The reference is the first of those with the best F-score; with `smooth` that is the mean of the
    orders' F-scores. Own n-grams of an order are not counted if the reference has none. A segment
    without references has zeros.
    """
    del threads

    def count(line: str) -> list[Counter[tuple[str, ...]]]:
        characters = line if whitespace else "".join(line.split())
        return _ngrams(characters, char_order) + _ngrams(_words(line), word_order)

    theirs = [count(line) for line in texts(*references[:2])]
    groups = lines_of_segments(len(theirs), references[2])
    rows = []
    for candidate, lines in zip(texts(*candidates[:2]), groups, strict=True):
        mine = count(candidate)
        best, best_score = [0] * (3 * len(mine)), -1.0
        for line in lines:
            row = []
            for own, other in zip(mine, theirs[line], strict=True):
                row += [own.total() if other else 0, other.total(), (own & other).total()]
            score = _f_score(row, beta, smooth)
            if score > best_score:
                best, best_score = row, score
        rows.append(best)
    return np.array(rows, np.int64).reshape(-1, 3 * (char_order + word_order))
