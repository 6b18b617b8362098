"""Twin of sync_best.cpp and sync_derive.cpp: the best derivation of a pair, and the largest spans.

The price of a derivation is the sum of its rules' costs, then the number of rows of its tree, that is
of rules and of words that stand for themselves, then the number of those words, which cost nothing.
Glue rules are not in the tree and do not count. Of derivations of equal price, the best is chosen from
the top: the earliest split of the source, then of the target, then the least number of a label; inside
a node the least number of a rule, then the least spans of its non-terminals, source and target, in
source order.

Costs may be negative. If rules in a circle, each with one label as its source side and no words on its
target side, have a negative sum, derivations that use them get cheaper without end: if the best one
does, the cost is minus infinity and there is no tree. Other derivations keep their finite price.

The tree comes as rows in preorder: row of the parent (-1 for nodes at the top), number of the rule (-1
for a word that stands for itself), label, source span, target span. Non-terminals are in source order.

The largest spans are pairs of a source span and a non-empty target span of a node that are not
contained in another such pair: rows of both spans and the least label; most words first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from paragauge.kernels.layout import Ints
from paragauge.kernels.reference.grammar.sync import (
    COVERED,
    NO_SOURCE_PARSE,
    Chart,
    ExceededError,
    Node,
    ParseSettings,
    Rules,
    Span,
    parse_target,
    source_splits,
    status_of,
    target_splits,
    tops,
    usable_rules,
)

Item = tuple[Node, Span]
Price = tuple[float, int, int]
Reached = tuple[Price, tuple[int, int, int], list[Item]]
PRICE_BYTES, ROW_BYTES = 16, 8
NEVER: Price = (math.inf, 0, 0)
ENDLESS: Price = (-math.inf, 0, 0)


def ways(chart: Chart, rules: Rules, first: int, last: int) -> Iterator[tuple[Item, int, list[Item]]]:
    """All uses of rules over a source span: the item made, the rule, and the items under its labels."""
    for number, rule in usable_rules(chart, rules):
        for nodes in source_splits(chart, rule.source, first, last):
            for begin in range(len(chart.target) + 1):
                for end, spans in target_splits(chart, rule.target, nodes, begin):
                    children = [(node, spans[index]) for index, node in enumerate(nodes)]
                    yield ((rule.lhs, first, last), (begin, end)), number, children


def is_passing_word(chart: Chart, item: Item) -> bool:
    """Whether an item is a word that stands for itself."""
    (label, first, last), (begin, end) = item
    copied = chart.passes((first, last)) and label in chart.settings.pass_labels
    if not copied or end - begin != 1:
        return False
    return chart.target[begin] == chart.source[first]


def price_of(prices: dict[Item, Price], rules: Rules, number: int, children: list[Item]) -> Price:
    """The price of a use of a rule."""
    cost, count, copies = rules[number].cost, 1, 0
    for child in children:
        price = prices.get(child, NEVER)
        cost, count, copies = cost + price[0], count + price[1], copies + price[2]
    return cost, count, copies


def best_prices(chart: Chart, rules: Rules) -> dict[Item, Price]:
    """The least price of every item."""
    prices: dict[Item, Price] = {}
    for first, last in chart.cells():
        for label in chart.labels[first, last]:
            for span in chart.spans[label, first, last]:
                item = ((label, first, last), span)
                if is_passing_word(chart, item):
                    prices[item] = (0.0, 1, 1)
        uses = list(ways(chart, rules, first, last))
        # No derivation has more rules over these words without repeating an item, so what gets cheaper
        # after so many rounds does so without end.
        most = sum(len(chart.spans[label, first, last]) for label in chart.labels[first, last])
        better, rounds = True, 0
        while better:
            better = False
            for item, number, children in uses:
                price = price_of(prices, rules, number, children)
                if price < prices.get(item, NEVER):
                    prices[item] = price if rounds <= most else ENDLESS
                    better = True
            rounds += 1
    return prices


def top_items(chart: Chart, prices: dict[Item, Price]) -> tuple[float, list[Item]]:
    """The cost of the best derivation, and its items at the top."""
    sizes = len(chart.source), len(chart.target)
    best: dict[Span, Reached] = {(0, 0): ((0.0, 0, 0), (0, 0, 0), [])}
    for last in range(1, sizes[0] + 1):
        for first, begin in sorted(best):
            if not chart.settings.glue and (first, last) != (0, sizes[0]):
                continue
            before, _, items = best[first, begin]
            for label in tops(chart, (first, last)):
                node = (label, first, last)
                for start, end in sorted(chart.spans[node]):
                    if start != begin:
                        continue
                    piece = prices[node, (start, end)]
                    price = before[0] + piece[0], before[1] + piece[1], before[2] + piece[2]
                    candidate = price, (first, begin, label), [*items, (node, (start, end))]
                    if (last, end) not in best or candidate[:2] < best[last, end][:2]:
                        best[last, end] = candidate
    price, _, items = best[sizes]
    return price[0], items


def choose(chart: Chart, rules: Rules, prices: dict[Item, Price], item: Item) -> tuple[int, list[Item]]:
    """The rule at the top of an item's best derivation, and the items under it."""
    _, first, last = item[0]
    equal = [
        (number, [(*node[1:], *span) for node, span in children], children)
        for made_item, number, children in ways(chart, rules, first, last)
        if made_item == item and price_of(prices, rules, number, children) == prices[item]
    ]
    if not equal:
        return -1, []
    number, _, children = min(equal, key=lambda way: way[:2])
    return number, children


