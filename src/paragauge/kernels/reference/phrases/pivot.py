"""Twin of pivot.cpp: segmentation, confusion networks and the agreement of their bags."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Floats, Ids, Ints

PIVOT_ORDER = 4
NO_PHRASE = -1

Sentences = tuple[Ids, Ints]
Gram = tuple[int, ...]
PivotBags = tuple[Ids, Floats, Ints]


def _rows(sentences: Sentences) -> list[Gram]:
    ids, offsets = (values.tolist() for values in sentences)
    return [tuple(ids[a:b]) for a, b in itertools.pairwise(offsets)]


class PivotTable:
    """Phrases of one language with their log probabilities, and their translations.

    Phrase i of `phrases` has the score scores[i] and the edges edge_offsets[i] to edge_offsets[i + 1]:
    `targets` are numbers of `target_phrases`, `probabilities` their weights. Sentences and phrases are
    (ids, offsets).
    """

    def __init__(
        self,
        phrases: Sentences,
        scores: Floats,
        edge_offsets: Ints,
        targets: Ids,
        probabilities: Floats,
        target_phrases: Sentences,
    ) -> None:
        rows = _rows(phrases)
        if () in rows:
            raise ValueError("a phrase must have a word")
        if len(set(rows)) < len(rows):
            raise ValueError("a phrase stands twice in the table")
        self._phrases = {row: number for number, row in enumerate(rows)}
        self._longest = max(map(len, rows), default=1)
        self._scores = scores.tolist()
        theirs = _rows(target_phrases)
        bounds, numbers, weights = edge_offsets.tolist(), targets.tolist(), probabilities.tolist()
        self._edges = [
            [(theirs[numbers[i]], weights[i]) for i in range(a, b)]
            for a, b in itertools.pairwise(bounds)
        ]

    def _best(self, words: Gram, unknown: float, longest: int) -> list[tuple[int, int]]:
        """(end, number) of each phrase of the segmentation with the highest sum of scores.

        A single word that is no phrase counts `unknown` and has the number -1. Phrases of
        at most `longest` words are used. Of equally good segmentations the one with the longer last
        phrase is taken.
        """
        best = [0.0] + [-math.inf] * len(words)
        back = [(0, NO_PHRASE)] * (len(words) + 1)
        for end in range(1, len(words) + 1):
            for start in range(max(0, end - min(longest, self._longest)), end):
                number = self._phrases.get(words[start:end], NO_PHRASE)
                if number == NO_PHRASE and end - start > 1:
                    continue
                score = unknown if number == NO_PHRASE else self._scores[number]
                if best[start] + score > best[end]:
                    best[end], back[end] = best[start] + score, (start, number)
        segments = []
        end = len(words)
        while end > 0:
            segments.append((end, back[end][1]))
            end = back[end][0]
        return segments[::-1]

    def segment(
        self, sentences: Sentences, unknown: float, longest: int, threads: int
    ) -> tuple[Ids, Ids, Ints]:
        """The best segmentation of each sentence: ends and numbers of its phrases, and offsets."""
        del threads
        _check_longest(longest)
        segmentations = [self._best(words, unknown, longest) for words in _rows(sentences)]
        flat = [phrase for segmentation in segmentations for phrase in segmentation]
        return (
            np.array([end for end, _ in flat], np.int32),
            np.array([number for _, number in flat], np.int32),
            np.cumsum([0, *map(len, segmentations)], dtype=np.int64),
        )

    def network(self, words: Gram, unknown: float, longest: int) -> list[list[tuple[Gram, float]]]:
        """The alternatives of each phrase with their probabilities; unknown words are themselves."""
        return [
            [((words[end - 1],), 1.0)] if number == NO_PHRASE else self._edges[number]
            for end, number in self._best(words, unknown, longest)
        ]

    def bags(
        self, sentences: Sentences, unknown: float, longest: int, order: int, least: float, threads: int
    ) -> PivotBags:
        """The n-grams of each sentence's network, n = 1 ... `order`, that weigh more than `least`.

        The weight is the product of the edges that the n-gram lies on, summed over its places: if the
        edges of each phrase sum to one, how often it is expected on a path. N-grams are rows of four
        numbers, filled up with -1, sorted within the sentence. A phrase without edges cuts the network:
        no n-gram reaches over it.
        """
        del threads
        _check_longest(longest)
        if not 1 <= order <= PIVOT_ORDER:
            raise ValueError("order must be from 1 to 4")
        bags = []
        for words in _rows(sentences):
            bag = expected_ngrams(self.network(words, unknown, longest), order)
            bags.append(sorted((_pad(gram), w) for gram, w in bag.items() if w > least))
        flat = [item for bag in bags for item in bag]
        return (
            np.array([gram for gram, _ in flat], np.int32).reshape(-1, PIVOT_ORDER),
            np.array([weight for _, weight in flat], np.float64),
            np.cumsum([0, *map(len, bags)], dtype=np.int64),
        )


def _check_longest(longest: int) -> None:
    if longest < 1:
        raise ValueError("longest must be at least 1")


def expected_ngrams(network: Sequence[Sequence[tuple[Gram, float]]], order: int) -> dict[Gram, float]:
    """The weight of every n-gram, n = 1 ... `order`, in one pass over the network.

    `tails[j]` holds the last j words of the paths that have so many, with the product of the edges
    that they lie on. An n-gram that ends in an edge lies inside it, or takes its first j words from
    a tail.

    >>> expected_ngrams([[((7,), 0.75), ((8,), 0.25)], [((7,), 1.0)]], 2)
    {(7,): 1.75, (8,): 0.25, (7, 7): 0.75, (8, 7): 0.25}
    """
    bag: dict[Gram, float] = {}
    tails: list[dict[Gram, float]] = [{} for _ in range(order)]

    def add(to: dict[Gram, float], gram: Gram, weight: float) -> None:
        to[gram] = to[gram] + weight if gram in to else weight

    for edges in network:
        if not edges:
            tails = [{} for _ in range(order)]
            continue
        after: list[dict[Gram, float]] = [{} for _ in range(order)]
        for words, probability in edges:
            for first in range(len(words)):
                for last in range(first + 1, min(first + order, len(words)) + 1):
                    add(bag, words[first:last], probability)
            for j in range(1, order):
                for tail, weight in tails[j].items():
                    for n in range(1, min(len(words), order - j) + 1):
                        add(bag, tail + words[:n], weight * probability)
            for j in range(1, order):
                if len(words) >= j:
                    add(after[j], words[len(words) - j :], probability)
                else:
                    for tail, weight in tails[j - len(words)].items():
                        add(after[j], tail + words, weight * probability)
        tails = after
    return bag


def _pad(gram: Gram) -> Gram:
    return gram + (-1,) * (PIVOT_ORDER - len(gram))


def gram_overlaps(
    left: PivotBags,
    right: PivotBags,
    left_index: Ints,
    right_index: Ints,
    word_weights: Floats,
    other_weight: float,
    threads: int,
) -> Floats:
    """How far bag left_index[i] of `left` agrees with bag right_index[i] of `right`, for each i.

    A row holds for n = 1 ... 4 the weight that the bags share (the smaller of the two, summed over
    n-grams), the left bag's weight and the right bag's. With `word_weights`, n-grams are multiplied
    by the mean weight of their words; `other_weight` is that of words beyond the array.
    """
    del threads
    rows = np.zeros((len(left_index), 3 * PIVOT_ORDER))
    ours, theirs = _bags(left), _bags(right)
    for row, a, b in zip(rows, left_index.tolist(), right_index.tolist(), strict=True):
        for gram in sorted({*ours[a], *theirs[b]}):
            words = [word for word in gram if word >= 0]
            worth = 1.0
            if len(word_weights):
                known = len(word_weights)
                worth = 0.0
                for word in words:
                    worth += float(word_weights[word]) if word < known else other_weight
                worth /= len(words)
            at = 3 * (len(words) - 1)
            mine, other = ours[a].get(gram), theirs[b].get(gram)
            if mine is not None and other is not None:
                row[at] += worth * min(mine, other)
            row[at + 1] += worth * mine if mine is not None else 0.0
            row[at + 2] += worth * other if other is not None else 0.0
    return rows


def _bags(bags: PivotBags) -> list[dict[Gram, float]]:
    grams, weights, offsets = bags
    items = [
        (tuple(gram), weight) for gram, weight in zip(grams.tolist(), weights.tolist(), strict=True)
    ]
    return [dict(items[a:b]) for a, b in itertools.pairwise(offsets)]
