"""Twin of constituents_train.cpp: learning a model.

Training is max-margin (Taskar et al. 2004) online: each sentence is parsed with `cost` added for every
label that the right tree does not have there; where another tree wins, the weights of its features
go down and those of the right tree's go up, by AdaGrad (Duchi et al. 2011):

    w += rate * g / sqrt(sum of all g^2 so far),   g = times in the right tree - times in the found one.

The model has the means of the weights over all steps, scaled and rounded to 8 bits. All sums are of
32-bit numbers, in the order written here.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from paragauge.kernels.layout import Bytes, Ids, Ints
from paragauge.kernels.reference.base.hashing import GOLDEN, WORD, mix
from paragauge.kernels.reference.syntax.constituents import MOST, Keys, Weights, label_set, tagged_words
from paragauge.kernels.reference.syntax.constituents_chart import (
    NO_LABEL,
    Chart,
    LabelSet,
    Node,
    Row,
    never,
)
from paragauge.kernels.reference.syntax.constituents_features import (
    ENDS,
    STARTS,
    Words,
    left_features,
    middle_features,
    place_features,
    right_features,
    span_features,
)

Model = tuple[Keys, Ints, Bytes, Weights]


class ConstituentTrainer:
    """Training: an epoch at a time, and the model so far."""

    def __init__(
        self,
        buffer: Bytes,
        spans: Ints,
        word_tags: Ids,
        kinds: Bytes,
        bar_of: Ids,
        lowest: Ids,
        trees: Ids,
        cutoff: int,
        rate: float,
        cost: float,
        seed: int,
    ) -> None:
        self.labels = label_set(bar_of, lowest)
        if not 1 <= len(kinds) <= MOST:
            raise ValueError("expected 1 to 255 tags")
        if not (cutoff >= 1 and rate > 0 and cost >= 0):
            raise ValueError("expected cutoff >= 1, rate > 0 and cost >= 0")
        self.sentences = tagged_words(buffer, spans, word_tags, kinds)
        self.rate, self.cost = np.float32(rate), np.float32(cost)
        self.random, self.step = seed, np.float32(0)
        self.order = list(range(len(self.sentences)))
        rest = iter(trees.tolist())
        sizes = [max(2 * len(words) - 1, 0) for words in self.sentences]
        if sum(sizes) != len(trees):
            raise ValueError("expected 2n - 1 nodes for n words")
        self.trees: list[list[Node]] = [[tuple(next(rest)) for _ in range(n)] for n in sizes]
        for words, tree in zip(self.sentences, self.trees, strict=True):
            if not _is_tree(tree, len(words), self.labels):
                raise ValueError("expected binary trees over the words")
        counts = Counter(
            key
            for words, tree in zip(self.sentences, self.trees, strict=True)
            for node in tree
            if node[0] != NO_LABEL
            for key in node_keys(words, node)
        )
        self.keys = sorted(key for key, times in counts.items() if times >= cutoff)
        self.number = {key: i for i, key in enumerate(self.keys)}
        self.symbols = len(bar_of) + len(kinds)
        shape = (2 * self.symbols + len(self.keys), len(bar_of))
        self.weights, self.squares, self.totals = np.zeros((3, *shape), np.float32)
        for shift, forbidden in enumerate(self.labels.forbidden_pairs(len(kinds), -1)):
            table = self.weights[shift * self.symbols : (shift + 1) * self.symbols]
            table[forbidden < 0] = never(np.dtype(np.float32))
        tables = (self.weights[: self.symbols], self.weights[self.symbols : 2 * self.symbols])
        self.chart = Chart(self.labels, self._row, *tables)

    def _row(self, key: int) -> Row | None:
        number = self.number.get(key)
        return None if number is None else self.weights[2 * self.symbols + number]

    def epoch(self) -> int:
        """Learn from every sentence once; returns how many were not parsed right by the margin."""
        for i in range(len(self.order), 1, -1):
            self.random = (self.random + GOLDEN) & WORD
            draw = (mix(self.random) >> 32) * i >> 32
            self.order[i - 1], self.order[draw] = self.order[draw], self.order[i - 1]
        return sum(self._learn(self.sentences[i], self.trees[i]) for i in self.order)

    def _learn(self, words: Words, right: list[Node]) -> bool:
        self.step += np.float32(1)
        right_labels = {(begin, end): label for label, begin, _, end in right}

        def extra(i: int, j: int, best: Row, bare: Row) -> None:
            label = right_labels.get((i, j), NO_LABEL)
            others = np.arange(len(best)) != label
            best[others] += self.cost
            if label != NO_LABEL:
                bare += self.cost

        parsed = self.chart.parse(words, extra)
        if parsed == right:
            return False
        changes = Counter(self._places(words, right))
        changes.subtract(self._places(words, parsed))
        for place, change in changes.items():
            if change:
                gradient = np.float32(change)
                self.squares[place] += gradient * gradient
                by = self.rate * gradient / np.sqrt(self.squares[place])
                self.weights[place] += by
                self.totals[place] += by * self.step
        return True

    def _places(self, words: Words, tree: list[Node]) -> list[tuple[int, int]]:
        """The positions of the weights whose sum is the tree's score."""
        places = []
        labels = len(self.labels.bar_of)

        def symbol(node: Node) -> int:
            return labels + words.tags[node[1]] if node[0] == NO_LABEL else node[0]

        for at, (label, begin, split, end) in enumerate(tree):
            if label == NO_LABEL:
                continue
            for key in node_keys(words, tree[at]):
                if key in self.number:
                    places.append((2 * self.symbols + self.number[key], label))
            if end - begin > 1:
                places.append((symbol(tree[at + 1]), label))
                places.append((self.symbols + symbol(tree[at + 2 * (split - begin)]), label))
        return places

    def model(self, scale: float, smallest: int) -> Model:
        """Keys (0 for rows of children), offsets, labels and weights; small weights are left out."""
        keys, offsets, columns, weights = [], [0], [], []
        means = self.weights - self.totals / (self.step + np.float32(1))
        for row in range(len(means)):
            for label in range(means.shape[1]):
                if self.squares[row, label] == 0:
                    continue
                scaled = float(means[row, label] * np.float32(scale))
                size = min(math.floor(abs(scaled) + 0.5), 127)
                if size >= smallest:
                    columns.append(label)
                    weights.append(-size if scaled < 0 else size)
            child = row < 2 * self.symbols
            if child or len(columns) > offsets[-1]:
                keys.append(0 if child else self.keys[row - 2 * self.symbols])
                offsets.append(len(columns))
        return (
            np.array(keys, np.uint32),
            np.array(offsets, np.int64),
            np.array(columns, np.uint8),
            np.array(weights, np.int8),
        )


def node_keys(words: Words, node: Node) -> list[int]:
    """All features of a node."""
    _, i, k, j = node
    keys = (
        place_features(words, i, STARTS) + place_features(words, j, ENDS) + span_features(words, i, j)
    )
    if j - i > 1:
        keys += middle_features(words, k) + left_features(words, i, k) + right_features(words, k, j)
    return keys


def _is_tree(tree: list[Node], words: int, labels: LabelSet) -> bool:
    """Whether nodes are those of a binary tree, in order, with bars only where they may be."""
    waiting = [(0, words, False, -1)] if words else []
    for label, begin, split, end in tree:
        if not waiting:
            return False
        i, j, left, lowest = waiting.pop()
        if (begin, end) != (i, j) or not NO_LABEL <= label < len(labels.bar_of):
            return False
        bar = labels.bar_of[label] if label != NO_LABEL else -1
        if bar != -1 and not (left and bar == lowest and j - i > 1):
            return False
        if j - i > 1:
            if label == NO_LABEL or not i < split < j:
                return False
            waiting.append((split, j, False, labels.lowest[label]))
            waiting.append((i, split, True, labels.lowest[label]))
        elif split != i:
            return False
    return not waiting
