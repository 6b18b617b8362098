"""Fitting PEM: what is learned, what is held out, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.metrics.control_systems import PAPER_KINDS, PEM_KINDS
from paragauge.metrics.pem.features import pair_features
from paragauge.metrics.pem.fit import fit_regression
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.pem.model import PEMModel, open_model
from paragauge.metrics.regression import search as regression_search

pytest.importorskip("sklearn")

WORDS = [
    "the",
    "meeting",
    "was",
    "put",
    "off",
    "until",
    "monday",
    "they",
    "postponed",
    "to",
    "dog",
    "barked",
    "slept",
    "long",
]


@pytest.fixture(autouse=True)
def _small_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        regression_search, "SEARCH", {"gamma": (0.3, 1.0), "c": (1.0,), "epsilon": (0.1,)}
    )


def pairs(count: int = 30, candidates: int = 6) -> tuple[list[str], list[str], list[float]]:
    """Sources, candidates that keep some of their words, and ratings that rise with how many."""
    random = np.random.default_rng(7)
    sources, changed, ratings = [], [], []
    for _ in range(count):
        words = random.choice(WORDS, 8)
        for _ in range(candidates):
            is_kept = random.random(len(words)) < random.random()
            other = np.where(is_kept, words, random.choice(WORDS, len(words)))
            sources.append(" ".join(words))
            changed.append(" ".join(other))
            ratings.append(1 + 4 * float(np.mean(other == words)))
    return sources, changed, ratings


def test_it_learns_and_says_how_well(pem_model: PEMModel) -> None:
    sources, candidates, ratings = pairs()
    fitted = fit_regression(ratings, candidates, sources, pem_model.resources, feature_set="paper")
    assert fitted.held_out > 0.8
    assert fitted.low is not None
    assert fitted.high is not None
    assert fitted.low < fitted.held_out < fitted.high
    assert fitted.pearson > fitted.held_out
    assert (fitted.ratings, fitted.sources, fitted.missing, fitted.controls) == (180, 30, 0, 0)
    assert np.corrcoef(fitted.predictions, ratings)[0, 1] == pytest.approx(fitted.held_out)
    assert set(fitted.parameters) == {"gamma", "c", "epsilon"}


def test_the_same_seed_gives_the_same_fit(pem_model: PEMModel) -> None:
    sources, candidates, ratings = pairs(12)
    one, two, other = (
        fit_regression(ratings, candidates, sources, pem_model.resources, seed=seed, threads=threads)
        for seed, threads in ((7, 1), (7, 2), (8, 1))
    )
    assert one.regression.fingerprint == two.regression.fingerprint
    np.testing.assert_array_equal(one.predictions, two.predictions)
    assert not np.array_equal(one.predictions, other.predictions)


def test_a_source_is_never_in_two_folds(pem_model: PEMModel, monkeypatch: pytest.MonkeyPatch) -> None:
    sources, candidates, ratings = pairs(10)
    seen: list[set[int]] = []
    original = regression_search.train

    def spy(data: Any, parameters: dict[str, float]) -> Any:
        seen.append(set(data.units.tolist()))
        return original(data, parameters)

    monkeypatch.setattr(regression_search, "train", spy)
    fit_regression(ratings, candidates, sources, pem_model.resources, controls=PEM_KINDS, folds=5)
    # Ten sources in five folds: a training has eight of them, or fewer in the search, or all.
    assert {len(units) for units in seen if len(units) > 6} <= {7, 8, 10}
    assert sum(len(units) == 8 for units in seen) >= 5


def test_controls_teach_that_copies_and_noise_are_bad(pem_model: PEMModel) -> None:
    sources, candidates, ratings = pairs()
    plain = fit_regression(ratings, candidates, sources, pem_model.resources)
    taught = fit_regression(
        ratings, candidates, sources, pem_model.resources, controls=PEM_KINDS, control_weight=1.0
    )
    assert taught.controls == 4 * 30
    names = taught.regression.names
    copies, nearly = (
        pair_features(names, pem_model.resources, texts, sources[::6])
        for texts in (sources[::6], [f"{text} long" for text in sources[::6]])
    )
    assert plain.regression.predict(copies).mean() > 4
    assert taught.regression.predict(copies).mean() == pytest.approx(2, abs=0.3)
    # What changed a little is not taken for a copy.
    assert taught.regression.predict(nearly).mean() > 3
    scrambled = [" ".join(text.split()[::-1]) for text in sources[::6]]
    table = pair_features(names, pem_model.resources, scrambled, sources[::6])
    assert taught.regression.predict(table).mean() < plain.regression.predict(table).mean() - 1


def test_rated_copies_stay_out_when_copies_are_controls(pem_model: PEMModel) -> None:
    sources, candidates, ratings = pairs()
    sources += sources[::6]
    candidates += sources[: 6 * 30 : 6]
    ratings += [5.0] * 30
    fitted = fit_regression(ratings, candidates, sources, pem_model.resources, controls=PAPER_KINDS)
    assert fitted.copies == 30 + sum(
        a == b for a, b in zip(sources[:180], candidates[:180], strict=True)
    )
    table = pair_features(
        fitted.regression.names, pem_model.resources, sources[:180:6], sources[:180:6]
    )
    assert fitted.regression.predict(table).mean() == pytest.approx(2, abs=0.5)
    assert fitted.held_out_changed > fitted.held_out


def test_missing_ratings_are_counted(pem_model: PEMModel) -> None:
    sources, candidates, ratings = pairs(12)
    ratings[3] = math.nan
    fitted = fit_regression(ratings, candidates, sources, pem_model.resources, feature_set="paper")
    assert (fitted.ratings, fitted.missing) == (71, 1)
    assert len(fitted.predictions) == 71


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"ratings": [1.0] * 5}, LengthError, "expected a rating for each pair, found 5 ratings, 72"),
        ({"scale": (0, 3)}, InputError, "ratings: expected numbers from 0 to 3, found .* for pair"),
        (
            {"scale": (5, 1)},
            SettingError,
            "scale: expected a smaller and a larger number, found 5 and 1",
        ),
        ({"feature_set": "papr"}, SettingError, "unknown set of features 'papr'; did you mean 'paper'"),
        ({"folds": 13}, SettingError, "folds: expected a whole number from 2 to the number of differ"),
        ({"folds": 1}, SettingError, "folds: expected a whole number from 2 to the number of differ"),
        ({"controls": ["copi"]}, SettingError, "unknown kind of control 'copi'; did you mean 'copy'"),
        ({"control_weight": 0}, SettingError, "control_weight: expected a number above 0 and up to 1"),
        (
            {"ratings": [1.0] * 9 + [math.nan] * 63},
            InputError,
            "expected at least 10, found 9; rate mor",
        ),
    ],
)
def test_bad_input(
    pem_model: PEMModel, change: dict[str, Any], error: type[Exception], message: str
) -> None:
    sources, candidates, ratings = pairs(12)
    given = {"ratings": ratings, **change}
    with pytest.raises(error, match=message):
        fit_regression(
            given.pop("ratings"),
            candidates,
            sources,
            pem_model.resources,
            **given,
        )


def test_copies_alone_are_not_enough(pem_model: PEMModel) -> None:
    sources, _, ratings = pairs(12)
    with pytest.raises(InputError, match="expected at least 10 of changed sentences, found 0"):
        fit_regression(ratings, sources, sources, pem_model.resources, controls=["copy"])


def test_ratings_that_do_not_vary(pem_model: PEMModel) -> None:
    sources, candidates, ratings = pairs(12)
    fitted = fit_regression([3.0] * len(ratings), candidates, sources, pem_model.resources)
    assert fitted.held_out == 0.0
    assert fitted.regression.predict(np.zeros((1, len(fitted.regression.names)))) == pytest.approx(3.0)


def test_a_fit_keeps_what_its_model_knows(tmp_path: Path) -> None:
    sources = [f"The dog saw {n} cats." for n in range(12)]
    candidates = [f"{n} cats were seen by the dog." for n in range(12)]
    fitted = PEM.fit([1.0, 3.0, 5.0] * 4, candidates, sources=sources, features="paper")
    fitted.save(tmp_path / "mine")
    mine, english = open_model(tmp_path / "mine"), open_model("english")
    assert mine.about["bitexts"] == english.about["bitexts"]
    assert list(mine.about["fits"]) == ["paper"]
    # The language model is the file of the model, as small as it was.
    assert english.origin is not None
    assert (tmp_path / "mine" / "lm.bin").read_bytes() == (english.origin / "lm.bin").read_bytes()
