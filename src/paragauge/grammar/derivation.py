"""A derivation of a sentence pair: a tree of rules with spans on both sides, and its text form.

Glue rules join a row of top nodes; without glue there is one. A pair without a derivation has the
largest spans that were reached instead: pairs of a source and a target span that some rule derives and
that do not both lie in another such pair.

As text, a derivation has one rule per line, children below their parents, with both word spans beside
it. Spans count from 0 and exclude the end, as in `0-2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.grammar.parse_settings import STATUSES
from paragauge.grammar.rule import Rule
from paragauge.kernels.grammar_line import INDEX
from paragauge.text.terminal_columns import pad_text, width
from paragauge.text.wording import pluralize

Span = tuple[int, int]
MOST_DEPTH = 200


@dataclass(frozen=True)
class DerivationNode:
    """A use of a rule: words `source[0]` to `source[1]` (exclusive) give `target[0]` to `target[1]`.

    `rule` is None for a word that passes through. Children are in the order of the rule's
    non-terminals.
    """

    label: str
    rule: Rule | None
    cost: float
    source: Span
    target: Span
    children: tuple[DerivationNode, ...] = ()

    def walk(self, depth: int = 0) -> Iterator[tuple[int, DerivationNode]]:
        """The node and those below it, each before its children, with their depths."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)

    def positions(self) -> tuple[list[int], list[int]]:
        """The positions of the rule's own words in both sentences.

        >>> inner = DerivationNode("X", Rule("X", "b", "x"), 0.0, (1, 2), (0, 1))
        >>> rule = Rule("X", "a [1]", "[1] y", ("X",))
        >>> DerivationNode("X", rule, 0.0, (0, 2), (0, 2), (inner,)).positions()
        ([0], [1])
        """
        source = {i for child in self.children for i in range(*child.source)}
        target = {i for child in self.children for i in range(*child.target)}
        return (
            [i for i in range(*self.source) if i not in source],
            [i for i in range(*self.target) if i not in target],
        )


@dataclass(frozen=True)
class ReachedSpan:
    """A source span and a target span that one rule derives."""

    label: str
    source: Span
    target: Span


@dataclass(frozen=True)
class Derivation:
    """What is known about one pair of sentences.

    `status` is the pair's coverage. `stopped` is the status of the limit that ended the search for the
    best derivation or the largest spans, in which case neither is known.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    status: str
    cost: float
    roots: tuple[DerivationNode, ...]
    reached: tuple[ReachedSpan, ...]
    stopped: str | None = None

    @property
    def nodes(self) -> list[tuple[int, DerivationNode]]:
        """All nodes, each before its children, with their depths."""
        return [pair for root in self.roots for pair in root.walk()]

    def disjoint(self) -> list[ReachedSpan]:
        """Reached spans that share no words, chosen greedily from the largest to the smallest."""
        used: tuple[set[int], set[int]] = (set(), set())
        disjoint = []
        for span in self.reached:
            positions = set(range(*span.source)), set(range(*span.target))
            if not (positions[0] & used[0] or positions[1] & used[1]):
                disjoint.append(span)
                used[0].update(positions[0])
                used[1].update(positions[1])
        return sorted(disjoint, key=lambda span: span.source)

    def words(self, node: DerivationNode | ReachedSpan) -> tuple[str, str]:
        """The words under a node or a reached span."""
        return " ".join(self.source[slice(*node.source)]), " ".join(self.target[slice(*node.target)])

    def record(self) -> dict[str, Any]:
        """The derivation as JSON values."""
        return {
            "source": " ".join(self.source),
            "target": " ".join(self.target),
            "status": self.status,
            "stopped": self.stopped,
            "cost": self.cost if self.roots else None,
            "rules": len(self.nodes) if self.roots else None,
            "derivation": [_record(root) for root in self.roots],
            "reached": [
                {
                    "label": span.label,
                    "source": list(span.source),
                    "target": list(span.target),
                    "source_words": self.words(span)[0],
                    "target_words": self.words(span)[1],
                }
                for span in ([] if self.roots else self.reached)
            ],
        }


def _record(node: DerivationNode) -> dict[str, Any]:
    return {
        "label": node.label,
        "rule": None if node.rule is None else str(node.rule),
        "cost": node.cost,
        "source": list(node.source),
        "target": list(node.target),
        "children": [_record(child) for child in node.children],
    }


def rule_symbols(side: str, node: DerivationNode) -> list[tuple[str, int | None]]:
    """The symbols on one side of a node's rule: words, or labels with the child's number.

    >>> node = DerivationNode("X", Rule("X", "a [1]", "[1] b", ("NP",)), 0.0, (0, 2), (0, 2))
    >>> rule_symbols("target", node)
    [('NP', 0), ('b', None)]
    """
    rule = node.rule
    if rule is None:
        return []
    symbols: list[tuple[str, int | None]] = []
    for part in getattr(rule, side).split(" "):
        index = INDEX.fullmatch(part)
        number = None if index is None else int(index[1]) - 1
        symbols.append((part, None) if number is None else (rule.labels[number], number))
    return symbols


def build_derivation(
    source: tuple[str, ...],
    target: tuple[str, ...],
    output: tuple[int, float, NDArray[np.int64], NDArray[np.int64], int],
    rule_of: Callable[[int], tuple[Rule, float]],
    labels: Sequence[str],
) -> Derivation:
    """Turn the output of the kernel's `derive` into words, rules and labels."""
    status, cost, tree, spans, limit = output
    rows: list[list[int]] = tree.tolist()
    depths: list[int] = []
    for row in rows:
        depths.append(1 if row[0] < 0 else depths[row[0]] + 1)
    if max(depths, default=0) > MOST_DEPTH:
        raise InputError(
            f"expected a derivation of at most {MOST_DEPTH} nested rules, found {max(depths)}; "
            "limit it with a smaller span"
        )
    below: dict[int, list[DerivationNode]] = {}
    # From the last row to the first: children are built before their parents.
    for number in reversed(range(len(rows))):
        parent, rule, label, *ends = rows[number]
        used, price = (None, 0.0) if rule < 0 else rule_of(rule)
        children = tuple(reversed(below.pop(number, [])))
        node = DerivationNode(
            labels[label], used, price, (ends[0], ends[1]), (ends[2], ends[3]), children
        )
        below.setdefault(parent, []).append(node)
    reached = tuple(
        ReachedSpan(labels[row[4]], (row[0], row[1]), (row[2], row[3])) for row in spans.tolist()
    )
    roots = tuple(reversed(below.get(-1, [])))
    stopped = None if limit < 0 else STATUSES[limit]
    return Derivation(source, target, STATUSES[status], cost, roots, reached, stopped)


