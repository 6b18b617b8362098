"""The kernels of correlation against their twins and against scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from paragauge.kernels import _native, reference

COEFFICIENTS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}
NONE = np.zeros(0, np.uint8)
names = st.sampled_from(sorted(COEFFICIENTS))
# Few different values make ties and constants; the others make ordinary data.
values = st.one_of(
    st.integers(0, 2).map(float), st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
)


@st.composite
def grouped(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sizes = draw(st.lists(st.integers(0, 9), min_size=1, max_size=4))
    count = sum(sizes)
    x, y = (draw(st.lists(values, min_size=count, max_size=count)) for _ in range(2))
    return np.array(x, float), np.array(y, float), np.cumsum([0, *sizes])


@given(grouped(), names, st.integers(0, 3))
def test_group_correlations(
    data: tuple[np.ndarray, np.ndarray, np.ndarray], name: str, threads: int
) -> None:
    native = _native.group_correlations(*data, name, threads)
    twin = reference.group_correlations(*data, name, threads)
    np.testing.assert_allclose(native, twin, atol=1e-9, rtol=0)


@given(grouped(), names, st.booleans(), st.booleans(), st.integers(0, 2**63 - 1), st.integers(0, 3))
def test_resampled_correlations(
    data: tuple[np.ndarray, np.ndarray, np.ndarray],
    name: str,
    coin: bool,
    zero: bool,
    seed: int,
    threads: int,
) -> None:
    size = len(data[0])
    units = np.random.default_rng(size).integers(0, max(1, size), size)
    complement = (units % 2).astype(np.uint8) if coin else NONE
    weights = "coin" if coin else "poisson"
    inputs = (*data, units, complement, name, weights, zero, seed, 5, threads)
    native, twin = _native.resampled_correlations(*inputs), reference.resampled_correlations(*inputs)
    np.testing.assert_allclose(native, twin, atol=1e-9, rtol=0)


@settings(max_examples=40)
@given(
    grouped(),
    st.sampled_from(["spearman", "kendall"]),
    st.booleans(),
    st.integers(0, 2**63 - 1),
    st.integers(0, 3),
)
def test_exchanged_correlations(
    data: tuple[np.ndarray, np.ndarray, np.ndarray], name: str, zero: bool, seed: int, threads: int
) -> None:
    one, gold, offsets = data
    random = np.random.default_rng(len(one))
    other = random.permutation(one)
    units = random.integers(0, max(1, len(one)), len(one))
    inputs = (one, other, gold, offsets, units, name, zero, seed, 18, threads)
    natives, twins = _native.exchanged_correlations(*inputs), reference.exchanged_correlations(*inputs)
    for native, twin in zip(natives, twins, strict=True):
        np.testing.assert_allclose(native, twin, atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_exchanged_correlations_of_many_items(name: str) -> None:
    """Over the lengths of all merges, with ties: those of resamples with the same coins."""
    random = np.random.default_rng(4)
    size = 3000
    one, other, gold = random.normal(size=(3, size))
    other[::3], gold[::2] = one[::3], np.round(gold[::2])
    offsets, units = np.array([0, size]), random.integers(0, 1000, size)
    lists = _native.exchanged_correlations(one, other, gold, offsets, units, name, False, 5, 33, 2)
    scores, golds = np.concatenate([one, other]), np.concatenate([gold, gold])
    coins, second = np.concatenate([units, units]), np.repeat([0, 1], size).astype(np.uint8)
    for side, values in enumerate(lists):
        complement = second if side == 0 else 1 - second
        expected = _native.resampled_correlations(
            scores, golds, 2 * offsets, coins, complement, name, "coin", False, 5, 33, 1
        )
        np.testing.assert_array_equal(values, expected)


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.booleans(), st.integers(0, 9)), max_size=40),
    st.booleans(),
    st.integers(0, 2**63 - 1),
)
def test_resampled_maxima(rows: list[tuple[int, bool, int]], coin: bool, seed: int) -> None:
    gain = np.array([row[0] for row in rows], float)
    last = np.array([row[1] for row in rows], np.uint8)
    units = np.array([row[2] for row in rows], np.int64)
    complement = (units % 2).astype(np.uint8) if coin else NONE
    inputs = (gain, last, units, complement, "coin" if coin else "poisson", seed, 5, 2)
    native, twin = _native.resampled_maxima(*inputs), reference.resampled_maxima(*inputs)
    np.testing.assert_array_equal(native, twin)


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
@pytest.mark.parametrize("levels", [2, 5, 1000, 10**9])
def test_scipy_gives_the_same_on_the_resampled_data(name: str, levels: int) -> None:
    random = np.random.default_rng(levels)
    x = random.integers(0, levels, 400).astype(float)
    y = np.round(x + random.normal(0, levels, 400))
    units = np.repeat(np.arange(100), 4)
    offsets = np.array([0, 400])
    correlations = _native.resampled_correlations(
        x, y, offsets, units, NONE, name, "poisson", False, 3, 40, 2
    )
    for replicate in range(40):
        weights = [reference.resample_weight("poisson", 3, replicate, int(unit)) for unit in units]
        expected = COEFFICIENTS[name](np.repeat(x, weights), np.repeat(y, weights))[0]
        assert correlations[replicate] == pytest.approx(expected, abs=1e-9)
    whole = _native.group_correlations(x, y, offsets, name, 1)[0]
    assert whole == pytest.approx(COEFFICIENTS[name](x, y)[0], abs=1e-9)


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_a_large_mean_does_not_spoil_the_digits(name: str) -> None:
    random = np.random.default_rng(5)
    x = random.normal(size=1000)
    y = x + random.normal(size=1000)
    plain, moved = (
        _native.group_correlations(a, y, np.array([0, 1000]), name, 1)[0] for a in (x, x * 1e-3 + 1e6)
    )
    assert moved == pytest.approx(plain, abs=1e-6)


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_threads_change_nothing(name: str) -> None:
    random = np.random.default_rng(6)
    x, y = random.normal(size=(2, 300))
    offsets, units = np.array([0, 100, 300]), np.arange(300) // 3
    results = [
        _native.resampled_correlations(
            x, y, offsets, units, NONE, name, "poisson", True, 7, 100, threads
        )
        for threads in (1, 2, 5)
    ]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


ONE, OFFSETS, UNITS = np.ones(2), np.array([0, 2]), np.array([0, 1])
BAD: list[tuple[str, Callable[[], object]]] = [
    ("lengths", lambda: _native.group_correlations(ONE, np.ones(3), OFFSETS, "pearson", 1)),
    ("offsets", lambda: _native.group_correlations(ONE, ONE, np.array([0, 3]), "pearson", 1)),
    ("name", lambda: _native.group_correlations(ONE, ONE, OFFSETS, "gamma", 1)),
    (
        "not a number",
        lambda: _native.group_correlations(np.array([1, np.nan]), ONE, OFFSETS, "pearson", 1),
    ),
    (
        "negative unit",
        lambda: _native.resampled_correlations(
            ONE, ONE, OFFSETS, -UNITS, NONE, "pearson", "poisson", False, 1, 1, 1
        ),
    ),
    (
        "complement of Poisson weights",
        lambda: _native.resampled_correlations(
            ONE, ONE, OFFSETS, UNITS, np.ones(2, np.uint8), "pearson", "poisson", False, 1, 1, 1
        ),
    ),
    (
        "marks",
        lambda: _native.resampled_maxima(ONE, np.ones(1, np.uint8), UNITS, NONE, "poisson", 1, 1, 1),
    ),
]


@pytest.mark.parametrize("call", [call for _, call in BAD], ids=[name for name, _ in BAD])
def test_bad_arrays_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
