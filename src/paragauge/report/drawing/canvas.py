"""A picture as a list of primitives in pixels, which `svg` writes as SVG and `png` as PNG.

A plot is computed once, as a `Scene`; the code that draws it knows nothing of the data. Colors are
named by their role, and a theme maps them to hexadecimal values: `ink`, `soft`, `grid`, `back` and
`series0` to `series7`. The series are the eight colors of Okabe and Ito (2008), which people with any
of the common color deficiencies can tell apart, made darker on white and lighter on black until each
has a contrast of at least 3:1 with its background (WCAG 2.2, 1.4.11). Color is never the only cue:
every series also has its own marker and dash.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

Points = tuple[tuple[float, float], ...]

_SERIES = {
    "light": ("#0072b2", "#d55e00", "#00875f", "#b0568c", "#a87000", "#2b8cc4", "#7d7200", "#5b6470"),
    "dark": ("#4ea6e6", "#f28544", "#27c498", "#e49ac6", "#e8ab2e", "#86cdf5", "#efe35a", "#b4bcc8"),
}
THEMES: Mapping[str, Mapping[str, str]] = {
    "light": {
        "ink": "#1a1d21",
        "soft": "#59616c",
        "grid": "#e3e6ea",
        "back": "#ffffff",
        **{f"series{i}": value for i, value in enumerate(_SERIES["light"])},
    },
    "dark": {
        "ink": "#e9ebee",
        "soft": "#a5adb8",
        "grid": "#343a42",
        "back": "#14171b",
        **{f"series{i}": value for i, value in enumerate(_SERIES["dark"])},
    },
}
SERIES = len(_SERIES["light"])
_DASHES = ((), (6.0, 3.0), (2.0, 2.5), (8.0, 3.0, 2.0, 3.0), (12.0, 4.0))
_STAR = tuple((90 + 36 * i, 1.25 if i % 2 == 0 else 0.55) for i in range(10))


@dataclass(frozen=True)
class Style:
    """How a mark looks: `fill` and `stroke` are names of colors, None for none."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Path:
    """A line through points; a closed one is a polygon."""

    points: Points
    style: Style
    closed: bool = False
    title: str = ""

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        across, down = zip(*self.points, strict=True)
        return min(across), min(down), max(across), max(down)


@dataclass(frozen=True)
class Circle:
    """A circle."""

    x: float
    y: float
    radius: float
    style: Style
    title: str = ""

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        r = self.radius
        return self.x - r, self.y - r, self.x + r, self.y + r


@dataclass(frozen=True)
class Rect:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    style: Style
    title: str = ""

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height


@dataclass(frozen=True)
class Text:
    """One line of text whose baseline starts, is centered or ends at (x, y); `turn` in degrees."""

    x: float
    y: float
    text: str
    color: str = "ink"
    size: float = 12.0
    anchor: str = "start"
    bold: bool = False
    turn: int = 0
    title: str = ""

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, by `text_width`."""
        width = text_width(self.text, self.size, bold=self.bold)
        left = -width * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        box = [(left, -0.8 * self.size), (left + width, 0.25 * self.size)]
        cosine, sine = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        corners = [(x, y) for x in (box[0][0], box[1][0]) for y in (box[0][1], box[1][1])]
        turned = [(x * cosine - y * sine, x * sine + y * cosine) for x, y in corners]
        across, down = [self.x + x for x, _ in turned], [self.y + y for _, y in turned]
        return min(across), min(down), max(across), max(down)


Mark = Path | Circle | Rect | Text


@dataclass
class Scene:
    """A picture of `width` x `height` pixels; `label` describes it, `caption` explains it."""

    width: float
    height: float
    label: str
    caption: str = ""
    marks: list[Mark] = field(default_factory=list)

    def add(self, *marks: Mark) -> Self:
        """Draw more."""
        self.marks += marks
        return self

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, **style: object) -> Self:
        """Draw a straight line."""
        look = replace(Style(stroke=stroke), **style)  # type: ignore[arg-type]
        return self.add(Path(((x1, y1), (x2, y2)), look))

    def write(self, x: float, y: float, text: str, **attributes: object) -> Self:
        """Draw text."""
        return self.add(Text(x, y, text, **attributes))  # type: ignore[arg-type]


def series_color(index: int) -> str:
    """The color of the series with this number.

    >>> series_color(0), series_color(9)
    ('series0', 'series1')
    """
    return f"series{index % SERIES}"


def series_dash(index: int) -> tuple[float, ...]:
    """The dash of the series with this number; the first is solid."""
    return _DASHES[index % len(_DASHES)]


def marker(index: int, x: float, y: float, size: float = 5.0, title: str = "") -> Mark:
    """The marker of the series with this number; 64 series differ in color or in shape."""
    style = Style(fill=series_color(index), stroke="back", width=1.0)
    shape = (index + index // SERIES) % SERIES
    if shape == 0:
        return Circle(x, y, size, style, title)
    s = size
    outlines: dict[int, list[tuple[float, float]]] = {
        1: [(-s, -s), (s, -s), (s, s), (-s, s)],
        2: [(0, -1.25 * s), (1.15 * s, 0.85 * s), (-1.15 * s, 0.85 * s)],
        3: [(0, -1.35 * s), (1.35 * s, 0), (0, 1.35 * s), (-1.35 * s, 0)],
        4: [(0, 1.25 * s), (1.15 * s, -0.85 * s), (-1.15 * s, -0.85 * s)],
        5: _cross(s, 0),
        6: _cross(s, 45),
        7: [(s * r * math.cos(math.radians(a)), -s * r * math.sin(math.radians(a))) for a, r in _STAR],
    }
    return Path(tuple((x + dx, y + dy) for dx, dy in outlines[shape]), style, closed=True, title=title)


def _cross(size: float, turn: int) -> list[tuple[float, float]]:
    """The outline of a plus sign, turned by some degrees."""
    a, b = 0.45 * size, 1.25 * size
    outline = [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a)]
    outline += [(-x, -y) for x, y in outline]
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [(x * cosine - y * sine, x * sine + y * cosine) for x, y in outline]


def text_width(text: str, size: float = 12.0, *, bold: bool = False) -> float:
    """The approximate width of a text in pixels, rather too large than too small.

    The widths are those of DejaVu Sans, the widest of the fonts that the drawings ask for.

    >>> text_width("il") < text_width("mw"), text_width("汉", 10)
    (True, 10.0)
    """
    return size * sum(map(_advance, text)) * (1.1 if bold else 1.0)


def _advance(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if char in "iljI.,:;'|!()[] ftr/-":
        return 0.41
    if char in "mwMW@%&—→…":
        return 1.0
    return 0.72 if char.isupper() else 0.64


def shorten(text: str, width: float, size: float = 12.0, *, bold: bool = False) -> str:
    """The text, its end replaced by an ellipsis if it is wider than `width` pixels.

    >>> shorten("a name", 200), shorten("a very long name", 60)
    ('a name', 'a very…')
    """
    if text_width(text, size, bold=bold) <= width:
        return text
    start = text
    while start and text_width(start + "…", size, bold=bold) > width:
        start = start[:-1]
    return start.rstrip() + "…"


def wrap_rows(words: Sequence[str], width: float, size: float, gap: float) -> list[list[str]]:
    """Items in rows that are at most `width` pixels wide, each followed by `gap` pixels."""
    rows: list[list[str]] = [[]]
    used = 0.0
    for word in words:
        needed = text_width(word, size) + gap
        if rows[-1] and used + needed > width:
            rows.append([])
            used = 0.0
        rows[-1].append(word)
        used += needed
    return rows
