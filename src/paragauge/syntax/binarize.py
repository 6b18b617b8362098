"""Constituent trees as binary trees, and back.

A constituent over the same words as its only child makes one label with it: S over VP is `S+VP`. A
constituent with more than two children becomes a tower of binary nodes that grows to the right: the
first children of a VP together are `@VP`, a bar, which is the left child of the VP or of a longer
bar. A ROOT or TOP with one child is left out. A word without a constituent of its own has no label
but its tag. Only chains that are frequent enough in training are labels; of a rarer one the upper
constituents are left out until it is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Ids
from paragauge.syntax.trees import Trees
from paragauge.text.lines import LineGroups

NO_LABEL = -1
ROOT = "ROOT"
ROOTS = (ROOT, "TOP")
BAR = "@"
CHAIN = "+"
MOST_LABELS = 255
Chain = tuple[str, ...]


@dataclass(frozen=True)
class Labels:
    """Labels of binary trees: chains of constituents, from above; then bars.

    >>> labels = Labels((("NP",), ("S", "VP"), ("VP",)), ("VP",))
    >>> labels.names
    ['NP', 'S+VP', 'VP', '@VP']
    """

    chains: tuple[Chain, ...]
    bars: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """All labels as text."""
        return [CHAIN.join(chain) for chain in self.chains] + [BAR + bar for bar in self.bars]

    def __len__(self) -> int:
        return len(self.chains) + len(self.bars)

    @cached_property
    def constituents(self) -> list[str]:
        """The labels of single constituents, of which the others are made."""
        return sorted({label for chain in self.chains for label in chain} | set(self.bars))

    def bar_of(self) -> Ids:
        """For each label the number of the constituent it is a bar of, -1 for a chain."""
        number = {label: i for i, label in enumerate(self.constituents)}
        return np.array([-1] * len(self.chains) + [number[bar] for bar in self.bars], np.int32)

    def lowest(self) -> Ids:
        """For each label the number of the constituent whose children its children are."""
        number = {label: i for i, label in enumerate(self.constituents)}
        return np.array([number[c[-1]] for c in self.chains] + [number[b] for b in self.bars], np.int32)


def choose_labels(trees: Trees, cutoff: int = 5) -> Labels:
    """The labels of all constituents, and those of chains that are there `cutoff` times or more.

    >>> choose_labels(Trees.of(["(S (VP (VB Go) (RB on) (. .)))"]), cutoff=1).names
    ['S', 'S+VP', 'VP', '@VP']
    """
    counts: Counter[Chain] = Counter()
    bars = set()
    for i in range(len(trees)):
        for chain, children in _Tree(trees, i).constituents():
            counts[chain] += 1
            if children > 2:
                bars.add(chain[-1])
    single = {(label,) for chain in counts for label in chain}
    frequent = {chain for chain, times in counts.items() if times >= cutoff}
    labels = Labels(tuple(sorted(single | frequent)), tuple(sorted(bars)))
    if not 1 <= len(labels.chains) <= len(labels) <= MOST_LABELS:
        raise InputError(
            f"expected trees with 1 to {MOST_LABELS} labels of constituents, chains and bars, "
            f"found {len(labels)}; strip function tags or leave out rarer chains"
        )
    return labels


def binarize(trees: Trees, labels: Labels) -> Ids:
    """Binary nodes of all trees, int32 [2n - 1 for n words, 4]: label, begin, split, end.

    A parent stands before its children, the left one first; a label that is not in `labels` is left
    out from above.

    >>> trees = Trees.of(["(S (VP (VB Go) (RB on) (. .)))"])
    >>> binarize(trees, choose_labels(trees, cutoff=1)).tolist()
    [[1, 0, 2, 3], [3, 0, 1, 2], [-1, 0, 0, 1], [-1, 1, 1, 2], [-1, 2, 2, 3]]
    """
    number = {chain: i for i, chain in enumerate(labels.chains)}
    bar = {label: len(labels.chains) + i for i, label in enumerate(labels.bars)}
    nodes: list[tuple[int, int, int, int]] = []
    for i in range(len(trees)):
        _Tree(trees, i).binary(number, bar, nodes)
    return np.array(nodes, np.int32).reshape(-1, 4)


class _Tree:
    """One tree, from its top below ROOT."""

    def __init__(self, trees: Trees, index: int) -> None:
        self.spans = trees.spans(index)
        first, last = trees.offsets[index : index + 2].tolist()
        self.children: list[list[int]] = [[] for _ in self.spans]
        for node, parent in enumerate(trees.parent[first:last].tolist()):
            if parent >= 0:
                self.children[parent].append(node)

    def tops(self) -> list[int]:
        if not self.spans:
            return []
        rooted = self.spans[0][0] in ROOTS and len(self.children[0]) == 1
        return self.children[0] if rooted else [0]

    def chain(self, node: int) -> tuple[Chain, list[int]]:
        """Labels from `node` down to where the tree branches or a word comes, and what is there."""
        labels = []
        while self.children[node]:
            labels.append(self.spans[node][0])
            below = self.children[node]
            if len(below) > 1 or not self.children[below[0]]:
                return tuple(labels), below
            node = below[0]
        return (), []

    def constituents(self) -> Iterable[tuple[Chain, int]]:
        waiting = self.tops()
        while waiting:
            chain, below = self.chain(waiting.pop())
            if chain:
                yield chain, len(below)
                waiting = waiting + below

    def binary(
        self, number: dict[Chain, int], bar: dict[str, int], out: list[tuple[int, int, int, int]]
    ) -> None:
        waiting: list[tuple[list[int], str | None]] = [([top], None) for top in self.tops()]
        while waiting:
            nodes, barred = waiting.pop()
            label = NO_LABEL
            if barred is not None:
                label, lowest = bar[barred], barred
            else:
                begin, end = self.spans[nodes[0]][1:]
                chain, below = self.chain(nodes[0])
                while chain and chain not in number:
                    chain = chain[1:]
                if chain:
                    label, lowest = number[chain], chain[-1]
                if len(below) < 2:
                    out.append((label, begin, begin, end))
                    continue
                nodes = below
            out.append((label, self.spans[nodes[0]][1], *self.spans[nodes[-1]][1:]))
            waiting.append((nodes[-1:], None))
            waiting.append((nodes[:-1], None if len(nodes) == 2 else lowest))


def debinarize(
    nodes: Ids, labels: Labels, tags: Sequence[str], word_tags: Ids, words: LineGroups
) -> Trees:
    """Trees with their tags, under ROOT, of binary nodes; `word_tags` are numbers in `tags`.

    >>> labels, words = Labels((("S", "VP"),), ("VP",)), LineGroups.of([["Go", "on", "!"]])
    >>> nodes = np.array([[0, 0, 2, 3], [1, 0, 1, 2], [-1, 0, 0, 1], [-1, 1, 1, 2], [-1, 2, 2, 3]])
    >>> tags = np.array([1, 2, 0], np.int32)
    >>> debinarize(nodes, labels, [".", "VB", "RB"], tags, words).to_brackets()
    ['(ROOT (S (VP (VB Go) (RB on) (. !))))']
    """
    number: dict[str, int] = {}
    for name in (ROOT, *labels.constituents, *tags):
        number.setdefault(name, len(number))
    chains = [[number[label] for label in chain] for chain in labels.chains]
    chains += [[] for _ in range(len(labels.bars) + 1)]  # and NO_LABEL, the last one
    rows, tagged = nodes.tolist(), [number[tags[tag]] for tag in word_tags.tolist()]
    out: list[tuple[int, int, int, int]] = []
    offsets, at, word = [0], 0, 0
    for count in words.counts().tolist():
        start, size = len(out), max(2 * count - 1, 0)
        if count:
            out.append((number[ROOT], 0, count, -1))
        opened = [(count, 0)]  # where open constituents end, and their positions
        for label, begin, _, end in rows[at : at + size]:
            while opened[-1][0] <= begin:
                opened.pop()
            for part in chains[label]:
                if part != number[ROOT]:
                    out.append((part, begin, end, opened[-1][1]))
                    opened.append((end, len(out) - 1 - start))
            if end - begin == 1:
                out.append((tagged[word + begin], begin, end, opened[-1][1]))
        at, word = at + size, word + count
        offsets.append(len(out))
    columns = np.array(out, np.int32).reshape(-1, 4).T
    label_, begin_, end_, parent_ = (np.ascontiguousarray(column) for column in columns)
    return Trees(tuple(number), label_, begin_, end_, parent_, np.array(offsets, np.int64), words)
