"""Explanations of PEM: an example worked by hand, and what holds for every pair of sentences."""

from __future__ import annotations

import dataclasses
import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import ShapeError
from paragauge.lm.text_form import TextForm
from paragauge.metrics.pem.explain import GROUPS
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.explanation_parts import Edge, FluencyView, Gram, Overlap, Phrase
from paragauge.metrics.pem.explanation_text import COLUMNS
from paragauge.metrics.pem.features import EXTENDED, FEATURE_SETS, Resources
from paragauge.metrics.pem.metric import PEM
from paragauge.metrics.pem.model import PEMModel
from paragauge.phrases.pivot_network import NetworkSettings
from paragauge.report.pages.explanation_page import render_explanations
from paragauge.text.terminal_columns import width

WORDS = (
    *("the", "meeting", "was", "put", "off", "until", "monday", "they", "postponed", "to", "dog"),
    *(".", "Querrien", "naïve", "汉字", "🙂", "مرحبا", "<unk>", "</s>", "<b>"),
)
sentences = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.fixture(scope="session")
def paper(pem_folder) -> PEM:
    return PEM(model=str(pem_folder), features="paper")


@pytest.fixture(scope="session")
def extended(pem_folder) -> PEM:
    return PEM(model=str(pem_folder))


def check_overlap(overlap: Overlap) -> None:
    shared, source, candidate = (
        overlap.shared_weight,
        overlap.source_weight,
        overlap.candidate_weight,
    )
    every = [*overlap.shared, *overlap.lost, *overlap.added]
    assert len({gram.text for gram in every}) == len(every)
    assert all(gram.source > 0 and gram.candidate > 0 for gram in overlap.shared)
    assert all(gram.source > 0 and gram.candidate == 0 for gram in overlap.lost)
    assert all(gram.source == 0 and gram.candidate > 0 for gram in overlap.added)
    for sums, name in ((shared, "shared"), (source, "source"), (candidate, "candidate")):
        assert math.isclose(sums, math.fsum(getattr(g, name) for g in every), abs_tol=1e-9)
    for grams, name in (
        (overlap.shared, "shared"),
        (overlap.lost, "source"),
        (overlap.added, "candidate"),
    ):
        weights = [getattr(gram, name) for gram in grams]
        assert weights == sorted(weights, reverse=True)
    if source + candidate == 0:
        assert (overlap.precision, overlap.recall, overlap.f1) == (1, 1, 1)
        return
    assert math.isclose(overlap.f1, 2 * shared / (source + candidate), abs_tol=1e-12)
    assert math.isclose(overlap.precision * candidate, shared, abs_tol=1e-9)
    assert math.isclose(overlap.recall * source, shared, abs_tol=1e-9)


def check(metric: PEM, candidate: str, source: str) -> PEMExplanation:
    """What must hold for every explanation; gives it."""
    explanation = metric.explain(candidate, source)
    assert explanation.value == metric.segments([candidate], sources=[source])[0]
    parts = metric.components([candidate], sources=[source])
    assert {name: values[0] for name, values in parts.items()} == {
        "rating": explanation.rating,
        **explanation.parts,
    }
    low, high = explanation.scale
    assert math.isclose(
        explanation.value, 100 * (explanation.rating - low) / (high - low), abs_tol=1e-9
    )
    for pivot in explanation.pivots:
        check_overlap(pivot.overlap)
        for phrases, words in (
            (pivot.source, explanation.source),
            (pivot.candidate, explanation.candidate),
        ):
            assert " ".join(phrase.text for phrase in phrases) == " ".join(words)
        for phrases, words in (
            (pivot.source, explanation.source_surface),
            (pivot.candidate, explanation.candidate_surface),
        ):
            assert " ".join(phrase.surface for phrase in phrases) == " ".join(words)
            assert [phrase.text.count(" ") for phrase in phrases] == [
                phrase.surface.count(" ") for phrase in phrases
            ]
    for phrase in (
        phrase for pivot in explanation.pivots for phrase in (*pivot.source, *pivot.candidate)
    ):
        assert phrase.known or phrase.edges == (Edge(phrase.text, 1.0),)
    assert len(explanation.source) == len(explanation.source_surface)
    assert len(explanation.candidate) == len(explanation.candidate_surface)
    check_overlap(explanation.target)
    mean = np.mean([pivot.overlap.f1 for pivot in explanation.pivots])
    assert math.isclose(100 * mean, explanation.parts["pivot_f1"], abs_tol=1e-9)
    assert 100 * explanation.target.f1 == explanation.parts["target_f1"]
    fluency = explanation.fluency
    assert fluency.value == explanation.parts["fluency"]
    total = math.fsum(token.log10 for token in fluency.tokens)
    assert math.isclose(total, fluency.log10, abs_tol=1e-5)
    assert math.isclose(fluency.value, fluency.log10 * math.log(10) / len(fluency.tokens), abs_tol=1e-9)
    model = metric.open_model()
    assert fluency.unknown == model.resources.model.score([candidate]).unknown[0]
    assert tuple(feature.name for feature in explanation.features) == FEATURE_SETS[metric.feature_set]
    assert sorted(name for group in explanation.influences for name in group.features) == sorted(
        FEATURE_SETS[metric.feature_set]
    )
    json.dumps(explanation.record(), allow_nan=False)
    assert str(explanation).startswith(
        f"PEM {explanation.value:.2f} (rating {explanation.rating:.2f} on a scale of "
    )
    return explanation


