"""Symmetrization and Pharaoh parsing: twins, worked examples, Koehn's pseudo code, messages."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.reference.phrases.symmetrize import HEURISTICS, NEIGHBORS

Pairs = list[list[tuple[int, int]]]
THREADS = st.sampled_from([0, 1, 2, 7])
link = st.tuples(st.integers(0, 6), st.integers(0, 6))
far = st.tuples(st.integers(0, 2**31 - 1), st.sampled_from([0, 1, 2**31 - 2, 2**31 - 1]))
links = st.lists(link | far, max_size=14)


def columns(pairs: Pairs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    flat = np.array([point for pair in pairs for point in pair], np.int32).reshape(-1, 2)
    offsets = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    return flat[:, 0].copy(), flat[:, 1].copy(), offsets


def symmetrize_pairs(forward: Pairs, reverse: Pairs, heuristic: str, threads: int = 1) -> Pairs:
    arguments = (columns(forward), columns(reverse), heuristic, threads)
    native, twin = _native.symmetrize(*arguments), reference.symmetrize(*arguments)
    for ours, theirs in zip(native, twin, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    source, target, offsets = (array.tolist() for array in native)
    return [list(zip(source[a:b], target[a:b], strict=True)) for a, b in itertools.pairwise(offsets)]


@given(st.lists(st.tuples(links, links), max_size=5), st.sampled_from(HEURISTICS), THREADS)
def test_symmetrize_is_its_twin(pairs: list, heuristic: str, threads: int) -> None:
    rows = symmetrize_pairs([f for f, _ in pairs], [r for _, r in pairs], heuristic, threads)
    for (forward, reverse), row in zip(pairs, rows, strict=True):
        assert row == sorted(set(row))
        assert set(row) <= set(forward) | set(reverse)


def test_any_number_of_threads_gives_the_same() -> None:
    random = np.random.default_rng(7)
    pairs = [[tuple(p) for p in random.integers(0, 9, (12, 2)).tolist()] for _ in range(3000)]
    forward, reverse = columns(pairs[:1500]), columns(pairs[1500:])
    for heuristic in HEURISTICS:
        one, *others = (_native.symmetrize(forward, reverse, heuristic, n) for n in (1, 2, 5))
        for other in others:
            for ours, theirs in zip(one, other, strict=True):
                np.testing.assert_array_equal(ours, theirs)


def pseudo_code(b: list[int | None], a: list[int | None], final: str) -> list[tuple[int, int]]:
    """Koehn's pseudo code of grow-diag-final with a matrix; b[target], a[source] as in symal."""
    forward = {(e, f) for e, f in enumerate(b) if f is not None}
    reverse = {(e, f) for f, e in enumerate(a) if e is not None}
    grid = np.zeros((len(b), len(a)), bool)
    for e, f in forward & reverse:
        grid[e, f] = True
    size = -1
    while size != grid.sum():
        size = int(grid.sum())
        for e in range(len(b)):
            for f in range(len(a)):
                if not grid[e, f]:
                    continue
                for x, y in NEIGHBORS:
                    if (e + x, f + y) in forward | reverse and not (
                        grid[e + x].any() and grid[:, f + y].any()
                    ):
                        grid[e + x, f + y] = True
    for points in (forward, reverse) if final else ():
        for e, f in sorted(points):
            covered = grid[e].any(), grid[:, f].any()
            if not (any(covered) if final == "and" else all(covered)):
                grid[e, f] = True
    return sorted((f, e) for e, f in np.argwhere(grid).tolist())


@given(st.data(), st.integers(1, 7), st.integers(1, 7))
def test_functions_grow_as_in_the_pseudo_code(data: st.DataObject, sources: int, targets: int) -> None:
    b = data.draw(st.lists(st.none() | st.integers(0, sources - 1), min_size=targets, max_size=targets))
    a = data.draw(st.lists(st.none() | st.integers(0, targets - 1), min_size=sources, max_size=sources))
    forward = [(f, e) for e, f in enumerate(b) if f is not None]
    reverse = [(f, e) for f, e in enumerate(a) if e is not None]
    for heuristic, final in (
        ("grow-diag", ""),
        ("grow-diag-final", "or"),
        ("grow-diag-final-and", "and"),
    ):
        assert symmetrize_pairs([forward], [reverse], heuristic) == [pseudo_code(b, a, final)]


# Both directions share 0-0. From there 1-1 (forward) is a diagonal neighbor with two free words;
# 1-2 (reverse) is a neighbor of 1-1 whose target is free. 4-4 (forward) and 5-3 (reverse) touch
# nothing; 4-5 (reverse) has a free target once 4-4 is in, but its source is covered.
FORWARD = [(0, 0), (1, 1), (4, 4)]
REVERSE = [(0, 0), (1, 2), (5, 3), (4, 5)]


