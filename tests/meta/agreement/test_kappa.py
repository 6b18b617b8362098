"""Kappa and percent agreement against scikit-learn, statsmodels (recorded) and sums done by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from paragauge.errors import InputError, SettingError
from paragauge.meta.agreement.kappa import (
    WEIGHTS,
    bin_values,
    cohen_kappa,
    fleiss_kappa,
    percent_agreement,
    rated_twice,
    resample_cohen,
    resample_fleiss,
    too_fine,
)
from paragauge.meta.measure import Bootstrap, segment_weights

SCALE = list(range(1, 6))
two_judges = st.lists(
    st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=1, max_size=40
)


def vectors(pairs):
    return tuple(np.array(column, float) for column in zip(*pairs, strict=True))


@pytest.mark.parametrize("weights", WEIGHTS)
@given(pairs=two_judges)
def test_cohen_equals_scikit_learn(weights, pairs):
    first, second = vectors(pairs)
    kappa = cohen_kappa(first, second, weights)
    assert kappa.n == len(pairs)
    if len({*first, *second}) == 1:
        assert kappa.value is None
        assert kappa.reason == "all ratings are equal, so that chance agrees as well"
        return
    name = None if weights == "none" else weights
    # All labels of the scale, because our distances are those of the values.
    expected = cohen_kappa_score(first.astype(int), second.astype(int), weights=name, labels=SCALE)
    assert kappa.value == pytest.approx(expected, abs=1e-9)


def test_cohen_by_hand():
    # Cohen 1960 in the small: 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no.
    first = np.repeat([1.0, 1, 0, 0], [20, 5, 10, 15])
    second = np.repeat([1.0, 0, 1, 0], [20, 5, 10, 15])
    observed, expected = 35 / 50, (25 * 30 + 25 * 20) / 50**2
    assert cohen_kappa(first, second).value == pytest.approx((observed - expected) / (1 - expected))
    assert cohen_kappa(first, second).value == pytest.approx(0.4)


def test_weights_by_hand():
    # Distances 0, 1, 3: mean 4/3. All nine pairs of {1, 2, 4} and {1, 3, 1}: mean of
    # 0 2 0, 1 1 1, 3 1 3 = 12/9.
    first, second = np.array([1.0, 2, 4]), np.array([1.0, 3, 1])
    assert cohen_kappa(first, second, "linear").value == pytest.approx(1 - (4 / 3) / (12 / 9))
    # Squares 0, 1, 9 and 0 4 0, 1 1 1, 9 1 9.
    assert cohen_kappa(first, second, "quadratic").value == pytest.approx(1 - (10 / 3) / (26 / 9))


def test_an_unused_category_in_the_middle_is_still_a_step():
    first, second = np.array([1.0, 2, 5, 5]), np.array([1.0, 5, 5, 2])
    moved = np.where(first == 5, 3, first), np.where(second == 5, 3, second)
    assert cohen_kappa(first, second, "linear").value != cohen_kappa(*moved, "linear").value
    assert cohen_kappa(first, second).value == cohen_kappa(*moved).value


def test_cohen_degenerate():
    constant, other = np.ones(4), np.array([1.0, 2, 1, 2])
    assert cohen_kappa(constant, other).value == pytest.approx(0)
    assert cohen_kappa(np.zeros(0), np.zeros(0)).reason == "no common items"
    missing = np.array([1.0, np.nan, 2, 2]), np.array([1.0, 1, np.nan, 2])
    assert cohen_kappa(*missing).n == 2
    assert cohen_kappa(*missing).value == 1


def test_cohen_errors():
    with pytest.raises(InputError) as caught:
        cohen_kappa(np.zeros(2), np.zeros(3))
    assert str(caught.value) == "expected ratings of the same items, found arrays of (2,) and (3,)"
    with pytest.raises(SettingError) as wrong:
        cohen_kappa(np.zeros(2), np.zeros(2), "linaer")
    assert str(wrong.value) == (
        "unknown weighting 'linaer'; did you mean 'linear'? known: none, linear, quadratic"
    )


def unfolded(table):
    """Items and values of a table of counts, one row an item, one column a category."""
    units, values = [], []
    for unit, row in enumerate(table):
        for category, count in enumerate(row, 1):
            units += [unit] * count
            values += [float(category)] * count
    return np.array(units), np.array(values)


# The worked example of the English Wikipedia article on Fleiss' kappa: 14 raters, 10 subjects.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_fleiss_published():
    kappa = fleiss_kappa(*unfolded(FLEISS))
    assert round(kappa.value, 3) == 0.210
    assert kappa.n == 10
    assert percent_agreement(*unfolded(FLEISS)).value == pytest.approx(0.378, abs=5e-4)


def test_fleiss_equals_statsmodels():
    recorded = json.loads(
        Path(__file__).parents[1].joinpath("statsmodels.json").read_text(encoding="utf-8")
    )
    assert len(recorded["fleiss"]) == 60
    for row in recorded["fleiss"]:
        ratings = np.array(row["ratings"], float)
        units = np.repeat(np.arange(len(ratings)), ratings.shape[1])
        kappa = fleiss_kappa(units, ratings.ravel())
        assert (kappa.value, kappa.n) == (pytest.approx(row["kappa"], abs=1e-9), len(ratings))


def test_fleiss_of_one_category_is_undefined():
    kappa = fleiss_kappa(np.repeat(np.arange(3), 2), np.full(6, 4.0))
    assert (kappa.value, kappa.n) == (None, 3)


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from([1.0, 2.0, 3.0, np.nan])), max_size=40))
def test_fleiss_with_varying_numbers_equals_its_formula(rows):
    units = np.array([unit for unit, _ in rows], int)
    values = np.array([value for _, value in rows], float)
    items: dict[int, list[float]] = {}
    for unit, value in rows:
        if not np.isnan(value):
            items.setdefault(unit, []).append(value)
    usable = [ratings for ratings in items.values() if len(ratings) > 1]
    kappa, share = fleiss_kappa(units, values), percent_agreement(units, values)
    assert kappa.n == share.n == len(usable)
    if not usable:
        assert kappa.reason == share.reason == "no item has two ratings"
        return
    equal = []
    for ratings in usable:
        pairs = [a == b for i, a in enumerate(ratings) for b in ratings[:i]]
        equal.append(sum(pairs) / len(pairs))
    every = [value for ratings in usable for value in ratings]
    expected = sum((every.count(value) / len(every)) ** 2 for value in set(every))
    assert share.value == pytest.approx(np.mean(equal), abs=1e-9)
    if len(set(every)) == 1:
        assert kappa.value is None
    else:
        assert kappa.value == pytest.approx((np.mean(equal) - expected) / (1 - expected), abs=1e-9)


def test_fleiss_errors():
    with pytest.raises(InputError) as caught:
        fleiss_kappa(np.zeros(2, int), np.zeros(3))
    assert str(caught.value) == "expected one unit for each rating, found (2,) and (3,)"


def test_bins():
    assert bin_values(np.array([0.0, 19.9, 20, 99, 100]), 5, 0, 100).tolist() == [1, 1, 2, 5, 5]
    assert bin_values(np.array([3.0, 3.0]), 5, 3, 3).tolist() == [1, 1]
    assert np.isnan(bin_values(np.array([np.nan, 1.0]), 2, 0, 1)).tolist() == [True, False]
    for bins in (1, 0, -3, True, 2.5):
        with pytest.raises(SettingError) as caught:
            bin_values(np.zeros(1), bins, 0, 1)
        assert str(caught.value) == f"bins: expected a whole number from 2, found {bins!r}"


def test_categories_have_an_end():
    assert too_fine(np.arange(20.0)) == ""
    assert too_fine(np.arange(21.0)) == "21 different ratings are no categories; cut them into bins"


def repeated(segment, drawn):
    """The places of ratings, each as often as a resample draws its segment."""
    return np.repeat(np.arange(len(segment)), drawn[segment])


def test_resampled_kappas_are_those_of_repeated_segments():
    rng = np.random.default_rng(5)
    first = rng.integers(1, 5, 60).astype(float)
    second = np.where(rng.random(60) < 0.6, first, rng.integers(1, 5, 60)).astype(float)
    segment = np.arange(60) // 3
    bootstrap = Bootstrap(25, seed=3)
    drawn = segment_weights(20, bootstrap)
    kappas = resample_cohen(first, second, segment, bootstrap)
    for replicate, weights in enumerate(drawn):
        drawn = repeated(segment, weights)
        assert kappas[""][replicate] == pytest.approx(np.mean(first[drawn] == second[drawn]), abs=1e-9)
        for name in WEIGHTS:
            expected = cohen_kappa(first[drawn], second[drawn], name).value
            assert kappas[name][replicate] == pytest.approx(expected, abs=1e-9)


def test_resampled_fleiss_is_that_of_repeated_segments():
    rng = np.random.default_rng(6)
    units = np.repeat(np.arange(40), rng.integers(1, 5, 40))
    values = rng.integers(1, 4, len(units)).astype(float)
    segment = units // 2
    bootstrap = Bootstrap(25, seed=4)
    kappas, shares = resample_fleiss(units, values, segment, bootstrap)
    used = np.unique(segment[rated_twice(units)], return_inverse=True)
    drawn = segment_weights(len(used[0]), bootstrap)
    for replicate, weights in enumerate(drawn):
        chosen, ratings = [], []
        for place, number in enumerate(used[0].tolist()):
            for copy in range(int(weights[place])):
                mine = (segment == number) & rated_twice(units)
                chosen += [f"{unit}/{copy}" for unit in units[mine]]
                ratings += values[mine].tolist()
        numbers = np.unique(chosen, return_inverse=True)[1]
        assert kappas[replicate] == pytest.approx(
            fleiss_kappa(numbers, np.array(ratings)).value, abs=1e-9
        )
        assert shares[replicate] == pytest.approx(
            percent_agreement(numbers, np.array(ratings)).value, abs=1e-9
        )


def test_resamples_of_one_category_have_no_kappa():
    same = np.ones(6)
    by_weighting = resample_cohen(same, same, np.arange(6), Bootstrap(5))
    assert np.isnan(by_weighting["none"]).all()
    assert (by_weighting[""][~np.isnan(by_weighting[""])] == 1).all()
    kappas, shares = resample_fleiss(np.arange(6), same, np.arange(6), Bootstrap(5))
    assert np.isnan(kappas).all()
    assert np.isnan(shares).all()
