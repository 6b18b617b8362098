"""Phrase extraction and lexical weights: hand-worked pairs, Moses' own output, and the twins."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts, unpack_texts
from paragauge.text.vocabulary import Vocabulary

Side = tuple[tuple[np.ndarray, np.ndarray], np.ndarray, np.ndarray]


def side(sentences: list[str]) -> Side:
    vocabulary = Vocabulary()
    ids = vocabulary.encode(sentences, "none")
    return pack_texts(list(vocabulary)), ids.ids, ids.offsets


def arguments(sources: list[str], targets: list[str], links: list[list[tuple[int, int]]]) -> tuple:
    alignment = Links.from_lists(links)
    return side(sources), side(targets), (alignment.source, alignment.target, alignment.offsets)


def rows(result: tuple) -> list[tuple[str, ...]]:
    return list(zip(*map(unpack_texts, result), strict=True))


def extract(source: str, target: str, links: list[tuple[int, int]], length: int) -> list[str]:
    columns = _native.extract_phrases(*arguments([source], [target], [links]), length, 1)
    return [" ||| ".join(row[:3]) for row in rows(columns)]


def test_one_link() -> None:
    assert extract("a", "x", [(0, 0)], 4) == ["a ||| x ||| 0-0"]


def test_no_link_no_pair() -> None:
    assert extract("a b", "x y", [], 4) == []


def test_words_that_change_places() -> None:
    # x y z with b linked to x and a to y: neither "a b" with "x" alone nor with "y z" alone.
    assert extract("a b c", "x y z", [(0, 1), (1, 0), (2, 2)], 3) == [
        "b ||| x ||| 0-0",
        "a b ||| x y ||| 1-0 0-1",
        "a b c ||| x y z ||| 1-0 0-1 2-2",
        "a ||| y ||| 0-0",
        "c ||| z ||| 0-0",
    ]


def test_unaligned_words_belong_to_either_side() -> None:
    # "u" has no link: it may go with "a", with "b", or with neither.
    assert extract("a u b", "x y", [(0, 0), (2, 1)], 3) == [
        "a ||| x ||| 0-0",
        "a u ||| x ||| 0-0",
        "a u b ||| x y ||| 0-0 2-1",
        "b ||| y ||| 0-0",
        "u b ||| y ||| 1-0",
    ]


def test_unaligned_words_of_the_target() -> None:
    assert extract("a", "x v", [(0, 0)], 2) == ["a ||| x ||| 0-0", "a ||| x v ||| 0-0"]


def test_maximum_length_holds_on_both_sides() -> None:
    links = [(0, 0), (1, 1), (2, 2)]
    assert extract("a b c", "x y z", links, 1) == [
        f"{s} ||| {t} ||| 0-0" for s, t in ("ax", "by", "cz")
    ]
    # One word for three is a pair only if three words may stand in a phrase.
    wide = [(0, 0), (1, 0), (2, 0)]
    assert extract("a b c", "x", wide, 2) == []
    assert extract("a b c", "x", wide, 3) == ["a b c ||| x ||| 0-0 1-0 2-0"]


def test_a_gap_in_the_links_is_filled() -> None:
    # "a" and "c" go with "x" only together with what stands between them, and so with "y".
    assert extract("a b c", "x y", [(0, 0), (2, 0), (1, 1)], 3) == [
        "a b c ||| x y ||| 0-0 2-0 1-1",
        "b ||| y ||| 0-0",
    ]


def test_any_script() -> None:
    assert extract("क्षेत्र 🙂", "面積 e\u0301", [(0, 0), (1, 1)], 2) == [
        "क्षेत्र ||| 面積 ||| 0-0",
        "क्षेत्र 🙂 ||| 面積 e\u0301 ||| 0-0 1-1",
        "🙂 ||| e\u0301 ||| 0-0",
    ]


def test_order_compares_as_lists_of_sets_do() -> None:
    def alignments() -> list[list[list[int]]]:
        sets = [[], [0], [0, 1], [0, 1, 2], [0, 2], [1], [1, 2], [2]]  # sorted as std::set compares
        return [[a, b] for a in sets for b in sets]

    def order(sets: list[list[int]]) -> str:
        links = [(s, t) for t, members in enumerate(sets) for s in members]
        return reference.phrases.phrases.order_of(links, len(sets))

    orders = [order(sets) for sets in alignments()]
    assert orders == sorted(orders)
    assert len(set(orders)) == len(orders)


@pytest.mark.parametrize("length", [4, 7])
def test_moses(benchmark_data: Path, length: int) -> None:
    folder = benchmark_data / "oracles" / "moses"

    def lines(name: str) -> list[str]:
        with gzip.open(folder / name, "rt", encoding="utf-8", newline="\n") as text:
            return [line.rstrip("\n") for line in text]

    links = [
        [(int(s), int(t)) for s, t in (link.split("-") for link in line.split())]
        for line in lines("alignment.gz")
    ]
    inputs = arguments(lines("source.gz"), lines("target.gz"), links)
    counts = Counter(" ||| ".join(row[:3]) for row in rows(_native.extract_phrases(*inputs, length, 0)))
    expected = {}
    for line in lines(f"extract.max{length}.tsv.gz"):
        count, text = line.split("\t")
        expected[text] = int(count)
    assert counts == expected


words = st.lists(st.sampled_from(["a", "b", "é", "中", "🙂", "longer-word"]), max_size=7).map(" ".join)


@st.composite
def bitexts(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[tuple[int, int]]]]:
    sources, targets = [], []
    links: list[list[tuple[int, int]]] = []
    for _ in range(draw(st.integers(0, 4))):
        source, target = draw(words), draw(words)
        places = [(s, t) for s in range(len(source.split())) for t in range(len(target.split()))]
        sources.append(source)
        targets.append(target)
        links.append(draw(st.lists(st.sampled_from(places), max_size=9)) if places else [])
    return sources, targets, links


def same(left: Any, right: Any) -> None:
    if isinstance(left, tuple):
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            same(a, b)
    else:
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


@given(bitexts(), st.integers(1, 8), st.sampled_from([0, 1, 2, 7]))
def test_extraction_is_as_in_the_twin(bitext: tuple, length: int, threads: int) -> None:
    inputs = arguments(*bitext)
    same(
        _native.extract_phrases(*inputs, length, threads),
        reference.extract_phrases(*inputs, length, threads),
    )


def crossing(size: int, count: int) -> tuple:
    text = " ".join(f"w{i}" for i in range(size))
    return arguments([text] * count, [text] * count, [[(i, size - 1 - i) for i in range(size)]] * count)


def test_positions_of_two_digits() -> None:
    inputs = crossing(14, 1)
    same(_native.extract_phrases(*inputs, 12, 1), reference.extract_phrases(*inputs, 12, 1))


def test_the_longest_phrases_and_many_threads() -> None:
    inputs = crossing(70, 66)
    one = _native.extract_phrases(*inputs, 64, 1)
    same(one, _native.extract_phrases(*inputs, 64, 5))
    assert max(len(text.split()) for text in unpack_texts(one[0])) == 64


GOOD = arguments(["a b"], ["x y"], [[(0, 0), (1, 1)]])
BAD: list[tuple[str, Callable[[], object], str]] = [
    ("length 0", lambda: _native.extract_phrases(*GOOD, 0, 1), "max_length must be from 1 to 64"),
    ("length 65", lambda: _native.extract_phrases(*GOOD, 65, 1), "max_length must be from 1 to 64"),
    (
        "link beyond the sentence",
        lambda: _native.extract_phrases(*arguments(["a"], ["x"], [[(0, 1)]]), 4, 1),
        "links must stay within their sentences",
    ),
    (
        "unsorted links",
        lambda: _native.extract_phrases(
            *GOOD[:2], (np.array([1, 0], np.int32), np.array([1, 0], np.int32), np.array([0, 2])), 4, 1
        ),
        "links must be sorted and different",
    ),
    (
        "fewer links",
        lambda: _native.extract_phrases(
            *GOOD[:2], (np.zeros(0, np.int32), np.zeros(0, np.int32), np.array([0])), 4, 1
        ),
        "same number of sentences",
    ),
    (
        "ids beyond the words",
        lambda: _native.extract_phrases(
            (pack_texts(["a"]), np.array([1], np.int32), np.array([0, 1])), *GOOD[1:], 4, 1
        ),
        "ids must be numbers of words",
    ),
    (
        "offsets of words beyond their text",
        lambda: _native.extract_phrases(
            ((np.zeros(1, np.uint8), np.array([0, 5])), *GOOD[0][1:]), *GOOD[1:], 4, 1
        ),
        "must stay within the text",
    ),
]


@pytest.mark.parametrize(("call", "message"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD])
def test_extraction_refuses_what_it_cannot_use(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def lexicon(kind: Any, entries: dict[tuple[str, str], tuple[float, float]]) -> Any:
    return kind(
        pack_texts([source for source, _ in entries]),
        pack_texts([target for _, target in entries]),
        np.array([p for p, _ in entries.values()], np.float64),
        np.array([p for _, p in entries.values()], np.float64),
    )


WORDS = {
    ("a", "x"): (0.5, 0.25),
    ("b", "x"): (0.1, 0.2),
    ("", "y"): (0.3, 1.0),
    ("c", ""): (1.0, 0.7),
}


def test_lexical_weights_by_hand() -> None:
    table = lexicon(_native.LexicalTable, WORDS)
    forward, backward = table.weights(
        pack_texts(["a b c"]), pack_texts(["x y"]), pack_texts(["0-0 1-0"]), 1
    )
    # x: the mean of w(x|a) and w(x|b); y: w(y|NULL). a: w(a|x); b: w(b|x); c: w(c|NULL).
    assert forward.tolist() == [pytest.approx((0.5 + 0.1) / 2 * 0.3, abs=1e-15)]
    assert backward.tolist() == [pytest.approx(0.25 * 0.2 * 0.7, abs=1e-15)]
    assert len(table) == 4


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except ValueError as error:
        return str(error)


def test_lexical_weights_of_a_rule() -> None:
    for kind in (_native.LexicalTable, reference.LexicalTable):
        table = lexicon(kind, WORDS)
        columns = pack_texts(["a [1] [23] c"]), pack_texts(["[23] x [1]"]), pack_texts(["0-1"])
        forward, backward = table.weights(*columns, 1, True)
        # Non-terminals have a place but no weight.
        assert forward.tolist() == [0.5]
        assert backward.tolist() == [pytest.approx(0.25 * 0.7, abs=1e-15)]
        with pytest.raises(ValueError, match="unaligned word without a probability"):
            table.weights(*columns, 1)
        with pytest.raises(ValueError, match="linked words without a translation probability"):
            table.weights(*columns[:2], pack_texts(["1-1"]), 1, True)


word = st.sampled_from(["a", "b", "c", "x", "a-word-of-many-bytes", "[1]", "[]", "[1"])
tokens = st.lists(word, max_size=4).map(" ".join)
alignment = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda link: f"{link[0]}-{link[1]}"), max_size=4
).map(" ".join) | st.text("01-x ", max_size=6)
pairs = st.tuples(word | st.just(""), word | st.just(""))


@given(
    st.dictionaries(pairs, st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=36),
    st.lists(st.tuples(tokens, tokens, alignment), max_size=5),
    st.sampled_from([0, 1, 3]),
    st.booleans(),
)
@example({("a", "x"): (0.5, 0.5)}, [("a", "x", "0-0 "), ("a", "x", "0-99999999999999999999")], 1, False)
@example({("a", "x"): (0.5, 0.5)}, [("a", "x", "0-99999999999999999999")], 1, False)
@example({("a", "x"): (0.5, 0.5)}, [("a  ", " x", "0-0")], 1, False)
@example({("a", "x"): (0.5, 0.5)}, [("a [1]", "[1] x", "0-1")], 1, True)
def test_lexical_weights_are_as_in_the_twin(
    entries: dict, phrases: list, threads: int, rules: bool
) -> None:
    columns = [pack_texts([row[i] for row in phrases]) for i in range(3)]
    native, twin = (lexicon(kind, entries) for kind in (_native.LexicalTable, reference.LexicalTable))
    actual = outcome(lambda: native.weights(*columns, threads, rules))
    expected = outcome(lambda: twin.weights(*columns, threads, rules))
    if isinstance(expected, str):
        assert actual == expected
    else:
        same(actual, expected)
    assert len(native) == len(twin)


def test_a_lexical_table_has_each_pair_once() -> None:
    for kind in (_native.LexicalTable, reference.LexicalTable):
        with pytest.raises(ValueError, match="row 1: a pair of words stands twice"):
            kind(pack_texts(["a", "a"]), pack_texts(["x", "x"]), np.ones(2), np.ones(2))


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same number of rows"):
        _native.LexicalTable(pack_texts(["a", "b"]), pack_texts(["x"]), np.ones(2), np.ones(2))
    table = lexicon(_native.LexicalTable, WORDS)
    with pytest.raises(ValueError, match="same number of rows"):
        table.weights(pack_texts(["a"]), pack_texts([]), pack_texts(["0-0"]), 1)
