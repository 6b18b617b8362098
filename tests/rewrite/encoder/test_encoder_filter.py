"""The filter by an encoder: its features by their definition, its file, and its explanations."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.encode.encoder_by_name import open_encoder
from paragauge.errors import FileFormatError, MissingExtraError, SettingError
from paragauge.rewrite.encoder.encoder_filter import EncoderFilter
from paragauge.rewrite.encoder.substitution_features import (
    FEATURES,
    REACH,
    join_tokens,
    measure_substitutions,
)
from paragauge.rewrite.encoder.substitution_model import ENGLISH, SubstitutionModel
from paragauge.rewrite.explanation import explain
from paragauge.rewrite.rewrite_method import RewriteMethod, rewrite
from paragauge.text.lines import Lines
from tests.edit_json import load_json

SENTENCES = ["it is hard to believe .", "the talks took place in june", "hard", "a picture was seen"]
words = st.sampled_from(["hard", "difficult", "place", "image", "take place", "中", "of the"])
proposals = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 1), words), min_size=1, max_size=6
)


def vector(text: str, spans: list[tuple[int, int]], layer: int) -> np.ndarray:
    """The sum of the unit vectors of words at these places, of length 1, from pieces that overlap."""
    encoded = open_encoder().encode([text], [layer])
    total = np.zeros(open_encoder().width)
    for first, last in spans:
        own = [i for i, (a, b) in enumerate(encoded.spans.tolist()) if a < last and b > first and b > a]
        piece_sum = encoded.vectors[0, own].astype(float).sum(axis=0)
        length = np.linalg.norm(piece_sum)
        total = total + (piece_sum / length if length > 1e-12 else 0)
    length = np.linalg.norm(total)
    return total / length if length > 1e-12 else total


def naive(sentence: str, first: int, last: int, new: str) -> dict[str, float]:
    """The features by their definition, one word and one layer at a time."""
    before = sentence.split(" ")
    article = {"a": "an"}.get(before[first - 1]) if first and new[0] in "aeiou" else None
    left = [*before[: first - 1], article] if article else before[:first]
    after = [*left, *new.split(" "), *before[last + 1 :]]
    (text, spans), (new_text, new_spans) = join_tokens(before), join_tokens(after)
    places, new_places = list(map(tuple, spans.tolist())), list(map(tuple, new_spans.tolist()))
    shift = len(after) - len(before)
    others = [i for i in range(len(before)) if not first <= i <= last]
    moved = {i: i if i < first else i + shift for i in others}
    row = {}
    for layer in range(7):
        old = vector(text, places[first : last + 1], layer)
        changed = vector(new_text, new_places[first : last + 1 + shift], layer)
        row[f"same_{layer}"] = float(old @ changed)
        near, fit = [], np.zeros_like(old)
        for i in others:
            here = vector(text, [places[i]], layer)
            fit += here / len(others)
            if first - 2 <= i <= last + 2:
                near.append(float(here @ vector(new_text, [new_places[moved[i]]], layer)))
        row[f"near_{layer}"] = float(np.mean(near)) if near else 1.0
        row[f"fit_{layer}"] = float((changed - old) @ fit)
    both = open_encoder().encode([text, new_text], [6]).sentences
    row["sentence"] = float(both[0] @ both[1])
    return row


@settings(max_examples=12, deadline=None)
@given(proposals, st.sampled_from([1, 2]))
def test_features_are_those_of_the_definition(
    drawn: list[tuple[int, int, int, str]], threads: int
) -> None:
    rows = []
    for line, first, more, new in drawn:
        count = SENTENCES[line].count(" ") + 1
        start = min(first, count - 1)
        rows.append((line, start, min(start + more, count - 1), new))
    columns = [np.array(column, np.int64) for column in list(zip(*rows, strict=True))[:3]]
    phrases = sorted({row[3] for row in rows})
    number = np.array([phrases.index(row[3]) for row in rows])
    measured = measure_substitutions(
        Lines.of(SENTENCES),
        columns[0],
        (columns[1], columns[2]),
        Lines.of(phrases),
        number,
        open_encoder(),
        threads,
    )
    for own, (line, first, last, new) in zip(measured, rows, strict=True):
        expected = naive(SENTENCES[line], first, last, new)
        np.testing.assert_allclose(own, [expected[name] for name in FEATURES], atol=1e-6)


def test_a_word_in_place_of_itself_changes_nothing() -> None:
    zero = np.zeros(1, np.int64)
    (row,) = measure_substitutions(
        Lines.of(["hard work"]), zero, (zero, zero), Lines.of(["hard"]), zero, open_encoder()
    )
    values = dict(zip(FEATURES, row.tolist(), strict=True))
    assert all(values[f"same_{layer}"] == pytest.approx(1) for layer in range(7))
    assert all(values[f"fit_{layer}"] == pytest.approx(0, abs=1e-9) for layer in range(7))


@pytest.mark.parametrize("far", ["far away", "another text"])
def test_of_a_long_line_only_the_surroundings_are_read(far: str) -> None:
    around = " ".join(f"w{number}" for number in range(REACH))
    line = f"{far} {around} hard {around} {far}"
    zero, place = np.zeros(1, np.int64), np.array([REACH + 2])
    words = Lines.of(["difficult"])
    row = measure_substitutions(Lines.of([line]), zero, (place, place), words, zero, open_encoder())
    inside, middle = Lines.of([f"{around} hard {around}"]), place - 2
    own = measure_substitutions(inside, zero, (middle, middle), words, zero, open_encoder())
    np.testing.assert_array_equal(row, own)


def test_phrases_are_judged_too() -> None:
    judge = EncoderFilter.default()
    lines, zero = Lines.of(["the talks will take place in june ."]), np.zeros(2, np.int64)
    span = np.full(2, 3), np.full(2, 4)
    better, worse = judge.phrase_scores(
        lines, zero, span, Lines.of(["occur", "sing"]), np.array([0, 1])
    )
    assert better > worse


def test_an_explanation_adds_up() -> None:
    judge = EncoderFilter.default()
    lines, place = Lines.of(["it took place here ."]), np.array([2])
    score = judge.scores(lines, np.array([0]), place, Lines.of(["home"]), np.array([0]))[0]
    why = judge.explain("it took place here .", 2, "home")
    assert why.score == pytest.approx(score)
    assert sum(reason.weight for reason in why.reasons) - why.threshold == pytest.approx(score)


def test_the_explanation_of_a_phrase_adds_up(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("[VP] ||| taken place ||| occurred ||| p_target=0.4\n")
    method = RewriteMethod("phrases+encoder", str(tmp_path / "rules.txt"))
    texts = "Great changes have taken place.", "Great changes have occurred."
    (explained,) = explain(method.rewriter(), *texts).proposals
    (own,) = explained.sums
    assert own is not None
    assert own.total - own.threshold == pytest.approx(explained.proposal.scores[0])
    assert "taken place, occurred" in {reason.words for reason in own.reasons}


def test_a_score_does_not_depend_on_the_other_proposals() -> None:
    model = SubstitutionModel.open(ENGLISH)
    rows = np.random.default_rng(7).normal(size=(501, len(FEATURES)))
    alone = [float(model.log_odds(row[None])[0]) for row in rows]
    assert model.log_odds(rows).tolist() == alone


def test_the_threshold_is_a_setting() -> None:
    strict = RewriteMethod("encoder", threshold="9").rewriter()
    assert strict.run(["It is hard."], ["It is difficult."]).count("refused") == 1
    assert "encoder-" in strict.signature["rewrite-filter"]
    assert strict.signature["rewrite-filter"].endswith("@9")
    with pytest.raises(SettingError, match="threshold: expected a number, found nan"):
        EncoderFilter.open(threshold=float("nan"))


def test_both_names_are_one_method() -> None:
    texts = ["It is hard to believe."], ["It is difficult to believe."]
    assert list(rewrite(*texts).references) == list(rewrite(*texts, "wordnet+encoder").references)


def test_another_encoder_is_refused() -> None:
    model = replace(SubstitutionModel.open(ENGLISH), encoder="other")
    with pytest.raises(SettingError, match="expected encoder other, which the substitution model"):
        EncoderFilter(model, open_encoder())


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    model = SubstitutionModel.open(ENGLISH)
    model.save(tmp_path / "model.json", {"data": "none"})
    assert SubstitutionModel.open(tmp_path / "model.json") == model
    assert EncoderFilter.open(tmp_path / "model.json").name == EncoderFilter.default().name


def change(content: dict[str, Any], key: str, value: object) -> str:
    return json.dumps({**content, key: value})


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("version", 2, "another format or version"),
        ("weights", {"same_0": 1}, "other features"),
        ("weights", dict.fromkeys(FEATURES, "x"), "could not convert"),
        ("bias", None, "float"),
        ("threshold", float("inf"), "finite"),
    ],
)
def test_damaged_models(tmp_path: Path, key: str, value: object, message: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(change(load_json(ENGLISH), key, value))
    with pytest.raises(FileFormatError, match=message) as caught:
        SubstitutionModel.open(path)
    assert str(path) in str(caught.value)


def test_without_the_extra_another_filter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise MissingExtraError("onnxruntime", "context")

    monkeypatch.setattr("paragauge.rewrite.encoder.encoder_filter.open_encoder", missing)
    method = RewriteMethod("encoder", threshold="-1.25")
    with pytest.raises(MissingExtraError) as caught:
        method.rewriter()
    assert str(caught.value) == (
        "what runs the encoder is not installed; run: pip install 'paragauge[context]' (in a checkout: "
        "pip install '.[context]'); or use rewrite=context, which needs no extra"
    )
