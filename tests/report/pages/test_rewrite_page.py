"""The page of rewritten references."""

from __future__ import annotations

import re

import pytest

from paragauge.errors import InputError
from paragauge.report.pages.rewrite_page import render_rewriting
from paragauge.rewrite.context_model import ContextModel
from paragauge.rewrite.explanation import explain
from paragauge.rewrite.rewriter import Rewriter

SIGNATURE = {"rewrite": "wordnet-3.0"}


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
    assert "strongest reasons" in part
    assert f'<th scope="col" class=n>{rewriter.filters[0].name}</th>' in part
    (proposal,) = explanation.proposals
    assert proposal.reasons[0]
    assert str(explanation).count("    for: ") == 1


def test_nothing_proposed() -> None:
    explanation = explain(Rewriter(), "", "")
    assert "No substitution was proposed." in render_rewriting({"one": explanation}, SIGNATURE)
    assert str(explanation).endswith("no substitution was proposed")
    with pytest.raises(InputError, match="expected at least one rewritten reference"):
        render_rewriting({}, SIGNATURE)
