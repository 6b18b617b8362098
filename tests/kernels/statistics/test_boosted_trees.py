"""Boosted trees: the kernel against its twin, and trees that it must reject."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

Trees = dict[str, np.ndarray]


def random_trees(random: np.random.Generator, trees: int, width: int, most: int) -> Trees:
    """Trees of up to `most` leaves, one after the other; thresholds are numbers that rows have too."""
    roots: list[int] = []
    nodes: list[list[float]] = []  # feature, threshold, left, right, value

    def grow(leaves: int) -> int:
        own = len(nodes)
        nodes.append([-1, np.nan, -7, 99, random.normal()])
        if leaves > 1 and width > 0:
            first = int(random.integers(1, leaves))
            feature, threshold = random.integers(width), random.integers(-2, 3)
            nodes[own] = [feature, threshold, grow(first), grow(leaves - first), np.nan]
        return own

    for _ in range(trees):
        roots.append(grow(int(random.integers(1, most + 1))))
    table = np.array(nodes, np.float64).reshape(-1, 5)
    return {
        "roots": np.array(roots, np.int64),
        "features": table[:, 0].astype(np.int32),
        "thresholds": table[:, 1].copy(),
        "left": table[:, 2].astype(np.int32),
        "right": table[:, 3].astype(np.int32),
        "values": table[:, 4].copy(),
    }


@settings(max_examples=200)
@given(
    st.integers(0, 70),
    st.integers(0, 6),
    st.integers(0, 4),
    st.integers(1, 12),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0, 1, 2, 5]),
)
def test_the_kernel_equals_its_twin(
    rows: int, trees: int, width: int, most: int, seed: int, threads: int
) -> None:
    random = np.random.default_rng(seed)
    table = random.choice([-np.inf, -2.0, -1.0, 0.0, 0.5, 1.0, 2.0, np.inf], size=(rows, width))
    arrays = random_trees(random, trees, width, most)
    native, twin = (
        module.tree_sums(table, *arrays.values(), threads) for module in (_native, reference)
    )
    assert native.dtype == twin.dtype == np.float64
    np.testing.assert_array_equal(native, twin)


def test_a_row_does_not_depend_on_others_or_on_threads() -> None:
    random = np.random.default_rng(7)
    table, arrays = random.normal(size=(3001, 5)), random_trees(random, 40, 5, 31)
    whole = _native.tree_sums(table, *arrays.values(), 1)
    for threads in (0, 2, 3, 8):
        np.testing.assert_array_equal(_native.tree_sums(table, *arrays.values(), threads), whole)
    alone = [_native.tree_sums(table[i : i + 1], *arrays.values(), 1)[0] for i in range(2900, 3001)]
    np.testing.assert_array_equal(alone, whole[2900:])


# Node 0 compares feature 1 with 0.5; nodes 1 and 2 are its leaves.
STUMP: Trees = {
    "roots": np.array([0], np.int64),
    "features": np.array([1, -1, -1], np.int32),
    "thresholds": np.array([0.5, 0.0, 0.0]),
    "left": np.array([1, 0, 0], np.int32),
    "right": np.array([2, 0, 0], np.int32),
    "values": np.array([0.0, 10.0, 20.0]),
}
BOTH = pytest.mark.parametrize("module", [_native, reference])


@BOTH
def test_a_stump(module: Any) -> None:
    rows = np.array([[9.0, 0.5], [-9.0, np.nextafter(0.5, 1)], [0.0, -np.inf]])
    assert module.tree_sums(rows, *STUMP.values(), 1).tolist() == [10.0, 20.0, 10.0]


@BOTH
@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("roots", [3], "every root must be the number of a node"),
        ("roots", [0, -1], "every root must be the number of a node"),
        ("features", [2, -1, -1], "every feature must be a column of the rows, or -1 in a leaf"),
        ("features", [1, -2, -1], "every feature must be a column of the rows, or -1 in a leaf"),
        ("features", [1, 0, -1], "children must be nodes with greater numbers than their parent"),
        ("left", [0, 0, 0], "children must be nodes with greater numbers than their parent"),
        ("left", [-1, 0, 0], "children must be nodes with greater numbers than their parent"),
        ("right", [3, 0, 0], "children must be nodes with greater numbers than their parent"),
        ("right", [2, 0], "must have the same length"),
        ("left", [1], "must have the same length"),
        ("thresholds", [0.5], "must have the same length"),
        ("values", [], "must have the same length"),
        ("thresholds", [np.nan, 0.0, 0.0], "thresholds must be finite numbers"),
        ("values", [0.0, np.inf, 0.0], "values of leaves must be finite numbers"),
    ],
)
def test_wrong_trees(module: Any, name: str, values: list[float], message: str) -> None:
    wrong = STUMP | {name: np.array(values, STUMP[name].dtype)}
    with pytest.raises(ValueError, match=message):
        module.tree_sums(np.zeros((1, 2)), *wrong.values(), 1)


@BOTH
def test_rows_without_a_number(module: Any) -> None:
    with pytest.raises(ValueError, match="rows must not contain NaN"):
        module.tree_sums(np.array([[0.0, 0.0], [np.nan, 0.0]]), *STUMP.values(), 1)
