"""Boosted trees: predictions equal scikit-learn's, files hold them, wrong input is named."""

from __future__ import annotations

import functools
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import (
    FileFormatError,
    InputError,
    LengthError,
    MissingExtraError,
    SettingError,
    ShapeError,
)
from paragauge.metrics.regression.boosted_trees import MAGIC, BoostedTrees, Link
from paragauge.text.array_file import read_arrays, write_arrays

NAMES = ("a", "b", "c")
SETTINGS: dict[str, Any] = {"trees": 30, "leaves": 8, "rate": 0.2, "least": 5, "ridge": 1.0}


def data(seed: int = 7, rows: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    table = random.normal(size=(rows, 3)).round(2)
    goals = table[:, 0] ** 2 + table[:, 1] * table[:, 2] + random.normal(size=rows) / 5
    return table, goals, random.uniform(0.0, 2.0, rows)


@functools.cache
def fitted(link: Link = "identity", seed: int = 7) -> BoostedTrees:
    return fit_again(link, seed)


def fit_again(link: Link = "identity", seed: int = 7) -> BoostedTrees:
    pytest.importorskip("sklearn")
    table, goals, weights = data(seed)
    if link == "logistic":
        goals = (goals > 0.5) * 1.0
    return BoostedTrees.fit(NAMES, table, goals, weights=weights, link=link, **SETTINGS)


@pytest.mark.parametrize("link", ["identity", "logistic"])
@pytest.mark.parametrize("leaves", [2, 8, 31])
def test_predictions_equal_scikit_learn(link: Link, leaves: int) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    table, goals, weights = data()
    # Rows to learn from are among those to predict: they lie next to thresholds.
    fresh = np.concatenate([table, data(8, 3000)[0]])
    options = {"max_iter": 60, "max_leaf_nodes": leaves, "early_stopping": False}
    if link == "identity":
        machine = ensemble.HistGradientBoostingRegressor(**options)
        machine.fit(table, goals, sample_weight=weights)
        expected = machine.predict(fresh)
    else:
        machine = ensemble.HistGradientBoostingClassifier(**options)
        machine.fit(table, goals > 0.5, sample_weight=weights)
        expected = machine.predict_proba(fresh)[:, 1]
    trees = BoostedTrees.from_scikit_learn(NAMES, machine)
    assert (len(trees.roots), trees.link) == (60, link)
    np.testing.assert_allclose(trees.predict(fresh), expected, rtol=1e-12, atol=1e-12)
    # A threshold itself goes left on both sides.
    inner = trees.features >= 0
    edges = np.zeros((int(inner.sum()), 3))
    edges[np.arange(len(edges)), trees.features[inner]] = trees.thresholds[inner]
    expected = machine.predict(edges) if link == "identity" else machine.predict_proba(edges)[:, 1]
    np.testing.assert_allclose(trees.predict(edges), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("link", ["identity", "logistic"])
def test_a_fit_is_scikit_learns_but_for_rounding(link: Link) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    table, goals, weights = data()
    kind = ensemble.HistGradientBoostingRegressor
    if link == "logistic":
        goals, kind = (goals > 0.5) * 1.0, ensemble.HistGradientBoostingClassifier
    machine = kind(
        max_iter=30,
        max_leaf_nodes=8,
        learning_rate=0.2,
        min_samples_leaf=5,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=7,
    ).fit(table, goals, sample_weight=weights)
    exact, rounded = BoostedTrees.from_scikit_learn(NAMES, machine), fitted(link)
    for name in ("roots", "features", "thresholds", "left", "right"):
        np.testing.assert_array_equal(getattr(rounded, name), getattr(exact, name))
    np.testing.assert_array_equal(rounded.values, exact.values.astype(np.float32))
    np.testing.assert_allclose(rounded.predict(table), exact.predict(table), atol=1e-5)


def test_it_learns() -> None:
    table, goals, _ = data(9)
    assert np.corrcoef(fitted().predict(table), goals)[0, 1] > 0.8
    chances = fitted("logistic").predict(table)
    assert 0 < chances.min() < chances.max() < 1
    assert np.mean((chances > 0.5) == (goals > 0.5)) > 0.75


def test_weights_count() -> None:
    """A row of weight 0 teaches nothing."""
    pytest.importorskip("sklearn")
    rows, goals = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([1.0, 9.0, 5.0, 5.0])
    one = {"trees": 1, "leaves": 2, "rate": 1.0, "least": 1, "ridge": 0.0}
    weights = np.array([1.0, 0.0, 1.0, 1.0])
    trees = BoostedTrees.fit(("x",), rows, goals, weights=weights, link="identity", **one)
    np.testing.assert_allclose(trees.predict(rows), [1.0, 1.0, 5.0, 5.0], rtol=1e-6)
    trees = BoostedTrees.fit(("x",), rows, goals, link="identity", **one)
    np.testing.assert_allclose(trees.predict(rows), [5.0] * 4, rtol=1e-6)


def test_probabilities_far_from_one_half() -> None:
    zero, integer = np.zeros(1), np.zeros(1, np.int32)
    for value, expected in ((-1e4, 0.0), (0.0, 0.5), (1e4, 1.0)):
        leaf = (integer, integer - 1, zero, integer, integer, zero + value)
        trees = BoostedTrees((), 0.0, "logistic", *leaf)
        assert trees.predict(np.zeros((2, 0))).tolist() == [expected] * 2


@pytest.mark.parametrize("link", ["identity", "logistic"])
def test_a_row_does_not_depend_on_others_or_on_threads(link: Link) -> None:
    trees, table = fitted(link), data(8, 2000)[0]
    whole = trees.predict(table)
    np.testing.assert_array_equal(trees.predict(table, threads=3), whole)
    np.testing.assert_array_equal([trees.predict(table[i : i + 1])[0] for i in range(50)], whole[:50])
    np.testing.assert_array_equal(trees.predict(np.asfortranarray(table)), whole)
    np.testing.assert_array_equal(trees.predict(table[::2]), whole[::2])


# ---- files


@pytest.mark.parametrize("link", ["identity", "logistic"])
def test_a_file_holds_everything(tmp_path: Path, link: Link) -> None:
    trees, table = fitted(link), data(8)[0]
    trees.save(tmp_path / "t.bin")
    again = BoostedTrees.load(tmp_path / "t.bin")
    assert (again.fingerprint, again.names, again.link) == (trees.fingerprint, NAMES, link)
    np.testing.assert_array_equal(again.predict(table), trees.predict(table))
    again.save(tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "t.bin").read_bytes()


def test_numbers_of_64_bits_stay_exact(tmp_path: Path) -> None:
    trees, table = fitted(), data(8)[0]
    exact = replace(trees, values=trees.values / 3)
    exact.save(tmp_path / "t.bin")
    np.testing.assert_array_equal(
        BoostedTrees.load(tmp_path / "t.bin").predict(table), exact.predict(table)
    )
    trees.save(tmp_path / "small.bin")
    assert (tmp_path / "small.bin").stat().st_size < (tmp_path / "t.bin").stat().st_size < 6000


def test_fingerprints_change_with_every_number() -> None:
    trees = fitted()
    assert fit_again().fingerprint == trees.fingerprint
    inner, leaf = (int(np.flatnonzero(side)[0]) for side in (trees.features >= 0, trees.features < 0))
    others = [
        replace(trees, names=("a", "b", "d")),
        replace(trees, base=0.25),
        replace(trees, link="logistic"),
        replace(trees, roots=trees.roots[:-1]),
        replace(trees, features=changed(trees.features, inner, (trees.features[inner] + 1) % 3)),
        replace(trees, thresholds=changed(trees.thresholds, inner, 0.125)),
        replace(trees, left=changed(trees.left, inner, trees.right[inner])),
        replace(trees, right=changed(trees.right, inner, trees.left[inner])),
        replace(trees, values=changed(trees.values, leaf, 0.125)),
    ]
    assert len({trees.fingerprint, *(other.fingerprint for other in others)}) == 10
    # What is not read has no part in it.
    unread = replace(
        trees,
        thresholds=changed(trees.thresholds, leaf, 0.125),
        values=changed(trees.values, inner, 0.125),
        left=changed(trees.left, leaf, -5),
    )
    assert unread.fingerprint == trees.fingerprint


def changed(array: np.ndarray, at: int, value: float) -> np.ndarray:
    copy = array.copy()
    copy[at] = value
    return copy


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.bin"
    fitted().save(path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(FileFormatError, match="expected boosted trees"):
            BoostedTrees.load(path)
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(FileFormatError, match="expected boosted trees"):
            BoostedTrees.load(path)


@pytest.mark.parametrize(
    ("about", "arrays", "message"),
    [
        ({"names": ["a", "b"]}, {}, "every feature must be a column"),
        ({"names": 3}, {}, "not iterable"),
        ({"base": "x"}, {}, "could not convert"),
        ({"base": 10**400}, {}, "at most 19 digits"),
        ({"base": float("inf")}, {}, "the base must be a finite number"),
        ({"link": "probit"}, {}, "unknown link 'probit'; known: identity, logistic"),
        ({}, {"roots": np.array([10**6])}, "every root"),
        ({}, {"roots": np.zeros((1, 1), np.int64)}, "roots must have one dimension"),
        ({}, {"thresholds": np.zeros(1)}, "thresholds"),
        ({}, {"values": np.zeros((2, 1))}, "values"),
        ({}, {"left": np.zeros(2, np.int64)}, "broadcast"),
        ({}, {"right": np.array([0])}, "children must be nodes with greater numbers"),
        ({}, {"left": np.array([2**40])}, "numbers of nodes"),
        ({}, {"features": np.array([2**64 - 1], np.uint64)}, "thresholds"),
    ],
)
def test_files_of_wrong_trees_are_refused(
    tmp_path: Path, about: dict[str, Any], arrays: dict[str, np.ndarray], message: str
) -> None:
    path = tmp_path / "t.bin"
    fitted().save(path)
    old_about, old_arrays = read_arrays(path, MAGIC, "boosted trees")
    write_arrays(path, MAGIC, old_about | about, old_arrays | arrays)
    with pytest.raises(FileFormatError, match=message) as error:
        BoostedTrees.load(path)
    assert str(error.value).startswith(f"{path}: expected boosted trees of this version (")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("missing", ["names", "base", "link", "roots", "features", "left", "values"])
def test_files_that_lack_something_are_refused(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "t.bin"
    fitted().save(path)
    about, arrays = read_arrays(path, MAGIC, "boosted trees")
    about.pop(missing, None)
    arrays.pop(missing, None)
    write_arrays(path, MAGIC, about, arrays)
    with pytest.raises(FileFormatError, match=rf"of this version \('{missing}'\); fit again"):
        BoostedTrees.load(path)


# ---- wrong input


def test_rows_that_do_not_fit() -> None:
    trees = fitted()
    with pytest.raises(ShapeError, match=r"expected rows of 3 features, found the shape \(2, 4\)"):
        trees.predict(np.zeros((2, 4)))
    with pytest.raises(ShapeError, match=r"the shape \(3,\)"):
        trees.predict(np.zeros(3))
    with pytest.raises(InputError, match="boosted trees: rows must not contain NaN"):
        trees.predict(np.full((1, 3), np.nan))


def test_trees_that_do_not_fit() -> None:
    trees = fitted()
    with pytest.raises(InputError, match="boosted trees: every feature must be a column"):
        replace(trees, names=("a",))
    with pytest.raises(InputError, match="boosted trees: children must be nodes"):
        replace(trees, left=trees.left * 0)
    with pytest.raises(SettingError, match="unknown link 'log'"):
        replace(trees, link="log")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"link": "logit"}, "unknown link 'logit'; did you mean 'logistic'"),
        ({"trees": 0}, "trees must be 1 or more, found 0"),
        ({"leaves": 1}, "leaves must be 2 or more, found 1"),
        ({"least": 0}, "least must be 1 or more, found 0"),
        ({"rate": 0.0}, "rate must be more than 0 and ridge not less than 0, found 0.0 and 1.0"),
        ({"ridge": -1.0}, "rate must be more than 0 and ridge not less than 0, found 0.2 and -1.0"),
    ],
)
def test_wrong_settings(change: dict[str, Any], message: str) -> None:
    table, goals, _ = data()
    with pytest.raises(SettingError, match=message):
        BoostedTrees.fit(NAMES, table, goals, **({"link": "identity", **SETTINGS} | change))


