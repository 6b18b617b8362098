"""Scenes as SVG: well-formed, escaped, colored by class or by value."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from paragauge.errors import SettingError
from paragauge.report.drawing.canvas import THEMES, Circle, Path, Rect, Scene, Style, Text
from paragauge.report.drawing.svg import inline_svg, standalone_svg

HOSTILE = '<&">]]></svg><script>'
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def scene() -> Scene:
    return Scene(100, 50, HOSTILE, HOSTILE).add(
        Path(((0, 0), (1.005, 2.123)), Style(stroke="series1", width=2, dash=(3, 1))),
        Path(((0, 0), (1, 0), (1, 1)), Style(fill="series2", opacity=0.5), closed=True, title=HOSTILE),
        Circle(5, 6, 7, Style(fill="ink")),
        Rect(1, 2, 3, 4, Style(fill="grid")),
        Text(8, 9, HOSTILE, color="soft", anchor="end", bold=True, turn=-90, title=HOSTILE),
    )


def test_inline_has_classes_and_no_colors(scene):
    text = inline_svg(scene)
    root = ET.fromstring(text)  # noqa: S314  # our own text
    assert root.get("aria-label") == HOSTILE
    assert root.get("viewBox") == "0 0 100 50"
    assert [child.tag for child in root] == ["path", "path", "circle", "rect", "text"]
    assert [child.get("class") for child in root] == [
        "f-none k-series1",
        "f-series2",
        "f-ink",
        "f-grid",
        "f-soft",
    ]
    assert root[0].get("d") == "M0 0L1 2.12"
    assert root[0].get("stroke-dasharray") == "3 1"
    assert root[1].get("d") == "M0 0L1 0L1 1Z"
    assert root[1].get("opacity") == "0.5"
    assert root[1][0].text == HOSTILE
    assert root[4].text == HOSTILE
    assert root[4].get("transform") == "rotate(-90 8 9)"
    assert "#" not in text
    assert "style" not in text


@pytest.mark.parametrize("theme", THEMES)
def test_alone_has_the_colors_of_a_theme(scene, theme):
    root = ET.fromstring(standalone_svg(scene, theme).encode())  # noqa: S314  # our own text
    assert root.tag == f"{SVG}svg"
    assert [child.tag.removeprefix(SVG) for child in root][:3] == ["title", "desc", "rect"]
    assert root[2].get("fill") == THEMES[theme]["back"]
    assert root[3].get("stroke") == THEMES[theme]["series1"]
    assert root[3].get("fill") == "none"
    assert root[5].get("fill") == THEMES[theme]["ink"]
    assert not [node for node in root.iter() if node.get("class")]


def test_unknown_theme(scene):
    with pytest.raises(SettingError, match="unknown theme 'drak'; did you mean 'dark'"):
        standalone_svg(scene, "drak")