def test_the_networks_and_bags_by_hand(paper, pem_models):
    explanation = check(paper, pem_models.GOOD, pem_models.SOURCE)
    assert explanation.source == ("the", "meeting", "was", "put", "off", "until", "monday", ".")
    french, chinese = explanation.pivots
    assert (french.language, chinese.language) == ("fra", "zho")
    assert french.source == (
        Phrase(
            "the meeting", True, (Edge("la réunion", 0.8), Edge("la rencontre", 0.2)), "The meeting"
        ),
        Phrase(
            "was put off",
            True,
            (Edge("a été reportée", 0.75), Edge("a été repoussée", 0.25)),
            "was put off",
        ),
        Phrase(
            "until monday", True, (Edge("jusqu'à lundi", 0.5), Edge("à lundi", 0.5)), "until Monday"
        ),
        Phrase(".", True, (Edge(".", 1.0),), "."),
    )
    assert [phrase.text for phrase in french.candidate] == [
        "they postponed",
        "the meeting",
        "to monday",
        ".",
    ]
    # Both have "la réunion" and "la rencontre", "lundi ." whole, and "à lundi ." by a half.
    assert [(gram.text, gram.shared) for gram in french.overlap.shared] == [
        *((".", 1), ("la", 1), ("lundi", 1), ("lundi .", 1), ("réunion", 0.8), ("la réunion", 0.8)),
        *(("à", 0.5), ("à lundi", 0.5), ("à lundi .", 0.5), ("rencontre", 0.2), ("la rencontre", 0.2)),
    ]
    assert french.overlap.shared_weight == pytest.approx(7.5)
    assert Gram("à", 0.5, 1.0) in french.overlap.shared
    assert french.overlap.added[0] == Gram("ils", 0.0, 1.0)
    # 8 + 7 + 6 + 5 n-grams of the source and 7 + 6 + 5 + 4 of the candidate.
    target = explanation.target
    assert (target.source_weight, target.candidate_weight, target.shared_weight) == (26, 22, 6)
    assert [gram.text for gram in target.shared] == [
        *(".", "meeting", "monday", "the", "monday .", "the meeting")
    ]


def test_tokens_by_hand(paper):
    explanation = check(paper, "They postponed Querrien", "They postponed it")
    tokens = explanation.fluency.tokens
    assert [token.text for token in tokens] == ["they", "postponed", "querrien", "</s>"]
    assert [token.unknown for token in tokens] == [False, False, True, False]
    assert [token.matched for token in tokens] == [2, 3, 1, 1]
    assert [token.possible for token in tokens] == [2, 3, 3, 3]
    model = paper.open_model().resources.model
    log10, state = model.score_word(model.begin, "they")
    assert tokens[0].log10 == pytest.approx(log10)
    assert tokens[1].log10 == pytest.approx(model.score_word(state, "postponed")[0])
    assert explanation.fluency.perplexity == pytest.approx(math.exp(-explanation.fluency.value))


