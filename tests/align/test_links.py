"""Links: building, slicing, turning round, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.errors import LengthError, ShapeError

link = st.tuples(st.integers(0, 5), st.integers(0, 5))
corpora = st.lists(st.lists(link, max_size=8), max_size=6)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


@given(corpora)
def test_lists_come_back_sorted_and_once(rows: list[list[tuple[int, int]]]) -> None:
    expected = [sorted(set(row)) for row in rows]
    links = Links.from_lists(rows)
    assert links.to_lists() == expected
    assert links.lengths.tolist() == list(map(len, expected))
    assert len(links) == len(rows)


@given(corpora)
def test_sorted_equals_from_lists(rows: list[list[tuple[int, int]]]) -> None:
    flat = [pair for row in rows for pair in row]
    offsets = np.cumsum([0, *map(len, rows)])
    links = Links.from_unsorted([s for s, _ in flat], [t for _, t in flat], offsets)
    assert links == Links.from_lists(rows)


@given(corpora)
def test_transposed_is_its_own_inverse(rows: list[list[tuple[int, int]]]) -> None:
    links = Links.from_lists(rows)
    assert links.transpose().to_lists() == [sorted({(t, s) for s, t in row}) for row in rows]
    assert links.transpose().transpose() == links


@given(corpora, st.slices(6))
def test_slices_are_those_of_a_list(rows: list[list[tuple[int, int]]], key: slice) -> None:
    links = Links.from_lists(rows)
    assert links[key].to_lists() == links.to_lists()[key]


@given(corpora, st.integers(0, 6))
def test_cut_and_joined_is_the_whole(rows: list[list[tuple[int, int]]], cut: int) -> None:
    links = Links.from_lists(rows)
    assert Links.concatenate([links[:cut], links[cut:]]) == links


def test_one_pair_by_number() -> None:
    links = Links.from_lists([[(0, 0)], [(1, 2)]])
    assert links[-1] == [(1, 2)]
    with pytest.raises(IndexError, match="sentence pair 2 of 2"):
        links[2]


@pytest.mark.parametrize(
    ("source", "target", "offsets", "message"),
    [
        ([0], [0, 1], [0, 1], "one source and one target position per link, found 1 and 2"),
        ([0], [0], [], "offsets: expected to run from 0 to 1, the number of links"),
        ([0], [0], [0], "offsets: expected to run from 0 to 1, the number of links"),
        ([0], [0], [0, 2, 1], "offsets: expected never to decrease"),
        ([0, -1], [0, 0], [0, 2], "expected positions from 0, found a negative one"),
        ([0, 0], [1, 0], [0, 2], "pair 1: expected links sorted .* found 0-0 after 0-1"),
        ([0, 1, 1], [0, 0, 0], [0, 1, 1, 3], "pair 3: .* found 1-0 after 1-0"),
        ([[0]], [0], [0, 1], r"source: expected a one-dimensional .* found int64 of shape \(1, 1\)"),
        (
            [0.5],
            [0],
            [0, 1],
            "source: expected a one-dimensional array of whole numbers, found float64",
        ),
    ],
)
def test_what_is_refused(source: list, target: list, offsets: list, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        Links(np.array(source), np.array(target), np.array(offsets))


def test_order_counts_within_a_pair_only() -> None:
    links = Links(np.array([3, 0]), np.array([3, 0]), np.array([0, 1, 1, 2, 2]))
    assert links.to_lists() == [[(3, 3)], [], [(0, 0)], []]


def test_lengths_are_checked() -> None:
    links = Links.from_lists([[(0, 0)], [], [(4, 2)]])
    links.check_lengths(ints(1, 0, 5), ints(1, 0, 3))
    with pytest.raises(ShapeError, match="pair 3: link 4-2, but the source has 4 tokens"):
        links.check_lengths(ints(1, 0, 4), ints(1, 0, 3))
    with pytest.raises(ShapeError, match="pair 1: link 0-0, but the target has 0 tokens"):
        links.check_lengths(ints(1, 0, 5), ints(0, 0, 3))
    with pytest.raises(LengthError, match="has 3 sentence pairs but the target has 1"):
        links.check_lengths(ints(1, 0, 5), ints(1))


def test_equality_is_of_contents() -> None:
    links = Links.from_lists([[(0, 0)]])
    assert links == Links.from_lists([[(0, 0)]])
    assert links != Links.from_lists([[(0, 1)]])
    assert links != [[(0, 0)]]
    assert repr(links) == "Links(1 sentence pairs, 1 links)"
