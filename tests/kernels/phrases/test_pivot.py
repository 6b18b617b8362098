"""Segmentation, confusion networks and bags: kernels against twins, and both against enumeration."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

THREADS = st.sampled_from([0, 1, 2, 3, 7])
TABLES = [_native.PivotTable, reference.PivotTable]
WORD = st.integers(0, 5)
SENTENCES = st.lists(st.lists(WORD, max_size=7), max_size=5)
Edges = list[tuple[tuple[int, ...], float]]
Rows = dict[tuple[int, ...], tuple[float, Edges]]

PHRASE = st.lists(WORD, min_size=1, max_size=4).map(tuple)
EDGE = st.tuples(
    st.lists(WORD, min_size=1, max_size=5).map(tuple), st.sampled_from([0.1, 0.25, 0.5, 1])
)
TABLE = st.dictionaries(
    PHRASE,
    st.tuples(st.sampled_from([-1.0, -2.5, -3.0, -7.25]), st.lists(EDGE, max_size=3)),
    max_size=12,
)


def flat(rows: list[tuple[int, ...]] | list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    ids = [word for row in rows for word in row]
    return np.array(ids, np.int32), np.cumsum([0, *map(len, rows)], dtype=np.int64)


def build(kind: Any, rows: Rows) -> Any:
    edges = [edge for _, part in rows.values() for edge in part]
    targets = sorted({words for words, _ in edges})
    return kind(
        flat(list(rows)),
        np.array([score for score, _ in rows.values()], np.float64),
        np.cumsum([0, *(len(part) for _, part in rows.values())], dtype=np.int64),
        np.array([targets.index(words) for words, _ in edges], np.int32),
        np.array([probability for _, probability in edges], np.float64),
        flat(targets),
    )


def same(left: Any, right: Any) -> None:
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        np.testing.assert_array_equal(a, b)


@settings(max_examples=200)
@given(TABLE, SENTENCES, st.sampled_from([-4.0, -8.0]), st.integers(1, 5), THREADS)
def test_segmentation_equals_its_twin(
    rows: Rows, sentences: list[list[int]], unknown: float, longest: int, threads: int
) -> None:
    native, twin = (
        build(kind, rows).segment(flat(sentences), unknown, longest, threads) for kind in TABLES
    )
    same(native, twin)


@settings(max_examples=150)
@given(TABLE, st.lists(WORD, max_size=7), st.integers(1, 5))
def test_segmentation_equals_exhaustive_search(rows: Rows, words: list[int], longest: int) -> None:
    def score(cuts: tuple[int, ...]) -> float:
        total = 0.0
        for start, end in itertools.pairwise((0, *cuts, len(words))):
            phrase = tuple(words[start:end])
            if end - start > 1 and (phrase not in rows or end - start > longest):
                return -math.inf
            total += rows[phrase][0] if phrase in rows else -4.0
        return total

    inner = range(1, len(words))
    every = [c for n in range(len(words)) for c in itertools.combinations(inner, n)] if words else [()]
    ends, phrases, _ = build(_native.PivotTable, rows).segment(flat([words]), -4.0, longest, 1)
    if not words:
        assert len(ends) == 0
        return
    assert score(tuple(ends.tolist()[:-1])) == max(map(score, every))
    for start, end, number in zip([0, *ends.tolist()], ends.tolist(), phrases.tolist(), strict=False):
        phrase = tuple(words[start:end])
        assert (list(rows)[number] if number >= 0 else phrase) == phrase
        assert (number < 0) == (phrase not in rows)


@settings(max_examples=200)
@given(
    TABLE, SENTENCES, st.integers(1, 5), st.integers(1, 4), st.sampled_from([0.0, 0.01, 0.3]), THREADS
)
def test_bags_equal_their_twin(
    rows: Rows, sentences: list[list[int]], longest: int, order: int, least: float, threads: int
) -> None:
    native, twin = (
        build(kind, rows).bags(flat(sentences), -4.0, longest, order, least, threads) for kind in TABLES
    )
    same(native, twin)


def pieces_of(network: list[Edges]) -> list[list[Edges]]:
    """The network where parts without edges cut it."""
    pieces: list[list[Edges]] = [[]]
    for edges in network:
        if edges:
            pieces[-1].append(edges)
        else:
            pieces.append([])
    return pieces


def by_paths(network: list[Edges], order: int) -> dict[tuple[int, ...], float]:
    """Expected counts, by walking every path of a network whose parts sum to one."""
    bag: dict[tuple[int, ...], float] = defaultdict(float)
    for piece in pieces_of(network):
        for path in itertools.product(*piece):
            words = [word for part, _ in path for word in part]
            weight = math.prod(probability for _, probability in path)
            for first in range(len(words)):
                for last in range(first + 1, min(first + order, len(words)) + 1):
                    bag[tuple(words[first:last])] += weight
    return bag


def by_windows(network: list[Edges], order: int) -> dict[tuple[int, ...], float]:
    """Products of edges, by trying every choice of edges between a first and a last part."""
    bag: dict[tuple[int, ...], float] = defaultdict(float)
    for piece in pieces_of(network):
        for first, last in itertools.combinations(range(len(piece) + 1), 2):
            for choice in itertools.product(*piece[first:last]):
                weight = math.prod(probability for _, probability in choice)
                words = [word for part, _ in choice for word in part]
                head, tail = len(choice[0][0]), len(choice[-1][0])
                for start in range(head):
                    for end in range(len(words) - tail + 1, len(words) + 1):
                        if start < end <= start + order:
                            bag[tuple(words[start:end])] += weight
    return bag


def bag_of(network: list[Edges], order: int) -> dict[tuple[int, ...], float]:
    """The kernel's bag: one phrase for each part of the network, each a word of its own."""
    rows: Rows = {(100 + i,): (-1.0, edges) for i, edges in enumerate(network)}
    sentence = flat([[100 + i for i in range(len(network))]])
    grams, weights, _ = build(_native.PivotTable, rows).bags(sentence, -9.0, 4, order, 0.0, 1)
    return {
        tuple(word for word in gram if word >= 0): weight
        for gram, weight in zip(grams.tolist(), weights.tolist(), strict=True)
    }


