"""Labeled bracketing scores of trees and parsers (Black et al. 1991), as evalb counts them.

    precision = matching / found constituents,  recall = matching / right constituents,
    F1 = their harmonic mean,

over all sentences, in percent. A constituent matches one of the right tree that has its label and its
words, each at most once. As with evalb's COLLINS.prm: ROOT, TOP and tags do not count; words with
the tags , : `` '' and . of the right tree are taken out first, with constituents that have nothing
else; PRT and ADVP are the same label. Function tags (NP-SBJ) are left out on both sides.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, LengthError
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.perceptron import join_words
from paragauge.syntax.trees import Trees

UNCOUNTED = ("ROOT", "TOP", "S1", "")
PUNCTUATION = (",", ":", "``", "''", ".")
SAME = {"PRT": "ADVP"}


@dataclass(frozen=True)
class Parseval:
    """Counts of each sentence, int64 [sentences, 3]: matching, found, right.

    >>> right = Trees.of(["(ROOT (S (NP (PRP I)) (VP (VBP go))))"])
    >>> parsed = Trees.of(["(ROOT (S (NP (PRP I)) (NP (NN go))))"])
    >>> round(compare_trees(parsed, right).f1, 1)
    66.7
    """

    counts: NDArray[np.int64]

    @property
    def precision(self) -> float:
        """Share of found constituents that are right, in percent."""
        return _percent(self.counts[:, 0].sum(), self.counts[:, 1].sum())

    @property
    def recall(self) -> float:
        """Share of right constituents that are found, in percent."""
        return _percent(self.counts[:, 0].sum(), self.counts[:, 2].sum())

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in percent."""
        return f1_of(self.counts.sum(axis=0))

    @property
    def exact(self) -> float:
        """Share of sentences without an error, in percent."""
        equal = (self.counts == self.counts[:, :1]).all(axis=1)
        return _percent(equal.sum(), len(equal))


def f1_of(sums: NDArray[np.int64]) -> float:
    """F1, in percent, of summed counts (matching, found, right)."""
    return _percent(2 * sums[0], sums[1] + sums[2])


def compare_trees(parsed: Trees, right: Trees) -> Parseval:
    """Compare trees over the same words, sentence by sentence.

    >>> tree = Trees.of(["(ROOT (S (NP (PRP I)) (VP (VBP go)) (. .)))"])
    >>> compare_trees(tree, tree).counts.tolist()
    [[3, 3, 3]]
    """
    if len(parsed) != len(right):
        raise LengthError(f"trees: expected {len(right)}, as many as right ones, found {len(parsed)}")
    rows = []
    for i, tags in enumerate(right.tags()):
        if parsed.words[i] != right.words[i]:
            raise InputError(f"trees: segment {i + 1}: expected the right tree's words, found others")
        is_counted = [right.labels[tag] not in PUNCTUATION for tag in tags.tolist()]
        ours, theirs = _constituents(parsed, i, is_counted), _constituents(right, i, is_counted)
        rows.append(((ours & theirs).total(), ours.total(), theirs.total()))
    return Parseval(np.array(rows, np.int64).reshape(-1, 3))


def _constituents(trees: Trees, index: int, is_counted: list[bool]) -> Counter[tuple[str, int, int]]:
    place = np.cumsum([0, *is_counted]).tolist()
    first, last = trees.offsets[index : index + 2].tolist()
    inner = set(trees.parent[first:last].tolist())
    constituents: Counter[tuple[str, int, int]] = Counter()
    for node, (label, begin, end) in enumerate(trees.spans(index)):
        name = label if label.startswith("-") else label.replace("=", "-").partition("-")[0]
        if node in inner and name not in UNCOUNTED and place[begin] < place[end]:
            constituents[SAME.get(name, name), place[begin], place[end]] += 1
    return constituents


def _percent(part: int | np.integer, whole: int | np.integer) -> float:
    return 100 * int(part) / int(whole) if whole else 0.0


@dataclass(frozen=True)
class ParserTest:
    """Scores of a parser; `tags_correct` of `words` tags are right, `seconds` on one thread."""

    parser: str
    sentences: int
    words: int
    tags_correct: int
    scores: Parseval
    seconds: float


def measure_parser(parser: ChartParser, right: Trees) -> ParserTest:
    """Parse the trees' words, on one thread, and compare.

    >>> right = Trees.of(["(ROOT (S (NP (PRP She)) (VP (VBD left)) (. .)))"])
    >>> measure_parser(ChartParser.default(), right).scores.f1
    100.0
    """
    words = len(right.words.lines)
    if not words:
        raise InputError("expected trees to test on, found no words")
    lines = join_words(list(right.words))
    start = time.perf_counter()
    parsed = parser.parse_lines(lines, threads=1)
    seconds = time.perf_counter() - start
    ours = np.array(parsed.labels)[parsed.tags().ids]
    theirs = np.array(right.labels)[right.tags().ids]
    equal = int((ours == theirs).sum())
    scores = compare_trees(parsed, right)
    return ParserTest(parser.name, len(right), words, equal, scores, seconds)
