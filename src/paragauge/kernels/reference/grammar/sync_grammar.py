"""Twin of sync_grammar.cpp and bind_sync.cpp: a synchronous grammar for the words of some sentences.

A rule is a row of four texts in normal form: left side `NP`, labels `N N`, source `[1] 's [2]`, target
`the [2] of [1]`, and a cost. Symbols are separated by one space. A row is no rule if the left side or
the source side is empty, a symbol is, non-terminals of the source are not numbered 1, 2, ... from left
to right (at most 32), the target does not have each of them once, there are not as many labels, or the
cost is not finite.

Only what can matter is kept: rules whose source words all stand in some source sentence. If its target
has a word that stands in no target sentence, a rule counts for the parse of the source alone; it is
dropped where the rule kept last has the same left side and source side.

In numbers a word is its position among `words`; on a source side a non-terminal is -1 - label, on a
target side -index.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.kernels.layout import (
    MOST_PARSED_NONTERMINALS,
    Bytes,
    Floats,
    Ids,
    Ints,
    Texts,
    pack_texts,
    unpack_texts,
)
from paragauge.kernels.reference.grammar.sync import SyncSettings, check_settings, parse_pair
from paragauge.kernels.reference.grammar.sync_derive import derive_pair

SOURCE_SIDE, TARGET_SIDE = 1, 2
Sentences = tuple[Ids, Ints]
_INDEX = re.compile(r"\[([0-9]+)\]")


@dataclass(frozen=True)
class SyncRule:
    """A rule in numbers."""

    lhs: int
    source: tuple[int, ...]
    target: tuple[int, ...]
    cost: float
    source_only: bool


def symbols_of(side: str) -> list[int | str] | None:
    """Words and indices of a side; None if a symbol is empty.

    >>> symbols_of("the [2] of [1]")
    ['the', 2, 'of', 1]
    """
    parts = side.split(" ") if side else []
    if not all(parts):
        return None
    return [int(match[1]) if (match := _INDEX.fullmatch(part)) else part for part in parts]


class SyncGrammar:
    """Rules for the sentences whose words these are; `sides` says on which side each word stands."""

    def __init__(self, words: Texts, sides: Bytes) -> None:
        names = unpack_texts(words)
        if len(names) != len(sides):
            raise ValueError("every word must have its sides")
        if len(set(names)) != len(names):
            raise ValueError("words must differ")
        self._words = {name: number for number, name in enumerate(names)}
        self._sides = sides.tolist()
        self._known = [0] * len(names)
        self._labels: dict[str, int] = {}
        self._added: list[SyncRule] = []
        self.rules: list[SyncRule] = []

    def __len__(self) -> int:
        return len(self._added)

    def add(
        self, lhs: Texts, labels: Texts, source: Texts, target: Texts, costs: Floats, threads: int
    ) -> int:
        """Add rules; the number of the first row that is no rule (none is added then), or of all."""
        del threads
        columns = [unpack_texts(column) for column in (lhs, labels, source, target)]
        if {len(column) for column in columns} != {len(costs)}:
            raise ValueError("all columns must have the same number of rows")
        rows = list(zip(*columns, costs.tolist(), strict=True))
        for number, row in enumerate(rows):
            if not self._is_rule(*row):
                return number
        for row in rows:
            self._keep(*row)
        return len(rows)

    def _is_rule(self, lhs: str, labels: str, source: str, target: str, cost: float) -> bool:
        ours, theirs = symbols_of(source), symbols_of(target)
        if not lhs or not ours or theirs is None or not math.isfinite(cost):
            return False
        indices = [symbol for symbol in ours if isinstance(symbol, int)]
        others = [symbol for symbol in theirs if isinstance(symbol, int)]
        named = labels.split(" ") if labels else []
        return (
            indices == list(range(1, len(indices) + 1))
            and len(indices) <= MOST_PARSED_NONTERMINALS
            and sorted(others) == indices
            and len(named) == len(indices)
            and all(named)
        )

    def _keep(self, lhs: str, labels: str, source: str, target: str, cost: float) -> None:
        ours, theirs = symbols_of(source) or [], symbols_of(target) or []
        for word in ours:
            if isinstance(word, str) and word in self._words:
                self._known[self._words[word]] = 1
        if not all(self._stands(symbol, SOURCE_SIDE) for symbol in ours):
            return
        reachable = all(self._stands(symbol, TARGET_SIDE) for symbol in theirs)
        head = self.label(lhs)
        named = [self.label(name) for name in (labels.split(" ") if labels else [])]
        side = tuple(
            self._words[symbol] if isinstance(symbol, str) else -1 - named[symbol - 1]
            for symbol in ours
        )
        before = self._added[-1] if self._added else None
        if not reachable and before is not None and (before.lhs, before.source) == (head, side):
            return
        other = tuple(
            self._words[symbol] if isinstance(symbol, str) else -symbol
            for symbol in (theirs if reachable else [])
        )
        self._added.append(SyncRule(head, side, other, cost, not reachable))

    def _stands(self, symbol: int | str, side: int) -> bool:
        if isinstance(symbol, int):
            return True
        return symbol in self._words and bool(self._sides[self._words[symbol]] & side)

    def finish(self) -> None:
        """Make the added rules available to parsing."""
        self.rules = list(self._added)

    def label(self, name: str) -> int:
        """The number of a label; a new label gets the next number."""
        return self._labels.setdefault(name, len(self._labels))

    def labels(self) -> Texts:
        """All labels."""
        return pack_texts(list(self._labels))

    def inner(self) -> Bytes:
        """Whether each label is that of a non-terminal of a rule."""
        inner = {-1 - symbol for rule in self._added for symbol in rule.source if symbol < 0}
        return np.array([int(label in inner) for label in self._labels.values()], np.uint8)

    def known(self) -> Bytes:
        """Whether each word stands on the source side of some row, kept or not."""
        return np.array(self._known, np.uint8)

    def rule(self, number: int) -> tuple[int, Ids, Ids, float]:
        """Left side, source side, target side and cost of a rule."""
        if not 0 <= number < len(self._added):
            raise IndexError("no such rule")
        rule = self._added[number]
        return rule.lhs, np.array(rule.source, np.int32), np.array(rule.target, np.int32), rule.cost

    def parse(
        self, sources: Sentences, targets: Sentences, settings: SyncSettings, threads: int
    ) -> tuple[Bytes, Ints, Ints]:
        """Status, items and (native only) nanoseconds of both passes for each pair; see `sync.py`."""
        del threads
        ours, theirs = self._sentences(sources), self._sentences(targets)
        if len(ours) != len(theirs):
            raise ValueError("both sides must have the same number of sentences")
        chosen = check_settings(settings, len(self._labels), len(self._words))
        outcomes = [parse_pair(self.rules, *pair, chosen) for pair in zip(ours, theirs, strict=True)]
        status = np.array([status for status, _ in outcomes], np.uint8)
        return (
            status,
            np.array([n for _, n in outcomes], np.int64),
            np.zeros((len(outcomes), 2), np.int64),
        )

    def derive(
        self, source: Sentences, target: Sentences, settings: SyncSettings
    ) -> tuple[int, float, Ints, Ints, int]:
        """Status, cost, tree, largest spans and the limit hit of one pair; see `sync_derive.py`."""
        ours, theirs = self._sentences(source), self._sentences(target)
        if len(ours) != 1 or len(theirs) != 1:
            raise ValueError("one pair is derived at a time")
        chosen = check_settings(settings, len(self._labels), len(self._words))
        return derive_pair(self.rules, ours[0], theirs[0], chosen)

    def _sentences(self, column: Sentences) -> list[Sequence[int]]:
        ids, offsets = column[0].tolist(), column[1].tolist()
        if not all(0 <= word < len(self._words) for word in ids):
            raise ValueError("ids must be numbers of words")
        return [ids[first:last] for first, last in itertools.pairwise(offsets)]
