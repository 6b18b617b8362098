"""The target of PEM's regression: what each kind of pair is worth, and a fit that follows it."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from paragauge.metrics.pem.adequacy.adequacy_model import Kind
from tools.models import pem_anchors, train_adequacy
from tools.models.adequacy_pairs import RatedPair
from tools.models.pem_anchors import (
    damage_pairs,
    fit_anchors,
    paraphrase_rating,
    target_ratings,
)

NEW = np.array([0.0, 0.2, 0.5, 0.9])


def pairs(count: int, kind: str = "", value: float | None = None) -> list[RatedPair]:
    return [
        RatedPair(f"They sold the house number {i} quickly.", "x", kind, value, "sts")
        for i in range(count)
    ]


@pytest.mark.parametrize("module", [pem_anchors, train_adequacy], ids=lambda module: module.__name__)
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind", "value", "expected"),
    [
        ("copy", "copy", None, [2.0] * 4),
        ("unrelated", "unrelated", None, [1.0] * 4),
        ("damaged", "damaged", None, [1.0] * 4),
        ("changed_copy", "negation", None, [1.0] * 4),
        ("changed_copy", "scrambled", None, [1.0] * 4),
        ("changed_copy", "clause", None, [np.nan] * 4),
        ("changed_copy", "near-copy", None, paraphrase_rating(NEW).tolist()),
        ("tatoeba", "paraphrase", None, paraphrase_rating(NEW).tolist()),
        ("paws", "rated", 0.0, [1.0] * 4),
        ("paws", "rated", 1.0, paraphrase_rating(NEW).tolist()),
        ("parabank", "rated", 0.0, [1.0] * 4),
        ("parabank", "rated", 0.7, paraphrase_rating(NEW).tolist()),
        ("sts", "rated", 0.5, [1.0] * 4),
        ("sts", "rated", 0.9, paraphrase_rating(NEW).tolist()),
        ("negated", "negation", None, [np.nan] * 4),
        ("roles", "agent", None, [1.0] * 4),
        ("roles", "passive", None, paraphrase_rating(NEW).tolist()),
        ("short", "unrelated", None, [1.0] * 4),
        ("short", "paraphrase", None, paraphrase_rating(NEW).tolist()),
        ("doubled", "doubled", None, [1.5] * 4),
        ("numbers", "number", None, [np.nan] * 4),
    ],
)
def test_what_a_pair_is_worth(name: str, kind: str, value: float | None, expected: list[float]) -> None:
    ratings = target_ratings(name, pairs(4, kind, value), NEW)
    np.testing.assert_allclose(ratings, expected, atol=1e-12)


def test_more_pairs_of_rules_leave_the_folds_of_the_others() -> None:
    own = [RatedPair("y", f"source {i}", "rated", 0.5, "sts") for i in range(50)]
    aimed = [RatedPair("z", f"source {i}", "agent", None, "sts") for i in range(40, 90)]
    folds = train_adequacy.split_sources({"sts": own})["sts"].tolist()
    more = train_adequacy.split_sources({"roles": aimed, "sts": own})
    assert more["sts"].tolist() == folds
    assert more["roles"][:10].tolist() == folds[40:]
    assert set(more["roles"].tolist()) == set(range(train_adequacy.FOLDS))


@pytest.mark.parametrize("kind", ["words", "context"])
def test_a_paraphrase_is_worth_more_the_newer_it_is(kind: Kind) -> None:
    ratings = paraphrase_rating(np.linspace(0, 1, 21), kind)
    assert ratings[0] == 2
    assert ratings[-1] == 5
    assert (np.diff(ratings) >= 0).all()


def test_the_regression_follows_the_anchors() -> None:
    random = np.random.default_rng(1)
    collections = {"copy": pairs(300, "copy"), "unrelated": pairs(300), "tatoeba": pairs(600)}
    parts = {
        "copy": np.column_stack([random.uniform(0.9, 1, 300), np.full(300, 0.8), np.zeros(300)]),
        "unrelated": np.column_stack(
            [random.uniform(0, 0.1, 300), np.full(300, 0.8), random.uniform(0.8, 1, 300)]
        ),
        "tatoeba": np.column_stack(
            [random.uniform(0.7, 0.9, 600), np.full(600, 0.8), random.uniform(0.5, 0.9, 600)]
        ),
    }
    regression = fit_anchors("words", collections, parts)
    points = np.array([[0.95, 0.8, 0.0], [0.05, 0.8, 0.9], [0.8, 0.8, 0.7], [0.0, 0.0, 1.0]])
    copy, unrelated, good, empty = regression.predict(points)
    assert copy == pytest.approx(25, abs=10)
    assert unrelated == pytest.approx(0, abs=10)
    assert good == pytest.approx(100, abs=10)
    assert empty == pytest.approx(0, abs=12)


def test_damage_is_reproducible_and_changes_the_candidate() -> None:
    collections = {"tatoeba": pairs(300), "copy": pairs(100), "kept": pairs(100)}
    damaged = damage_pairs(collections)
    assert damaged == damage_pairs(collections)
    assert len(damaged) == 500
    whole = {pair.candidate for pair in collections["tatoeba"]}
    assert sum(pair.candidate in whole for pair in damaged) < 5
