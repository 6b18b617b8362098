"""The parser's kernels against their twins, and its search against all trees there are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.reference.constituents import _node_keys, _sentences

# Labels: A, B, a chain of both (whose children are B's), a bar of A and a bar of B.
BAR_OF = np.array([-1, -1, -1, 0, 1], np.int32)
LOWEST = np.array([0, 1, 1, 0, 1], np.int32)
KINDS = np.array([0, 0, 1], np.uint8)
SYMBOLS = len(BAR_OF) + len(KINDS)
Node = tuple[int, int, int, int]

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


def trees(i: int, j: int, lowest: int | None) -> Iterator[list[Node]]:
    """All binary trees over words i to j - 1; `lowest` is the parent's, for a left child."""
    for label, (bar, own) in enumerate(zip(BAR_OF.tolist(), LOWEST.tolist(), strict=True)):
        if bar >= 0 and (bar != lowest or j - i == 1):
            continue
        if j - i == 1:
            yield [(label, i, i, j)]
            continue
        for split in range(i + 1, j):
            for left in trees(i, split, own):
                for right in trees(split, j, None):
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


def model(rows: list[list[str]], tags: list[int], draw: Any) -> tuple[Any, ...]:
    """Random weights of features that the sentences have, and of children."""
    found: set[int] = set()
    for sentence in _sentences(*pack(rows), np.array(tags, np.int32), KINDS):
        n = len(sentence)
        for i, k, j in itertools.combinations(range(n + 1), 3):
            found |= set(_node_keys(sentence, (0, i, k, j)))
        for i in range(n):
            found |= set(_node_keys(sentence, (0, i, i, i + 1)))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    keys = np.array(sorted(found), np.uint32)[random.random(len(found)) < 0.5]
    count = 2 * SYMBOLS + len(keys)
    kept = random.random((count, len(BAR_OF))) < 0.5
    offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
    largest = draw(st.sampled_from([1, 3, 127]))
    weights = random.integers(-largest, largest + 1, int(kept.sum())).astype(np.int8)
    all_keys = np.concatenate([np.zeros(2 * SYMBOLS, np.uint32), keys])
    return BAR_OF, LOWEST, KINDS, all_keys, offsets, np.nonzero(kept)[1].astype(np.uint8), weights


@given(tagged(), st.data(), st.sampled_from([0, 1, 2, 7]))
@settings(max_examples=25)
def test_parsing(
    given_: tuple[list[list[str]], list[int]], choose: st.DataObject, threads: int
) -> None:
    rows, tags = given_
    columns = model(rows, tags, choose.draw)
    arguments = (*pack(rows), np.array(tags, np.int32), threads)
    found = _native.ConstituentParser(*columns).parse(*arguments)
    expected = reference.ConstituentParser(*columns).parse(*arguments)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def score(parser: Any, sentence: Any, nodes: list[Node]) -> int:
    total = 0
    for at, (label, i, k, j) in enumerate(nodes):
        if label < 0:
            continue
        rows = [parser.chart.row(key) for key in _node_keys(sentence, (label, i, k, j))]
        total += sum(int(row[label]) for row in rows if row is not None)
        if j - i > 1:
            children = (nodes[at + 1], nodes[at + 2 * (k - i)])
            for table, child in zip((parser.chart.first, parser.chart.second), children, strict=True):
                symbol = child[0] if child[0] >= 0 else len(BAR_OF) + sentence.tags[child[1]]
                total += int(table[symbol, label])
    return total


@given(st.data())
@settings(max_examples=10)
def test_no_tree_is_better(choose: st.DataObject) -> None:
    n = choose.draw(st.integers(1, 3))
    row = choose.draw(st.lists(words, min_size=n, max_size=n))
    tags = choose.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    columns = model([row], tags, choose.draw)
    twin = reference.ConstituentParser(*columns)
    (sentence,) = _sentences(*pack([row]), np.array(tags, np.int32), KINDS)
    found = _native.ConstituentParser(*columns).parse(*pack([row]), np.array(tags, np.int32), 1)
    nodes = [tuple(node) for node in found.tolist()]
    every = list(trees(0, n, None))
    assert nodes in every
    assert score(twin, sentence, nodes) == max(score(twin, sentence, each) for each in every)


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
@settings(max_examples=15)
def test_training(given_: tuple[list[list[str]], list[int]], choose: st.DataObject) -> None:
    rows, tags = given_
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
    found = parser.parse(*pack(rows), np.array(tags, np.int32), 1)
    assert [tuple(node) for node in found.tolist()] == gold


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
