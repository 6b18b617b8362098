"""The matchings behind MAXSIM: kernels against twins, and both against other methods."""

from __future__ import annotations

import itertools
import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from paragauge.kernels import _native, reference

THREADS = st.sampled_from([0, 1, 2, 3, 7])
PHASES = list(itertools.product([False, True], repeat=3))


def same(left: Any, right: Any) -> None:
    left, right = (result if isinstance(result, tuple) else (result,) for result in (left, right))
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        np.testing.assert_array_equal(a, b)


@given(st.integers(0, 7), st.integers(0, 7), st.integers(1, 9), st.randoms())
def test_assignment_equals_its_twin_and_scipy(rows: int, columns: int, most: int, random: Any) -> None:
    values = [random.choice([0, random.randint(0, most)]) for _ in range(rows * columns)]
    weights = np.array(values, np.int64).reshape(rows, columns)
    match = _native.assignment(weights)
    same(match, reference.assignment(weights))
    pairs = [(i, j) for i, j in enumerate(match.tolist()) if j >= 0]
    assert len({j for _, j in pairs}) == len(pairs)
    best = weights[linear_sum_assignment(weights, maximize=True)].sum()
    assert sum(int(weights[pair]) for pair in pairs) == best
    assert all(weights[pair] > 0 for pair in pairs)


def test_assignment_of_large_tables_equals_scipy() -> None:
    random = np.random.default_rng(7)
    for rows, columns in ((150, 200), (200, 150), (200, 200)):
        for most in (3, 2**40):
            weights = random.integers(0, most, (rows, columns), endpoint=True)
            match = _native.assignment(weights)
            total = sum(int(weights[i, j]) for i, j in enumerate(match.tolist()) if j >= 0)
            assert total == int(weights[linear_sum_assignment(weights, maximize=True)].sum())


@pytest.mark.parametrize("weight", [-1, 2**40 + 1])
@pytest.mark.parametrize("kernel", [_native.assignment, reference.assignment])
def test_assignment_refuses_weights_it_cannot_add(kernel: Any, weight: int) -> None:
    with pytest.raises(ValueError, match="weights must be from 0 to 2\\^40"):
        kernel(np.array([[weight]], np.int64))


def test_the_example_of_figure_1() -> None:
    # The greedy choice (1.0 first) gives 1.0 + 0.25 + 0; the best matching 0.75 + 0.75 + 0.5.
    quarters = np.array([[3, 2, 0], [4, 3, 1], [0, 0, 2]])
    match = _native.assignment(quarters)
    assert sum(quarters[i, j] for i, j in enumerate(match.tolist()) if j >= 0) == 3 + 3 + 2


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 7), st.randoms())
def test_the_weight_of_a_matching_equals_its_twin(
    rows: int, columns: int, most: int, random: Any
) -> None:
    table = [[random.choice([0, random.randint(0, most)]) for _ in range(columns)] for _ in range(rows)]
    weights = np.array(table, np.int64).reshape(rows, columns)
    assert _native.matching_weight(weights) == reference.matching_weight(weights)


@pytest.mark.parametrize("most", [1, 2, 6, 18, 1000])
def test_the_weight_of_a_large_matching_equals_scipy(most: int) -> None:
    draw = np.random.default_rng(most)
    for shape, share in (((130, 200), 0.9), ((300, 250), 0.02), ((1, 400), 0.5), ((200, 200), 1.0)):
        weights = draw.integers(0, most, shape, endpoint=True) * (draw.random(shape) < share)
        best = weights[linear_sum_assignment(weights, maximize=True)].sum()
        assert _native.matching_weight(weights) == best


def test_the_weight_of_a_matching_refuses_large_and_negative_weights() -> None:
    for weight in (-1, 1001):
        for module in (_native, reference):
            with pytest.raises(ValueError, match="from 0 to 1000"):
                module.matching_weight(np.array([[weight]], np.int64))


@st.composite
def columns(draw: st.DrawFn, fields: int) -> tuple[tuple[Any, ...], tuple[Any, ...], Any]:
    """Candidates, one or more references each, and the sets of eight lemmas."""
    item = st.tuples(*[st.integers(0, 7 if i % 2 == 0 else 2) for i in range(fields)])
    line = st.lists(item, max_size=7)
    segments = draw(st.lists(st.tuples(line, st.lists(line, min_size=1, max_size=3)), max_size=5))
    grouped = draw(st.booleans())
    theirs = [line for _, lines in segments for line in (lines if grouped else lines[:1])]
    groups = np.cumsum([0, *(len(lines) for _, lines in segments)]) if grouped else None
    sets = draw(st.lists(st.sets(st.integers(0, 9), max_size=3), min_size=8, max_size=8))
    return (
        (*pack_lines([line for line, _ in segments], fields), None),
        (*pack_lines(theirs, fields), groups),
        pack_lines([[(member,) for member in sorted(members)] for members in sets], 1),
    )


