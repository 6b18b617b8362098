"""Correlation of two judges against scipy, with its degenerate cases and its resamples."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import SettingError
from paragauge.meta.agreement.judge_correlation import (
    Outputs,
    correlation,
    sentence_level,
    system_level,
)
from paragauge.meta.correlation.coefficients import COEFFICIENTS
from paragauge.meta.measure import Bootstrap, segment_weights
from paragauge.meta.sets.evalset_builder import build

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
values = st.sampled_from([1.0, 2.0, 3.0, 4.0]) | st.floats(-100, 100, width=32)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(pairs=st.lists(st.tuples(values, values), min_size=3, max_size=40))
def test_equals_scipy(coefficient, pairs):
    first, second = np.array(pairs).T
    measure = correlation(first, second, coefficient)
    spread = [np.ptp(one) > 1e-9 * np.max(np.abs(one)) for one in (first, second)]
    if not all(spread):
        return  # constant, or nearly: scipy warns there
    assert measure.value == pytest.approx(SCIPY[coefficient](first, second).statistic, abs=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_by_hand(coefficient):
    # 1 2 3 4 against 1 3 2 4: deviations -3/2 -1/2 1/2 3/2; products 9/4 - 1/4 - 1/4 + 9/4 = 4 of 5;
    # five of six pairs are in order, one is not.
    expected = {"pearson": 4 / 5, "spearman": 4 / 5, "kendall": 4 / 6}[coefficient]
    first, second = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])
    assert correlation(first, second, coefficient).value == pytest.approx(expected)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_degenerate(coefficient):
    three = np.array([1.0, 2, 3])

    def reason(first, second, **more):
        measure = correlation(first, second, coefficient, **more)
        assert measure.value is None
        return measure.reason

    assert reason(np.zeros(0), np.zeros(0)) == "no common items"
    assert reason(three[:2], three[:2], what="systems") == "fewer than 3 common systems"
    assert reason(np.ones(3), three, names=("A", "B")) == "A: the same value for all items"
    assert reason(three, np.full(3, 0.1), names=("A", "B")) == "B: the same value for all items"
    # Means of equal ratings may differ by rounding only.
    assert reason(three, np.array([0.1, 0.1, 0.1 + 1e-17]) * 3) == (
        "the second: the same value for all items"
    )


def test_unknown_coefficient():
    with pytest.raises(SettingError) as caught:
        correlation(np.zeros(3), np.zeros(3), "person")
    assert str(caught.value) == (
        "unknown coefficient 'person'; did you mean 'pearson'? known: pearson, spearman, kendall"
    )


def a_set(segments=12, systems=4, seed=1):
    random = np.random.default_rng(seed)
    rows = []
    for segment in range(segments):
        for system in range(systems):
            rows += [
                (str(segment), f"s{system}", judge, {"overall": float(random.integers(1, 6) + system)})
                for judge in "AB"
            ]
    return build(rows)


def two_vectors(judged):
    return judged.means("overall", "A"), judged.means("overall", "B")


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_sentence_level_resamples(coefficient):
    """The interval is that of scipy's coefficient on repeated segments."""
    judged = a_set()
    first, second = two_vectors(judged)
    bootstrap = Bootstrap(50, 0.8, seed=3)
    item = np.arange(judged.items)
    measure = sentence_level(judged, item, first, second, coefficient, bootstrap, ("A", "B"))
    resampled = []
    for row in segment_weights(12, bootstrap):
        index = np.repeat(item, row[judged.item_segment])
        resampled.append(SCIPY[coefficient](first[index], second[index]).statistic)
    assert measure.value == pytest.approx(SCIPY[coefficient](first, second).statistic, abs=1e-9)
    low, high = np.quantile(resampled, [0.1, 0.9])
    assert (measure.low, measure.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_resamples_of_many_different_ratings(coefficient):
    """More pairs of ratings than one block of comparisons holds."""
    random = np.random.default_rng(6)
    first = random.normal(size=700)
    second = first + random.normal(size=700)
    judged = build([(str(i // 2), f"s{i % 2}", "A", {"o": 1.0}) for i in range(700)])
    bootstrap = Bootstrap(12, 0.5, seed=1)
    item = np.arange(700)
    measure = sentence_level(judged, item, first, second, coefficient, bootstrap, ("A", "B"))
    resampled = []
    for row in segment_weights(350, bootstrap):
        index = np.repeat(item, row[judged.item_segment])
        resampled.append(SCIPY[coefficient](first[index], second[index]).statistic)
    low, high = np.quantile(resampled, [0.25, 0.75])
    assert (measure.low, measure.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_system_level_resamples(coefficient):
    judged = a_set()
    first, second = two_vectors(judged)
    bootstrap = Bootstrap(50, 0.8, seed=3)
    item = np.arange(judged.items)
    measure = system_level(
        Outputs.of(judged), (item, first), (item, second), coefficient, bootstrap, ("A", "B")
    )

    def means(one, weights):
        shape = one.reshape(12, 4)
        return (weights[:, None] * shape).sum(axis=0) / weights.sum()

    expected = SCIPY[coefficient](means(first, np.ones(12)), means(second, np.ones(12))).statistic
    assert (measure.value, measure.n) == (pytest.approx(expected, abs=1e-9), 4)
    resampled = [
        SCIPY[coefficient](means(first, row), means(second, row)).statistic
        for row in segment_weights(12, bootstrap).astype(float)
    ]
    low, high = np.quantile(resampled, [0.1, 0.9])
    assert (measure.low, measure.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_system_that_a_resample_lacks_is_left_out_of_it(coefficient):
    # One segment per system: most resamples lack some of them, and none fails.
    rows = [(str(i), f"s{i}", j, {"overall": float(v)})
            for i, v in enumerate([1, 5, 2, 4, 3, 6]) for j in "AB"]  # fmt: skip
    judged = build(rows)
    mine = judged.means("overall", "A")
    item = np.arange(6)
    other = mine + np.array([4, 0, 0, 0, 2, 0])
    measure = system_level(
        Outputs.of(judged), (item, mine), (item, other), coefficient, Bootstrap(100), ("A", "B")
    )
    assert -1 <= measure.low < measure.value < measure.high <= 1