def test_perplexity_beyond_floats():
    assert FluencyView(-2.0, 0.0, ()).perplexity == math.exp(2)
    assert FluencyView(-1e4, 0.0, ()).perplexity == math.inf


def test_changes_are_predictions_at_the_mean(extended, pem_models):
    """One feature, or a whole group, is put to its mean; the others stay."""
    explanation = check(extended, pem_models.GOOD, pem_models.SOURCE)
    regression = extended.open_model().regressions["extended"]
    row = np.array([feature.value for feature in explanation.features])
    for place, feature in enumerate(explanation.features):
        other = row.copy()
        other[place] = regression.mean[place]
        assert feature.change == pytest.approx(explanation.rating - regression.predict(other[None])[0])
        assert feature.standard == pytest.approx((row[place] - feature.mean) / feature.deviation)
    wording = next(group for group in explanation.influences if group.name == "wording")
    places = [regression.names.index(name) for name in wording.features]
    assert len(places) > 5
    row[places] = regression.mean[places]
    assert wording.change == pytest.approx(explanation.rating - regression.predict(row[None])[0])
    assert explanation.usual == pytest.approx(regression.predict(regression.mean[None])[0])
    assert explanation.points(1.0) == 25.0  # the ratings are from 1 to 5


def test_points_are_not_said_twice(extended, pem_models):
    explanation = extended.explain(pem_models.GOOD, pem_models.SOURCE)
    header = next(line for line in str(explanation).split("\n") if line.startswith("feature "))
    assert header.split()[-3:] == ["change", "of", "100"]
    hundred = dataclasses.replace(explanation, scale=(0.0, 100.0))
    header = next(line for line in str(hundred).split("\n") if line.startswith("feature "))
    assert header.split()[-1] == "change"
    columns = [
        len(re.findall("<th", render_explanations({"": scored}))) for scored in (explanation, hundred)
    ]
    assert columns[0] - columns[1] == 1


def test_a_feature_at_its_mean_changes_nothing(paper, pem_models):
    row = paper.explain(pem_models.GOOD, pem_models.SOURCE).features
    model = paper.open_model()
    regression = dataclasses.replace(
        model.regressions["paper"], mean=np.array([feature.value for feature in row])
    )
    from paragauge.metrics.pem.explain import _features

    features = _features(regression, regression.mean)
    assert [feature.change for feature in features] == [0.0, 0.0, 0.0]


def test_every_feature_is_of_one_group():
    for name in EXTENDED:
        assert sum(name.startswith(starts) for starts in GROUPS.values()) == 1, name


@pytest.mark.parametrize(
    ("candidate", "source"),
    [("", ""), ("", "The dog slept."), ("The dog slept.", ""), (" \t ", "…"), ("\u200f", "\u0301")],
)
def test_empty_sentences(extended, paper, candidate, source):
    for metric in (extended, paper):
        explanation = check(metric, candidate, source)
    if not candidate:
        assert [token.text for token in explanation.fluency.tokens] == ["</s>"]
        assert "candidate: no words" in str(explanation)


def test_two_empty_sentences_agree(paper):
    explanation = check(paper, "", "")
    assert (explanation.parts["pivot_f1"], explanation.parts["target_f1"]) == (100, 100)
    assert "shared 0.00\n  lost 0.00\n  added 0.00" in str(explanation)


@settings(max_examples=60)
@given(sentences, sentences)
def test_any_words(extended, candidate, source):
    check(extended, candidate, source)


@settings(max_examples=60)
@given(any_text, any_text)
def test_any_text(paper, candidate, source):
    check(paper, candidate, source)


def test_a_phrase_without_translation_cuts_the_network(pem_model, tmp_path):
    resources = Resources(
        pem_model.resources.form,
        pem_model.resources.pivots,
        pem_model.resources.model,
        NetworkSettings(edge=0.6, empty="cut"),
    )
    dataclasses.replace(pem_model, resources=resources).save(tmp_path)
    explanation = check(PEM(model=str(tmp_path)), "the dog", "the off")
    cut = explanation.pivots[0].source[0]
    assert (cut.text, cut.known, cut.edges) == ("the", True, ())
    assert "the  (no translation: the network is cut)" in str(explanation)


