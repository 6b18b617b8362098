"""The page with explanations of contextual metrics: complete, safe, and drawn from the same numbers."""

from __future__ import annotations

from typing import Any

import pytest

from paragauge.metrics import BERTIBLEU, BERTScore, Cosine, ParaScore
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.report.drawing.canvas import Path as Line
from paragauge.report.drawing.canvas import Text
from paragauge.report.pages.context_page import draw_matching
from paragauge.report.pages.explanation_page import render_explanations

CANDIDATE, OTHER = "They postponed the meeting to Monday.", "The meeting was put off until Monday."
ATTACK = "</script><script>alert(1)</script> <img src=x onerror=alert(2)> \"' onmouseover='alert(3)"


@pytest.mark.parametrize(
    ("metric", "titles"),
    [
        (BERTScore(), ["Precision", "Recall"]),
        (Cosine(), ["Words", "Pairs of words"]),
        (BERTIBLEU(), ["BERTScore 72.73, candidate and source", "Precision", "Recall"]),
        (ParaScore(), ["BERTScore 72.73, candidate and source", "Precision", "Recall"]),
    ],
)
def test_sections(parsed, metric: Any, titles: list[str]) -> None:
    explanation = metric.explain(CANDIDATE, OTHER)
    html = render_explanations({"one": explanation})
    assert parsed(html).texts["h2"] == ["Score", *titles, "Method"]
    assert f"<b>{explanation.value:.2f}</b>" in html
    for term in explanation.terms:
        assert f"{term.adds:.2f}" in html
    assert html.count('<svg class="alignment"') == 2 * ("Precision" in titles)


def test_every_match_is_a_curve() -> None:
    explanation = BERTScore().explain("An antidisestablishmentarian dog", "The dogs")
    for matching in explanation.matchings:
        scene = draw_matching(explanation, matching)
        curves = [mark for mark in scene.marks if isinstance(mark, Line)]
        assert len(curves) == len(matching.matches)
        for curve, match in zip(curves, matching.matches, strict=True):
            own, theirs = explanation.sides(matching)
            assert own.label(match.piece) in curve.title
            assert theirs.label(match.partner) in curve.title
            assert f"{match.cosine:.3f}" in curve.title


def test_names_of_the_sides() -> None:
    explanation = BERTScore(against="sources").explain("A dog", "The dog")
    for matching in explanation.matchings:
        label = draw_matching(explanation, matching).label
        assert "2 of the candidate and 2 of the source" in label


@pytest.mark.parametrize("metric", [Cosine(), BERTScore(), BERTIBLEU(), ParaScore()])
def test_text_is_escaped(parsed, metric: Any) -> None:
    html = render_explanations({ATTACK: metric.explain(ATTACK, f"A {ATTACK}")})
    assert "<script>alert" not in html
    assert "img" not in [tag for tag, _ in parsed(html).tags]


@pytest.mark.parametrize("metric", [Cosine(), BERTScore(), BERTIBLEU(), ParaScore()])
def test_empty_texts(parsed, metric: Any) -> None:
    html = render_explanations({"one": metric.explain("", "")})
    assert "(empty)" in html
    assert "The candidate and the " in html


def test_beside_maxsim(parsed) -> None:
    both = {"a": MaxSim().explain(CANDIDATE, OTHER), "b": BERTScore().explain(CANDIDATE, OTHER)}
    html = render_explanations(both)
    assert parsed(html).texts["h2"] == ["a", "b", "Method"]
    assert html.count('<svg class="alignment"') == 5


def test_labels_do_not_collide() -> None:
    """One candidate piece may be the partner of many: labels stand at the pieces that are matched."""
    explanation = BERTScore().explain("dog", "The large dogs were barking at men")
    scene = draw_matching(explanation, explanation.matchings[1])
    labels = [mark for mark in scene.marks if isinstance(mark, Text) and mark.text.startswith("0.")]
    assert len(labels) == len({(label.x, label.y) for label in labels}) == 7
