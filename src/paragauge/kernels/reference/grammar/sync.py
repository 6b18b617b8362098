"""Twin of sync_chart.cpp, sync_relations.cpp and sync_parse.cpp: is a pair in a grammar's language?

Dyer (2010), "Two monolingual parses are better than one (synchronous parse)". First the source sentence
is parsed with the source sides into a forest of nodes (label, first word, word after the last). Then
the target sentence is parsed with the nodes as labels: for each node, the set of target spans for which
some rule has all its words there and spans of the nodes under its labels between them.

Settings, a tuple: `span`, the most words under a node (0: any); `glue`, whether a sentence may be nodes
in a row, in the same order on both sides (rules S -> S X and S -> X with X any start label, which have
no limit of span) or must be one node; `starts`, a flag for each label: it may be X there, or the one
node; `pass_labels`, the labels X of rules X -> w / w, in ascending order; `pass`, a flag for each word
w that has such rules; `max_items`, `max_memory` and `seconds`, 0 for no limit.

Items measure the work: beginnings of source sides found over a span (each counted once), as far as they
are whole source sides or can go on with a label or with the next word of the sentence; nodes; and uses
of rules: a rule whose target words all occur in the target, with nodes under its labels that have
target spans. Memory is 16 bytes for each span of the source of at most `span` words, 8 for each
beginning and 24 for each node plus its relation of (target + 1) rows of 64-bit words. Spans are
processed by their last word and then from right to left; limits are checked after each span.

The native parse takes O(n^2) spans, and per use of a rule O(m * m / 64 * symbols) operations on words
of 64 positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from paragauge.kernels.layout import Bytes, Ids

COVERED, UNREACHABLE, NO_SOURCE_PARSE, OUT_OF_TIME, OUT_OF_MEMORY = range(5)
SPAN_BYTES, BEGINNING_BYTES, NODE_BYTES = 16, 8, 24
MOST_SPANS = 1 << 26

Span = tuple[int, int]
Node = tuple[int, int, int]
SyncSettings = tuple[int, bool, Bytes, Ids, Bytes, int, int, float]


class SyncRuleLike(Protocol):
    """What a parse needs to know of a rule."""

    @property
    def lhs(self) -> int: ...  # noqa: D102
    @property
    def source(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def target(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def cost(self) -> float: ...  # noqa: D102
    @property
    def source_only(self) -> bool: ...  # noqa: D102


Rules = Sequence[SyncRuleLike]


@dataclass(frozen=True)
class ParseSettings:
    """The settings by name."""

    span: int
    glue: bool
    starts: list[int]
    pass_labels: list[int]
    passes: list[int]
    max_items: int
    max_memory: int


def check_settings(settings: SyncSettings, labels: int, words: int) -> ParseSettings:
    """The settings, checked; `seconds` is for the native kernel only."""
    if len(settings) != 8:
        raise ValueError("settings are a tuple of eight")
    span, glue, starts, pass_labels, passes, max_items, max_memory, _ = settings
    if len(starts) != labels:
        raise ValueError("every label must have a flag")
    if len(passes) != words:
        raise ValueError("every word must have a flag")
    copied = pass_labels.tolist()
    if sorted(set(copied)) != copied or not all(0 <= label < labels for label in copied):
        raise ValueError("the labels of words that pass must be labels, in ascending order")
    return ParseSettings(span, glue, starts.tolist(), copied, passes.tolist(), max_items, max_memory)


class ExceededError(Exception):
    """A limit was hit."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass
