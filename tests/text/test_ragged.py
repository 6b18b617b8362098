"""Ragged against a plain list of lists."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.errors import ShapeError
from paragauge.text.ragged import Ragged

ids = st.integers(-(2**31), 2**31 - 1)
corpora = st.lists(st.lists(ids, max_size=4), max_size=8)
bounds = st.none() | st.integers(-12, 12)
steps = st.none() | st.integers(-4, 4).filter(bool)
slices = st.builds(slice, bounds, bounds, steps)


@given(corpora)
def test_there_and_back(rows):
    corpus = Ragged.from_lists(rows)
    assert corpus.to_lists() == rows
    assert [row.tolist() for row in corpus] == rows
    assert len(corpus) == len(rows)
    assert corpus.lengths.tolist() == [len(row) for row in rows]
    assert repr(corpus) == f"Ragged({len(rows)} sentences, {sum(map(len, rows))} tokens)"


@given(corpora, st.integers(-10, 10))
@example([], 0)
@example([[]], -1)
def test_integers(rows, i):
    corpus = Ragged.from_lists(rows)
    for key in (i, np.int64(i), np.int8(i)):
        if -len(rows) <= i < len(rows):
            assert corpus[key].tolist() == rows[i]
        else:
            with pytest.raises(IndexError, match=f"^sentence {i} of a corpus of {len(rows)}$"):
                corpus[key]


@given(corpora, slices)
@example([[1], [2]], slice(2, 0))
@example([[1], [2]], slice(None, None, -1))
@example([], slice(None))
def test_slices(rows, key):
    assert Ragged.from_lists(rows)[key].to_lists() == rows[key]


@given(corpora, slices, slices)
def test_slices_of_slices(rows, first, second):
    # The offsets of a slice do not start at 0; everything must still count from its first.
    part = Ragged.from_lists(rows)[first]
    expected = rows[first]
    assert part[second].to_lists() == expected[second]
    assert part.lengths.tolist() == [len(row) for row in expected]
    assert part == Ragged.from_lists(expected)
    assert repr(part) == repr(Ragged.from_lists(expected))


@given(corpora, st.data())
def test_masks(rows, data):
    mask = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    expected = [row for row, keep in zip(rows, mask, strict=True) if keep]
    corpus = Ragged.from_lists(rows)
    assert corpus[np.array(mask, np.bool_)].to_lists() == expected
    assert corpus[mask].to_lists() == expected


@given(corpora, st.data(), st.sampled_from([np.int64, np.int32, np.int8]))
def test_integer_arrays(rows, data, kind):
    inside = st.integers(-len(rows), max(0, len(rows) - 1))
    chosen = data.draw(st.lists(inside, max_size=10 if rows else 0))
    corpus = Ragged.from_lists(rows)
    assert corpus[np.array(chosen, kind)].to_lists() == [rows[i] for i in chosen]
    assert corpus[chosen].to_lists() == [rows[i] for i in chosen]


def test_no_index_gives_no_sentence():
    corpus = Ragged.from_lists([[1], [2]])
    for nothing in ([], np.array([]), np.array([], np.int64), slice(1, 1), [False, False]):
        assert corpus[nothing].to_lists() == []


@pytest.mark.parametrize("index", [2, -3, 2**40])
def test_integer_array_out_of_range(index):
    with pytest.raises(IndexError, match=r"^index out of range for a corpus of 2$"):
        Ragged.from_lists([[1], [2]])[[0, index]]


@pytest.mark.parametrize("mask", [[True], [True, False, True], [[True, False]]])
def test_mask_of_the_wrong_shape(mask):
    expected = f"a mask of shape {np.shape(mask)} for a corpus of 2"
    with pytest.raises(IndexError, match=f"^{re.escape(expected)}$"):
        Ragged.from_lists([[1], [2]])[mask]


def test_a_truth_value_is_not_an_index():
    with pytest.raises(IndexError, match=r"^a mask of shape \(\) for a corpus of 2$"):
        Ragged.from_lists([[1], [2]])[True]


@pytest.mark.parametrize("key", [[0.0], ["0"], "0", np.array([1.5]), None])
def test_other_keys(key):
    with pytest.raises(
        TypeError, match=r"^a Ragged is indexed by an integer, a slice, a mask or integers$"
    ):
        Ragged.from_lists([[1], [2]])[key]


def test_a_slice_shares_memory_and_a_step_copies():
    corpus = Ragged.from_lists([[1], [2], [3]])
    assert np.shares_memory(corpus.ids, corpus[1:].ids)
    assert not np.shares_memory(corpus.ids, corpus[::2].ids)


def test_equality():
    corpus = Ragged.from_lists([[1, 2], [3]])
    assert corpus == Ragged.from_lists([[1, 2], [3]])
    assert corpus != Ragged.from_lists([[1], [2, 3]])
    assert corpus != Ragged.from_lists([[1, 2], [4]])
    assert corpus != [[1, 2], [3]]


@pytest.mark.parametrize("offsets", [[0, 2, 1], [-1, 1], [0, 3], [1, 0]])
def test_offsets_outside(offsets):
    with pytest.raises(ShapeError, match=r"^offsets must not decrease and must stay within 0\.\.2$"):
        Ragged(np.array([5, 6]), np.array(offsets))


@pytest.mark.parametrize(("values", "offsets"), [([1, 2], []), ([[1, 2]], [0, 2]), ([1, 2], [[0, 2]])])
def test_shapes(values, offsets):
    with pytest.raises(ShapeError) as caught:
        Ragged(np.array(values, np.int32), np.array(offsets, np.int64))
    assert str(caught.value) == (
        "a Ragged takes one-dimensional ids and at least one offset, "
        f"found shapes {np.shape(values)} and {np.shape(offsets)}"
    )
