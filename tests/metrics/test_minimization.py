"""Small minimizations against SciPy's, and conditions that a minimum fulfils."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from paragauge.kernels.layout import Floats
from paragauge.metrics.minimization import fit_nonnegative, search_simplex

QUICK = settings(max_examples=100, deadline=None)


def valley(p: Floats) -> float:
    """Rosenbrock's function: 0 at (1, 1), at the end of a bent valley."""
    return float((1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2)


@pytest.mark.parametrize("start", [(-1.2, 1.0), (0.0, 0.0), (3.0, -2.0)])
def test_simplex_walks_as_scipys(start: tuple[float, float]) -> None:
    expected = optimize.minimize(valley, start, method="Nelder-Mead", options={"maxiter": 2000})
    point, least = search_simplex(valley, np.array(start), 2000)
    np.testing.assert_allclose(point, expected.x, atol=1e-8)
    assert least == pytest.approx(expected.fun, abs=1e-12)
    assert least < 1e-8


def test_simplex_ends_where_all_is_flat_and_after_its_iterations() -> None:
    point, least = search_simplex(lambda _: 1.0, np.array([5.0, 0.0]), 100)
    assert least == 1.0
    assert np.abs(point - [5.0, 0.0]).max() < 1
    started, _ = search_simplex(valley, np.array([-1.2, 1.0]), 1)
    assert valley(started) > 1


@QUICK
@given(st.integers(1, 6), st.integers(0, 10_000))
def test_nonnegative_against_scipy(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, expected = random.normal(size=(20, size)), random.normal(size=20)
    weights = fit_nonnegative(rows, expected)
    np.testing.assert_allclose(weights, optimize.nnls(rows, expected)[0], atol=1e-12)
    # No gain from any weight: a free one has gradient 0, one at 0 would have to fall.
    gradient = rows.T @ (expected - rows @ weights)
    assert np.abs(gradient[weights > 0]).max(initial=0.0) < 1e-9
    assert gradient[weights == 0].max(initial=0.0) < 1e-9


def test_nonnegative_by_hand() -> None:
    """Column 1 alone would get 2 and column 0 less than 0, so it leaves."""
    rows = np.array([[1.0, 1.0], [1.0, 2.0]])
    assert fit_nonnegative(rows, np.array([2.0, 4.0])).round(12).tolist() == [0.0, 2.0]
    assert fit_nonnegative(rows, np.array([-1.0, -1.0])).tolist() == [0.0, 0.0]
