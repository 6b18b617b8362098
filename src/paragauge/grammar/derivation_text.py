"""A derivation as text: one line a rule, children under their parents, both spans of words beside it.

Spans of words are counted from 0, the end exclusive, as `0-2`.
"""

from __future__ import annotations

from paragauge.grammar.derivation import Derivation, DerivationNode
from paragauge.text.columns import padded, width
from paragauge.text.plain import counted

SHOWN = 12  # spans that are printed for a pair that is not covered
WHY = {
    "covered": "a derivation gives both sentences",
    "unreachable": "the source sentence has a parse, but none gives the target sentence",
    "no-source-parse": "the source sentence has no parse",
    "out-of-time": "the limit of items or seconds was hit; raise --max-items or --max-seconds",
    "out-of-memory": "the limit of memory was hit; raise --max-memory",
}


def reason(found: Derivation) -> str:
    """What the status of a pair without a derivation to show means.

    >>> reason(Derivation(("a",), ("b",), "covered", 0.0, (), (), "out-of-memory"))
    'a derivation gives both sentences; to show it, the limit of memory was hit; raise --max-memory'
    """
    more = "" if found.stopped is None else f"; to show {_wanted(found)}, {WHY[found.stopped]}"
    return WHY[found.status] + more


def _wanted(found: Derivation) -> str:
    return "it" if found.status == "covered" else "how far it got"


def derivation_text(found: Derivation) -> str:
    """The derivation, or the largest spans that were reached, to print.

    >>> from paragauge.grammar.rule import Rule
    >>> from paragauge.grammar.sync import SyncParser
    >>> rules = [Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")]
    >>> rules += [Rule.parse(f"[N] ||| {rule}") for rule in ("king ||| king", "horse ||| steed")]
    >>> pair = ["king 's horse"], ["the steed of king"]
    >>> print(derivation_text(SyncParser(rules, *pair).derive(0)))
    covered: 3 rules
    source: king 's horse
    target: the steed of king
    <BLANKLINE>
    source  target  rule
    0-3     0-4     [NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]
    0-1     3-4     ├─ [N] ||| king ||| king
    2-3     1-2     └─ [N] ||| horse ||| steed
    """
    lines = [_headline(found), f"source: {' '.join(found.source)}", f"target: {' '.join(found.target)}"]
    if found.roots:
        rows = [("source", "target", "rule")]
        for root in found.roots:
            rows += _tree(root, "", "")
        lines += ["", *_aligned(rows)]
    elif found.reached:
        rows = [("source", "target", "label  words")]
        for each in found.reached[:SHOWN]:
            words = " ||| ".join(found.words(each))
            rows.append((_span(each.source), _span(each.target), f"[{each.label}]  {words}"))
        lines += ["", "largest spans that were reached:", *_aligned(rows)]
        left = len(found.reached) - SHOWN
        if left > 0:
            lines.append(f"and {left} more")
    return "\n".join(lines)


def _headline(found: Derivation) -> str:
    if not found.roots:
        return f"{found.status}: {reason(found)}"
    rules = len(found.nodes)
    parts = [f"{counted(rules, 'rule')}"]
    if len(found.roots) > 1:
        parts.append(f"{len(found.roots)} phrases in a row")
    if found.cost > 0:
        parts.append(f"cost {found.cost:g}")
    return f"covered: {', '.join(parts)}"


def _tree(node: DerivationNode, head: str, below: str) -> list[tuple[str, str, str]]:
    """The rows of a node and its children; `head` stands before it, `below` before what follows."""
    cost = f"  ({node.cost:g})" if node.cost > 0 else ""
    shown = f"[{node.label}] passes through" if node.rule is None else str(node.rule)
    rows = [(_span(node.source), _span(node.target), f"{head}{shown}{cost}")]
    for number, child in enumerate(node.children, 1):
        last = number == len(node.children)
        rows += _tree(child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))
    return rows


def _span(span: tuple[int, int]) -> str:
    return f"{span[0]}-{span[1]}"


def _aligned(rows: list[tuple[str, str, str]]) -> list[str]:
    sizes = [max(width(row[column]) for row in rows) for column in (0, 1)]
    return [f"{padded(a, sizes[0])}  {padded(b, sizes[1])}  {c}".rstrip() for a, b, c in rows]
