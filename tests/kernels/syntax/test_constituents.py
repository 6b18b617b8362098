"""The parser's kernels against their twins, and its search against all trees there are."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.reference.syntax.constituents import tagged_words
from paragauge.kernels.reference.syntax.constituents_train import node_keys

# Labels: A, B, a chain of both (whose children are B's), a bar of A and a bar of B.
BAR_OF = np.array([-1, -1, -1, 0, 1], np.int32)
LOWEST = np.array([0, 1, 1, 0, 1], np.int32)
KINDS = np.array([0, 0, 1], np.uint8)
Node = tuple[int, int, int, int]
Labels = tuple[np.ndarray, np.ndarray]
FIVE: Labels = (BAR_OF, LOWEST)
# More than a line of the cache holds.
MANY: Labels = (
    np.array([-1] * 66 + [0, 65], np.int32),
    np.array([*range(66), 0, 65], np.int32),
)
TWO: Labels = (np.array([-1, 0], np.int32), np.array([0, 0], np.int32))

words = st.sampled_from(["a", "the", "Dog", "(", "-LRB-", '"', "“", "日本", "é", "1990", "x\u00a0y"])
sentences = st.lists(words, max_size=5)


@st.composite
def tagged(draw: Any) -> tuple[list[list[str]], list[int]]:
    rows = draw(st.lists(sentences, max_size=2))
    count = sum(map(len, rows))
    return rows, draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))


def pack(rows: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [" ".join(row).encode() for row in rows]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def trees(i: int, j: int, lowest: int | None, labels: Labels) -> Iterator[list[Node]]:
    """All binary trees over words i to j - 1; `lowest` is the parent's, for a left child."""
    for label, (bar, own) in enumerate(zip(*(part.tolist() for part in labels), strict=True)):
        if bar >= 0 and (bar != lowest or j - i == 1):
            continue
        if j - i == 1:
            yield [(label, i, i, j)]
            continue
        for split in range(i + 1, j):
            for left in trees(i, split, own, labels):
                for right in trees(split, j, None, labels):
                    yield [(label, i, split, j), *left, *right]
    if j - i == 1:
        yield [(-1, i, i, j)]


def tree(draw: Any, i: int, j: int, lowest: int | None) -> list[Node]:
    """One of them."""
    if j - i == 1:
        return [(draw(st.integers(-1, 2)), i, i, j)]
    bars = [] if lowest is None else [3 + lowest]
    label = draw(st.sampled_from([0, 1, 2, *bars]))
    split = draw(st.integers(i + 1, j - 1))
    own = int(LOWEST[label])
    return [(label, i, split, j), *tree(draw, i, split, own), *tree(draw, split, j, None)]


def model(rows: list[list[str]], tags: list[int], labels: Labels, draw: Any) -> tuple[Any, ...]:
    """Random weights of features that the sentences have, and of children."""
    feature_keys: set[int] = set()
    for sentence in tagged_words(*pack(rows), np.array(tags, np.int32), KINDS):
        n = len(sentence)
        for i, k, j in itertools.combinations(range(n + 1), 3):
            feature_keys |= set(node_keys(sentence, (0, i, k, j)))
        for i in range(n):
            feature_keys |= set(node_keys(sentence, (0, i, i, i + 1)))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    keys = np.array(sorted(feature_keys), np.uint32)[random.random(len(feature_keys)) < 0.5]
    bar_of, lowest = labels
    children = 2 * (len(bar_of) + len(KINDS))
    is_kept = random.random((children + len(keys), len(bar_of))) < 0.5
    offsets = np.concatenate([[0], np.cumsum(is_kept.sum(axis=1))]).astype(np.int64)
    largest = draw(st.sampled_from([1, 3, 127]))
    weights = random.integers(-largest, largest + 1, int(is_kept.sum())).astype(np.int8)
    all_keys = np.concatenate([np.zeros(children, np.uint32), keys])
    return bar_of, lowest, KINDS, all_keys, offsets, np.nonzero(is_kept)[1].astype(np.uint8), weights


@given(tagged(), st.data(), st.sampled_from([0, 1, 2, 7]))
@settings(max_examples=50)
def test_parsing(
    sentences: tuple[list[list[str]], list[int]], choose: st.DataObject, threads: int
) -> None:
    rows, tags = sentences
    columns = model(rows, tags, choose.draw(st.sampled_from([FIVE, MANY])), choose.draw)
    arguments = (*pack(rows), np.array(tags, np.int32), threads)
    nodes = _native.ConstituentParser(*columns).parse(*arguments)
    expected = reference.ConstituentParser(*columns).parse(*arguments)
    assert nodes.dtype == expected.dtype
    np.testing.assert_array_equal(nodes, expected)