def test_wrong_data() -> None:
    table, goals, weights = data()
    cases: list[tuple[type[Exception], str, tuple[np.ndarray, np.ndarray, np.ndarray]]] = [
        (ShapeError, "expected rows of 3 features", (table[:, :2], goals, weights)),
        (
            LengthError,
            r"expected 400 goals.* found \(399,\)",
            (table, goals[1:], weights),
        ),
        (LengthError, "expected 400 weights", (table, goals, weights[1:])),
        (InputError, "weights must not be negative", (table, goals, -weights)),
        (InputError, "goals must be finite", (table, goals * np.inf, weights)),
        (InputError, "'b' is not in every row", (table + [0, np.nan, 0], goals, weights)),
    ]
    for error, message, (rows, wanted, counts) in cases:
        with pytest.raises(error, match=message):
            BoostedTrees.fit(NAMES, rows, wanted, weights=counts, link="identity", **SETTINGS)
    for wanted in (goals, np.ones(400)):
        with pytest.raises(InputError, match="must be 0 or 1, and some of each"):
            BoostedTrees.fit(NAMES, table, wanted, link="logistic", **SETTINGS)


def test_other_machines_are_refused() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    table, goals, _ = data()
    machine = ensemble.HistGradientBoostingRegressor(loss="poisson", max_iter=2).fit(table, goals**2)
    with pytest.raises(InputError, match="found 'poisson'"):
        BoostedTrees.from_scikit_learn(NAMES, machine)
    classes = np.digitize(goals, [0.0, 1.0])
    machine = ensemble.HistGradientBoostingClassifier(max_iter=2).fit(table, classes)
    with pytest.raises(InputError, match="expected two classes, found 3"):
        BoostedTrees.from_scikit_learn(NAMES, machine)
    table[:, 0] = np.abs(table[:, 0]).round()
    machine = ensemble.HistGradientBoostingRegressor(max_iter=9, categorical_features=[0])
    with pytest.raises(InputError, match="found categories"):
        BoostedTrees.from_scikit_learn(NAMES, machine.fit(table, goals))


def test_scikit_learn_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    table, goals, _ = data()
    with pytest.raises(MissingExtraError, match=r"scikit-learn is not installed.*paragauge\[learn\]"):
        BoostedTrees.fit(NAMES, table, goals, link="identity", **SETTINGS)
