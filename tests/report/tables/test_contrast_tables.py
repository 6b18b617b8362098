"""Tables of contrasts: what is undefined is a dash, and the notes say how many scores are missing."""

from __future__ import annotations

import dataclasses

from paragauge import PINC, contrast
from paragauge.meta.contrast.contrast_set import ContrastSet
from paragauge.meta.measure import undefined_measure
from paragauge.report.tables.contrast_tables import render_contrast


def test_undefined() -> None:
    pairs = ContrastSet(("a b",) * 2, ("good", "copy"), ("a x", "a b"))
    sheet = contrast([PINC(order=1)], pairs, good=["good"])
    one = sheet.metrics[0]
    without = undefined_measure("no candidate has a score", 0)
    row = dataclasses.replace(one["copy"], mean=without, wins=without)
    one = dataclasses.replace(one, undefined=1, kinds=(one["good"], row))
    text = render_contrast(dataclasses.replace(sheet, metrics=(one,)))
    assert text.split("\n")[3].split() == ["copy", "-", "-"]
    assert "PINC:order=1: 1 candidate without a score, left out.\n" in text
