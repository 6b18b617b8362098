"""The price of the best derivation against all derivations: costs below 0, circles, what counts."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from paragauge.grammar.rule import Rule
from paragauge.kernels import _native, reference
from paragauge.kernels.reference.grammar.sync import COVERED
from tests.kernels.grammar.test_sync import (
    WORDS,
    chosen_settings,
    encode_sentences,
    grammar_of,
    options,
    rules_of,
)

MODULES = [_native, reference]
Strings = tuple[tuple[str, ...], tuple[str, ...]]
Item = tuple[str, Strings]
Price = tuple[float, int, int]  # cost, rows of the tree, words that pass
FEW, MANY = 80, 600  # rounds: enough for any derivation without a circle; for a circle to pay


def parts_of(text: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {text[i:j] for i in range(len(text) + 1) for j in range(i, len(text) + 1)}


def all_uses(
    rules: list[Rule], pair: Strings, settings_: dict[str, Any]
) -> tuple[dict[Item, Price], list[tuple[Item, int, list[Item]]]]:
    """Words that pass, and every use of a rule over parts of the two sentences, as strings."""
    sources, targets = parts_of(pair[0]), parts_of(pair[1])
    longest = settings_["span"] or len(pair[0])
    passing: dict[Item, Price] = {
        (label, ((word,), (word,))): (0.0, 1, 1)
        for label in settings_["copy_labels"].split()
        for word in settings_["passes"].split()
        if (word,) in sources and (word,) in targets
    }
    items, uses = set(passing), []
    before = -1
    while before != len(items):
        before, uses = len(items), []
        by_label = {label: sorted(item for item in items if item[0] == label) for label in "XYZ"}
        for number, rule in enumerate(rules):
            for children in itertools.product(*(by_label[label] for label in rule.labels)):
                sides = []
                for side in (0, 1):
                    out: tuple[str, ...] = ()
                    for symbol in (rule.source, rule.target)[side].split():
                        inside = symbol.startswith("[")
                        out += children[int(symbol[1:-1]) - 1][1][side] if inside else (symbol,)
                    sides.append(out)
                if sides[0] in sources and sides[1] in targets and len(sides[0]) <= longest:
                    item = (rule.lhs, (sides[0], sides[1]))
                    items.add(item)
                    uses.append((item, number, list(children)))
    return passing, uses


def least_price(
    rules: list[Rule], costs: list[float], pair: Strings, settings_: dict[str, Any], rounds: int
) -> Price | None:
    """The least price among all derivations of at most so many nested rules; None if there is none."""
    prices, uses = all_uses(rules, pair, settings_)
    for _ in range(rounds):
        # Each round makes every derivation one rule deeper.
        deeper = dict(prices)
        for item, number, children in uses:
            if all(child in prices for child in children):
                inside = [prices[child] for child in children]
                price = (
                    costs[number] + sum(price[0] for price in inside),
                    1 + sum(price[1] for price in inside),
                    sum(price[2] for price in inside),
                )
                deeper[item] = min(price, deeper.get(item, price))
        if deeper == prices:
            break
        prices = deeper
    starts = settings_["starts"]
    pieces: dict[Strings, Price] = {}
    for (label, strings), price in prices.items():
        if starts is None or label in starts.split():
            pieces[strings] = min(price, pieces.get(strings, price))
    if not settings_["glue"]:
        return pieces.get(pair)
    best: dict[tuple[int, int], Price] = {(0, 0): (0.0, 0, 0)}
    for last in range(1, len(pair[0]) + 1):
        for first, begin in sorted(best):
            for end in range(begin, len(pair[1]) + 1):
                piece = pieces.get((pair[0][first:last], pair[1][begin:end]))
                if first < last and piece is not None:
                    before = best[first, begin]
                    price = before[0] + piece[0], before[1] + piece[1], before[2] + piece[2]
                    best[last, end] = min(price, best.get((last, end), price))
    return best.get((len(pair[0]), len(pair[1]))) if pair[0] else None


# Sums of these are exact, whatever their order.
exact_costs = st.sampled_from([-0.5, -0.125, 0.0, 0.0, 0.125, 0.25, 1.0])
short = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
CIRCLE = [Rule("X", "[1]", "[1]", ("Y",)), Rule("Y", "[1]", "[1]", ("X",)), Rule("X", "a", "a")]
OPEN = {"span": 0, "glue": True, "starts": None, "copy_labels": "", "passes": ""}


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(rules_of(), exact_costs), max_size=5), short, short, chosen_settings)
@example(list(zip(CIRCLE, [0.25, -0.25, 1.0], strict=True)), "a", "a", OPEN)
@example(list(zip(CIRCLE, [0.25, -0.5, 1.0], strict=True)), "a", "a", OPEN)
def test_the_best_price_of_all_derivations(
    costed: list[tuple[Rule, float]], source: str, target: str, settings_: dict[str, Any]
) -> None:
    rules, costs = [rule for rule, _ in costed], [cost for _, cost in costed]
    pair = tuple(source.split()), tuple(target.split())
    expected = least_price(rules, costs, pair, settings_, FEW)
    if expected is not None and min(costs, default=0.0) < 0:
        later = least_price(rules, costs, pair, settings_, MANY)
        if later is not None and later[0] < expected[0]:
            expected = (-math.inf, 0, 0)
    for module in MODULES:
        grammar = grammar_of(module, rules, WORDS, costs)
        sides = encode_sentences([source], WORDS), encode_sentences([target], WORDS)
        status, cost, tree, *_ = grammar.derive(*sides, options(grammar, WORDS, **settings_))
        assert (status == COVERED) == (expected is not None)
        if expected is None or expected[0] == -math.inf:
            assert (cost, len(tree)) == (expected[0] if expected else 0.0, 0)
            continue
        used = tree[:, 1].tolist()
        assert (cost, len(used), used.count(-1)) == expected
        assert sum(grammar.rule(rule)[3] for rule in used if rule >= 0) == cost


def derive_all(rules: list[str], costs: list[float], source: str, target: str, **more: Any) -> Any:
    """The cost and the rules of the best derivation, the same in both modules."""
    words = list(dict.fromkeys(f"{source} {target}".split()))
    results = []
    for module in MODULES:
        grammar = grammar_of(module, [Rule.parse(rule) for rule in rules], words, costs)
        pair = encode_sentences([source], words), encode_sentences([target], words)
        _, cost, tree, *_ = grammar.derive(*pair, options(grammar, words, **more))
        results.append((cost, tree[:, 1].tolist()))
    assert results[0] == results[1]
    return results[0]


def test_a_slightly_negative_cost_counts_as_it_is() -> None:
    """-log p of PPDB 1.0 is -0.00001 for some rules; the sum is not raised to 0."""
    rules = ["[X] ||| a ||| a", "[Y] ||| a ||| a"]
    assert derive_all(rules, [0.0, -1e-5], "a", "a") == (-1e-5, [1])
    assert derive_all(rules, [-2e-5, -1e-5], "a", "a") == (-2e-5, [0])


def test_glue_is_not_printed_and_does_not_count() -> None:
    # Two phrases in a row are two rules; one rule with both inside is three.
    rules = ["[X] ||| a ||| a", "[X] ||| b ||| b", "[S] ||| [X,1] [X,2] ||| [X,1] [X,2]"]
    assert derive_all(rules, [0.0] * 3, "a b", "a b") == (0.0, [0, 1])
    # Three phrases in a row are as many rules as two with a third inside: the longer phrase wins.
    rules = ["[X] ||| a ||| a", "[X] ||| b ||| b", "[X] ||| c ||| c", "[Y] ||| a [X,1] ||| a [X,1]"]
    assert derive_all(rules, [0.0] * 4, "a b c", "a b c") == (0.0, [3, 1, 2])


def test_a_rule_comes_before_a_word_that_passes() -> None:
    rules = ["[X] ||| [A,1] a ||| [A,1] a", "[B] ||| a ||| a"]
    # Under X and A, whose numbers are lower, the word passes; under B there is a rule.
    assert derive_all(rules, [0.0, 0.0], "a", "a", copy_labels="A X", passes="a") == (0.0, [1])
    assert derive_all(rules, [0.0, 0.5], "a", "a", copy_labels="A X", passes="a") == (0.0, [-1])


def test_circles() -> None:
    rules = ["[X] ||| [Y,1] ||| [Y,1]", "[Y] ||| [X,1] ||| [X,1]", "[X] ||| a ||| a"]
    assert derive_all(rules, [0.5, -0.5, 1.0], "a", "a", starts="X") == (1.0, [2])
    assert derive_all(rules, [0.5, -0.5, 1.0], "a", "a") == (0.5, [1, 2])
    assert derive_all(rules, [0.5, -0.75, 1.0], "a", "a") == (-math.inf, [])
    # A circle that no derivation of the pair needs leaves the price of the others as it is.
    more, costs = [*rules, "[Z] ||| a b ||| a b", "[Z] ||| b ||| b"], [0.5, -0.75, 1.0, 2.0, 9.0]
    assert derive_all(more, costs, "a b", "a b", starts="Z") == (2.0, [3])
    assert derive_all(more, costs, "a b", "a b") == (-math.inf, [])
    # A rule that adds a target word is no circle: the sentence ends.
    adding = ["[X] ||| [X,1] ||| b [X,1]", "[X] ||| a ||| a"]
    assert derive_all(adding, [-1.0, 0.25], "a", "b b a") == (-1.75, [0, 0, 1])


@pytest.mark.parametrize("module", MODULES)
def test_inner_labels(module: Any) -> None:
    rules = ["[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]", "[VP] ||| the ||| a"]
    words = ["the", "of", "'s", "a"]
    grammar = grammar_of(module, [Rule.parse(rule) for rule in rules], words)
    labels = [grammar.label(name) for name in ("NP", "NN", "VP", "X")]
    assert grammar.inner()[labels].tolist() == [1, 1, 0, 0]
    assert grammar.inner().dtype == np.uint8
