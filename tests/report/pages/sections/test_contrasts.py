"""The section on contrasts."""

from __future__ import annotations

import dataclasses

import pytest

from paragauge import BLEU, PINC, ContrastSet, contrast
from paragauge.meta.contrast.evaluation import ContrastSheet
from paragauge.meta.measure import undefined_measure
from paragauge.report.pages.sections.contrasts import contrast_section, headline

SET = ContrastSet(
    ("a b c d", "a b c d", "a b c d", "e f g h", "e f g h"),
    ("good", "copy", "<other>", "good", "copy"),
    ("a b c x", "a b c d", "w x y z", "e f g x", "e f g h"),
)


@pytest.fixture(scope="module")
def sheet() -> ContrastSheet:
    return contrast([PINC(), BLEU()], SET, good=["good"], bootstrap=20)


def test_headline(sheet: ContrastSheet) -> None:
    # The good ones share three of four words: BLEU is 100 for a copy, PINC is 100 for other words.
    pinc, bleu = map(headline, sheet.metrics)
    assert pinc == "PINC prefers 1 of 2 other kinds of candidates to good paraphrases: <other>."
    assert bleu == "BLEU prefers 1 of 2 other kinds of candidates to good paraphrases: copy."


def test_a_metric_that_prefers_good_paraphrases_and_one_without_scores(sheet: ContrastSheet) -> None:
    pinc = sheet.metrics[0]
    kinds = tuple(row for row in pinc.kinds if row.kind != "<other>")
    assert headline(dataclasses.replace(pinc, kinds=kinds)) == (
        "PINC prefers good paraphrases to candidates of every other kind."
    )
    none = undefined_measure("no two candidates of one source have scores", 0)
    kinds = tuple(dataclasses.replace(row, wins=row.wins and none) for row in pinc.kinds)
    assert headline(dataclasses.replace(pinc, kinds=kinds)) == "PINC has no comparisons here."


def test_section(sheet: ContrastSheet) -> None:
    section = contrast_section(sheet)
    assert section.title == "Does a metric notice a change of meaning?"
    assert "&lt;other&gt;" in section.html
    assert "<other>" not in section.html
    assert section.html.count("<svg") == 1
    assert "<th" in section.html
    assert "PINC: good wins" in section.html
    assert "1.00 [1.00, 1.00]" in section.html
    assert "Poisson bootstrap over sources, 20 resamples, seed 7." in section.html
    assert "nan" not in section.html.lower()
