"""The extended MAXSIM and its fit."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.metrics.base import Metric
from paragauge.metrics.fitting import fit_batches
from paragauge.metrics.maxsim.fit import MaxSimFit, _number_references, segment_parts
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.text.batch import Batch

WORDS = (
    "the a big large huge dog dogs cat barked slept house colour color of in Mary Marie 7".split()  # noqa: SIM905
)
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
NAMES = ["F1", "F2", "F3", "soft", "order", "near", "letters"]


def alone(part: str, **changes: Any) -> MaxSimSoft:
    """The metric with one part only."""
    weights = "/".join("1" if name == part else "0" for name in NAMES)
    return MaxSimSoft(weights=weights, **changes)


def value(metric: MaxSimSoft, candidate: str, reference: str) -> float:
    return float(metric.segments([candidate], references=[reference])[0])


# --- parts by hand ---------------------------------------------------------------------------------


def test_names_inflections_and_misspellings_count_in_part() -> None:
    # Marie ~ Mary: 1- to 3-grams with marks: m a r y / m a r i e -> m a r, ^m ma ar, ^ma mar = 8 in
    # common of 13 and 16.
    settings = {"alpha": 0.5, "characters": 1.0, "category": 1.0, "distance": 0.0, "floor": 0.0}
    score = value(alone("soft", **settings), "Mary", "Marie")
    assert score == pytest.approx(100 * 2 * 8 / (4 + 5 + 4 + 5 + 6 + 5))
    assert value(alone("soft", **settings | {"characters": 0.5}), "Mary", "Marie") == score / 2
    assert value(alone("soft", **settings | {"floor": 0.9}), "Mary", "Marie") == 0.0


def test_function_words_weigh_less() -> None:
    # One content word and one function word; the content word matches.
    for weight in (0.0, 0.25, 1.0):
        metric = alone("soft", alpha=0.5, function=weight, characters=0.0, distance=0.0)
        assert value(metric, "the dog", "a dog") == pytest.approx(100 / (1 + weight))


def test_synonyms_and_distance() -> None:
    settings = {"alpha": 0.5, "function": 0.0, "characters": 0.0, "floor": 0.0}
    near = value(alone("soft", synonym=0.6, distance=0.0, **settings), "big", "large")
    assert near == pytest.approx(60.0)
    # "dog" is first of two and last of two: half a sentence apart.
    far = alone("soft", distance=1.0, **settings)
    assert value(far, "dog the", "the dog") == pytest.approx(50.0)


def test_order_and_nearness() -> None:
    settings = {"characters": 0.0, "distance": 0.0, "function": 1.0}
    # cats dogs | dogs cats: two links, two chunks, each half a sentence away.
    assert value(alone("order", **settings), "cats dogs", "dogs cats") == pytest.approx(50.0)
    assert value(alone("near", **settings), "cats dogs", "dogs cats") == pytest.approx(50.0)
    assert value(alone("order", **settings), "cats dogs", "cats dogs") == 100.0
    for part in ("order", "near", "soft"):
        assert value(alone(part, **settings), "zzz", "qqq") == 0.0


def test_letters() -> None:
    # ab | abc: 1-grams 2 of 2 and 3, 2-grams 1 of 1 and 2, 3-grams 0 of 0 and 1.
    score = value(alone("letters", alpha=0.5), "a B", "ab c")
    assert score == pytest.approx(100 * (2 / 2.5 + 1 / 1.5 + 0) / 3)


# --- invariances -----------------------------------------------------------------------------------


@given(sentences | st.text(max_size=30))
def test_identity(text: str) -> None:
    assert value(MaxSimSoft.load(), text, text) == pytest.approx(100.0)


@given(sentences, sentences)
def test_range_and_symmetry(left: str, right: str) -> None:
    metric = dataclasses.replace(MaxSimSoft.load(), alpha=0.5)
    forth, back = metric.segments([left, right], references=[right, left])
    assert -1e-9 <= forth <= 100 + 1e-9
    if (left == "") == (right == ""):
        # Ties between equally heavy matchings may fall differently, which moves order and nearness.
        weights = dict(zip(NAMES, metric.part_weights(), strict=True))
        assert abs(forth - back) <= 100 * (weights["order"] + weights["near"]) + 1e-9


def test_published_maxsim_is_part_of_it() -> None:
    texts: dict[str, Any] = {
        "candidates": ["A big dog barked", "the cat"],
        "references": ["The large dogs bark", "a cat slept"],
    }
    ngrams = MaxSimSoft(weights="1/1/1/0/0/0/0")
    np.testing.assert_allclose(ngrams.segments(**texts), MaxSim().segments(**texts))


def test_published_maxsim_does_not_change() -> None:
    before = MaxSim()
    fitted = fitted_on_noise()
    assert MaxSim() == before
    assert fitted.metric != before
    assert MaxSim().signature == before.signature


# --- fit ---------------------------------------------------------------------------------------------


def corpus(size: int = 60) -> tuple[list[str], list[str]]:
    draw = random.Random(7)
    references = [" ".join(draw.choices(WORDS, k=6)) for _ in range(size)]
    candidates = [
        " ".join(word if draw.random() < 0.6 else draw.choice(WORDS) for word in text.split())
        for text in references
    ]
    return candidates, references


def fitted_on_noise() -> MaxSimFit[MaxSimSoft]:
    candidates, references = corpus()
    draw = np.random.default_rng(7)
    ratings = alone("letters").segments(candidates, references=references) + draw.normal(0, 3, 60)
    return MaxSimSoft.fit(ratings.tolist(), candidates, references=references, folds=3)


def test_a_fit_finds_the_part_that_people_follow() -> None:
    fitted = fitted_on_noise()
    weights = dict(zip(fitted.metric.part_names(), fitted.metric.part_weights(), strict=True))
    assert max(weights, key=weights.__getitem__) == "letters"
    assert fitted.pearson > 0.95
    assert 0.9 < fitted.held_out <= fitted.pearson
    assert fitted.low is not None
    assert fitted.high is not None
    assert fitted.low <= fitted.held_out <= fitted.high
    assert (fitted.ratings, fitted.missing, fitted.folds, fitted.groups) == (60, 0, 3, 1)
    assert fitted_on_noise() == fitted


@pytest.mark.parametrize("seed", [1, 3, 4, 6])
def test_held_out_is_honest(seed: int) -> None:
    # Ratings that have nothing to do with the texts: what a fit finds is not there held out.
    candidates, references = corpus(200)
    ratings = np.random.default_rng(seed).normal(size=200).tolist()
    fitted = MaxSimSoft.fit(ratings, candidates, references=references)
    assert fitted.held_out < fitted.pearson
    assert fitted.low is not None
    assert fitted.low < 0


def test_equal_references_are_never_on_both_sides() -> None:
    candidates, references = corpus(40)
    batch = Batch.of({"": candidates * 2}, references=references * 2)
    assert batch.references is not None
    numbers = _number_references(batch.references, 7)
    assert (numbers[:40] == numbers[40:]).all()
    assert set(numbers.tolist()) == set(range(40))


def test_a_second_system_that_says_the_same_adds_no_certainty() -> None:
    candidates, references = corpus()
    draw = np.random.default_rng(7)
    ratings = alone("letters").segments(candidates, references=references) + draw.normal(0, 9, 60)
    widths = []
    for copies in (1, 3):
        fitted = MaxSimSoft.fit(
            ratings.tolist() * copies, candidates * copies, references=references * copies, folds=2
        )
        assert fitted.low is not None
        assert fitted.high is not None
        widths.append(fitted.high - fitted.low)
    assert widths[1] == pytest.approx(widths[0], rel=0.2)


def test_groups_have_their_own_level() -> None:
    candidates, references = corpus()
    groups = ["easy" if i % 2 else "hard" for i in range(60)]
    ratings = alone("soft").segments(candidates, references=references)
    shifted = ratings + np.array([500.0 if group == "easy" else 0.0 for group in groups])
    fitted = MaxSimSoft.fit(shifted.tolist(), candidates, references=references, groups=groups, folds=2)
    assert fitted.groups == 2
    assert fitted.held_out > 0.95


def test_missing_ratings_are_counted() -> None:
    candidates, references = corpus()
    ratings = alone("soft").segments(candidates, references=references)
    ratings[:7] = np.nan
    fitted = MaxSimSoft.fit(ratings.tolist(), candidates, references=references, folds=2)
    assert (fitted.ratings, fitted.missing) == (53, 7)


def test_batches_of_several_systems() -> None:
    candidates, references = corpus()
    gold = alone("soft").segments(candidates, references=references)
    batch = Batch.of({"a": candidates, "b": references}, references=references)
    ratings = {("a", i): float(rating) for i, rating in enumerate(gold)}
    fitted = fit_batches([batch], ratings, "maxsim-soft", folds=2)
    assert (fitted.ratings, fitted.missing) == (60, 60)
    with pytest.raises(InputError, match="found segment 61 of 'a', which it does not have"):
        fit_batches([batch], {("a", 60): 1.0}, "maxsim-soft")


def test_save_and_load(tmp_path: Path) -> None:
    fitted = fitted_on_noise()
    path = tmp_path / "fit.json"
    fitted.save(path)
    assert MaxSimSoft.load(path) == fitted.metric
    assert Metric.from_spec(f"maxsim-soft:model={path}") == fitted.metric
    assert Metric.from_spec(f"maxsim-soft:model={path}:floor=0.5") == dataclasses.replace(
        fitted.metric, floor=0.5
    )
    content = json.loads(path.read_text())
    assert content["fit"]["held_out"] == fitted.held_out
    assert content["signature"] == fitted.metric.signature


def test_tools_of_the_command_line_are_those_of_a_saved_fit(tmp_path: Path) -> None:
    fitted_on_noise().save(tmp_path / "fit.json")
    text = f"maxsim-soft:model={tmp_path / 'fit.json'}"
    defaults = {"tagger": "conllu", "analyzed": "a", "tokenize": "none", "parser": "conllu"}
    chosen = Metric.from_spec(text, defaults).settings()
    assert (chosen["tagger"], chosen["analyzed"], chosen["tokenize"]) == ("conllu", "a", "penn")
    assert chosen["parser"] == "none"
    explicit = Metric.from_spec(
        f"{text}:tagger=paragauge", {"tagger": "spacy", "pipeline": "en_x"}
    ).settings()
    assert (explicit["tagger"], explicit["pipeline"]) == ("paragauge", None)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"metric": "maxsim-soft"}', "null", "[" * 100_000])
def test_files_that_are_no_fit(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(FileFormatError, match="expected a fit saved by paragauge"):
        MaxSimSoft.load(path)


def test_a_fit_of_another_metric(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"metric": "pinc-sigmoid", "settings": {"slope": 1, "midpoint": 2}}')
    with pytest.raises(FileFormatError, match="expected a fit of maxsim-soft, found one of pinc-sig"):
        MaxSimSoft.load(path)


def test_bad_ratings() -> None:
    candidates, references = corpus(30)
    texts: dict[str, Any] = {"candidates": candidates, "references": references}
    with pytest.raises(LengthError, match="ratings has 3 values but candidates has 30 segments"):
        MaxSimSoft.fit([1, 2, 3], **texts)
    with pytest.raises(LengthError, match="groups has 1 value"):
        MaxSimSoft.fit([1.0] * 30, **texts, groups=["a"])
    with pytest.raises(InputError, match="expected at least 20, found 5"):
        MaxSimSoft.fit([1.0] * 5 + [float("nan")] * 25, **texts)
    with pytest.raises(InputError, match="an infinite one"):
        MaxSimSoft.fit([float("inf")] * 30, **texts)
    worse = [-score for score in MaxSimSoft.load().segments(candidates, references=references)]
    with pytest.raises(InputError, match="expected ratings that rise with quality"):
        MaxSimSoft.fit(worse, **texts)
    with pytest.raises(InputError, match="expected ratings that rise with quality"):
        MaxSimSoft.fit([1.0] * 30, **texts)
    with pytest.raises(SettingError, match="folds: expected a whole number from 2"):
        MaxSimSoft.fit([1.0] * 30, **texts, folds=1)
    with pytest.raises(SettingError, match="alpha: is learned by the fit"):
        MaxSimSoft.fit([1.0] * 30, **texts, alpha=0.9)


# --- the fit that comes with the package ---------------------------------------------------------


def test_the_shipped_fits() -> None:
    plain, parsed = MaxSimSoft.load(), MaxSimSoft.load(relations=True)
    assert plain.part_names() == NAMES
    assert parsed.part_names() == [*NAMES[:3], "relations", *NAMES[3:]]
    assert Metric.from_spec("maxsim-soft") == plain
    assert Metric.from_spec("maxsim-soft:parser=spacy") == parsed
    assert Metric.from_spec("maxsim-soft", {"tokenize": "13a", "case": "lower"}) == plain
    assert Metric.from_spec("maxsim-soft:floor=0.5").label == "maxsim-soft:floor=0.5"


def test_weights_are_needed() -> None:
    with pytest.raises(SettingError, match=r"MAXSIM-soft needs weights: MaxSimSoft\.load\(\)"):
        MaxSimSoft()


def test_parts_that_do_not_exist() -> None:
    batch = Batch.of({"": ["dog", "", "a b c d"]}, references=[["dog"], ["", "!"], ["a b c d"]])
    parts = segment_parts(MaxSimSoft.load(), batch, "")
    assert parts.shape == (3, 7)
    np.testing.assert_allclose(parts[[0, 2]], 1.0)
    assert np.isfinite(parts).all()
