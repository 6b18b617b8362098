"""Tails of distributions and Wilcoxon's test, by hand and against SciPy."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from paragauge.errors import InputError, SettingError
from paragauge.meta.significance.distributions import fair_tosses_p, normal_p, student_bound, student_p
from paragauge.meta.significance.signed_rank import signed_rank_p

QUICK = settings(max_examples=200, deadline=None)


def test_student_by_hand() -> None:
    """With one degree of freedom T has Cauchy's distribution, P(|T| > t) = 1 - 2 atan(t) / pi."""
    for t in (1e-9, 0.1, 1.0, 3.0, 1e4):
        assert student_p(t, 1) == pytest.approx(2 * math.atan(1 / t) / math.pi, rel=1e-13)
        # 1 - t / sqrt(2 + t^2) without the difference of two near numbers
        root = math.sqrt(2 + t * t)
        assert student_p(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-13)
    assert student_p(-2.0, 7) == student_p(2.0, 7)
    assert student_p(1e200, 1) == pytest.approx(2e-200 / math.pi)


@QUICK
@given(st.floats(0, 60), st.integers(1, 200))
def test_student_against_scipy(t: float, freedom: int) -> None:
    expected = 2 * stats.t.sf(t, freedom)
    if t < 1:  # where scipy's tail loses digits, up to 1e-10 close to 0
        expected = 1 - special.betainc(0.5, freedom / 2, t * t / (freedom + t * t))
    assert student_p(t, freedom) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("freedom", [10**4, 99_999])
@pytest.mark.parametrize("t", [0.001, 1.0, 2.0, 9.0])
def test_student_with_many_degrees_of_freedom(t: float, freedom: int) -> None:
    assert student_p(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-8)


@pytest.mark.parametrize("freedom", [1e5, 1e6, 1e8, 1e10, 1e15, 1e300, math.inf])
@pytest.mark.parametrize("t", [0.0, 1e-9, 0.001, 1.0, 2.0, 9.0, 35.0])
def test_student_is_nearly_normal(t: float, freedom: float) -> None:
    assert student_p(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-11)
    assert student_p(-t, freedom) == student_p(t, freedom)


def test_student_has_no_step_where_it_becomes_normal() -> None:
    for t in (0.5, 3.0, 20.0):
        below, above = student_p(t, math.nextafter(1e5, 0)), student_p(t, 1e5)
        assert above == pytest.approx(below, rel=1e-9)
    assert student_p(1e200, 1e6) == 0.0


def test_bound_is_nearly_normal() -> None:
    for freedom in (1e10, math.inf):
        assert student_bound(0.05, freedom) == pytest.approx(stats.norm.isf(0.025), rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 1000, 100_000])
@pytest.mark.parametrize("share", [0.5, 0.05, 1e-3, 1e-9])
def test_bound_against_scipy(freedom: int, share: float) -> None:
    assert student_bound(share, freedom) == pytest.approx(stats.t.isf(share / 2, freedom), rel=1e-9)


def test_fair_tosses_are_counted() -> None:
    for tosses in (1, 2, 7, 40, 120):
        for heads in range(tosses + 1):
            ways = sum(math.comb(tosses, count) for count in range(heads, tosses + 1))
            expected = float(Fraction(ways, 2**tosses))
            assert fair_tosses_p(heads, tosses) == pytest.approx(expected, rel=1e-12)
    expected = stats.binomtest(5100, 10_000, alternative="greater").pvalue
    assert fair_tosses_p(5100, 10_000) == pytest.approx(expected, rel=1e-10)


def test_normal_against_scipy() -> None:
    for z in (-40.0, -1.96, 0.0, 1e-9, 3.0, 37.0):
        assert normal_p(z) == pytest.approx(stats.norm.sf(z), rel=1e-13)


def test_signed_ranks_by_hand() -> None:
    """Sizes 1, 1, 2 have ranks 1.5, 1.5, 3. Sums from 4.5: {1.5, 3} twice and all, 3 of 8."""
    assert signed_rank_p(np.array([1.0, -1.0, 2.0])) == 3 / 8
    assert signed_rank_p(np.array([-1.0])) == 1.0
    assert signed_rank_p(np.arange(1.0, 51)) == 2.0**-50


@QUICK
@given(st.lists(st.integers(-30, 30).filter(bool), min_size=1, max_size=70), st.booleans())
def test_signed_ranks_against_scipy(values: list[int], tied: bool) -> None:
    """With and without equal sizes, around both limits of the exact distribution."""
    differences = np.array(values, float)
    if not tied:
        differences += np.sign(differences) * np.arange(len(values)) / 1000
    expected = stats.wilcoxon(differences, alternative="greater").pvalue
    assert signed_rank_p(differences) == pytest.approx(float(expected), rel=1e-11, abs=1e-15)


def test_refused() -> None:
    with pytest.raises(SettingError, match="degrees of freedom above 0, found 0"):
        student_p(1.0, 0)
    with pytest.raises(SettingError, match="share: expected a number between 0 and 1, found 1"):
        student_bound(1.0, 3)
    with pytest.raises(SettingError, match="heads: expected a whole number from 0 to 3, found 4"):
        fair_tosses_p(4, 3)
    with pytest.raises(InputError, match="differences that are not 0"):
        signed_rank_p(np.array([1.0, 0.0]))
    with pytest.raises(InputError, match="difference 1: expected a number, found NaN; leave it out"):
        signed_rank_p(np.array([1.0, math.nan, 2.0]))