def scorer(parser: Any, sentence: Any) -> Callable[[list[Node]], int]:
    """The score of a tree, by its definition."""

    @functools.cache
    def of_node(node: Node, *children: int) -> int:
        label, i, _, j = node
        if label < 0:
            return 0
        rows = [parser.chart.row(key) for key in node_keys(sentence, node)]
        total = sum(int(row[label]) for row in rows if row is not None)
        if j - i > 1:
            tables = (parser.chart.first, parser.chart.second)
            for table, symbol in zip(tables, children, strict=True):
                total += int(table[symbol, label])
        return total

    def symbol(node: Node) -> int:
        return node[0] if node[0] >= 0 else len(parser.chart.bars) + sentence.tags[node[1]]

    def score(nodes: list[Node]) -> int:
        total = 0
        for at, node in enumerate(nodes):
            _, i, k, j = node
            below = (nodes[at + 1], nodes[at + 2 * (k - i)]) if j - i > 1 else ()
            total += of_node(node, *map(symbol, below))
        return total

    return score


@pytest.mark.parametrize(("longest", "labels"), [(3, FIVE), (6, TWO)])
@given(choose=st.data())
@settings(max_examples=20)
def test_no_tree_is_better(longest: int, labels: Labels, choose: st.DataObject) -> None:
    n = choose.draw(st.integers(1, longest))
    row = choose.draw(st.lists(words, min_size=n, max_size=n))
    tags = choose.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    columns = model([row], tags, labels, choose.draw)
    twin = reference.ConstituentParser(*columns)
    (sentence,) = tagged_words(*pack([row]), np.array(tags, np.int32), KINDS)
    score = scorer(twin, sentence)
    parsed = _native.ConstituentParser(*columns).parse(*pack([row]), np.array(tags, np.int32), 1)
    nodes = [tuple(node) for node in parsed.tolist()]
    every = list(trees(0, n, None, labels))
    assert nodes in every
    assert score(nodes) == max(map(score, every))


def trainers(rows: list[list[str]], tags: list[int], gold: list[Node], *settings_: Any) -> list[Any]:
    arguments = (
        *pack(rows),
        np.array(tags, np.int32),
        KINDS,
        BAR_OF,
        LOWEST,
        np.array(gold, np.int32).reshape(-1, 4),
        *settings_,
    )
    return [module.ConstituentTrainer(*arguments) for module in (_native, reference)]


@given(tagged(), st.data())
@settings(max_examples=30)
def test_training(sentences: tuple[list[list[str]], list[int]], choose: st.DataObject) -> None:
    rows, tags = sentences
    gold = [node for row in rows if row for node in tree(choose.draw, 0, len(row), None)]
    rate, cost = choose.draw(st.sampled_from([0.1, 0.3, 1.0])), choose.draw(st.sampled_from([0.0, 1.0]))
    seed = choose.draw(st.integers(0, 2**64 - 1))
    native, twin = trainers(rows, tags, gold, choose.draw(st.integers(1, 3)), rate, cost, seed)
    for _ in range(3):
        assert native.epoch() == twin.epoch()
    scale, smallest = choose.draw(st.sampled_from([1.0, 30.5, 1000.0])), choose.draw(st.integers(0, 3))
    for ours, theirs in zip(native.model(scale, smallest), twin.model(scale, smallest), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


def test_it_learns() -> None:
    rows = [["the", "dog", "barks"], ["a", "cat", "sees", "the", "dog"]] * 3
    tags = [0, 1, 2, 0, 1, 2, 0, 1] * 3
    first: list[Node] = [(1, 0, 2, 3), (0, 0, 1, 2), (-1, 0, 0, 1), (-1, 1, 1, 2), (2, 2, 2, 3)]
    second: list[Node] = [(1, 0, 3, 5), (4, 0, 2, 3), (0, 0, 1, 2), (-1, 0, 0, 1), (-1, 1, 1, 2)]
    second += [(-1, 2, 2, 3), (0, 3, 4, 5), (-1, 3, 3, 4), (-1, 4, 4, 5)]
    gold = (first + second) * 3
    trainer, _ = trainers(rows, tags, gold, 1, 0.1, 1.0, 7)
    assert trainer.epoch() > 0
    for _ in range(9):
        wrong = trainer.epoch()
    assert wrong == 0
    parser = _native.ConstituentParser(BAR_OF, LOWEST, KINDS, *trainer.model(100.0, 1))
    nodes = parser.parse(*pack(rows), np.array(tags, np.int32), 1)
    assert [tuple(node) for node in nodes.tolist()] == gold


GOOD = (np.zeros(16, np.uint32), np.zeros(17, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int8))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((BAR_OF[:0], LOWEST[:0], KINDS, *GOOD), "expected 1 to 255 labels"),
        ((BAR_OF, LOWEST[:2], KINDS, *GOOD), "expected 1 to 255 labels"),
        ((BAR_OF[3:], LOWEST[3:], KINDS, *GOOD), "expected a label that is no bar"),
        ((BAR_OF, LOWEST, KINDS[:0], *GOOD), "expected 1 to 255 tags"),
        (
            (BAR_OF, LOWEST, KINDS, GOOD[0], GOOD[1][1:], *GOOD[2:]),
            "expected one offset more",
        ),
        ((BAR_OF, LOWEST, KINDS, GOOD[0], GOOD[1] + 1, *GOOD[2:]), "offsets must not decrease"),
        (
            (BAR_OF, LOWEST, KINDS, *GOOD[:2], np.zeros(1, np.uint8), GOOD[3]),
            "expected a label for each",
        ),
        (
            (BAR_OF, LOWEST, KINDS, GOOD[0][1:], GOOD[1][1:], *GOOD[2:]),
            "expected rows for all",
        ),
        (
            (BAR_OF, LOWEST, KINDS, *GOOD[:2], np.full(1, 5, np.uint8), np.zeros(1, np.int8)),
            "a weight has no label",
        ),
        (
            (BAR_OF, LOWEST, KINDS, np.zeros(18, np.uint32), np.zeros(19, np.int64), *GOOD[2:]),
            "expected each feature once",
        ),
    ],
)
def test_damaged_models(columns: tuple[Any, ...], message: str) -> None:
    for module in (_native, reference):
        with pytest.raises(ValueError, match=message):
            module.ConstituentParser(*columns)


