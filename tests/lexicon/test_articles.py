"""The indefinite article by the next sound."""

from __future__ import annotations

import pytest

from paragauge.lexicon.articles import indefinite_article

AN = "image hour honest heir heirloom uninvited unidentified unarmed unanswered umbrella urgent urban"
AN += " utter usher onerous MP FBI EU X-ray F-16 A-level 8 80 8,000 11 11th 11,000 18 18-year-old 1812"
AN += " étude “apple”"
A = "house unit union unanimous university useful usual utility uranium European ewe one one-way once"
A += " UN US NATO UNESCO U-turn Ukrainian Uruguay 1 100 110 180 1,100 1100 heron hotel yes 'picture'"


@pytest.mark.parametrize("word", AN.split())
def test_an(word: str) -> None:
    assert indefinite_article(word) == "an"


@pytest.mark.parametrize("word", A.split())
def test_a(word: str) -> None:
    assert indefinite_article(word) == "a"


@pytest.mark.parametrize("text", ["", " ", "中", "🙂", "?", "'", "\u0301a"])
def test_anything_has_an_article(text: str) -> None:
    assert indefinite_article(text) in ("a", "an")
