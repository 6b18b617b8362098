"""Synchronous parsing: rules worked by hand, an exhaustive search for derivations, cdec and Joshua."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from paragauge.grammar.rule import Rule
from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts, unpack_texts
from paragauge.kernels.reference.grammar.sync import (
    COVERED,
    NO_SOURCE_PARSE,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    UNREACHABLE,
)

MODULES = [_native, reference]
NAMES = ["covered", "unreachable", "no-source-parse", "out-of-time", "out-of-memory"]
WORDS = ["a", "b", "c"]


def grammar_of(
    module: Any, rules: list[Rule], words: list[str], costs: list[float] | None = None
) -> Any:
    grammar = module.SyncGrammar(pack_texts(words), np.full(len(words), 3, np.uint8))
    columns = [
        pack_texts([rule.lhs for rule in rules]),
        pack_texts([" ".join(rule.labels) for rule in rules]),
        pack_texts([rule.source for rule in rules]),
        pack_texts([rule.target for rule in rules]),
    ]
    assert grammar.add(*columns, np.array(costs or [0.0] * len(rules)), 1) == len(rules)
    grammar.finish()
    return grammar


def options(
    grammar: Any,
    words: list[str],
    *,
    span: int = 0,
    glue: bool = True,
    starts: str | None = None,
    copy_labels: str = "",
    passes: str = "",
    items: int = 0,
    memory: int = 0,
) -> tuple:
    labels = np.array(sorted(map(grammar.label, copy_labels.split())), np.int32)
    names = unpack_texts(grammar.labels())
    flags = [1 if starts is None else int(name in starts.split()) for name in names]
    passing = [int(word in passes.split()) for word in words]
    flags, passing = np.array(flags, np.uint8), np.array(passing, np.uint8)
    return span, glue, flags, labels, passing, items, memory, 0.0


def encode_sentences(sentences: list[str], words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    rows = [[words.index(word) for word in sentence.split()] for sentence in sentences]
    flat = np.array([word for row in rows for word in row], np.int32)
    return flat, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def status(rules: list[str], source: str, target: str, **settings_: Any) -> str:
    """What both kernels say of one pair."""
    words = list(dict.fromkeys(f"{source} {target}".split()))
    statuses = set()
    for module in MODULES:
        full = [rule if rule.count("|||") == 2 else f"[X] ||| {rule}" for rule in rules]
        grammar = grammar_of(module, [Rule.parse(rule) for rule in full], words)
        pair = encode_sentences([source], words), encode_sentences([target], words)
        statuses.add(NAMES[grammar.parse(*pair, options(grammar, words, **settings_), 1)[0][0]])
    [same] = statuses
    return same


def test_words_and_glue() -> None:
    rules = ["a ||| x", "b ||| y"]
    assert status(rules, "a b", "x y") == "covered"
    assert status(rules, "a b", "y x") == "unreachable"
    assert status(rules, "a b", "x y", glue=False) == "no-source-parse"
    assert status(rules, "a c", "x y") == "no-source-parse"


def test_non_terminals_change_places() -> None:
    rules = [
        "[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]",
        "[N] ||| king ||| king",
        "[N] ||| horse ||| steed",
    ]
    assert status(rules, "king 's horse", "the steed of king", glue=False) == "covered"
    assert status(rules, "king 's horse", "the king of steed", glue=False) == "unreachable"
    assert (
        status(rules, "king 's horse", "the steed of king", glue=False, starts="N") == "no-source-parse"
    )


def test_labels_must_agree() -> None:
    rules = ["[A] ||| [B,1] c ||| [B,1] c", "[D] ||| a ||| a"]
    assert status(rules, "a c", "a c", glue=False) == "no-source-parse"
    assert status([*rules, "[B] ||| [D,1] ||| [D,1]"], "a c", "a c", glue=False) == "covered"


def test_chains_and_cycles_of_labels() -> None:
    rules = ["[A] ||| [B,1] ||| [B,1]", "[B] ||| [A,1] ||| x [A,1]", "[A] ||| a ||| a"]
    assert status(rules, "a", "x x x a", glue=False) == "covered"
    assert status(rules, "a", "x x x", glue=False) == "unreachable"


def test_span_limit_holds_for_rules_and_not_for_glue() -> None:
    rules = ["a [X,1] b ||| a [X,1] b", "c ||| c", "[X,1] [X,2] ||| [X,2] [X,1]"]
    assert status(rules, "a c b c c", "a c b c c", span=3) == "covered"
    assert status(rules, "a c b", "a c b", span=2) == "no-source-parse"
    assert status(rules, "c a c b", "a c b c", span=3) == "unreachable"
    assert status(rules, "c a c b", "a c b c", span=4) == "covered"


def test_a_rule_may_delete_or_insert() -> None:
    assert (
        status(["[X,1] very [X,2] ||| [X,1] [X,2]", "a ||| a", "b ||| b"], "a very b", "a b")
        == "covered"
    )
    assert status(["[X,1] ||| indeed [X,1]", "a ||| a"], "a", "indeed indeed a") == "covered"


def test_words_that_stand_for_themselves() -> None:
    rules = ["a ||| x"]
    assert status(rules, "a b", "x b") == "no-source-parse"
    assert status(rules, "a b", "x b", copy_labels="X", passes="b") == "covered"
    assert status(rules, "a b", "a b", copy_labels="X", passes="b") == "unreachable"
    assert status(rules, "a b", "a b", copy_labels="OOV", passes="a b") == "covered"
    assert status(rules, "a b", "a b", copy_labels="OOV", passes="a b", starts="X") == "no-source-parse"


def test_words_that_stand_for_themselves_under_several_labels() -> None:
    rules = ["[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]"]
    pair = "the king of france", "france 's king"
    words = "king france"
    assert status(rules, *pair, copy_labels="X", passes=words) == "no-source-parse"
    assert status(rules, *pair, copy_labels="NN X", passes=words) == "no-source-parse"
    assert status(rules, *pair, copy_labels="NN NP", passes="king") == "no-source-parse"
    assert status(rules, *pair, copy_labels="NN NP", passes=words, glue=False) == "covered"
    # Words themselves may be at the top, under any of their labels.
    assert status(rules, "king", "king", copy_labels="NN NP", passes=words, starts="NP") == "covered"


def test_empty_sentences() -> None:
    assert status(["a ||| x"], "", "x") == "no-source-parse"
    assert status(["a ||| x"], "a", "") == "unreachable"


def test_a_rule_with_other_target_words_still_parses_the_source() -> None:
    assert status(["a ||| elsewhere"], "a", "x") == "unreachable"


@pytest.mark.parametrize("length", [62, 63, 64, 65, 200])
def test_long_sentences(length: int) -> None:
    """Relations have one or several words of bits a row."""
    words = ["a", "b"]
    rules = [Rule.parse("[X] ||| a ||| a"), Rule.parse("[X] ||| [X,1] b ||| b [X,1]")]
    grammar = grammar_of(_native, rules, words)
    for target, expected in (
        (f"b a {'a ' * (length - 2)}", COVERED),
        (f"a b {'a ' * (length - 2)}", UNREACHABLE),
    ):
        pair = (
            encode_sentences([f"a b {'a ' * (length - 2)}"], words),
            encode_sentences([target], words),
        )
        chosen = options(grammar, words, span=3)
        assert grammar.parse(*pair, chosen, 1)[0].tolist() == [expected]
        assert grammar.derive(*pair, chosen)[0] == expected


sides = st.lists(st.sampled_from([*WORDS[:2], "N", "N"]), min_size=1, max_size=4).filter(
    lambda side: side.count("N") <= 3
)


@st.composite
def rules_of(draw: st.DrawFn) -> Rule:
    labels = st.sampled_from(["X", "Y"])
    source, inner, names = draw(sides), 0, []
    for at, symbol in enumerate(source):
        if symbol == "N":
            inner += 1
            names.append(draw(labels))
            source[at] = f"[{inner}]"
    target = draw(st.permutations([f"[{i + 1}]" for i in range(inner)]))
    for word in draw(st.lists(st.sampled_from(WORDS), min_size=0 if inner else 1, max_size=2)):
        target.insert(draw(st.integers(0, len(target))), word)
    return Rule(draw(labels), " ".join(source), " ".join(target), tuple(names))


sentences = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
chosen_settings = st.fixed_dictionaries(
    {
        "span": st.integers(0, 4),
        "glue": st.booleans(),
        "starts": st.sampled_from([None, "X", "Y", "X Y", ""]),
        "copy_labels": st.sampled_from(["", "X", "Z", "X Y", "X Y Z"]),
        "passes": st.sampled_from(["", "a", "c", "a b c"]),
    }
)


def language(rules: list[Rule], limits: tuple[int, int], settings_: dict[str, Any]) -> dict[str, set]:
    """All pairs of strings that each label derives, as far as they fit: every derivation is made."""
    longest = min(limits[0], settings_["span"] or limits[0])
    derivable: dict[str, set] = {name: set() for name in "XYZ"}
    for label in settings_["copy_labels"].split() if longest > 0 else ():
        derivable[label] |= {((w,), (w,)) for w in settings_["passes"].split()}
    before = -1
    while before != sum(map(len, derivable.values())):
        before = sum(map(len, derivable.values()))
        for rule in rules:
            for parts in itertools.product(*(sorted(derivable[label]) for label in rule.labels)):
                yields = []
                for side in (0, 1):
                    text = (rule.source, rule.target)[side].split()
                    out: list[str] = []
                    for symbol in text:
                        out += parts[int(symbol[1:-1]) - 1][side] if symbol[0] == "[" else [symbol]
                    yields.append(tuple(out))
                if len(yields[0]) <= longest and len(yields[1]) <= limits[1]:
                    derivable[rule.lhs].add(tuple(yields))
    return derivable


def by_search(rules: list[Rule], source: str, target: str, settings_: dict[str, Any]) -> str:
    """The status of a pair by exhaustive search for derivations."""
    pair = tuple(source.split()), tuple(target.split())
    starts = ["X", "Y", "Z"] if settings_["starts"] is None else settings_["starts"].split()

    def derive_pairs(limit: int, grammar: list[Rule]) -> set:
        derivable = language(grammar, (len(pair[0]), limit), settings_)
        pieces = set().union(*(derivable[label] for label in starts)) if starts else set()
        if not settings_["glue"]:
            return pieces
        rows, fresh = set(pieces), set(pieces)
        while fresh:
            fresh = {(a + c, b + d) for a, b in fresh for c, d in pieces} - rows
            fresh = {(a, b) for a, b in fresh if len(a) <= len(pair[0]) and len(b) <= limit}
            rows |= fresh
        return rows

    if pair in derive_pairs(len(pair[1]), rules):
        return "covered"
    # With the source side on both sides the pair (source, source) says whether the source parses.
    copies = [Rule(rule.lhs, rule.source, rule.source, rule.labels) for rule in rules]
    if (pair[0], pair[0]) in derive_pairs(len(pair[0]), copies):
        return "unreachable"
    return "no-source-parse"


@settings(max_examples=500, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(rules_of(), max_size=6), sentences, sentences, chosen_settings)
def test_equals_exhaustive_search(
    rules: list[Rule], source: str, target: str, settings_: dict[str, Any]
) -> None:
    expected = by_search(rules, source, target, settings_)
    for module in MODULES:
        grammar = grammar_of(module, rules, WORDS)
        pair = encode_sentences([source], WORDS), encode_sentences([target], WORDS)
        actual = grammar.parse(*pair, options(grammar, WORDS, **settings_), 1)[0]
        assert NAMES[actual[0]] == expected


def same_result(left: tuple, right: tuple) -> None:
    for a, b in zip(left, right, strict=True):
        np.testing.assert_array_equal(a, b)


pairs_of_sentences = st.lists(st.tuples(sentences, sentences), max_size=4)


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(rules_of(), max_size=7),
    pairs_of_sentences,
    chosen_settings,
    st.sampled_from([(0, 0), (5, 0), (20, 0), (60, 0), (0, 200), (0, 600), (0, 2000)]),
    st.sampled_from([0, 1, 2, 5]),
)
def test_parse_equals_twin(
    rules: list[Rule],
    pairs: list[tuple[str, str]],
    settings_: dict[str, Any],
    limits: tuple[int, int],
    threads: int,
) -> None:
    results = []
    for module in MODULES:
        grammar = grammar_of(module, rules, WORDS)
        chosen = options(grammar, WORDS, **settings_, items=limits[0], memory=limits[1])
        columns = [encode_sentences([pair[side] for pair in pairs], WORDS) for side in (0, 1)]
        results.append(grammar.parse(*columns, chosen, threads)[:2])
    same_result(*results)


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(rules_of(), st.sampled_from([-0.125, 0.0, 0.1, 0.2, 0.3, 1.0])), max_size=7),
    sentences,
    sentences,
    chosen_settings,
    st.sampled_from([(0, 0), (20, 0), (0, 800), (0, 3000)]),
)
def test_derive_equals_twin(
    costed: list[tuple[Rule, float]],
    source: str,
    target: str,
    settings_: dict[str, Any],
    limits: tuple[int, int],
) -> None:
    results = []
    for module in MODULES:
        grammar = grammar_of(module, [rule for rule, _ in costed], WORDS, [cost for _, cost in costed])
        chosen = options(grammar, WORDS, **settings_, items=limits[0], memory=limits[1])
        pair = encode_sentences([source], WORDS), encode_sentences([target], WORDS)
        results.append(grammar.derive(*pair, chosen))
        assert results[-1][0] == grammar.parse(*pair, chosen, 1)[0][0]  # whatever the limits
    same_result(*results)


def spell_tree(grammar: Any, tree: np.ndarray, words: list[str]) -> tuple[list[str], list[str]]:
    """The two sentences that a tree derives, read off its rules alone."""
    rows = tree.tolist()

    def yields(row: int) -> list[list[str]]:
        _, rule, _, first, last, _, _ = rows[row]
        if rule < 0:
            return [[words[0]], [words[0]]] if last - first == 1 else []
        _, source, target, _ = grammar.rule(rule)
        children = [yields(at) for at in range(len(rows)) if rows[at][0] == row]
        sides: list[list[str]] = [[], []]
        inner = iter(children)
        for symbol in source.tolist():
            sides[0] += [words[symbol]] if symbol >= 0 else next(inner)[0]
        for symbol in target.tolist():
            sides[1] += [words[symbol]] if symbol >= 0 else children[-1 - symbol][1]
        return sides

    tops = [yields(at) for at in range(len(rows)) if rows[at][0] < 0]
    return [w for top in tops for w in top[0]], [w for top in tops for w in top[1]]


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(rules_of(), min_size=2, max_size=8), sentences, sentences, st.integers(0, 4))
@example([Rule.parse("[X] ||| a [X,1] ||| [X,1] c"), Rule.parse("[X] ||| b ||| b")], "a b", "b c", 0)
def test_a_derivation_derives_its_pair(rules: list[Rule], source: str, target: str, span: int) -> None:
    grammar = grammar_of(_native, rules, WORDS)
    pair = encode_sentences([source], WORDS), encode_sentences([target], WORDS)
    status, _, tree, *_ = grammar.derive(*pair, options(grammar, WORDS, span=span))
    if status == COVERED:
        assert spell_tree(grammar, tree, WORDS) == (source.split(), target.split())
    else:
        assert len(tree) == 0


def derive_with_both(
    rules: list[str], source: str, target: str, costs: list[float] | None = None, **settings_: Any
) -> tuple:
    words = list(dict.fromkeys(f"{source} {target}".split()))
    results = []
    for module in MODULES:
        grammar = grammar_of(module, [Rule.parse(f"[X] ||| {rule}") for rule in rules], words, costs)
        pair = encode_sentences([source], words), encode_sentences([target], words)
        results.append(grammar.derive(*pair, options(grammar, words, **settings_)))
    same_result(*results)
    return results[0]


def test_fewest_rules() -> None:
    rules = ["a ||| a", "b ||| b", "a b ||| a b", "[X,1] [X,2] ||| [X,1] [X,2]"]
    _, cost, tree, _, _ = derive_with_both(rules, "a b", "a b")
    assert cost == 0
    assert tree.tolist() == [[-1, 2, 0, 0, 2, 0, 2]]


def test_least_cost() -> None:
    rules = ["a ||| a", "b ||| b", "a b ||| a b", "[X,1] [X,2] ||| [X,1] [X,2]"]
    _, cost, tree, _, _ = derive_with_both(rules, "a b", "a b", [0.25, 0.25, 2.0, 0.25], glue=False)
    assert cost == 0.75
    assert tree[:, :2].tolist() == [[-1, 3], [0, 0], [0, 1]]
    _, cost, tree, _, _ = derive_with_both(rules, "a b", "a b", [0.25, 0.25, 2.0, 0.25])
    assert cost == 0.5  # glue costs nothing
    assert tree.tolist() == [[-1, 0, 0, 0, 1, 0, 1], [-1, 1, 0, 1, 2, 1, 2]]


def test_largest_spans_of_a_pair_that_is_not_covered() -> None:
    rules = ["a ||| a", "b ||| b", "[X,1] b ||| b [X,1]", "d ||| d"]
    status, _, tree, spans, _ = derive_with_both(rules, "a b c d", "b a e d")
    assert (status, len(tree)) == (NO_SOURCE_PARSE, 0)
    assert spans.tolist() == [[0, 2, 0, 2, 0], [3, 4, 3, 4, 0]]


def test_limits_are_told_apart() -> None:
    rules = ["a ||| a", "[X,1] [X,2] ||| [X,1] [X,2]"]
    words = ["a"]
    for module in MODULES:
        grammar = grammar_of(module, [Rule.parse(f"[X] ||| {rule}") for rule in rules], words)
        pair = encode_sentences(["a a a a a a"], words), encode_sentences(["a a a a a a"], words)
        items = grammar.parse(*pair, options(grammar, words), 1)[1][0]
        for limit, expected in (
            ({"items": int(items)}, COVERED),
            ({"items": int(items) - 1}, OUT_OF_TIME),
            ({"items": 3}, OUT_OF_TIME),
            ({"memory": 100}, OUT_OF_MEMORY),
        ):
            outcome = grammar.parse(*pair, options(grammar, words, **limit), 1)
            assert outcome[0][0] == expected
            assert (outcome[1][0] == -1) == (expected != COVERED)


def test_a_limit_after_the_status_is_known() -> None:
    """Coverage and derivation agree on the status; the tree and the spans may take more memory."""
    words = ["a", "b"]
    rules = [Rule.parse("[X] ||| a ||| a"), Rule.parse("[X] ||| [X,1] [X,2] ||| [X,1] [X,2]")]
    for source, expected in (("a a a a", COVERED), ("a a a b", NO_SOURCE_PARSE)):
        results = []
        for module in MODULES:
            grammar = grammar_of(module, rules, words)
            pair = encode_sentences([source], words), encode_sentences(["a a a a"], words)
            memory = next(
                memory
                for memory in range(1, 10_000)
                if grammar.parse(*pair, options(grammar, words, memory=memory), 1)[0][0] == expected
            )
            results.append(grammar.derive(*pair, options(grammar, words, memory=memory)))
            status, _, tree, spans, stopped = results[-1]
            assert (status, len(tree), len(spans), stopped) == (expected, 0, 0, OUT_OF_MEMORY)
        same_result(*results)


def test_time_limit() -> None:
    rules = [Rule.parse("[X] ||| [X,1] [X,2] [X,3] [X,4] [X,5] ||| [X,5] [X,4] [X,1] [X,2] [X,3]")]
    rules += [Rule.parse("[X] ||| a ||| a"), Rule.parse("[X] ||| [X,1] [X,2] ||| [X,2] [X,1]")]
    grammar = grammar_of(_native, rules, ["a"])
    sentence = " ".join(["a"] * 60)
    pair = encode_sentences([sentence], ["a"]), encode_sentences([sentence], ["a"])
    chosen = (*options(grammar, ["a"])[:7], 0.05)
    assert grammar.parse(*pair, chosen, 1)[0].tolist() == [OUT_OF_TIME]
    assert grammar.derive(*pair, chosen)[0] == OUT_OF_TIME


def test_a_chart_that_no_memory_holds() -> None:
    sentence = (np.zeros(10_000, np.int32), np.array([0, 10_000]))
    for module in MODULES:
        grammar = grammar_of(module, [], ["a"])
        assert grammar.parse(sentence, sentence, options(grammar, ["a"]), 1)[0][0] == OUT_OF_MEMORY
        assert grammar.derive(sentence, sentence, options(grammar, ["a"]))[0] == OUT_OF_MEMORY


texts = st.text("ab[]12 é", max_size=8) | st.sampled_from(
    ["[1]", "[1] a", "[2] [1]", "[1] [2]", "X Y", "X"]
)


@settings(max_examples=500)
@given(st.lists(st.tuples(texts, texts, texts, texts), max_size=6), st.sampled_from([0, 1, 3]))
@example([("X", "A", "[1] a", "a [1]"), ("X", "", "a", ""), ("X", "A B", "[1] [2]", "[2] [2]")], 1)
@example([("X", "A", "[01]", "[1]")], 1)
@example([("X", "A", "[99999999999999999999999]", "[1]")], 1)
@example([("X", "", "b", "a"), ("X", "", "b", "c"), ("X", "", "b", "c c")], 2)
def test_reading_rows_equals_twin(rows: list[tuple[str, str, str, str]], threads: int) -> None:
    words = ["a", "b", "é", "]"]
    results = []
    for module in MODULES:
        grammar = module.SyncGrammar(pack_texts(words), np.array([3, 1, 2, 3], np.uint8))
        columns = [pack_texts(list(column)) for column in zip(*rows, strict=True)] or [
            pack_texts([])
        ] * 4
        costs = np.zeros(len(rows))
        added = grammar.add(*columns, costs, threads)
        grammar.finish()
        rules = [tuple(map(np.ndarray.tolist, grammar.rule(i)[1:3])) for i in range(len(grammar))]
        heads = [grammar.rule(i)[0] for i in range(len(grammar))]
        results.append((added, rules, heads, unpack_texts(grammar.labels()), grammar.known().tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize("module", MODULES)
def test_bad_arguments(module: Any) -> None:
    with pytest.raises(ValueError, match="every word must have its sides"):
        module.SyncGrammar(pack_texts(["a"]), np.zeros(2, np.uint8))
    with pytest.raises(ValueError, match="words must differ"):
        module.SyncGrammar(pack_texts(["a", "a"]), np.zeros(2, np.uint8))
    grammar = grammar_of(module, [Rule.parse("[X] ||| a ||| a")], ["a"])
    for cost in (np.nan, np.inf, -np.inf):
        rows = pack_texts(["X"]), pack_texts([""]), pack_texts(["a"]), pack_texts(["a"])
        assert grammar.add(*rows, np.array([cost]), 1) == 0
    with pytest.raises(ValueError, match="all columns must have the same number of rows"):
        grammar.add(
            pack_texts(["X"]), pack_texts([""]), pack_texts(["a"]), pack_texts([]), np.zeros(1), 1
        )
    with pytest.raises(IndexError):
        grammar.rule(1)
    one = encode_sentences(["a"], ["a"])
    good = options(grammar, ["a"])
    with pytest.raises(ValueError, match="the same number of sentences"):
        grammar.parse(one, encode_sentences(["a", "a"], ["a"]), good, 1)
    with pytest.raises(ValueError, match="ids must be numbers of words"):
        grammar.parse((np.array([1], np.int32), one[1]), one, good, 1)
    with pytest.raises(ValueError, match="one pair is derived at a time"):
        grammar.derive(encode_sentences([], ["a"]), one, good)
    for at, value, message in (
        (2, np.zeros(2, np.uint8), "every label must have a flag"),
        (4, np.zeros(0, np.uint8), "every word must have a flag"),
        (3, np.array([1], np.int32), "must be labels, in ascending order"),
        (3, np.array([-1], np.int32), "must be labels, in ascending order"),
        (3, np.array([0, 0], np.int32), "must be labels, in ascending order"),
    ):
        bad = (*good[:at], value, *good[at + 1 :])
        with pytest.raises(ValueError, match=message):
            grammar.parse(one, one, bad, 1)


def oracle_rules(path: Path) -> Iterator[Rule]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield Rule.parse(line)


@pytest.fixture(scope="session")
def coverage_oracle(benchmark_data: Path) -> tuple:
    """Pairs, what cdec and Joshua said of them, and the grammar."""
    folder = benchmark_data / "oracles" / "coverage"
    lines = (folder / "pairs.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ||| ") for line in lines]
    words = list(dict.fromkeys(word for pair in pairs for side in pair for word in side.split()))
    numbers = {word: number for number, word in enumerate(words)}
    columns = []
    for side in (0, 1):
        rows = [[numbers[word] for word in pair[side].split()] for pair in pairs]
        flat = np.array([word for row in rows for word in row], np.int32)
        columns.append((flat, np.cumsum([0, *map(len, rows)], dtype=np.int64)))
    rules = list(oracle_rules(folder / "grammar.gz"))
    header, *rest = (folder / "expected.tsv").read_text(encoding="utf-8").splitlines()
    table = [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rest]
    return columns, grammar_of(_native, rules, words), words, table


@pytest.mark.parametrize("span", [10, 15])
def test_same_answers_as_cdec_and_joshua(coverage_oracle: tuple, span: int) -> None:
    """oracles/coverage: cdec with scfg_max_span_limit, Joshua with a span limit of 15."""
    columns, grammar, words, table = coverage_oracle
    statuses = [NAMES[i] for i in grammar.parse(*columns, options(grammar, words, span=span), 2)[0]]
    assert statuses == [row[f"cdec_span{span}"] for row in table]
    if span == 15:
        covered = [row["joshua_span15"] == "covered" for row in table]
        assert [name == "covered" for name in statuses] == covered
