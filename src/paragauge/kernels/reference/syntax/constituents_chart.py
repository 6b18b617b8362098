"""Twin of constituents_chart.hpp: the best binary tree over a sentence, by CKY.

A label is that of a constituent, of a chain of them over the same words, or of the first children of
a constituent (a bar). The score of a tree is the sum over its nodes of

    span(i, j, A) + middle(k, A) + left(i, k, A) + right(k, j, A) + first[B, A] + second[C, A]

for label A over the words i to j - 1, split at k into children with labels B and C. A word without a
constituent of its own has its tag for a label, and a node over one word has only the first term. Among
equals the tag wins, then the smaller label; of splits, the first one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

NO_LABEL = -1
Row = NDArray[Any]
Node = tuple[int, int, int, int]
Extra = Callable[[int, int, Row, Row], None]


@dataclass(frozen=True)
class LabelSet:
    """For each label the constituent it is a bar of (-1: none) and its last constituent."""

    bar_of: list[int]
    lowest: list[int]

    def forbidden_pairs(self, tags: int, never: float) -> tuple[Row, Row]:
        """`never` where a child is not allowed below a parent: tables [labels + tags, labels]."""
        labels = len(self.bar_of)
        first, second = np.zeros((2, labels + tags, labels))
        for child, bar in enumerate(self.bar_of):
            for parent, lowest in enumerate(self.lowest):
                first[child, parent] = never if bar not in (-1, lowest) else 0
                second[child, parent] = never if bar != -1 else 0
        return first, second


class Chart:
    """Scores: `row(key)`, of a feature for all labels or None; `first`, `second`: of children."""

    def __init__(
        self, labels: LabelSet, row: Callable[[int], Row | None], first: Row, second: Row
    ) -> None:
        self.labels = labels
        self.bars = np.array([bar != -1 for bar in labels.bar_of])
        self.row, self.first, self.second = row, first, second
        self.never = never(first.dtype)

    def parse(self, words: Words, extra: Extra | None = None) -> list[Node]:
        """Nodes (label, begin, split, end), a parent before its children, the left one first.

        `extra` may change the scores of a span's labels and of its bare word.
        """
        n = len(words)
        if n == 0:
            return []
        self.best: dict[tuple[int, int], Row] = {}
        self.bare = np.zeros((n, 1), self.first.dtype)
        self.left: dict[tuple[int, int], Row] = {}
        self.right: dict[tuple[int, int], Row] = {}
        for length in range(1, n + 1):
            for i in range(n - length + 1):
                self._fill(words, i, i + length, extra)
        whole = np.where(self.bars, self.never * 4, self.best[0, n])
        top = int(np.argmax(whole))
        if n == 1 and self.bare[0, 0] >= whole[top]:
            top = NO_LABEL
        out: list[Node] = []
        waiting = [(0, n, top)]
        while waiting:
            i, j, label = waiting.pop()
            split = i
            if j - i > 1:
                sums = [self.left[i, k][label] + self.right[k, j][label] for k in range(i + 1, j)]
                split = i + 1 + int(np.argmax(sums))
                waiting.append((split, j, self._child(words, self.second, split, j, label)))
                waiting.append((i, split, self._child(words, self.first, i, split, label)))
            out.append((label, i, split, j))
        return out

    def _sum(self, keys: list[int]) -> Row:
        total = np.zeros(len(self.bars), self.first.dtype)
        for key in keys:
            row = self.row(key)
            if row is not None:
                total = total + row
        return total

    def _fill(self, words: Words, i: int, j: int, extra: Extra | None) -> None:
        places = self._sum(place_features(words, i, STARTS)) + self._sum(place_features(words, j, ENDS))
        scores = self._sum(span_features(words, i, j)) + places
        if j - i == 1:
            best = np.where(self.bars, self.never, scores)
        else:
            splits = [self.left[i, k] + self.right[k, j] for k in range(i + 1, j)]
            best = np.max(splits, axis=0) + scores
        if extra is not None:
            extra(i, j, best, self.bare[i] if j - i == 1 else np.zeros(0))
        self.best[i, j] = best
        if j < len(words):
            best_child = self._children(words, self.first, i, j).max(axis=0)
            self.left[i, j] = best_child + self._sum(left_features(words, i, j))
        if i > 0:
            best_child = self._children(words, self.second, i, j).max(axis=0)
            middle = self._sum(middle_features(words, i))
            self.right[i, j] = best_child + (self._sum(right_features(words, i, j)) + middle)

    def _children(self, words: Words, table: Row, i: int, j: int) -> Row:
        """Scores [symbols, parents]: the tag if there is only one word, then the labels."""
        labels = len(self.bars)
        scores = self.best[i, j][:, None] + table[:labels]
        if j - i == 1:
            tag = self.bare[i] + table[labels + words.tags[i]]
            scores = np.concatenate([tag[None], scores])
        return scores

    def _child(self, words: Words, table: Row, i: int, j: int, parent: int) -> int:
        return int(np.argmax(self._children(words, table, i, j)[:, parent])) - (j - i == 1)


def never(kind: np.dtype[Any]) -> Any:
    """The score of what is not allowed."""
    return kind.type(-1e20) if kind.kind == "f" else kind.type(-(1 << 28))
