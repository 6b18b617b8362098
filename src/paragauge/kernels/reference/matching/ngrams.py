"""Twins of ngrams.cpp: matching and bags of n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Bags, Floats, IdColumn, Ints, lines_of_segments, sentences


def _ngrams(sentence: list[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sentence[i : i + n]) for i in range(len(sentence) - n + 1))


def match_ngrams(
    candidates: IdColumn,
    others: IdColumn,
    order: int,
    counting: str,
    joint: bool,
    threads: int,
) -> Ints:
    """How many n-grams of each candidate are found in the other line or lines of its segment.

    Rows of 2 * order numbers: matched n-grams for n = 1 ... order, then all n-grams of the
    candidate. `counting` is ``clip``: an occurrence matches if the other line has as many occurrences;
    ``set``: each different n-gram counts once; ``member``: every occurrence counts, and matches if the
    other line has the n-gram at all. With `joint` the best count over the segment's lines decides and
    there is one row per segment, otherwise one row per other line.
    """
    del threads
    if counting not in ("clip", "set", "member"):
        raise ValueError("unknown counting")
    mine, theirs = sentences(*candidates[:2]), sentences(*others[:2])
    rows = []
    for candidate, lines in zip(mine, lines_of_segments(len(others[1]) - 1, others[2]), strict=True):
        other_lines = [theirs[line] for line in lines]
        for rivals in [other_lines] if joint else [[rival] for rival in other_lines]:
            matched, total = [], []
            for n in range(1, order + 1):
                own = _ngrams(candidate, n)
                best: Counter[tuple[int, ...]] = Counter()
                for rival in rivals:
                    best |= _ngrams(rival, n)
                if counting == "set":
                    own, best = Counter(set(own)), Counter(set(best))
                if counting == "member":
                    best = Counter({ngram: own[ngram] for ngram in best})
                matched.append((own & best).total())
                total.append(own.total())
            rows.append(matched + total)
    return np.array(rows, np.int64).reshape(-1, 2 * order)


def ngram_bags(columns: Sequence[IdColumn], order: int, threads: int) -> list[Bags]:
    """For each column the bag of all 1- to `order`-grams of each line, with counts as weights.

    Keys number the different n-grams of a segment from 0 in order of first appearance (columns in
    order, in a line all unigrams before all bigrams), so they agree between the columns there.
    """
    del threads
    lines = [sentences(ids, offsets) for ids, offsets, _ in columns]
    members = [lines_of_segments(len(offsets) - 1, groups) for _, offsets, groups in columns]
    keys: list[list[int]] = [[] for _ in columns]
    weights: list[list[float]] = [[] for _ in columns]
    offsets_of = [[0] for _ in columns]
    for segment in range(len(members[0]) if columns else 0):
        numbers: dict[tuple[int, ...], int] = {}
        for c in range(len(columns)):
            for line in members[c][segment]:
                for n in range(1, order + 1):
                    for ngram, count in _ngrams(lines[c][line], n).items():
                        keys[c].append(numbers.setdefault(ngram, len(numbers)))
                        weights[c].append(float(count))
                offsets_of[c].append(len(keys[c]))
    return [
        (np.array(k, np.int32), np.array(w, np.float64), np.array(o, np.int64))
        for k, w, o in zip(keys, weights, offsets_of, strict=True)
    ]


def bag_overlaps(left: Bags, right: Bags, threads: int) -> Floats:
    """The weight that bag i of `left` shares with bag i of `right`.

    The sum over keys of the smaller weight; a key that occurs several times has the sum of its
    weights.
    """
    del threads
    overlaps = []
    for i in range(len(left[2]) - 1):
        mine: dict[int, float] = {}
        theirs: dict[int, float] = {}
        for bag, (keys, weights, offsets) in ((mine, left), (theirs, right)):
            for at in range(int(offsets[i]), int(offsets[i + 1])):
                bag[int(keys[at])] = bag.get(int(keys[at]), 0.0) + float(weights[at])
        overlap = 0.0
        for key, weight in mine.items():
            overlap += min(weight, theirs.get(key, 0.0))
        overlaps.append(overlap)
    return np.array(overlaps, np.float64)