def pack_lines(lines: list[list[tuple[int, ...]]], fields: int) -> tuple[Any, ...]:
    flat = np.array([item for line in lines for item in line], np.int32).reshape(-1, fields)
    offsets = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    return (*(np.ascontiguousarray(flat[:, i]) for i in range(fields)), offsets)


@settings(max_examples=200)
@given(columns(2), st.integers(1, 4), st.sampled_from(PHASES), st.booleans(), st.booleans(), THREADS)
def test_ngrams_equal_their_twin(
    texts: Any, order: int, phases: Any, self: bool, links: bool, threads: int
) -> None:
    arguments = (*texts, order, phases, self, links, threads)
    same(_native.maxsim_ngrams(*arguments), reference.maxsim_ngrams(*arguments))


@settings(max_examples=200)
@given(columns(3), st.booleans(), st.booleans(), THREADS)
def test_relations_equal_their_twin(texts: Any, self: bool, links: bool, threads: int) -> None:
    arguments = (*texts, self, links, threads)
    same(_native.maxsim_relations(*arguments), reference.maxsim_relations(*arguments))


def brute_force(rows: int, columns: int, weight: Any) -> int:
    """The heaviest matching, by trying all."""
    if rows > columns:
        return brute_force(columns, rows, lambda i, j: weight(j, i))
    return max(
        sum(weight(i, j) for i, j in enumerate(chosen))
        for chosen in itertools.permutations(range(columns), rows)
    )


@settings(max_examples=150)
@given(columns(2), st.booleans())
def test_the_graph_alone_is_the_best_of_all_matchings(texts: Any, self: bool) -> None:
    candidates, references, (members, bounds) = texts
    rows = _native.maxsim_ngrams(*texts, 2, (False, False, True), self, False, 1)
    synonyms = [set(members[a:b].tolist()) for a, b in itertools.pairwise(bounds.tolist())]
    groups = references[3] if references[3] is not None else np.arange(len(references[2]))
    at = 0
    for segment, (first, last) in enumerate(itertools.pairwise(groups.tolist())):
        for line in range(first, last):
            mine = sentence(candidates, segment)
            theirs = sentence(references, line)
            for n in (1, 2):
                left = [mine[i : i + n] for i in range(len(mine) - n + 1)]
                right = [theirs[i : i + n] for i in range(len(theirs) - n + 1)]
                if min(len(left), len(right)) > 5:
                    continue
                best = brute_force(len(left), len(right), partial(edge_of, left, right, synonyms, self))
                assert rows[at, 3 * n - 3] == best
                assert rows[at, 3 * n - 2 : 3 * n].tolist() == [len(left), len(right)]
            at += 1


def sentence(column: Any, line: int) -> list[tuple[int, int]]:
    first, last = column[2][line : line + 2].tolist()
    return list(zip(column[0][first:last].tolist(), column[1][first:last].tolist(), strict=True))


def edge_of(left: Any, right: Any, synonyms: list[set[int]], self: bool, i: int, j: int) -> int:
    halves = [
        int(tag == other_tag)
        + int(bool(synonyms[lemma] & synonyms[other]) or (self and lemma == other))
        for (lemma, tag), (other, other_tag) in zip(left[i], right[j], strict=True)
    ]
    return 0 if 0 in halves else sum(halves)


def test_phases_by_hand() -> None:
    # Lemmas: 0 the, 1 large (synonyms {5}), 2 car, 3 big ({5}), 4 house. Tags: 0 DT, 1 JJ, 2 NN, 3 VB.
    sets = pack_lines([[], [(5,)], [(6,)], [(5,)], [(7,)]], 1)
    mine = (*pack_lines([[(0, 0), (1, 1), (2, 2), (4, 3)]], 2), None)
    theirs = (*pack_lines([[(0, 0), (3, 1), (2, 2), (4, 2)]], 2), None)
    rows, links, offsets = _native.maxsim_ngrams(
        mine, theirs, sets, 3, (True, True, True), False, True, 1
    )
    assert links[links[:, 0] == 1].tolist() == [
        [1, 1, 0, 0, 2],  # the/DT
        [1, 1, 2, 2, 2],  # car/NN
        [1, 2, 3, 3, 2],  # house, tags differ
        [1, 3, 1, 1, 2],  # large/JJ and big/JJ: (1 + 1) / 2
    ]
    assert links[links[:, 0] == 2].tolist() == [
        [2, 2, 2, 2, 4],  # car house
        [2, 3, 0, 0, 3],  # the (1 + 0) / 2: WordNet has no synonyms of it; big (1 + 1) / 2
        [2, 3, 1, 1, 4],
    ]
    # the large car: 1 + 2 + 2 halves; large car house: 2 + 2 + (0 + 1)
    assert links[links[:, 0] == 3].tolist() == [[3, 3, 0, 0, 5], [3, 3, 1, 1, 5]]
    assert rows.tolist() == [[8, 4, 4, 11, 3, 3, 10, 2, 2]]
    assert offsets.tolist() == [0, len(links)]


