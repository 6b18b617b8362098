"""The page of rewritten references."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.kernels.layout import Ints
from paragauge.report.pages.rewrite_page import MOST_REASONS, render_rewriting
from paragauge.rewrite.context.context_explain import ContextReason
from paragauge.rewrite.context.context_model import ContextModel
from paragauge.rewrite.explanation import explain
from paragauge.rewrite.rewriter import Rewriter
from paragauge.rewrite.score_sum import ScoreSum
from paragauge.text.lines import Lines

SIGNATURE = {"rewrite": "wordnet-3.0"}
HARD = "It is hard to say.", "It is difficult."
PLACE = (
    "It was hard to believe that such changes had taken place there.",
    "Hard to believe, far from home.",
)


@dataclass(frozen=True)
class Shy:
    """A filter that accepts everything and explains a part of it, at length."""

    name: str

    def scores(
        self, tokens: Lines, segment: Ints, position: Ints, words: Lines, word: Ints, threads: int = 0
    ) -> np.ndarray:
        return np.full(len(word), 1.5)

    def explain(self, tokens: str, position: int, word: str) -> Any:
        words = "a rather long piece of evidence " * 4
        return SimpleNamespace(reasons=[ContextReason(f"place {i}", words, 0.25) for i in range(30)])


def main_part(html: str) -> str:
    return html.split("<main>")[1].split("</main>")[0]


def test_what_was_replaced_is_marked_in_the_case_of_the_reference() -> None:
    explanation = explain(Rewriter(), "Hard it is, not big.", "difficult or large")
    part = main_part(render_rewriting({"one": explanation}, SIGNATURE))
    assert re.findall("<mark>(.*?)</mark>", part) == ["Hard", "big", "Difficult", "large"]
    assert "2 of 2 proposed substitutions accepted" in render_rewriting({"one": explanation}, SIGNATURE)


def test_texts_are_escaped_and_isolated() -> None:
    explanation = explain(Rewriter(), '<b>hard</b> & "x"', "<i>difficult</i> שלום")
    part = main_part(render_rewriting({"<u>": explanation}, SIGNATURE, "paragauge <x>"))
    for tag in ("<b>", "<i>", "<u>", "<x>"):
        assert tag not in part
    assert part.count('dir="auto"') == 3


def test_reasons_of_classifiers_are_shown() -> None:
    rewriter = Rewriter(filters=(ContextModel.default(),))
    explanation = explain(rewriter, "It is hard to say.", "It is difficult.")
    part = main_part(render_rewriting({"one": explanation}, rewriter.signature))
    assert '<th scope="col" class=n>context</th>' in part
    assert f"<h4><code>{rewriter.filters[0].name}</code></h4>" in part
    (proposal,) = explanation.proposals
    assert proposal.reasons[0]
    assert str(explanation).count("    for  ") == 1


@pytest.mark.parametrize(
    ("reference", "candidate", "verdict"), [(*HARD, "accepted"), (*PLACE, "refused")]
)
def test_the_sum_is_the_score(parsed: Any, reference: str, candidate: str, verdict: str) -> None:
    """Every line of the sum, in text, in HTML and in JSON, and together they are the score."""
    rewriter = Rewriter(filters=(ContextModel.default(),))
    explanation = explain(rewriter, reference, candidate)
    (proposal,) = explanation.proposals
    (own,) = proposal.sums
    assert own is not None
    assert proposal.proposal.verdict == verdict
    assert own.total - own.threshold == pytest.approx(proposal.proposal.scores[0])
    assert own.threshold == ContextModel.default().decision.threshold
    titles = [line.title for line in own.lines]
    assert titles[-2:] == ["bias", f"compared with {proposal.old}"]
    assert math.fsum(line.value for line in own.lines) == pytest.approx(own.total)
    words = "at least" if verdict == "accepted" else "below"
    text = str(explanation)
    printed = [
        (title, float(value))
        for title, value in re.findall(r"^    (\S.*?)  +([+-][0-9.]+)", text, re.MULTILINE)
    ]
    assert [title for title, _ in printed] == [*titles, "total"]
    assert sum(value for _, value in printed[:-1]) == pytest.approx(printed[-1][1], abs=0.025)
    assert f"{words} the threshold, -0.80" in text
    seen = parsed(render_rewriting({"one": explanation}, rewriter.signature))
    numbers = [float(cell) for cell in seen.texts["td"] if re.fullmatch(r"[+-][0-9.]+", cell)]
    assert numbers == [value for _, value in printed]
    assert [title for title in seen.texts["th"] if title in titles] == titles
    (record,) = explanation.record()["proposals"]
    (written,) = record["sums"].values()
    assert sum(written["terms"].values()) == pytest.approx(written["total"])
    assert written["threshold"] == own.threshold


def test_a_sum_is_complete_whatever_a_filter_says() -> None:
    """Filters of others may explain a part of their score, without a threshold."""
    reasons = [ContextReason("left", "a", 2.0), ContextReason("right", "b", -0.5)]
    own = ScoreSum.of(SimpleNamespace(reasons=reasons), 1.0)
    assert [(line.title, line.value) for line in own.lines] == [
        ("for", 2.0),
        ("against", -0.5),
        ("other", -0.5),
    ]
    assert (own.total, own.threshold, own.is_accepted) == (1.0, 0.0, True)
    base = ContextReason("", "the same word again", 1.5)
    own = ScoreSum.of(SimpleNamespace(reasons=[*reasons, base], threshold=4.0), -1.0)
    assert [line.title for line in own.lines] == ["for", "against", "the same word again"]
    assert not own.is_accepted


def test_long_evidence_is_counted() -> None:
    reasons = [ContextReason("left", f"w{number}", 0.5) for number in range(20)]
    own = ScoreSum.of(SimpleNamespace(reasons=reasons), 10.0)
    assert own.text_lines(4)[0].endswith("w3 (left) +0.50, 16 more +8.00")
    rewriter = Rewriter(filters=(ContextModel.default(),))
    explanation = explain(rewriter, *HARD)
    (proposal,) = explanation.proposals
    longer = replace(explanation, proposals=(replace(proposal, sums=(own,)),))
    assert f"<li>{20 - MOST_REASONS} more <b>+6.00</b></li>" in render_rewriting(
        {"one": longer}, SIGNATURE
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 600, 1100, 1400])
def test_no_table_is_wider_than_the_page(quiet_page: Any, width: int, scheme: str) -> None:
    rewriter = Rewriter(filters=(ContextModel.default(), *[Shy(f"shy-{i}") for i in range(3)]))
    explanations = {f"line {i}": explain(rewriter, *pair) for i, pair in enumerate((HARD, PLACE))}
    html = render_rewriting(explanations, rewriter.signature, "paragauge rewrite explain " + "x" * 300)
    tab = quiet_page(html, viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab.wait_for_selector("#theme:visible")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert tab.locator("table").count() == 2 * (1 + 4)  # proposals, and the sums of four filters
    inside = (
        "all => all.every(e => { const r = e.getBoundingClientRect(); return r.right <= innerWidth })"
    )
    assert tab.locator("table, table *").evaluate_all(inside)
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.className)"
    assert tab.locator("main .scroll, .sum td, .decision").evaluate_all(cut) == []
    # Text is readable: it differs from its background as much as the page's style promises.
    assert tab.locator(".sum td b").first.evaluate("e => getComputedStyle(e).color") != tab.evaluate(
        "getComputedStyle(document.body).backgroundColor"
    )


def test_nothing_proposed() -> None:
    explanation = explain(Rewriter(), "", "")
    assert "No substitution was proposed." in render_rewriting({"one": explanation}, SIGNATURE)
    assert str(explanation).endswith("no substitution was proposed")
    with pytest.raises(InputError, match="expected at least one rewritten reference"):
        render_rewriting({}, SIGNATURE)