def tree_of(chart: Chart, rules: Rules, prices: dict[Item, Price], roots: list[Item]) -> Ints:
    """The rows of the tree."""
    rows: list[tuple[int, ...]] = []

    def add(item: Item, parent: int) -> None:
        number, children = choose(chart, rules, prices, item)
        row = len(rows)
        rows.append((parent, number, *item[0], *item[1]))
        for child in children:
            add(child, row)

    for root in roots:
        add(root, -1)
    return np.array(rows, np.int64).reshape(-1, 7)


def largest_spans(chart: Chart) -> Ints:
    """The rows of the largest spans."""
    reached: dict[tuple[int, int, int, int], int] = {}
    for (label, first, last), spans in sorted(chart.spans.items()):
        for begin, end in spans:
            if begin < end:
                reached.setdefault((first, last, begin, end), label)
    largest = [
        (*span, label)
        for span, label in reached.items()
        if not any(span != other and _is_inside(span, other) for other in reached)
    ]
    largest.sort(key=lambda row: (row[0] - row[1] + row[2] - row[3], row))
    return np.array(largest, np.int64).reshape(-1, 5)


def _is_inside(inner: Sequence[int], outer: Sequence[int]) -> bool:
    return (
        outer[0] <= inner[0] and inner[1] <= outer[1] and outer[2] <= inner[2] and inner[3] <= outer[3]
    )


def derive_pair(
    rules: Rules, source: Sequence[int], target: Sequence[int], settings: ParseSettings
) -> tuple[int, float, Ints, Ints, int]:
    """Status, cost, tree, largest spans, and the limit that was hit after the status was known, or -1.

    The status is that of `parse_pair`. Nothing but it is known where a limit was hit.
    """
    chart = Chart(source, target, settings)
    nothing = np.zeros((0, 7), np.int64), np.zeros((0, 5), np.int64)
    status, known = status_of(chart, rules)
    if not known:
        return status, 0.0, *nothing, -1
    try:
        chart.spend(0, chart.relation_bytes() * len(source) * chart.width())
        if status == NO_SOURCE_PARSE:
            parse_target(chart, rules)
        cost, tree = 0.0, nothing[0]
        if status == COVERED:
            rows = len(chart.spans) * (len(target) + 1)
            chart.spend(0, PRICE_BYTES * sum(map(len, chart.spans.values())) + ROW_BYTES * rows)
            prices = best_prices(chart, rules)
            cost, roots = top_items(chart, prices)
            if math.isfinite(cost):
                tree = tree_of(chart, rules, prices, roots)
    except ExceededError as exceeded:
        return status, 0.0, *nothing, exceeded.status
    return status, cost, tree, largest_spans(chart), -1
