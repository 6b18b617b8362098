"""Explanations of BLEU, PINC, METEOR, TER, chrF and their kin: by hand and against the scores."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge import (
    BLEU,
    BLEUPINC,
    IBLEU,
    METEOR,
    PINC,
    PRECIS,
    TER,
    ChrF,
    PINCSigmoid,
    TargetF1,
    explain,
)
from paragauge.errors import InputError
from paragauge.kernels import _native, reference
from paragauge.metrics.base import Metric
from paragauge.metrics.explanations import joint_inputs
from paragauge.metrics.maxsim.explanation import Explanation
from paragauge.metrics.surface.edit_explanation import EditExplanation
from paragauge.metrics.surface.ngram_explanation import NgramExplanation
from paragauge.report.pages.explanation_page import render_explanations

METRICS: list[Metric] = [
    BLEU(),
    BLEU(order=2, smooth="add-k", source="include"),
    BLEU(ref_length="shortest", case="lower", tokenize="char"),
    PINC(),
    PINC(count="clip", short="new"),
    PINC(sources="union", short="copied"),
    IBLEU(alpha=0.7),
    PRECIS(),
    PRECIS(unit="characters", strength=0),
    TargetF1(),
    TargetF1(stem="porter", case="lower"),
    BLEUPINC(mean="harmonic"),
    BLEUPINC(adequacy="chrf"),
    PINCSigmoid(slope=0.1, midpoint=30.0),
    METEOR(),
    METEOR(stages="exact+synonym", gamma=1.0),
    ChrF(),
    ChrF(word_order=2, whitespace=True, case="lower", beta=3),
    TER(),
    TER(case="mixed", normalized=True),
    ChrF(eps_smoothing=True),
    BLEU(normalize="typography"),
    METEOR(normalize="none"),
]
WORDS = [
    "a",
    "the",
    "The",
    "big",
    "large",
    "dog",
    "dogs",
    "ran",
    "running",
    ".",
    ",",
    "naïve",
    "汉字",
    "İ",
]
sentences = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


@settings(max_examples=60)
@given(st.sampled_from(METRICS), sentences, *[st.lists(sentences, min_size=1, max_size=2)] * 2)
def test_the_value_is_that_of_the_metric(
    metric: Metric, candidate: str, sources: list[str], references: list[str]
) -> None:
    groups = {
        name: texts if name in joint_inputs(metric) else texts[:1]
        for name, texts in (("sources", sources), ("references", references))
        if name in metric.needs
    }
    explanation = explain(
        candidate, metric, source=groups.get("sources"), reference=groups.get("references")
    )
    texts: dict[str, Any] = {name: [lines] for name, lines in groups.items()}
    (value,) = metric.segments([candidate], **texts)
    if math.isnan(value):
        assert explanation.value is None
    else:
        assert explanation.value == pytest.approx(value, abs=1e-9)
    record = explanation.record()
    json.dumps(record, allow_nan=False)
    sentences_of = record["summary"]
    for sentence in sentences_of.values():
        assert sentence.endswith(".")
        assert sentence[0].isupper() or sentence.startswith(metric.name)
    assert str(explanation).startswith(f"{metric.name} ")
    check_parts(explanation)


def check_parts(explanation: object) -> None:
    """What the parts of an explanation must add up to."""
    if isinstance(explanation, NgramExplanation):
        for part in explanation.parts:
            for order in part.orders:
                for kind in ("kept", "new", "missing"):
                    assert sum(n for _, n in order.listed(kind)) == getattr(order, kind)
        return
    if isinstance(explanation, EditExplanation):
        ours = [step.candidate for step in explanation.steps if step.candidate is not None]
        theirs = [step.reference for step in explanation.steps if step.reference is not None]
        assert sorted(ours) == list(range(len(explanation.candidate)))
        assert theirs == list(range(len(explanation.reference)))
        assert sum(explanation.counts.values()) == explanation.edits
        for step in explanation.steps:
            mine, other = explanation.step_words(step)
            assert (mine == other) == (step.edit == "match")
        if explanation.reference:
            assert explanation.value == pytest.approx(
                100 * explanation.edits / len(explanation.reference)
            )
        shifted = list(explanation.candidate)
        for shift in explanation.shifts:
            run = shifted[shift.start : shift.start + len(shift.words)]
            assert tuple(run) == shift.words
            shifted[shift.start : shift.start + len(shift.words)] = []
            shifted[shift.target : shift.target] = run
        assert shifted == [explanation.candidate[place] for place in ours]
        return
    assert isinstance(explanation, Explanation)
    total = sum(part.weight * (part.value or 0.0) for part in explanation.parts)
    assert explanation.value == pytest.approx(total, abs=1e-9)


def test_pinc_by_hand() -> None:
    # 2 of 3 words and 1 of 2 pairs are new: (2/3 + 1/2) / 2; one word is worth 100 / 3 / 2 points.
    explanation = explain("a b c", PINC(order=2), source="b c d")
    assert isinstance(explanation, NgramExplanation)
    words, pairs = explanation.parts[0].orders
    assert (words.kept, words.new, words.missing) == (2, 1, 1)
    assert (words.kept_worth, words.new_worth) == pytest.approx((-100 / 6, 100 / 6))
    assert (pairs.listed("kept"), pairs.listed("new")) == ([("b c", 1)], [("a b", 1)])
    assert explanation.value == pytest.approx(100 * (1 / 3 + 1 / 2) / 2)
    assert pairs.new_worth * pairs.new + words.new_worth * words.new == pytest.approx(explanation.value)


def test_bleu_by_hand() -> None:
    # Order 1 without smoothing: 2 of 3 words, so each match is worth 100 / 3; the reference is longer.
    explanation = explain("a b c", BLEU(order=1), reference="a b d e")
    assert isinstance(explanation, NgramExplanation)
    brevity = math.exp(1 - 4 / 3)
    (words,) = explanation.parts[0].orders
    assert explanation.value == pytest.approx(100 * 2 / 3 * brevity)
    assert words.kept_worth == pytest.approx(100 / 3 * brevity)
    assert words.new_worth == pytest.approx(-100 / 3 * brevity)
    assert words.missing_worth == pytest.approx(100 * 2 / 3 * (brevity - 1))  # at length 3: no penalty
    assert str(explanation.summary) == (
        "The candidate keeps 2 of the 4 words of the reference, leaves out “d” and “e” and adds “c”. "
        "BLEU rewards words that the reference has too: 48 of 100, 28 % less than if it were not "
        "shorter."
    )


def test_targetf1_by_hand() -> None:
    # 200 * 1 / (2 + 2); a missing word less makes it 200 / 3.
    explanation = explain("a b", TargetF1(order=1), source="a c")
    assert isinstance(explanation, NgramExplanation)
    (words,) = explanation.parts[0].orders
    assert (words.kept_worth, words.new_worth) == (50, -50)
    assert words.missing_worth == pytest.approx(50 - 200 / 3)


def test_bleu_counts_what_any_reference_has() -> None:
    explanation = explain("a b", BLEU(), reference=["a x", "y b"])
    assert isinstance(explanation, NgramExplanation)
    assert explanation.parts[0].orders[0].kept == 2
    assert list(explanation.texts) == ["candidate", "reference 1", "reference 2"]


def test_meteor_names_stages_and_chunks() -> None:
    explanation = explain("a large dog ran", METEOR(), reference="the big dog was running")
    assert isinstance(explanation, Explanation)
    assert [
        (link.phase, link.candidate, link.reference, link.why) for link in explanation.parts[0].links
    ] == [
        ("synonym", 1, 1, "synonyms, chunk 1"),
        ("exact", 2, 2, "the same word, chunk 1"),
        ("synonym", 3, 4, "synonyms, chunk 2"),
    ]
    # Fmean = P R / (0.9 P + 0.1 R) with P = 3/4, R = 3/5; half of (2/3)^3 of it is lost.
    fmean = 100 * 0.75 * 0.6 / (0.9 * 0.75 + 0.1 * 0.6)
    assert explanation.parts[0].value == pytest.approx(fmean)
    assert explanation.parts[1].value == pytest.approx(-fmean * 0.5 * (2 / 3) ** 3)


def test_ter_by_hand() -> None:
    explanation = explain("c d a b", TER(), reference="a b c e f")
    assert isinstance(explanation, EditExplanation)
    # Moving "a b" to the front costs one, d becomes e, f is inserted.
    assert explanation.counts == {"shifts": 1, "replacements": 1, "insertions": 1, "deletions": 0}
    assert explanation.shifts[0].words == ("a", "b")
    assert explanation.value == 60
    assert [word.kind for word in explanation.words[0].words] == ["kept", "similar", "moved", "moved"]


@settings(max_examples=200)
@given(
    *[st.lists(st.integers(0, 3), max_size=6)] * 2,
    st.lists(
        st.lists(st.sets(st.integers(0, 5), max_size=3).map(sorted), min_size=4, max_size=4), max_size=3
    ),
)
def test_links_of_kernel_and_twin(
    ours: list[int], theirs: list[int], stages: list[list[list[int]]]
) -> None:
    sides = [np.array(side, np.int32) for side in (ours, theirs)]
    ragged = [
        (
            np.array([key for row in rows for key in row], np.int32),
            np.cumsum([0, *map(len, rows)], dtype=np.int64),
        )
        for rows in stages
    ]
    native = _native.meteor_links(*sides, ragged, 1000)
    np.testing.assert_array_equal(native, reference.meteor_links(*sides, ragged, 1000))
    lines = [(side, np.array([0, len(side)]), None) for side in sides]
    matches, _, _ = _native.meteor_alignments(*lines, ragged, 1000, 1)[0]
    assert (native[:, 0] >= 0).sum() == matches


@pytest.mark.parametrize("links", [_native.meteor_links, reference.meteor_links])
def test_links_refuse_what_is_wrong(links: Any) -> None:
    one, rows = np.array([1], np.int32), (np.array([0], np.int32), np.array([0, 1]))
    with pytest.raises(ValueError, match="every word must have a row in every stage"):
        links(one, one, [rows], 1)
    with pytest.raises(ValueError, match="beam must be at least 1"):
        links(one[:0], one[:0], [rows], 0)


def test_several_texts_are_refused_where_each_counts_alone() -> None:
    with pytest.raises(InputError, match="PINC compares with one text at a time, found 2 sources;"):
        explain("a", PINC(), source=["a", "b"])
    with pytest.raises(InputError, match="BLEU needs references; give reference="):
        explain("a", BLEU(), source="a")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)
def test_pages_escape_and_say_two_sentences(metric: Metric) -> None:
    explanation = explain("<q>a & b", metric, source="a <i>", reference="<q>a c")
    page = render_explanations({"one": explanation, "two": explanation})
    assert "<q" not in page
    assert "&lt;" in page
    assert page.count("<section") == 3


def test_metrics_by_name_and_the_right_call() -> None:
    named = explain("a c", "bleu:order=2", reference="a b")
    assert named == explain("a c", BLEU(order=2), reference="a b")
    for wrong in (("a c", "a b"), ("a c", "a b", "bleu"), ("a c", BLEU(), "a b")):
        with pytest.raises(InputError, match=r"write explain\(candidate, metric, reference="):
            explain(*wrong)
