"""How well a parser does on right trees: labeled constituents by label, and time."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError
from paragauge.syntax.constituents import ChartParser
from paragauge.syntax.parseval import Parseval, compare_trees
from paragauge.syntax.perceptron import joined
from paragauge.syntax.trees import Trees


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
        raise InputError("expected trees to test on, got no words")
    lines = joined(list(right.words))
    start = time.perf_counter()
    found = parser.parse_lines(lines, threads=1)
    seconds = time.perf_counter() - start
    ours = np.array(found.labels)[found.tags().ids]
    theirs = np.array(right.labels)[right.tags().ids]
    equal = int((ours == theirs).sum())
    scores = compare_trees(found, right)
    return ParserTest(parser.name, len(right), words, equal, scores, seconds)