def test_an_ngram_with_one_word_unlike_has_no_edge() -> None:
    sets = pack_lines([[], [], []], 1)
    mine = (*pack_lines([[(0, 0), (1, 1)]], 2), None)
    theirs = (*pack_lines([[(0, 0), (2, 2)]], 2), None)
    rows = _native.maxsim_ngrams(mine, theirs, sets, 2, (True, True, True), False, False, 1)
    assert rows.tolist() == [[2, 2, 2, 0, 1, 1]]


shares = st.sampled_from([0.0, 0.2, 0.35, 0.5, 1.0]) | st.floats(0, 1)


@st.composite
def weighted(draw: st.DrawFn) -> Any:
    mine, theirs, sets = draw(columns(2))
    weight = st.sampled_from([0.0, 0.25, 1.0]) | st.floats(0, 1)
    sides = [
        (
            *side[:2],
            np.array(draw(st.lists(weight, min_size=len(side[0]), max_size=len(side[0])))),
            *side[2:],
        )
        for side in (mine, theirs)
    ]
    words = draw(st.lists(st.text("abcé\U0001f642", min_size=1, max_size=6), min_size=8, max_size=8))
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    spans = np.stack([ends[:-1], ends[1:]], axis=1)
    return (*sides, sets, (np.frombuffer(b"".join(encoded), np.uint8), spans))


@settings(max_examples=200)
@given(weighted(), shares, shares, shares, shares, shares, st.booleans(), THREADS)
def test_soft_words_equal_their_twin(
    texts: Any,
    synonym: float,
    characters: float,
    category: float,
    distance: float,
    floor: float,
    links: bool,
    threads: int,
) -> None:
    arguments = (*texts, synonym, characters, category, distance, floor, links, threads)
    same(_native.soft_words(*arguments), reference.soft_words(*arguments))


def test_soft_words_by_hand() -> None:
    # colour ~ color by characters (13 n-grams of 19 and 16 in common), car = car at a distance.
    words = ["colour", "color", "car"]
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    lemmas = (np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1))
    sets = pack_lines([[], [], []], 1)
    ones = np.ones(2)
    mine = (*pack_lines([[(0, 0), (2, 0)]], 2)[:2], ones, np.array([0, 2]), None)
    theirs = (*pack_lines([[(2, 0), (1, 0)]], 2)[:2], np.array([1.0, 0.5]), np.array([0, 2]), None)
    rows, links, similarities, offsets = _native.soft_words(
        mine, theirs, sets, lemmas, 0.9, 1.0, 1.0, 0.5, 0.1, True, 1
    )
    alike = 2 * 13 / (19 + 16)
    assert links.tolist() == [[0, 1], [1, 0]]
    # Both links are half a sentence apart: 1 - 0.5 * 0.5.
    assert similarities.tolist() == [alike * 0.75, 0.75]
    assert rows.tolist() == [[alike * 0.75 * 0.5 + 0.75, 2.0, 1.5, 2.0, 2.0, 1.0]]
    assert offsets.tolist() == [0, 2]


@st.composite
def similarity_tables(draw: st.DrawFn) -> Any:
    mine, theirs, *_ = draw(weighted())
    groups = theirs[4] if theirs[4] is not None else np.arange(len(theirs[3]))
    sizes = [np.diff(side[3]) for side in (mine, theirs)]
    count = sum(
        int(sizes[0][segment] * sizes[1][line])
        for segment, (first, last) in enumerate(itertools.pairwise(groups.tolist()))
        for line in range(first, last)
    )
    tables = draw(st.lists(shares, min_size=count, max_size=count))
    return mine, theirs, np.array(tables, np.float64)


@settings(max_examples=200)
@given(similarity_tables(), st.integers(1, 4), st.sampled_from(PHASES), st.booleans(), THREADS)
def test_similar_ngrams_equal_their_twin(
    texts: Any, order: int, phases: Any, links: bool, threads: int
) -> None:
    arguments = (*texts, order, phases, links, threads)
    same(_native.similar_ngrams(*arguments), reference.similar_ngrams(*arguments))