NETWORK = st.lists(st.lists(EDGE, max_size=3), max_size=5)


@settings(max_examples=150)
@given(NETWORK, st.integers(1, 4))
def test_bags_equal_the_enumeration_of_all_paths(network: list[Edges], order: int) -> None:
    whole = [
        [(words, weight / sum(other_weight for _, other_weight in edges)) for words, weight in edges]
        for edges in network
    ]
    assert bag_of(whole, order) == pytest.approx(dict(by_paths(whole, order)), rel=1e-9)
    assert bag_of(network, order) == pytest.approx(dict(by_windows(network, order)), rel=1e-9)


@settings(max_examples=150)
@given(TABLE, SENTENCES, SENTENCES, st.booleans(), st.randoms(), THREADS)
def test_overlaps_equal_their_twin(
    rows: Rows,
    left: list[list[int]],
    right: list[list[int]],
    weighted: bool,
    random: Any,
    threads: int,
) -> None:
    table = build(_native.PivotTable, rows)
    ours, theirs = (table.bags(flat(side), -4.0, 4, 4, 0.01, 1) for side in (left, right))
    count = random.randint(0, 6) if left and right else 0
    index = [
        np.array([random.randrange(len(side)) for _ in range(count)], np.int64)
        for side in (left, right)
    ]
    weights = np.array([0.5, 2.0, 1.25, 0.0] if weighted else [], np.float64)
    native, twin = (
        module.gram_overlaps(ours, theirs, *index, weights, 3.0, threads)
        for module in (_native, reference)
    )
    same((native,), (twin,))


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_refuses_what_is_no_table(kind: Any) -> None:
    with pytest.raises(ValueError, match="a phrase must have a word"):
        build(kind, {(): (-1.0, [])})
    one = flat([(1,), (1,)])
    none = np.zeros(0, np.int32), np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="a phrase stands twice in the table"):
        kind(one, np.zeros(2), np.zeros(3, np.int64), none[0], np.zeros(0), none)
    with pytest.raises(ValueError, match="order must be from 1 to 4"):
        build(kind, {}).bags(flat([[1]]), -1.0, 1, 5, 0.0, 1)
    with pytest.raises(ValueError, match="longest must be at least 1"):
        build(kind, {}).segment(flat([[1]]), -1.0, 0, 1)


def test_arrays_that_do_not_fit_are_refused() -> None:
    ids, offsets = flat([(1, 2)])
    fine: dict[str, Any] = {
        "phrases": (ids, offsets),
        "scores": np.zeros(1),
        "edge_offsets": np.array([0, 1]),
        "targets": np.zeros(1, np.int32),
        "probabilities": np.ones(1),
        "target_phrases": (ids, offsets),
    }
    _native.PivotTable(**fine)
    for name, value in (
        ("scores", np.zeros(2)),
        ("edge_offsets", np.array([0, 2])),
        ("edge_offsets", np.array([0])),
        ("targets", np.ones(1, np.int32)),
        ("targets", np.full(1, -1, np.int32)),
        ("probabilities", np.ones(2)),
        ("phrases", (np.array([1, -2], np.int32), offsets)),
        ("target_phrases", (ids, np.array([0, 3]))),
        ("phrases", (ids,)),
    ):
        with pytest.raises(ValueError, match=r"must|are a tuple"):
            _native.PivotTable(**{**fine, name: value})
    bags = _native.PivotTable(**fine).bags((ids, offsets), -1.0, 2, 4, 0.0, 1)
    for left, right in ((np.array([1]), np.array([0])), (np.array([0]), np.array([-1]))):
        with pytest.raises(ValueError, match="must be numbers of bags"):
            _native.gram_overlaps(bags, bags, left, right, np.zeros(0), 1.0, 1)


def test_long_sentences_of_ambiguous_words_stay_fast() -> None:
    # 3,000 phrases of nine alternatives each: 9^3 tails at every place, not 9^3000 paths.
    edges: Edges = [((word,), 1 / 9) for word in range(9)]
    table = build(_native.PivotTable, {(50,): (-1.0, edges)})
    _, weights, _ = table.bags(flat([[50] * 3000]), -9.0, 1, 4, 0.0, 0)
    assert len(weights) == 9 + 9**2 + 9**3 + 9**4
    assert weights.sum() == pytest.approx(3000 + 2999 + 2998 + 2997)
