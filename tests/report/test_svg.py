"""Small drawings: escaped, inside their frame, and defined for odd numbers."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from paragauge.report.svg import Span, colour, histogram, interval_bar, scatter, tag, ticks


def numbers(drawing: str, names: str) -> list[float]:
    return [float(value) for value in re.findall(rf'\b(?:{names})="([^"]*)"', drawing)]


def test_tags_escape():
    drawn = ET.fromstring(tag("text", '<&"', aria_label='"<&'))  # noqa: S314  # our own text
    assert (drawn.text, drawn.attrib) == ('<&"', {"aria-label": '"<&'})


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
        (11.5, 13.5, [11.5, 12, 12.5, 13, 13.5]),
        (0.98, 1.02, [0.98, 0.99, 1, 1.01, 1.02]),
    ],
)
def test_ticks(low, high, wanted):
    assert ticks(low, high) == wanted


@pytest.mark.parametrize("span", [Span(50, 40, 60), Span(0), Span(100, 100, 100), Span(-5, -9, 120)])
def test_interval_stays_inside(span):
    drawn = interval_bar(span, 0, 100, "#000", zero=True)
    ET.fromstring(drawn)  # noqa: S314  # our own text
    assert all(0 <= x <= 220 for x in numbers(drawn, "x1|x2|cx"))
    assert f'aria-label="{span.value:.2f}"' in drawn


def test_interval_of_no_width():
    assert all(0 <= x <= 220 for x in numbers(interval_bar(Span(3), 3, 3, "#000"), "x1|x2|cx"))


def test_histogram():
    drawn = histogram(np.array([0.0, 0.0, 100.0, np.nan]), 0, 100, "#000")
    assert drawn.count("<rect") == 2  # the first bar and the last; NaN is nowhere
    assert numbers(drawn, "height")[1:] == [46.0, 23.0]  # two segments, one segment
    assert histogram(np.array([np.nan]), 0, 100, "#000").count("<rect") == 0
    assert histogram(np.array([]), 0, 100, "#000").count("<rect") == 0


def test_scatter_labels_do_not_cover_each_other():
    names = [f"<s{i}>" for i in range(6)]
    drawn = scatter(names, [Span(50.0)] * 6, [Span(50.0)] * 6, ("x", "y"))
    root = ET.fromstring(drawn)  # noqa: S314  # our own text
    labels = [node for node in root.iter("text") if node.get("class") == "name"]
    assert [node.text for node in labels] == names
    heights = [float(node.get("y")) for node in labels]
    assert all(b - a >= 14 for a, b in pairwise(heights))


def test_scatter_of_far_and_near_points():
    for spans in ([Span(0.0), Span(100.0)], [Span(5.0)], [Span(-20.0, -30.0, 1e6)]):
        drawn = scatter(["n"] * len(spans), spans, spans, ("x", "y"))
        root = ET.fromstring(drawn)  # noqa: S314  # our own text
        for node in root.iter("circle"):
            assert 56 <= float(node.get("cx")) <= 544
            assert 16 <= float(node.get("cy")) <= 336


def test_colours_repeat():
    assert len({colour(i) for i in range(8)}) == 8
    assert colour(8) == colour(0)
