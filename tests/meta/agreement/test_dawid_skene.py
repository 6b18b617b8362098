"""Dawid and Skene's EM: by hand, on their own data, and what must not change the result."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from paragauge.errors import LengthError, SettingError, ShapeError
from paragauge.meta.agreement.dawid_skene import DawidSkene, fit_dawid_skene

Ratings = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

# Table 1 of Dawid and Skene (1979): 45 patients on a scale from 1 to 4, seen three times by the first
# anaesthetist and once by each of four others.
ANAESTHETISTS = """
    111 1111, 333 4334, 112 2122, 222 3121, 222 3222, 222 3322, 122 2111, 333 3433, 222 2223,
    232 2223, 444 4444, 222 3343, 111 1111, 222 3212, 121 1111, 111 2111, 111 1111, 111 1111,
    222 2221, 222 1322, 222 2222, 222 2221, 222 3222, 221 2222, 111 1111, 111 1111, 232 2222,
    111 1111, 111 1111, 112 1121, 111 1111, 333 3233, 111 1111, 222 2222, 222 3232, 433 4343,
    221 2232, 232 3233, 333 3432, 111 1111, 111 1111, 121 2111, 232 2222, 121 1111, 222 2222"""
# The classes of patients agree with a public copy of the paper's section 4. Prevalences and error rates
# (by true class) are rounded; crowd-kit 1.4.2, DawidSkene(n_iter=1000, tol=1e-12), stops some rounds
# earlier with the same classes, and none of its figures differs from these by more than 0.006.
PREVALENCE = [0.40, 0.42, 0.11, 0.07]
ERROR_RATES = [
    [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]],
    [[0.83, 0.17, 0, 0], [0.05, 0.63, 0.31, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
    [[1, 0, 0, 0], [0.11, 0.79, 0.11, 0], [0, 0.40, 0.20, 0.40], [0, 0, 0.67, 0.33]],
    [[0.94, 0.06, 0, 0], [0.05, 0.84, 0.10, 0], [0, 0, 0.80, 0.20], [0, 0, 0.33, 0.67]],
    [[1, 0, 0, 0], [0.16, 0.73, 0.11, 0], [0, 0.21, 0.79, 0], [0, 0, 0.33, 0.67]],
]
PATIENTS = "142222132243121111222222112111131224233111212"


def anaesthetists() -> Ratings:
    rows = [
        (patient, max(0, column - 2), int(label) - 1)
        for patient, row in enumerate(ANAESTHETISTS.split(","))
        for column, label in enumerate("".join(row.split()))
    ]
    items, judges, labels = np.array(rows).T
    return items, judges, labels


def test_the_anaesthetists() -> None:
    fitted = fit_dawid_skene(*anaesthetists())
    assert fitted.converged
    np.testing.assert_allclose(fitted.prevalence, PREVALENCE, atol=0.006)
    np.testing.assert_allclose(fitted.error_rates, ERROR_RATES, atol=0.006)
    assert "".join(str(best + 1) for best in fitted.classes.argmax(axis=1)) == PATIENTS


def test_one_round_by_hand() -> None:
    """Item 0 is called a, a, b by judges 0, 1, 2; item 1 is called b by all.

    By votes T = [[2/3, 1/3], [0, 1]], so p = [1/3, 2/3]. Judges 0 and 1 always say a of class a; of
    class b, which has weight 4/3, they say a with probability (1/3) / (4/3) = 1/4. Judge 2 says b of
    both. So item 0 is a : b = 1/3 * 1 * 1 * 1 : 2/3 * 1/4 * 1/4 * 1 = 8 : 1, and item 1 is b, because
    judge 0 never says b of a.
    """
    items, judges, labels = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 1]
    fitted = fit_dawid_skene(items, judges, labels, iterations=1)
    np.testing.assert_allclose(fitted.prevalence, [1 / 3, 2 / 3])
    np.testing.assert_allclose(fitted.error_rates[0], [[1, 0], [1 / 4, 3 / 4]], atol=1e-9)
    np.testing.assert_allclose(fitted.error_rates[2], [[0, 1], [0, 1]], atol=1e-9)
    np.testing.assert_allclose(fitted.classes, [[8 / 9, 1 / 9], [0, 1]], atol=1e-9)
    likelihood = (1 / 3 + 2 / 3 / 16) * (2 / 3 * 9 / 16)
    assert fitted.log_likelihood == pytest.approx(math.log(likelihood))
    assert (fitted.iterations, fitted.converged) == (1, False)


def test_two_good_judges_outweigh_three_that_say_anything() -> None:
    random = np.random.default_rng(7)
    truth = np.repeat([0, 1], 50)
    said = np.stack([truth, truth, *random.integers(0, 2, (3, 100))])
    items, judges = np.tile(np.arange(100), 5), np.repeat(np.arange(5), 100)
    fitted = fit_dawid_skene(items, judges, said.ravel())
    assert (said.sum(axis=0) >= 3).tolist() != truth.tolist()
    assert fitted.classes.argmax(axis=1).tolist() == truth.tolist()


@st.composite
def ratings(draw: st.DrawFn) -> Ratings:
    """Ratings with missing and repeated ones; every item and judge has one."""
    items, judges, classes = (draw(st.integers(1, most)) for most in (6, 4, 3))
    random = np.random.default_rng(draw(st.integers(0, 1 << 16)))
    count = max(items, judges) + draw(st.integers(0, 20))
    item = np.concatenate([np.arange(items), random.integers(0, items, count - items)])
    judge = np.concatenate([np.arange(judges), random.integers(0, judges, count - judges)])
    _, label = np.unique(random.integers(0, classes, count), return_inverse=True)
    return random.permutation(item), random.permutation(judge), label


def close(one: DawidSkene, other: DawidSkene) -> None:
    np.testing.assert_allclose(one.classes, other.classes, atol=1e-6)
    np.testing.assert_allclose(one.prevalence, other.prevalence, atol=1e-6)
    np.testing.assert_allclose(one.error_rates, other.error_rates, atol=1e-6)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-6)


def same(one: DawidSkene, other: DawidSkene) -> bool:
    """Whether two fits are equal bit for bit."""
    arrays = ("classes", "prevalence", "error_rates")
    numbers = ("log_likelihood", "iterations", "converged")
    bits = [[getattr(fitted, name).tobytes() for name in arrays] for fitted in (one, other)]
    values = [[getattr(fitted, name) for name in numbers] for fitted in (one, other)]
    return bits[0] == bits[1] and values[0] == values[1]


def test_order_of_ratings_has_no_effect() -> None:
    """Bit for bit, to the end: EM leaves an unstable point in the direction that rounding gives."""
    random = np.random.default_rng(18)
    for _ in range(300):
        items, judges, classes = random.integers(1, [7, 5, 4])
        rated = [
            np.unique(random.integers(0, values, 24), return_inverse=True)[1]
            for values in (items, judges, classes)
        ]
        order = random.permutation(24)
        assert same(fit_dawid_skene(*rated), fit_dawid_skene(*(values[order] for values in rated)))


@settings(max_examples=60, deadline=None)
@given(ratings(), st.integers(0, 1000))
def test_numbering_matters_by_rounding_alone(rated: Ratings, seed: int) -> None:
    """Five rounds: far on, sums in another order may lead to another of two equally good maxima."""
    random = np.random.default_rng(seed)
    items, judges, labels = rated
    new_items, new_judges, new_labels = (random.permutation(values.max() + 1) for values in rated)
    plain = fit_dawid_skene(*rated, iterations=5)
    moved = fit_dawid_skene(new_items[items], new_judges[judges], new_labels[labels], iterations=5)
    back = moved.error_rates[new_judges][:, new_labels][:, :, new_labels]
    classes, prevalence = moved.classes[new_items][:, new_labels], moved.prevalence[new_labels]
    close(plain, DawidSkene(classes, prevalence, back, moved.log_likelihood, 5, False))


@settings(max_examples=60, deadline=None)
@given(ratings())
def test_likelihood_never_falls_and_all_are_probabilities(rated: Ratings) -> None:
    rounds = [fit_dawid_skene(*rated, iterations=n, tolerance=0) for n in range(1, 8)]
    for before, after in pairwise(rounds):
        assert after.log_likelihood >= before.log_likelihood - 1e-7
    last = rounds[-1]
    for shares in (last.classes, last.prevalence, last.error_rates):
        np.testing.assert_allclose(shares.sum(axis=-1), 1)
        assert (shares >= 0).all()


def test_the_same_twice() -> None:
    one, other = fit_dawid_skene(*anaesthetists()), fit_dawid_skene(*anaesthetists())
    assert one.classes.tobytes() == other.classes.tobytes()
    assert one.error_rates.tobytes() == other.error_rates.tobytes()


def test_one_judge_is_believed() -> None:
    fitted = fit_dawid_skene([0, 1, 2, 3], [0, 0, 0, 0], [2, 0, 0, 1])
    np.testing.assert_allclose(fitted.classes, np.eye(3)[[2, 0, 0, 1]], atol=1e-9)
    np.testing.assert_allclose(fitted.prevalence, [0.5, 0.25, 0.25])
    np.testing.assert_allclose(fitted.error_rates[0], np.eye(3), atol=1e-9)


def test_one_class_is_certain() -> None:
    fitted = fit_dawid_skene([0, 1, 1], [0, 0, 1], [0, 0, 0])
    assert fitted.classes.tolist() == [[1.0], [1.0]]
    assert fitted.error_rates.tolist() == [[[1.0]], [[1.0]]]
    assert (fitted.log_likelihood, fitted.iterations) == (0.0, 1)


def test_missing_ratings_and_a_judge_who_never_saw_a_class() -> None:
    """Judge 2 rated item 0 alone, of class 0: of class 1 nothing is known of that judge."""
    fitted = fit_dawid_skene([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [0, 0, 0, 1, 1])
    np.testing.assert_allclose(fitted.classes, [[1, 0], [0, 1]], atol=1e-9)
    np.testing.assert_allclose(fitted.error_rates[2], [[1, 0], [0.5, 0.5]], atol=1e-9)


def test_many_ratings_of_an_item_do_not_underflow() -> None:
    judges = np.arange(5000)
    items = np.repeat([0, 1], 5000)
    labels = np.concatenate([judges % 5 == 0, judges % 5 != 0]).astype(int)
    fitted = fit_dawid_skene(items, np.tile(judges, 2), labels)
    assert np.isfinite(fitted.log_likelihood)
    np.testing.assert_allclose(fitted.classes, [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (([], [], []), ShapeError, "expected at least one rating, found none"),
        (([0, 1], [0, 0], [0]), LengthError, "found 2, 2 and 1"),
        (([0.5], [0], [0]), ShapeError, "items: expected a list of whole numbers from 0"),
        (([0], [-1], [0]), ShapeError, "judges: expected a list of whole numbers from 0"),
        (
            ([0, 2], [0, 0], [0, 0]),
            ShapeError,
            "rating for every item up to 2, found none for 1; number",
        ),
        (([0, 0], [1, 1], [0, 0]), ShapeError, "rating for every judge up to 1, found none for 0"),
        (([0], [0], [10**6]), ShapeError, "rating for every label up to 1000000, found none for 0"),
        (
            ([0, 0], [0, 0], [0, 10**12]),
            ShapeError,
            "every label up to 1000000000000, found none for 1",
        ),
    ],
)
def test_refused(given: tuple[list[int], ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        fit_dawid_skene(*given)


def test_refused_settings() -> None:
    with pytest.raises(SettingError, match="iterations: expected a whole number from 1, found 0"):
        fit_dawid_skene([0], [0], [0], iterations=0)
    with pytest.raises(SettingError, match="tolerance: expected a number from 0, found -1"):
        fit_dawid_skene([0], [0], [0], tolerance=-1)