@pytest.mark.parametrize(
    ("heuristic", "expected"),
    [
        ("forward", [(0, 0), (1, 1), (4, 4)]),
        ("reverse", [(0, 0), (1, 2), (4, 5), (5, 3)]),
        ("intersection", [(0, 0)]),
        ("union", [(0, 0), (1, 1), (1, 2), (4, 4), (4, 5), (5, 3)]),
        ("grow-diag", [(0, 0), (1, 1), (1, 2)]),
        ("grow-diag-final", [(0, 0), (1, 1), (1, 2), (4, 4), (4, 5), (5, 3)]),
        ("grow-diag-final-and", [(0, 0), (1, 1), (1, 2), (4, 4), (5, 3)]),
    ],
)
def test_a_worked_example(heuristic: str, expected: list[tuple[int, int]]) -> None:
    assert symmetrize_pairs([FORWARD, []], [REVERSE, []], heuristic) == [expected, []]


def test_the_order_of_neighbors_decides() -> None:
    # From 1-1, target 0 of source 1 is tried before target 1 of source 0, and so on. 0-1 and 1-0 both
    # have one free word; 0-0 is tried last and finds both covered.
    forward, reverse = [(1, 1), (0, 0)], [(1, 1), (1, 0), (0, 1)]
    assert symmetrize_pairs([forward], [reverse], "grow-diag") == [[(0, 1), (1, 0), (1, 1)]]


def test_forward_links_are_tried_first_at_the_end() -> None:
    # 2-0 and 2-3 compete for source 2, which nothing covers: the forward link wins.
    assert symmetrize_pairs([[(0, 5), (2, 3)]], [[(0, 5), (2, 0)]], "grow-diag-final-and") == [
        [(0, 5), (2, 3)]
    ]


@pytest.mark.parametrize(
    ("forward", "reverse", "heuristic", "message"),
    [
        ([[]], [[], []], "union", "both directions must have the same number of pairs"),
        ([[]], [[]], "grow", "unknown heuristic 'grow'"),
    ],
)
def test_both_refuse(forward: Pairs, reverse: Pairs, heuristic: str, message: str) -> None:
    for kernels in (_native, reference):
        with pytest.raises(ValueError, match=message):
            kernels.symmetrize(columns(forward), columns(reverse), heuristic, 1)


def test_both_refuse_broken_columns() -> None:
    ids, bounds = np.zeros(2, np.int32), np.array([0, 2], np.int64)
    good = (ids, ids, bounds)
    for bad, message in (
        ((ids[:1], ids, bounds), "every link must have a source and a target position"),
        ((ids, ids, np.array([0, 3], np.int64)), "offsets must not decrease and must stay"),
        ((ids, ids, np.array([-1, 2], np.int64)), "offsets must not decrease and must stay"),
        ((ids, ids, np.array([1, 0], np.int64)), "offsets must not decrease and must stay"),
        ((ids, ids, np.zeros(0, np.int64)), "offsets must not decrease and must stay"),
    ):
        for kernels in (_native, reference):
            with pytest.raises(ValueError, match=message):
                kernels.symmetrize(bad, good, "union", 1)


tokens = st.sampled_from(
    [
        "0-0",
        "12-3",
        "3?1",
        "3p1",
        "1-",
        "-1",
        "a",
        "0--1",
        "+1-2",
        "2147483647-0",
        "2147483648-0",
        "1-2é",
    ]
)
sentences = st.lists(tokens | st.text("01-p? \t", max_size=6), max_size=6).map(" ".join)


@given(st.lists(sentences, max_size=6), THREADS)
@example(["0-0 0p0 0-0", "1?1 1p1"], 1)
def test_parse_pharaoh_is_its_twin(lines: list[str], threads: int) -> None:
    encoded = [line.encode() for line in lines]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    buffer = np.frombuffer(b"".join(encoded), np.uint8)
    spans = np.stack([ends[:-1], ends[1:]], axis=1)
    native = _native.parse_pharaoh(buffer, spans, threads)
    for ours, theirs in zip(native, reference.parse_pharaoh(buffer, spans, 1), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


def test_the_first_bad_line_wins_in_any_number_of_threads() -> None:
    text = "0-0\n" * 5000
    lines = text.splitlines()
    lines[1500], lines[4999] = "0-0 x", "y"
    encoded = "".join(lines).encode()
    ends = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    spans = np.stack([ends[:-1], ends[1:]], axis=1)
    buffer = np.frombuffer(encoded, np.uint8)
    for threads in (1, 2, 4):
        *_, offsets, bad = _native.parse_pharaoh(buffer, spans, threads)
        assert bad.tolist() == [1500, 4504, 4505]
        assert len(offsets) == 1501
