"""Constituent trees of many sentences in flat arrays.

Constituents stand in pre-order, sentence after sentence: a parent before its children, the upper one
of a unary chain before the lower one. Tags are constituents too (pre-terminals), the last ones over
their word. `label`, `begin`, `end` and `parent` are int32 arrays with one entry per constituent: its
label's number in `labels`, its first word, the word after its last, and its parent's position in the
sentence (-1 for the root). Constituents of sentence i are those from offsets[i] to offsets[i + 1],
its words those from words.groups[i] to words.groups[i + 1].

Empty elements (-NONE-) are left out, and constituents that have nothing else with them. Brackets
inside words are spelled -LRB- and so on, as in the Penn Treebank, and stay so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, ShapeError
from paragauge.kernels import _native
from paragauge.kernels.layout import Ids, Ints
from paragauge.syntax.sentence import Sentence
from paragauge.text.lines import LineGroups, Lines
from paragauge.text.ragged import Ragged, gather
from paragauge.text.vocabulary import Vocabulary

LIKE = "expected one tree such as (ROOT (NN dog))"


class Trees:
    """Trees of sentences; see the module. Slices, masks and arrays of indices give other Trees.

    >>> trees = Trees.of(["(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))"])
    >>> trees.spans(0)
    [('ROOT', 0, 2), ('S', 0, 2), ('NP', 0, 1), ('NNS', 0, 1), ('VP', 1, 2), ('VBP', 1, 2)]
    >>> trees.words[0], trees.parent.tolist()
    (['Dogs', 'bark'], [-1, 0, 1, 2, 1, 4])
    """

    __slots__ = ("begin", "end", "label", "labels", "offsets", "parent", "words")

    def __init__(
        self,
        labels: Sequence[str],
        label: Ids,
        begin: Ids,
        end: Ids,
        parent: Ids,
        offsets: Ints,
        words: LineGroups,
    ) -> None:
        self.labels = tuple(labels)
        self.label, self.begin, self.end, self.parent = label, begin, end, parent
        self.offsets = offsets
        self.words = words
        if len({len(label), len(begin), len(end), len(parent), int(offsets[-1])}) != 1:
            raise ShapeError("trees: expected as many labels as begins, ends and parents")
        if len(offsets) - 1 != len(words):
            raise ShapeError(f"trees: expected words of {len(offsets) - 1} trees, found {len(words)}")

    @classmethod
    def of(cls, texts: Iterable[str], *, strip: bool = False) -> Trees:
        """Read bracketed trees, one a string; `strip` turns labels like NP-SBJ=1 into NP.

        >>> Trees.of(["( (S (NP-SBJ (-NONE- *)) (VP (VB Go))))"], strip=True).to_brackets()
        ['(ROOT (S (VP (VB Go))))']
        >>> Trees.of(["(S (NN a)"])
        Traceback (most recent call last):
        paragauge.errors.InputError: trees: segment 1: expected one tree such as (ROOT (NN dog)), found
        1 brackets that are not closed
        """
        trees, wrong = read_lines(Lines.of(texts, "trees"), Vocabulary(), strip=strip)
        if wrong is not None:
            raise InputError(f"trees: segment {wrong[0] + 1}: {LIKE}, {wrong[1]}")
        return trees

    @classmethod
    def concatenate(cls, parts: Sequence[Trees]) -> Trees:
        """The trees of all parts, one part after the other; their labels become one list.

        >>> Trees.concatenate([Trees.of(["(A a)"]), Trees.of(["(B (A b))"])]).to_brackets()
        ['(A a)', '(B (A b))']
        """
        labels: dict[str, int] = {}
        renamed = []
        for part in parts:
            numbers = [labels.setdefault(label, len(labels)) for label in part.labels]
            renamed.append(np.array(numbers, np.int32)[part.label])
        lines = Lines.concatenate([part.words.lines for part in parts])
        return cls(
            tuple(labels),
            _concatenate_ids(renamed),
            _concatenate_ids([part.begin for part in parts]),
            _concatenate_ids([part.end for part in parts]),
            _concatenate_ids([part.parent for part in parts]),
            _end_to_end([np.diff(part.offsets) for part in parts]),
            LineGroups(lines, _end_to_end([part.words.counts() for part in parts])),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, key: slice | list[bool] | list[int] | NDArray[np.generic]) -> Trees:
        chosen = np.arange(len(self))[key]
        if chosen.ndim != 1:
            raise TypeError("Trees are indexed by a slice, a mask or a list; one tree is [i : i + 1]")
        nodes, offsets = gather(self.offsets, chosen)
        word, groups = gather(self._groups(), chosen)
        lines = Lines(self.words.lines.buffer, np.ascontiguousarray(self.words.lines.spans[word]))
        columns = (self.label[nodes], self.begin[nodes], self.end[nodes], self.parent[nodes])
        return Trees(self.labels, *columns, offsets, LineGroups(lines, groups))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trees) and self.to_brackets() == other.to_brackets()

    __hash__ = None  # type: ignore[assignment]  # mutable arrays

    def __repr__(self) -> str:
        return f"Trees({len(self)} trees, {len(self.label)} constituents)"

    @property
    def leaves(self) -> NDArray[np.bool_]:
        """Which constituents are tags, bool [constituents].

        >>> Trees.of(["(NP (NP (NN a)) (NN b))"]).leaves.tolist()
        [False, False, True, True]
        """
        is_leaf = np.ones(len(self.label), np.bool_)
        inner = self.parent >= 0
        starts = np.repeat(self.offsets[:-1], np.diff(self.offsets))
        is_leaf[(starts + self.parent)[inner]] = False
        return is_leaf

    def tags(self) -> Ragged:
        """Numbers in `labels` of the tags of each sentence's words.

        >>> trees = Trees.of(["(NP (DT a) (NN dog))"])
        >>> [trees.labels[i] for i in trees.tags()[0]]
        ['DT', 'NN']
        """
        return Ragged(self.label[self.leaves], self._groups())

    def sentences(self) -> Iterator[Sentence]:
        """Words and tags of each tree.

        >>> [sentence.tags for sentence in Trees.of(["(NP (DT a) (NN dog))"]).sentences()]
        [('DT', 'NN')]
        """
        for words, tags in zip(self.words, self.tags(), strict=True):
            yield Sentence(tuple(words), tuple(self.labels[i] for i in tags.tolist()))

    def spans(self, index: int) -> list[tuple[str, int, int]]:
        """(label, first word, word after the last) of the constituents of one tree, in pre-order."""
        part = slice(*self.offsets[index : index + 2].tolist())
        labels = (self.labels[i] for i in self.label[part].tolist())
        return list(zip(labels, self.begin[part].tolist(), self.end[part].tolist(), strict=True))

    def to_brackets(self) -> list[str]:
        """Each tree on one line; a tree without words is an empty string.

        Round brackets in words are written -LRB- and -RRB-.

        >>> Trees.of(["(S\\n  (NP (PRP I))\\n  (VP (VBP see)))"]).to_brackets()
        ['(S (NP (PRP I)) (VP (VBP see)))']
        """
        label, parent = self.label.tolist(), self.parent.tolist()
        leaves, bounds = self.leaves.tolist(), self.offsets.tolist()
        trees = []
        for first, last, words in zip(bounds, bounds[1:], self.words, strict=False):
            out: list[str] = []
            opened: list[int] = []
            word = iter(words)
            for node in range(first, last):
                while opened and opened[-1] != first + parent[node]:
                    opened.pop()
                    out.append(")")
                out.append(f" ({self.labels[label[node]]}")
                if leaves[node]:
                    out.append(f" {_escape(next(word))})")
                else:
                    opened.append(node)
            trees.append("".join(out)[1:] + ")" * len(opened))
        return trees

    def _groups(self) -> Ints:
        groups = self.words.groups
        return np.arange(len(self) + 1, dtype=np.int64) if groups is None else groups


def read_lines(
    lines: Lines, labels: Vocabulary, *, strip: bool
) -> tuple[Trees, tuple[int, str] | None]:
    """The trees of lines, up to the first invalid one; the number of that line and what is wrong.

    `labels` grows. Words share the memory of the lines.

    >>> read_lines(Lines.of(["(A b)", "(A"]), Vocabulary(), strip=False)
    (Trees(1 trees, 1 constituents), (1, 'found 1 brackets that are not closed'))
    """
    columns = _native.read_brackets(lines.buffer, lines.spans, labels.native, strip)
    label, begin, end, parent, offsets, words, groups, bad, message = columns
    trees = Trees(
        tuple(labels),
        label,
        begin,
        end,
        parent,
        offsets,
        LineGroups(Lines(lines.buffer, words), groups),
    )
    return trees, None if bad < 0 else (bad, message)


def _escape(word: str) -> str:
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def _concatenate_ids(columns: Sequence[Ids]) -> Ids:
    return np.concatenate([np.zeros(0, np.int32), *columns])


def _end_to_end(lengths: Sequence[Ints]) -> Ints:
    return np.cumsum(np.concatenate([[0], *lengths]), dtype=np.int64)