def test_stems_and_case_of_the_model(pem_model, tmp_path):
    pytest.importorskip("Stemmer", reason="PyStemmer is NOT installed: stems are NOT tested")
    form = TextForm("13a", "lower", "english")
    resources = dataclasses.replace(pem_model.resources, form=form)
    PEMModel(resources, pem_model.regressions, (1.0, 5.0), {}).save(tmp_path)
    explanation = check(PEM(model=str(tmp_path)), "Meetings.", "MEETING.")
    assert explanation.candidate == explanation.source == ("meet", ".")
    assert (explanation.candidate_surface, explanation.source_surface) == (
        ("Meetings", "."),
        ("MEETING", "."),
    )
    # The language model has its own form.
    assert [token.text for token in explanation.fluency.tokens] == ["meetings", ".", "</s>"]
    assert [token.surface for token in explanation.fluency.tokens] == ["Meetings", ".", "</s>"]


def test_text_is_readable(extended, pem_models):
    pair = pem_models.BAD, pem_models.SOURCE
    text = str(extended.explain(*pair))
    lines = text.split("\n")
    assert lines[2] == "The candidate leaves out 'meeting' and 'put' and adds 'dog'."
    start = lines.index(f"source     {pem_models.SOURCE}")
    assert " ".join(lines[3 : start - 1]) == extended.explain(*pair).summary.score
    assert lines[start + 1] == f"candidate  {pem_models.BAD}"
    assert max(map(width, lines[:-1])) <= COLUMNS + 4
    assert "    the dog  le chien 1.00\n" in text
    assert re.search(r"\n    off +de 0\.50 \| hors 0\.25 \| éteint 0\.25\n", text)
    assert "Change: the rating predicted, minus that if the feature (or its group) had its mean" in text
    long = str(extended.explain("dog " * 30, "The " * 40 + "x" * 500 + " 汉" * 50))
    ours = [line for line in long.split("\n")[:-1] if not line.startswith(("source  ", "candidate  "))]
    assert max(map(width, ours)) <= COLUMNS + 4
    assert " more" in long
    assert "x" * 37 + "…" in long


def test_translations_that_do_not_fit_are_counted(extended, pem_models):
    explanation = extended.explain(pem_models.GOOD, pem_models.SOURCE)
    edges = tuple(Edge(f"{letter} " * 18, 0.2) for letter in "abcde")
    pivot = dataclasses.replace(explanation.pivots[0], source=(Phrase("v", True, edges, "w" * 60),))
    lines = str(dataclasses.replace(explanation, pivots=(pivot,))).split("\n")
    (line,) = [line for line in lines if line.startswith("    www")]
    assert line.endswith(f"{'a ' * 18} 0.20 | … 4 more")
    assert width(line) <= COLUMNS + 4
    assert any(line.startswith("pivot F1 (fra)") for line in lines)


def test_one_pair_at_a_time(paper):
    with pytest.raises(ShapeError, match="source: expected one sentence, found list; explain one pair"):
        paper.explain("a", ["b"])  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="candidate: expected one sentence, found NoneType"):
        paper.explain(None, "b")  # type: ignore[arg-type]


def test_record_has_everything(extended, pem_models):
    explanation = extended.explain(pem_models.GOOD, pem_models.SOURCE)
    record = explanation.record()
    assert record["value"] == explanation.value
    assert record["scale"] == [1.0, 5.0]
    first = record["pivots"][0]
    assert first["source"][0] == {
        "text": "the meeting",
        "surface": "The meeting",
        "known": True,
        "edges": (
            {"text": "la réunion", "probability": 0.8},
            {"text": "la rencontre", "probability": 0.2},
        ),
    }
    assert first["overlap"]["shared"][-1] == {
        "text": "la rencontre",
        "surface": "la rencontre",
        "source": 0.2,
        "candidate": 0.2,
        "shared": 0.2,
    }
    assert len(first["overlap"]["lost"]) == len(explanation.pivots[0].overlap.lost) > 40
    assert record["features"][0]["points"] == explanation.points(explanation.features[0].change)