class Chart:
    """The state of parsing one pair."""

    source: Sequence[int]
    target: Sequence[int]
    settings: ParseSettings
    beginnings: dict[Span, set[tuple[int, ...]]] = field(default_factory=dict)
    labels: dict[Span, set[int]] = field(default_factory=dict)
    spans: dict[Node, set[Span]] = field(default_factory=dict)
    items: int = 0
    memory: int = 0

    def cells(self) -> Iterator[Span]:
        """Spans that may have nodes, in the order of the parse."""
        width = self.width()
        for last in range(1, len(self.source) + 1):
            for first in reversed(range(max(0, last - width), last)):
                yield first, last

    def width(self) -> int:
        """Words of the longest span that may have nodes."""
        return min(self.settings.span or len(self.source), len(self.source))

    def relation_bytes(self) -> int:
        """Bytes of a node's relation."""
        rows = len(self.target) + 1
        return 8 * rows * ((rows + 63) // 64)

    def spend(self, items: int, memory: int) -> None:
        """Count items and memory; stop at a limit."""
        self.items += items
        self.memory += memory
        if self.settings.max_memory and self.memory > self.settings.max_memory:
            raise ExceededError(OUT_OF_MEMORY)
        if self.settings.max_items and self.items > self.settings.max_items:
            raise ExceededError(OUT_OF_TIME)

    def passes(self, span: Span) -> bool:
        """Whether a span is a word that may stand for itself."""
        first, last = span
        return last - first == 1 and bool(self.settings.passes[self.source[first]])


def parse_source(chart: Chart, rules: Rules) -> None:
    """The forest: labels over each span, and beginnings of source sides."""
    known = {rule.source[:size] for rule in rules for size in range(1, len(rule.source) + 1)}
    whole = {rule.source for rule in rules}
    before_labels = {side[:-1] for side in known if side[-1] < 0}

    def counts(side: tuple[int, ...], first: int, last: int) -> bool:
        if side in whole or last == len(chart.source) or last - first == chart.width():
            return side in whole
        return side in before_labels or (*side, chart.source[last]) in known

    for span in chart.cells():
        first, last = span
        beginnings: set[tuple[int, ...]] = set()
        labels = set(chart.settings.pass_labels) if chart.passes(span) else set()
        chart.beginnings[span], chart.labels[span] = beginnings, labels
        before = None
        while before != (len(beginnings), len(labels)):
            before = len(beginnings), len(labels)
            ending = {side for side in known if _ends(chart, side, first, last)}
            beginnings |= {side for side in ending if counts(side, first, last)}
            labels |= {rule.lhs for rule in rules if rule.source in beginnings}
        memory = BEGINNING_BYTES * len(beginnings) + (NODE_BYTES + chart.relation_bytes()) * len(labels)
        chart.spend(len(beginnings) + len(labels), memory)


def _ends(chart: Chart, side: tuple[int, ...], first: int, last: int) -> bool:
    """Whether a beginning of a source side covers [first, last)."""
    *rest, symbol = side
    middles = [last - 1] if symbol >= 0 else range(first, last)
    for middle in middles:
        if rest and tuple(rest) not in chart.beginnings.get((first, middle), ()):
            continue
        if not rest and middle != first:
            continue
        if symbol >= 0 and chart.source[middle] == symbol:
            return True
        if symbol < 0 and -1 - symbol in chart.labels.get((middle, last), ()):
            return True
    return False


def source_splits(
    chart: Chart, side: tuple[int, ...], first: int, last: int
) -> Iterator[tuple[Node, ...]]:
    """Nodes with target spans under the labels of a side that covers [first, last)."""
    if not side:
        if first == last:
            yield ()
        return
    symbol, rest = side[0], side[1:]
    if symbol >= 0:
        if first < last and chart.source[first] == symbol:
            yield from source_splits(chart, rest, first + 1, last)
        return
    for middle in range(first + 1, last + 1):
        node = (-1 - symbol, first, middle)
        if chart.spans.get(node):
            for others in source_splits(chart, rest, middle, last):
                yield (node, *others)


def target_splits(
    chart: Chart, side: tuple[int, ...], nodes: Sequence[Node], first: int
) -> Iterator[tuple[int, dict[int, Span]]]:
    """Ends of a target side that begins at `first`, with the span of each node."""
    if not side:
        yield first, {}
        return
    symbol, rest = side[0], side[1:]
    if symbol >= 0:
        if first < len(chart.target) and chart.target[first] == symbol:
            yield from target_splits(chart, rest, nodes, first + 1)
        return
    for begin, end in sorted(chart.spans[nodes[-1 - symbol]]):
        if begin == first:
            for last, others in target_splits(chart, rest, nodes, end):
                yield last, {-1 - symbol: (begin, end), **others}


def usable_rules(chart: Chart, rules: Rules) -> list[tuple[int, SyncRuleLike]]:
    """Rules whose target words all occur in the target, with their numbers."""
    words = set(chart.target)
    return [
        (number, rule)
        for number, rule in enumerate(rules)
        if not rule.source_only and all(symbol < 0 or symbol in words for symbol in rule.target)
    ]


def parse_target(chart: Chart, rules: Rules) -> None:
    """The target spans of each node."""
    good = usable_rules(chart, rules)
    for first, last in chart.cells():
        for label in chart.labels[first, last]:
            chart.spans[label, first, last] = set()
        uses = 0
        if chart.passes((first, last)) and chart.source[first] in chart.target:
            places = [at for at, word in enumerate(chart.target) if word == chart.source[first]]
            for label in chart.settings.pass_labels:
                uses += 1
                chart.spans[label, first, last] |= {(at, at + 1) for at in places}
        grown = True
        while grown:
            size = sum(map(len, chart.spans.values()))
            rule_uses = 0
            for _, rule in good:
                for nodes in list(source_splits(chart, rule.source, first, last)):
                    rule_uses += 1
                    for begin in range(len(chart.target) + 1):
                        ends = {end for end, _ in target_splits(chart, rule.target, nodes, begin)}
                        chart.spans[rule.lhs, first, last] |= {(begin, end) for end in ends}
            grown = sum(map(len, chart.spans.values())) > size
        chart.spend(uses + rule_uses, 0)


def tops(chart: Chart, span: Span) -> list[int]:
    """The start labels over a span."""
    return sorted(label for label in chart.labels.get(span, ()) if chart.settings.starts[label])


def covers_source(chart: Chart) -> bool:
    """Whether nodes cover the source sentence."""
    size = len(chart.source)
    if not chart.settings.glue:
        return bool(tops(chart, (0, size)))
    reached = {0}
    for last in range(1, size + 1):
        if any(tops(chart, (first, last)) for first in reached):
            reached.add(last)
    return size > 0 and size in reached


def covers_both(chart: Chart) -> bool:
    """Whether nodes cover both sentences."""
    sizes = len(chart.source), len(chart.target)
    if not chart.settings.glue:
        labels = tops(chart, (0, sizes[0]))
        return any((0, sizes[1]) in chart.spans[label, 0, sizes[0]] for label in labels)
    reached = {(0, 0)}
    for last in range(1, sizes[0] + 1):
        for first, begin in list(reached):
            for label in tops(chart, (first, last)):
                spans = chart.spans[label, first, last]
                reached |= {(last, end) for start, end in spans if start == begin}
    return sizes in reached


def parse_pair(
    rules: Rules, source: Sequence[int], target: Sequence[int], settings: ParseSettings
) -> tuple[int, int]:
    """Status and items (-1 where a limit was hit) of one pair."""
    chart = Chart(source, target, settings)
    status, known = status_of(chart, rules)
    return status, chart.items if known else -1


def status_of(chart: Chart, rules: Rules) -> tuple[int, bool]:
    """The status of a pair, and whether it is known, as no limit was hit; fills the chart."""
    spans = len(chart.source) * chart.width()
    if spans > MOST_SPANS:
        return OUT_OF_MEMORY, False
    try:
        chart.spend(0, SPAN_BYTES * spans)
        parse_source(chart, rules)
        if not covers_source(chart):
            return NO_SOURCE_PARSE, True
        parse_target(chart, rules)
    except ExceededError as exceeded:
        return exceeded.status, False
    return COVERED if covers_both(chart) else UNREACHABLE, True