PRINTED_SPANS = 12  # of a pair that is not covered
WHY = {
    "covered": "a derivation gives both sentences",
    "unreachable": "the source sentence has a parse, but none gives the target sentence",
    "no-source-parse": "the source sentence has no parse",
    "out-of-time": "the limit on items or seconds was hit; raise --max-items or --max-seconds",
    "out-of-memory": "the memory limit was hit; raise --max-memory",
}


def explain_status(derivation: Derivation) -> str:
    """Explain the status of a pair that has no derivation to show.

    >>> explain_status(Derivation(("a",), ("b",), "covered", 0.0, (), (), "out-of-memory"))
    'a derivation gives both sentences; while deriving it, the memory limit was hit; raise --max-memory'
    """
    meaning = WHY[derivation.status]
    if derivation.stopped is None:
        return meaning
    step = "deriving it" if derivation.status == "covered" else "looking for the largest spans"
    return f"{meaning}; while {step}, {WHY[derivation.stopped]}"


def format_derivation(derivation: Derivation) -> str:
    """The derivation, or the largest spans that were reached, as text to print.

    >>> from paragauge.grammar.rule import Rule
    >>> from paragauge.grammar.sync_parser import SyncParser
    >>> rules = [Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")]
    >>> rules += [Rule.parse(f"[N] ||| {rule}") for rule in ("king ||| king", "horse ||| steed")]
    >>> pair = ["king 's horse"], ["the steed of king"]
    >>> print(format_derivation(SyncParser(rules, *pair).derive(0)))
    covered: 3 rules
    source: king 's horse
    target: the steed of king
    <BLANKLINE>
    source  target  rule
    0-3     0-4     [NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]
    0-1     3-4     ├─ [N] ||| king ||| king
    2-3     1-2     └─ [N] ||| horse ||| steed
    """
    lines = [
        _headline(derivation),
        f"source: {' '.join(derivation.source)}",
        f"target: {' '.join(derivation.target)}",
    ]
    if derivation.roots:
        rows = [("source", "target", "rule")]
        for root in derivation.roots:
            rows += _tree(root, "", "")
        lines += ["", *_align_columns(rows)]
    elif derivation.reached:
        rows = [("source", "target", "label  words")]
        for span in derivation.reached[:PRINTED_SPANS]:
            words = " ||| ".join(derivation.words(span))
            rows.append((_span(span.source), _span(span.target), f"[{span.label}]  {words}"))
        lines += ["", "largest spans that were reached:", *_align_columns(rows)]
        more = len(derivation.reached) - PRINTED_SPANS
        if more > 0:
            lines.append(f"and {more} more")
    return "\n".join(lines)


def _headline(derivation: Derivation) -> str:
    if not derivation.roots:
        return f"{derivation.status}: {explain_status(derivation)}"
    rules = len(derivation.nodes)
    parts = [f"{pluralize(rules, 'rule')}"]
    if len(derivation.roots) > 1:
        parts.append(f"{len(derivation.roots)} phrases in a row")
    if derivation.cost != 0:
        parts.append(f"cost {derivation.cost:g}")
    return f"covered: {', '.join(parts)}"


def _tree(node: DerivationNode, head: str, below: str) -> list[tuple[str, str, str]]:
    """The rows of a node and its children; `head` precedes its own line, `below` the lines under it."""
    cost = f"  ({node.cost:g})" if node.cost != 0 else ""
    rule = f"[{node.label}] passes through" if node.rule is None else str(node.rule)
    rows = [(_span(node.source), _span(node.target), f"{head}{rule}{cost}")]
    for number, child in enumerate(node.children, 1):
        last = number == len(node.children)
        rows += _tree(child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))
    return rows


def _span(span: tuple[int, int]) -> str:
    return f"{span[0]}-{span[1]}"


def _align_columns(rows: list[tuple[str, str, str]]) -> list[str]:
    sizes = [max(width(row[column]) for row in rows) for column in (0, 1)]
    return [f"{pad_text(a, sizes[0])}  {pad_text(b, sizes[1])}  {c}".rstrip() for a, b, c in rows]