def test_similar_ngrams_by_hand() -> None:
    # a b | b c d: b is the lemma 1 in both, but with another tag.
    mine = (*pack_lines([[(0, 0), (1, 0)]], 2)[:2], np.array([1.0, 0.5]), np.array([0, 2]), None)
    theirs = (*pack_lines([[(1, 1), (2, 0), (3, 0)]], 2)[:2], np.ones(3), np.array([0, 3]), None)
    table = np.array([0.4, 0.9, 0.0, 0.2, 0.6, 0.8])
    rows, links, weights, offsets = _native.similar_ngrams(
        mine, theirs, table, 2, (False, False, True), True, 1
    )
    # Unigrams: a-c 0.9 * 1 and b-d 0.8 * 0.5. Bigrams (weights 0.75 and 1): ab-bc has 0.4 and 0.6,
    # ab-cd 0.9 and 0.8.
    assert links.tolist() == [[1, 3, 0, 1], [1, 3, 1, 2], [2, 3, 0, 1]]
    assert weights == pytest.approx([0.9, 0.4, 0.85 * 0.75])
    assert rows[0] == pytest.approx([1.3, 1.5, 3.0, 0.6375, 0.75, 2.0])
    assert offsets.tolist() == [0, 3]
    # The lemma phase takes b-b first, with the smaller of their weights.
    rows, links, *_ = _native.similar_ngrams(mine, theirs, table, 1, (True, True, True), True, 1)
    assert links.tolist() == [[1, 2, 1, 0], [1, 3, 0, 1]]
    assert rows[0] == pytest.approx([0.5 + 0.9, 1.5, 3.0])


@pytest.mark.parametrize(
    ("message", "spoil"),
    [
        ("every pair of words must have a similarity", lambda table: table[:-1]),
        ("similarities must be from 0 to 1", lambda table: table + 1),
        ("similarities must be from 0 to 1", lambda table: table * np.nan),
    ],
)
@pytest.mark.parametrize("kernel", [_native.similar_ngrams, reference.similar_ngrams])
def test_bad_similarities_are_refused(kernel: Any, message: str, spoil: Any) -> None:
    column = (*pack_lines([[(0, 0), (1, 1)]], 2)[:2], np.ones(2), np.array([0, 2]), None)
    with pytest.raises(ValueError, match=message):
        kernel(column, column, spoil(np.full(4, 0.5)), 1, (True, True, True), False, 1)


BAD: list[tuple[str, Any]] = [
    ("every lemma must have a set", lambda c, r, s: (c, r, (s[0], s[1][:-1]))),
    ("candidates have one line per segment", lambda c, r, s: ((*c[:3], np.array([0, 1])), r, s)),
    ("same number of segments", lambda c, r, s: (c, (*r[:3], np.array([0, 0, 1])), s)),
    ("equally long", lambda c, r, s: ((c[0][:1], *c[1:]), r, s)),
]


@pytest.mark.parametrize(("message", "spoil"), BAD)
@pytest.mark.parametrize("kernel", [_native.maxsim_ngrams, reference.maxsim_ngrams])
def test_bad_columns_are_refused(kernel: Any, message: str, spoil: Any) -> None:
    sets = pack_lines([[], [(1,)]], 1)
    column = (*pack_lines([[(0, 0), (1, 1)]], 2), None)
    with pytest.raises(ValueError, match=message):
        kernel(*spoil(column, column, sets), 2, (True, True, True), False, False, 1)


def test_threads_change_nothing() -> None:
    random = np.random.default_rng(7)
    lines = [
        [
            (int(a), int(b))
            for a, b in zip(random.integers(0, 30, n), random.integers(0, 5, n), strict=True)
        ]
        for n in random.integers(0, 40, 300)
    ]
    sets = pack_lines(
        [[(int(m),) for m in sorted(set(random.integers(0, 60, 4)))] for _ in range(30)], 1
    )
    mine, theirs = (*pack_lines(lines, 2), None), (*pack_lines(lines[::-1], 2), None)
    arguments = (mine, theirs, sets, 3, (True, True, True), True, True)
    for threads in (2, 5, 0):
        same(_native.maxsim_ngrams(*arguments, 1), _native.maxsim_ngrams(*arguments, threads))


@pytest.mark.parametrize("sizes", [(64, 65), (130, 70), (63, 200), (1, 129)])
@pytest.mark.parametrize("links", [False, True])
def test_ngrams_of_long_lines_equal_their_twin(sizes: tuple[int, int], links: bool) -> None:
    """More words than a machine word has bits."""
    draw = random.Random(sum(sizes))
    lines = [[(draw.randrange(40), draw.randrange(4)) for _ in range(size)] for size in sizes]
    sets = [[(draw.randrange(30),)] * draw.randrange(2) for _ in range(40)]
    mine, theirs = ((*pack_lines([line], 2), None) for line in lines)
    arguments = (mine, theirs, pack_lines(sets, 1), 4, (True, True, True), False, links, 1)
    same(_native.maxsim_ngrams(*arguments), reference.maxsim_ngrams(*arguments))
