"""Axes: from data to pixels, round ticks, titles, legends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.report.drawing.canvas import (
    Path,
    Rect,
    Scene,
    Style,
    marker,
    series_color,
    series_dash,
    shorten,
    text_width,
    wrap_rows,
)

SMALL, NORMAL = 11.0, 12.5
GAP = 15.0  # between two names of a legend


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between `low` and `high`, about five.

    >>> ticks(0, 100)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * next(
        factor for factor, most in ((1, 1.45), (2, 3.4), (5, 7.4), (10, 10)) if raw <= power * most
    )
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def pad_range(values: Sequence[float], *, least: float = 1e-9) -> tuple[float, float]:
    """The range of the values that are numbers, with a margin; 0 to 1 if there is none.

    >>> pad_range([10.0, 20.0])
    (9.4, 20.6)
    """
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return 0.0, 1.0
    low, high = min(known), max(known)
    if high - low < least:
        margin = max(1.0, 0.05 * abs(low))
        return low - margin, high + margin
    margin = 0.06 * (high - low)
    return low - margin, high + margin


@dataclass(frozen=True)
class Frame:
    """A rectangle of the picture and the range of data that it shows."""

    left: float
    top: float
    right: float
    bottom: float
    across: tuple[float, float]
    up: tuple[float, float]

    def x(self, value: float) -> float:
        """The horizontal position of a value."""
        low, high = self.across
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value: float) -> float:
        """The vertical position of a value."""
        low, high = self.up
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def draw(
        self,
        scene: Scene,
        titles: tuple[str, str],
        names: Sequence[tuple[float, str]] | None = None,
    ) -> None:
        """Grid, ticks and titles; `names` replace the numbers of the x axis."""
        widest = 0.0
        for tick in ticks(*self.up):
            widest = max(widest, text_width(f"{tick:g}", SMALL))
            scene.line(self.left, self.y(tick), self.right, self.y(tick), "grid")
            scene.write(
                self.left - 8, self.y(tick) + 4, f"{tick:g}", color="soft", size=SMALL, anchor="end"
            )
        if names is None:
            for tick in ticks(*self.across):
                scene.line(self.x(tick), self.top, self.x(tick), self.bottom, "grid")
                place = {"color": "soft", "size": SMALL, "anchor": "middle"}
                scene.write(self.x(tick), self.bottom + 17, f"{tick:g}", **place)
        else:
            room = (self.right - self.left) / max(1, len(names)) - 6
            for value, name in names:
                scene.line(self.x(value), self.bottom, self.x(value), self.bottom + 4, "soft")
                label = shorten(name, max(room, 24.0), SMALL)
                place = {"color": "soft", "size": SMALL, "anchor": "middle"}
                title = name if label != name else ""
                scene.write(self.x(value), self.bottom + 17, label, title=title, **place)
        scene.line(self.left, self.bottom, self.right, self.bottom, "soft")
        middle = (self.left + self.right) / 2
        title = shorten(titles[0], self.right - self.left, NORMAL)
        scene.write(middle, self.bottom + 38, title, size=NORMAL, anchor="middle")
        side = shorten(titles[1], self.bottom - self.top + 20, NORMAL)
        place = {"size": NORMAL, "anchor": "middle", "turn": -90}
        # The title stands left of the longest number, such as 0.004, as far as there is room.
        x = max(12.0, self.left - max(44.0, widest + 15))
        scene.write(x, (self.top + self.bottom) / 2, side, **place)


def legend(scene: Scene, names: Sequence[str], top: float, *, dashes: bool = False) -> float:
    """The names of the series with their markers, in rows from `top` down; returns the new bottom."""
    limit, left = scene.width - 32, 24.0
    labels = [shorten(name, min(220.0, limit - 40), SMALL) for name in names]
    sign = 30.0 if dashes else 14.0
    index = 0
    for row in wrap_rows(labels, limit, SMALL, sign + GAP):
        x = left
        for name in row:
            if dashes:
                line = Style(stroke=series_color(index), width=2.0, dash=series_dash(index))
                scene.add(Path(((x - 6, top), (x + sign - 8, top)), line))
            scene.add(marker(index, x + (sign - 14) / 2, top, 4.0))
            title = names[index] if names[index] != name else ""
            scene.write(x + sign, top + 4, name, size=SMALL, title=title)
            x += sign + text_width(name, SMALL) + GAP
            index += 1
        top += 20
    return top


def legend_height(names: Sequence[str], width: float, *, dashes: bool = False) -> float:
    """The height of `legend` in pixels."""
    limit = width - 32
    labels = [shorten(name, min(220.0, limit - 40), SMALL) for name in names]
    return 20.0 * len(wrap_rows(labels, limit, SMALL, (30.0 if dashes else 14.0) + GAP))


def clamp_points(frame: Frame, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points in pixels; those outside the frame are moved to its edge."""
    return [
        (min(max(x, frame.left), frame.right), min(max(y, frame.top), frame.bottom)) for x, y in points
    ]


def bar(x: float, y: float, width: float, height: float, fill: str, opacity: float = 1.0) -> Rect:
    """A filled rectangle."""
    return Rect(x, y, width, height, Style(fill=fill, opacity=opacity))
