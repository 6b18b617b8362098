"""Rule extraction and span labels: hand-worked rules, brute force over all boxes, and the twins."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts, unpack_texts
from paragauge.kernels.reference.grammar.rules import ALL, LEXICAL, NONE, Limits

Tree = list[tuple[str, int, int]]
PLAIN = Limits(12, 12, 12, 2, 5, 5, 5, 5, 12, 12, 0, 0, 1, 1, 0, 0, 1, 0, 0, LEXICAL)
HIERO = (False, False, False, False, "bottom", "X")
CONSTITUENTS = (True, False, False, False, "bottom", "X")
SAMT = (True, True, True, True, "bottom", "X")


def ragged(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([number for one in lists for number in one], np.int32)
    return flat, np.cumsum([0, *map(len, lists)], dtype=np.int64)


def tree_arrays(trees: list[Tree]) -> tuple:
    names = sorted({label for tree in trees for label, _, _ in tree})
    parts = [[[names.index(n), b, e][i] for n, b, e in tree] for i in range(3) for tree in trees]
    count = len(trees)
    columns = [ragged(parts[i * count : (i + 1) * count]) for i in range(3)]
    return pack_texts(names), columns[0][0], columns[1][0], columns[2][0], columns[0][1]


Sentence = tuple[list[str], list[str], list[tuple[int, int]], Tree]


def arguments(
    pairs: list[Sentence],
    labels: tuple = HIERO,
    limits: Limits = PLAIN,
    max_rows: int = 1 << 16,
    target_is_parsed: bool = False,
) -> tuple:
    words = sorted({word for source, target, _, _ in pairs for word in (*source, *target)})
    sides = [ragged([[words.index(w) for w in pair[side]] for pair in pairs]) for side in (0, 1)]
    links = [sorted(set(pair[2])) for pair in pairs]
    sources, offsets = ragged([[s for s, _ in pairs] for pairs in links])
    targets, _ = ragged([[t for _, t in pairs] for pairs in links])
    trees = None if labels == HIERO else tree_arrays([pair[3] for pair in pairs])
    numbers = np.array(limits, np.int64)
    return (
        pack_texts(words), *sides, (sources, targets, offsets), trees, target_is_parsed, labels,
        numbers, max_rows,
    )  # fmt: skip


def chunks(kernels: Any, inputs: tuple, threads: int = 1) -> list[list[tuple]]:
    extractor = kernels.RuleExtractor(*inputs)
    chunks_read = []
    while (columns := extractor.next(threads)) is not None:
        texts = [unpack_texts(columns[i]) for i in (0, 1, 2, 3, 7)]
        numbers = [columns[i].tolist() for i in (4, 5, 6)]
        assert [columns[i].dtype for i in (4, 5, 6)] == [np.int32, np.int32, np.int64]
        chunks_read.append(list(zip(*texts, *numbers, strict=True)))
    return chunks_read


def rules(inputs: tuple) -> list[str]:
    rows = [row for chunk in chunks(_native, inputs) for row in chunk]
    return [f"{row[0]} -> {row[2]} / {row[3]}" for row in rows]


TWO = (["a", "b"], ["x", "y"], [(0, 0), (1, 1)], [("S", 0, 2), ("A", 0, 1), ("B", 1, 2)])


def test_two_words() -> None:
    assert rules(arguments([TWO])) == [
        "X -> a / x",
        "X -> a b / x y",
        "X -> [1] b / [1] y",
        "X -> a [1] / x [1]",
        "X -> b / y",
    ]


def test_abstract_rules() -> None:
    extracted = rules(arguments([TWO], limits=PLAIN._replace(abstract=1)))
    assert set(extracted) - set(rules(arguments([TWO]))) == {"X -> [1] [2] / [1] [2]"}


def test_no_rule_rewrites_a_symbol_to_itself() -> None:
    loose = (["a", "u"], ["x"], [(0, 0)], [("S", 0, 2), ("A", 0, 1)])
    for labels in (HIERO, CONSTITUENTS):
        extracted = rules(arguments([TWO, loose], labels, PLAIN._replace(abstract=1)))
        assert not any("-> [1] / [1]" in rule for rule in extracted)
        # A word on one side is enough: this rule changes something.
        assert any("-> [1] u / [1]" in rule for rule in extracted)


def test_gaps_that_change_places() -> None:
    crossed = (["a", "and", "b"], ["y", "und", "x"], [(0, 2), (1, 1), (2, 0)], [])
    assert "X -> [1] and [2] / [2] und [1]" in rules(arguments([crossed]))


def test_adjacent_gaps() -> None:
    three = (list("abc"), list("xyz"), [(0, 0), (1, 1), (2, 2)], [])
    rule = "X -> [1] [2] c / [1] [2] z"
    assert rule in rules(arguments([three]))
    assert rule not in rules(arguments([three], limits=PLAIN._replace(adjacent=0)))


def test_labels_of_rules() -> None:
    assert rules(arguments([TWO], CONSTITUENTS)) == [
        "A -> a / x",
        "S -> a b / x y",
        "S -> [1] b / [1] y",
        "S -> a [1] / x [1]",
        "B -> b / y",
    ]
    columns = _native.RuleExtractor(*arguments([TWO], CONSTITUENTS)).next(1)
    assert columns is not None
    assert unpack_texts(columns[1]) == ["", "", "A", "B", ""]


def test_unaligned_words_at_edges() -> None:
    edge = (["a", "u"], ["x"], [(0, 0)], [])
    assert rules(arguments([edge])) == ["X -> a / x", "X -> a u / x", "X -> [1] u / [1]"]
    assert rules(arguments([edge], limits=PLAIN._replace(loose=0))) == ["X -> a / x"]


def test_identity() -> None:
    same = (["a", "b"], ["a", "c"], [(0, 0), (1, 1)], [])
    with_identity = rules(arguments([same]))
    without_identity = rules(arguments([same], limits=PLAIN._replace(identity=0)))
    assert set(with_identity) - set(without_identity) == {"X -> a / a", "X -> a [1] / a [1]"}


def test_fallback() -> None:
    tree = [("B", 1, 2)]
    pair = (*TWO[:3], tree)

    def rules_with(fallback: int) -> list[str]:
        return rules(arguments([pair], CONSTITUENTS, PLAIN._replace(fallback=fallback)))

    assert rules_with(NONE) == ["B -> b / y"]
    assert rules_with(LEXICAL) == ["X -> a / x", "X -> a b / x y", "B -> b / y"]
    assert set(rules_with(ALL)) - set(rules_with(LEXICAL)) == {
        "X -> [1] b / [1] y",
        "X -> a [1] / x [1]",
    }


def test_the_whole_sentence() -> None:
    long = (list("abcd"), list("wxyz"), [(i, i) for i in range(4)], [])
    short = PLAIN._replace(source_phrase=2, target_phrase=2)
    assert "X -> a b c d / w x y z" not in rules(arguments([long], limits=short))
    whole = rules(arguments([long], limits=short._replace(full_sentence=1)))
    assert "X -> a b c d / w x y z" in whole
    assert "X -> [1] [2] / [1] [2]" not in whole


def test_one_word() -> None:
    extracted = rules(arguments([TWO], limits=PLAIN._replace(one_word=1)))
    assert extracted == ["X -> a / x", "X -> b / y"]


def test_links_inside_a_rule() -> None:
    pair = (list("abcd"), list("xyz"), [(0, 2), (1, 1), (2, 1), (3, 0)], [])
    [chunk] = chunks(_native, arguments([pair], limits=PLAIN._replace(alignment=1)))
    links = {(row[2], row[3]): row[4] for row in chunk}
    assert links["a b c d", "x y z"] == "0-2 1-1 2-1 3-0"
    assert links["a [1] d", "x [1] z"] == "0-2 2-0"
    assert links["[1] b c [2]", "[2] y [1]"] == "1-1 2-1"


def test_any_script() -> None:
    pair = (["क्षेत्र", "🙂"], ["面積", "e\u0301"], [(0, 0), (1, 1)], [])
    assert "X -> क्षेत्र [1] / 面積 [1]" in rules(arguments([pair]))


def test_long_words_and_many_rows() -> None:
    # Words longer than a block of bytes, in every place of the output.
    words = [f"{'w' * size}{size}" for size in range(12, 40)]
    pair = (words, words[::-1], [(i, len(words) - 1 - i) for i in range(len(words))], [])
    inputs = arguments([pair] * 3)
    assert chunks(_native, inputs) == chunks(reference, inputs)


def test_chunks_hold_so_many_rows() -> None:
    pairs = [(list("abcdefgh"), list("abcdefgh"), [(i, i) for i in range(8)], [])] * 3
    whole = Counter()
    for chunk in chunks(_native, arguments(pairs)):
        for row in chunk:
            whole[row[:4]] += row[-1]
    cut: Counter = Counter()
    pieces = chunks(_native, arguments(pairs, max_rows=64))
    assert len(pieces) > 10
    for chunk in pieces:
        assert len(chunk) <= 64
        for row in chunk:
            cut[row[:4]] += row[-1]
    assert cut == whole


def test_no_pairs() -> None:
    assert chunks(_native, arguments([])) == chunks(reference, arguments([])) == []
    empty = arguments([([], [], [], []), (["a"], ["b"], [], [])])
    assert chunks(_native, empty) == chunks(reference, empty) == [[]]


# Brute force ------------------------------------------------------------------------------------


def brute_force(pair: Sentence, labels: tuple, limits: Limits, parsed: bool) -> Counter:
    """Every way to lay at most `nonterminals` boxes into a box, checked one condition at a time."""
    source, target, links, tree = pair
    links = sorted(set(links))
    nodes = None if labels == HIERO else tree
    length = len(target) if parsed else len(source)
    labeler = reference.syntax.span_labels.SpanLabeler(nodes, length, labels)

    def box(most_s: int, most_t: int) -> list[tuple[range, range]]:
        boxes = []
        for s0, s1 in itertools.combinations(range(len(source) + 1), 2):
            for t0, t1 in itertools.combinations(range(len(target) + 1), 2):
                s, t = range(s0, s1), range(t0, t1)
                if len(s) > most_s or len(t) > most_t:
                    continue
                if any((i in s) != (j in t) for i, j in links):
                    continue
                if not any(i in s for i, _ in links):
                    continue
                tight = {s0, s1 - 1} <= {i for i, _ in links} and {t0, t1 - 1} <= {j for _, j in links}
                if limits.loose or tight:
                    boxes.append((s, t))
        return boxes

    def name(s: range, t: range) -> str:
        span = t if parsed else s
        return labeler.label(span.start, span.stop)

    small = box(limits.source_phrase, limits.target_phrase)
    outer = [(s, t) for s, t in small if len(s) <= limits.span]
    everything = (range(len(source)), range(len(target)))
    if limits.full_sentence and links and everything not in outer:
        outer.append(everything)
    counted: Counter = Counter()
    for s, t in outer:
        inner = [(a, b) for a, b in small if set(a) <= set(s) and set(b) <= set(t)]
        inner.sort(key=lambda gap: gap[0].start)
        for size in range(limits.nonterminals + 1):
            for gaps in itertools.combinations(inner, size):
                if any(
                    set(a) & set(c) or set(b) & set(d)
                    for (a, b), (c, d) in itertools.combinations(gaps, 2)
                ):
                    continue  # fmt: skip
                close = any(a.stop == c.start for (a, _), (c, _) in itertools.combinations(gaps, 2))
                if close and not limits.adjacent:
                    continue
                left = [i for i in s if not any(i in a for a, _ in gaps)]
                right = [j for j in t if not any(j in b for _, b in gaps)]
                names = [name(s, t), *(name(a, b) for a, b in gaps)]
                unnamed = [labels != HIERO and label == "X" for label in names]
                if any(unnamed) and limits.fallback != ALL and (gaps or limits.fallback == NONE):
                    continue
                if not left and not right and (size == 1 or (gaps and not limits.abstract)):
                    continue
                if gaps and (
                    len(left) + size > limits.source_symbols
                    or len(right) + size > limits.target_symbols
                    or len(left) > limits.source_words
                    or len(right) > limits.target_words
                ):
                    continue
                if not gaps and (
                    len(left) > limits.lexical_source or len(right) > limits.lexical_target
                ):
                    continue
                if len(left) < limits.min_words or (limits.one_word and (gaps or len(left) != 1)):
                    continue
                if sum(i in left for i, _ in links) < limits.min_links:
                    continue
                symbols = []
                for words, places, side in ((source, left, 0), (target, right, 1)):
                    marks = [(gap[side].start, f"[{n}]") for n, gap in enumerate(gaps, 1)]
                    pieces = sorted([*marks, *((i, words[i]) for i in places)])
                    symbols.append(" ".join(text for _, text in pieces))
                if symbols[0] == symbols[1] and not limits.identity:
                    continue
                counted[names[0], " ".join(names[1:]), *symbols] += 1
    return counted


@st.composite
def trees(draw: st.DrawFn, length: int) -> Tree:
    """Nested labeled spans, unary chains and words without a tag among them."""
    if length == 0:
        return []
    label = st.sampled_from(["S", "NP", "VP", "X", ",", "NP-SBJ"])

    def nodes(begin: int, end: int) -> Tree:
        same_span = [(draw(label), begin, end) for _ in range(draw(st.integers(0, 2)))]
        if end - begin > 1 and draw(st.booleans()):
            middle = draw(st.integers(begin + 1, end - 1))
            return [*same_span, *nodes(begin, middle), *nodes(middle, end)]
        return same_span

    return nodes(0, length)


@st.composite
def sentence_pairs(draw: st.DrawFn, longest: int = 5) -> tuple[Sentence, bool]:
    word = st.sampled_from(["a", "b", "é", "中"])
    source, target = draw(st.lists(word, max_size=longest)), draw(st.lists(word, max_size=longest))
    links = []
    if source and target:
        link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        links = draw(st.lists(link, max_size=6))
    parsed = draw(st.booleans())
    return (source, target, links, draw(trees(len(target) if parsed else len(source)))), parsed


sizes = st.integers(1, 6)
flags = st.integers(0, 1)
all_limits = st.builds(
    Limits,
    sizes, sizes, sizes, st.integers(0, 3), sizes, sizes, st.integers(0, 5), st.integers(0, 5),
    sizes, sizes, st.integers(0, 2), st.integers(0, 2), *[flags] * 7, st.integers(0, 2),
)  # fmt: skip
loosest = st.builds(
    lambda *numbers: PLAIN._replace(nonterminals=numbers[0], abstract=numbers[1], fallback=numbers[2]),
    st.integers(0, 3), flags, st.integers(0, 2),
)  # fmt: skip
all_labels = st.one_of(
    st.just(HIERO),
    st.just(SAMT),
    st.tuples(*[st.booleans()] * 4, st.sampled_from(["bottom", "top", "all"]), st.just("X")),
).filter(lambda labels: labels == HIERO or any(labels[:4]))


@settings(max_examples=500)
@given(sentence_pairs(), all_labels, all_limits | loosest)
def test_brute_force(pair: tuple[Sentence, bool], labels: tuple, limits: Limits) -> None:
    sentence, parsed = pair
    counts: Counter = Counter()
    for chunk in chunks(_native, arguments([sentence], labels, limits, target_is_parsed=parsed)):
        for row in chunk:
            counts[row[:4]] += row[-1]
    assert counts == brute_force(sentence, labels, limits, parsed)


@settings(max_examples=150)
@given(
    st.lists(sentence_pairs(4), max_size=20), all_labels, all_limits | loosest,
    st.sampled_from([1, 16, 48, 1 << 16]), st.booleans(), st.sampled_from([0, 1, 3]),
)  # fmt: skip
def test_twins(
    pairs: list, labels: tuple, limits: Limits, max_rows: int, parsed: bool, threads: int
) -> None:
    sentences = [pair for pair, side in pairs if side == parsed]
    inputs = arguments(sentences, labels, limits, max_rows, parsed)
    assert chunks(_native, inputs, threads) == chunks(reference, inputs)


@given(st.integers(0, 7).flatmap(lambda length: st.tuples(st.just(length), trees(length))), all_labels)
@example((3, [("S", 0, 3), ("E", 0, 0), ("A", 0, 1), ("E", 3, 3)]), SAMT)
def test_label_spans(tree: tuple[int, Tree], labels: tuple) -> None:
    length, nodes = tree
    spans = [(0, *span) for span in itertools.combinations(range(length + 1), 2)]
    inputs = (
        tree_arrays([nodes]), np.array([length]), np.array(spans, np.int64).reshape(-1, 3), labels, 1,
    )  # fmt: skip
    native, twin = _native.label_spans(*inputs), reference.label_spans(*inputs)
    assert unpack_texts(native) == unpack_texts(twin)


def test_a_span_gets_the_label_that_samt_prefers() -> None:
    nodes = [
        ("S", 0, 4), ("NP", 0, 2), ("DT", 0, 1), ("NN", 1, 2), ("VP", 2, 4), ("VB", 2, 3), ("RB", 3, 4),
    ]  # fmt: skip
    labeler = reference.syntax.span_labels.SpanLabeler(nodes, 4, SAMT)
    spans = {(0, 2): "NP", (1, 3): "NN+VB", (0, 3): "NP+VB", (1, 4): "NN+VP"}
    assert {span: labeler.label(*span) for span in spans} == spans
    slashed = reference.syntax.span_labels.SpanLabeler(nodes, 4, (*CONSTITUENTS[:2], True, *SAMT[3:]))
    assert [slashed.label(0, 3), slashed.label(1, 4)] == ["S/RB", "S\\DT"]


BAD_ARGUMENTS = {
    "max_rows must be at least 1": (8, 0),
    "limits are 20 numbers": (7, np.zeros(3, np.int64)),
    "limits must be from 0": (7, np.array(PLAIN._replace(span=-1), np.int64)),
    "phrases must have from 1": (7, np.array(PLAIN._replace(source_phrase=0), np.int64)),
    "at most 8": (7, np.array(PLAIN._replace(nonterminals=9), np.int64)),
    "fallback must be": (7, np.array(PLAIN._replace(fallback=3), np.int64)),
    "unary must be": (6, (True, True, True, True, "middle", "X")),
    "settings of labels": (6, (True, "X")),
    "ids must be numbers of words": (1, (np.array([9, 0], np.int32), np.array([0, 2]))),
    "links must stay within": (3, ragged([[0]])[:1] + (np.array([7], np.int32), np.array([0, 1]))),
    "same number of sentences": (3, (*[np.zeros(0, np.int32)] * 2, np.array([0]))),
    "every sentence must have a tree": (4, tree_arrays([])),
    "nodes must nest": (4, tree_arrays([[("S", 0, 1), ("A", 0, 2)]])),
    "within their sentences": (4, tree_arrays([[("S", 0, 3)]])),
    "order of their words": (4, tree_arrays([[("A", 1, 2), ("B", 0, 1)]])),
    "labels must be numbers": (4, (pack_texts([]), *tree_arrays([TWO[3]])[1:])),
}


@pytest.mark.parametrize("kernels", [_native, reference], ids=["native", "twin"])
@pytest.mark.parametrize("message", BAD_ARGUMENTS)
def test_bad_arguments(kernels: Any, message: str) -> None:
    place, value = BAD_ARGUMENTS[message]
    good = arguments([TWO], SAMT)
    with pytest.raises(ValueError, match=message):
        kernels.RuleExtractor(*good[:place], value, *good[place + 1 :])


@pytest.mark.parametrize("kernels", [_native, reference], ids=["native", "twin"])
def test_bad_spans(kernels: Any) -> None:
    trees_, lengths = tree_arrays([TWO[3]]), np.array([2])
    for span, message in (((1, 0, 1), "in a sentence"), ((0, 1, 1), "words"), ((0, 0, 3), "within")):
        with pytest.raises(ValueError, match=message):
            kernels.label_spans(trees_, lengths, np.array([span]), SAMT, 1)
