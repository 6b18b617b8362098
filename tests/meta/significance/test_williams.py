"""Williams' test against an independent derivation and a simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from paragauge.errors import InputError
from paragauge.meta.correlation.coefficients import coefficient
from paragauge.meta.significance.williams import williams_p, williams_t


def derived(r_ah, r_bh, r_ab, n):
    """The statistic by the determinant of the correlation matrix (Steiger 1980, equation 7)."""
    matrix = np.array([[1, r_ah, r_bh], [r_ah, 1, r_ab], [r_bh, r_ab, 1]])
    middle = (r_ah + r_bh) / 2
    below = 2 * (n - 1) / (n - 3) * np.linalg.det(matrix) + middle**2 * (1 - r_ab) ** 3
    return (r_ah - r_bh) * math.sqrt((n - 1) * (1 + r_ab) / below)


@given(seed=st.integers(0, 10_000), n=st.integers(4, 200))
def test_equals_the_derivation(seed, n):
    rng = np.random.default_rng(seed)
    h, a, b = rng.normal(size=(3, max(n, 6))) + 0.8 * rng.normal(size=max(n, 6))
    r_ah, r_bh, r_ab = (float(np.corrcoef(x, y)[0, 1]) for x, y in ((a, h), (b, h), (a, b)))
    expected = derived(r_ah, r_bh, r_ab, n)
    assert williams_t(r_ah, r_bh, r_ab, n) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    p = williams_p(r_ah, r_bh, r_ab, n)
    assert p == pytest.approx(2 * stats.t.cdf(-abs(expected), n - 3), abs=1e-9)
    assert williams_p(r_bh, r_ah, r_ab, n) == pytest.approx(p)
    assert williams_t(r_bh, r_ah, r_ab, n) == pytest.approx(-expected)


def test_published_examples():
    # The manual of the R package psych, r.test(n=103, r12=.4, r13=.5, r23=.1): t = -0.89, p < 0.37.
    assert williams_t(0.4, 0.5, 0.1, 103) == pytest.approx(-0.89, abs=0.005)
    assert williams_p(0.4, 0.5, 0.1, 103) == pytest.approx(0.37, abs=0.005)


def test_false_alarms_are_as_rare_as_alpha_says():
    """Two metrics with equal correlation in the population, related to each other: p is uniform."""
    rng = np.random.default_rng(12)
    root = np.linalg.cholesky(np.array([[1, 0.6, 0.6], [0.6, 1, 0.7], [0.6, 0.7, 1]]))
    p_values = []
    for _ in range(2000):
        r = np.corrcoef(root @ rng.normal(size=(3, 40)))
        p_values.append(williams_p(r[0, 1], r[0, 2], r[1, 2], 40))
    for alpha in (0.05, 0.2, 0.5):
        # Three standard errors of a share.
        bound = 3 * math.sqrt(alpha * (1 - alpha) / len(p_values))
        assert np.mean(np.array(p_values) < alpha) == pytest.approx(alpha, abs=bound)


def test_the_same_metric_on_another_scale_is_no_better():
    """Rounding makes their correlations differ in the last digit, with nothing below the line."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        h = rng.normal(size=50)
        a = h + rng.normal(size=50)
        b = 3 * a + 0.1
        p = williams_p(coefficient(a, h), coefficient(b, h), coefficient(a, b), 50)
        assert p == pytest.approx(1, abs=1e-6)


def test_opposite_metrics():
    """In the limit of r_ab = -1 the test is that of r_ah = 0, with n - 3 degrees of freedom."""
    for r in (0.1, 0.5, -0.3):
        expected = r * math.sqrt((30 - 3) / (1 - r * r))
        assert williams_t(r, -r, -1.0, 30) == pytest.approx(expected)
        # b = -a up to a little noise: nearly the same.
        close = -1 + 1e-8
        assert williams_t(r, r * close, close, 30) == pytest.approx(expected, rel=1e-6)


def test_degenerate():
    assert (williams_t(0.5, 0.5, 0.2, 10), williams_p(0.5, 0.5, 0.2, 10)) == (0, 1)
    assert williams_p(1.0, 0.3, 0.3, 10) == pytest.approx(
        2 * stats.t.sf(derived(1.0, 0.3, 0.3, 10), 7), abs=1e-9
    )
    # The metric is the ratings, the other one their opposite: nothing is surer.
    assert williams_p(1.0, -1.0, -1.0, 10) == 0
    with pytest.raises(InputError, match="Williams' test needs at least 4 items, found 3"):
        williams_p(0.1, 0.2, 0.3, 3)
