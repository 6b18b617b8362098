"""The canvas: colors that everyone can tell apart, markers, and the room that text takes."""

from __future__ import annotations

import itertools

import pytest

from paragauge.report.drawing.canvas import (
    SERIES,
    THEMES,
    Circle,
    Scene,
    Text,
    marker,
    series_color,
    series_dash,
    shorten,
    text_width,
    wrap_rows,
)


def luminance(color: str) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted([luminance(a), luminance(b)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_by_hand():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_colors_stand_out(theme):
    colors = THEMES[theme]
    for i in range(SERIES):
        assert contrast(colors[f"series{i}"], colors["back"]) >= 3
    assert contrast(colors["ink"], colors["back"]) >= 7
    assert contrast(colors["soft"], colors["back"]) >= 4.5


def simulate(color: str, matrix: list[list[float]]) -> tuple[float, ...]:
    parts = [(int(color[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)]
    seen = [sum(a * b for a, b in zip(row, parts, strict=True)) for row in matrix]
    return tuple(100 * max(0.0, min(1.0, value)) ** (1 / 2.2) for value in seen)


# Machado, Oliveira and Fernandes (2009), severity 1.0.
DEFICIENCIES = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_first_colors_differ_for_everyone(theme, deficiency):
    seen = [simulate(THEMES[theme][f"series{i}"], DEFICIENCIES[deficiency]) for i in range(3)]
    for a, b in itertools.combinations(seen, 2):
        assert max(abs(p - q) for p, q in zip(a, b, strict=True)) > 15


def test_themes_have_the_same_colors():
    assert list(THEMES["light"]) == list(THEMES["dark"])


def test_sixty_four_series_differ():
    seen = set()
    for i in range(64):
        mark = marker(i, 0, 0)
        shape = "circle" if isinstance(mark, Circle) else mark.points
        seen.add((mark.style.fill, shape))
    assert len(seen) == 64
    assert series_color(SERIES) == series_color(0)
    assert series_dash(0) == ()
    assert series_dash(1) != ()


@pytest.mark.parametrize("index", range(8))
def test_markers_stay_around_their_point(index):
    left, top, right, bottom = marker(index, 10, 20, 5).extent()
    assert 3 <= left <= 7
    assert 13 <= right <= 17
    assert 13 <= top <= 17
    assert 23 <= bottom <= 27


def test_text_width():
    assert text_width("ab", 10) == pytest.approx(12.8)
    assert text_width("ab", 10, bold=True) == pytest.approx(14.08)
    assert text_width("e\u0301") == text_width("e")


def test_text_extent_turns():
    across = Text(100, 50, "word", size=10, anchor="middle").extent()
    assert (across[0] + across[2]) / 2 == pytest.approx(100)
    up = Text(100, 50, "word", size=10, anchor="middle", turn=-90).extent()
    assert up[3] - up[1] == pytest.approx(across[2] - across[0])
    assert (up[1] + up[3]) / 2 == pytest.approx(50)


def test_shortened():
    assert shorten("short", 100) == "short"
    cut = shorten("a name that is far too long for its place", 100)
    assert cut.endswith("…")
    assert text_width(cut) <= 100
    assert shorten("word", 1) == "…"


def test_wrapped():
    assert wrap_rows(["aaaa", "bbbb", "cccc"], 80, 10, 10) == [["aaaa", "bbbb"], ["cccc"]]
    assert wrap_rows(["a" * 100], 80, 10, 10) == [["a" * 100]]


def test_scenes_collect_marks():
    scene = Scene(10, 10, "nothing").line(0, 0, 1, 1, "ink", width=2.0).write(1, 2, "x", bold=True)
    assert scene.marks[0].style.width == 2
    assert scene.marks[1].bold