def test_tags_are_checked() -> None:
    lines = pack([["a", "b"]])
    for module in (_native, reference):
        parser = module.ConstituentParser(BAR_OF, LOWEST, KINDS, *GOOD)
        with pytest.raises(ValueError, match="expected one tag for each token"):
            parser.parse(*lines, np.zeros(1, np.int32), 1)
        for tag in (-1, 3):
            with pytest.raises(ValueError, match="a tag has no name"):
                parser.parse(*lines, np.full(2, tag, np.int32), 1)


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([(0, 0, 1, 2)], "expected 2n - 1 nodes"),
        ([(5, 0, 1, 2), (-1, 0, 0, 1), (-1, 1, 1, 2)], "expected binary trees"),
        ([(-1, 0, 1, 2), (-1, 0, 0, 1), (-1, 1, 1, 2)], "expected binary trees"),
        ([(3, 0, 1, 2), (-1, 0, 0, 1), (-1, 1, 1, 2)], "expected binary trees"),
        ([(0, 0, 1, 2), (3, 0, 0, 1), (-1, 1, 1, 2)], "expected binary trees"),
        ([(0, 0, 2, 2), (-1, 0, 0, 1), (-1, 1, 1, 2)], "expected binary trees"),
        ([(0, 0, 1, 2), (-1, 1, 1, 2), (-1, 0, 0, 1)], "expected binary trees"),
        ([(0, 0, 1, 2), (-1, 0, 1, 1), (-1, 1, 1, 2)], "expected binary trees"),
        ([(-2, 0, 1, 2), (-1, 0, 0, 1), (-1, 1, 1, 2)], "expected binary trees"),
    ],
)
def test_wrong_trees(gold: list[Node], message: str) -> None:
    for module in (_native, reference):
        with pytest.raises(ValueError, match=message):
            module.ConstituentTrainer(
                *pack([["a", "b"]]),
                np.zeros(2, np.int32),
                KINDS,
                BAR_OF,
                LOWEST,
                np.array(gold, np.int32),
                1,
                0.1,
                1.0,
                7,
            )


@pytest.mark.parametrize("settings_", [(0, 0.1, 1.0), (1, 0.0, 1.0), (1, 0.1, -1.0)])
def test_wrong_settings(settings_: tuple[Any, ...]) -> None:
    empty = np.zeros((0, 4), np.int32)
    for module in (_native, reference):
        with pytest.raises(ValueError, match="expected cutoff >= 1, rate > 0 and cost >= 0"):
            module.ConstituentTrainer(
                *pack([]), np.zeros(0, np.int32), KINDS, BAR_OF, LOWEST, empty, *settings_, 7
            )
