"""Values with their intervals: a row per name, or one small bar inside a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.report.drawing.canvas import Circle, Scene, Style, marker, series_color, shorten
from paragauge.report.drawing.plots.axes import NORMAL, SMALL, Frame, pad_range, ticks


@dataclass(frozen=True)
class Span:
    """A value with its interval."""

    value: float
    low: float | None = None
    high: float | None = None

    def bounds(self) -> tuple[float, float]:
        """The interval, or the value twice."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


def interval_bar(
    span: Span, low: float, high: float, index: int | None, *, zero: bool = False
) -> Scene:
    """A marker with whiskers on a scale from `low` to `high`; with `zero` a line at 0.

    `index` is the number of the series, None if it is not a series. An undefined value has no marker.
    """
    width, height, middle = 170.0, 16.0, 8.0
    frame = Frame(8, 0, width - 8, height, (low, high if high > low else low + 1), (0, 1))
    scene = Scene(width, height, "no value" if math.isnan(span.value) else f"{span.value:.2f}")
    scene.line(frame.left, middle, frame.right, middle, "grid")
    if zero:
        scene.line(frame.x(0), 1, frame.x(0), height - 1, "soft", dash=(2.0, 2.0))
    if math.isfinite(span.value):
        left, right = (frame.x(min(max(bound, low), high)) for bound in span.bounds())
        x = frame.x(min(max(span.value, low), high))
        color = "soft" if index is None else series_color(index)
        scene.line(left, middle, right, middle, color, width=3.0)
        neutral = Circle(x, middle, 3.6, Style(fill=color, stroke="back"))
        scene.add(neutral if index is None else marker(index, x, middle, 3.6))
    return scene


def interval_plot(
    names: Sequence[str],
    spans: Sequence[Span],
    *,
    title: str,
    zero: bool = False,
    width: float = 560,
) -> Scene:
    """One row per name: the value, its interval, and the number beside it."""
    height = 26.0 * len(names) + 58
    bounds = [bound for span in spans for bound in span.bounds()]
    frame = Frame(
        170, 10, width - 70, height - 48, pad_range([*bounds, *([0.0] if zero else [])]), (0, 1)
    )
    scene = Scene(width, height, f"{title} of {len(names)} systems")
    for tick in ticks(*frame.across):
        scene.line(frame.x(tick), frame.top, frame.x(tick), frame.bottom, "grid")
        place = {"color": "soft", "size": SMALL, "anchor": "middle"}
        scene.write(frame.x(tick), frame.bottom + 17, f"{tick:g}", **place)
    if zero:
        scene.line(frame.x(0), frame.top, frame.x(0), frame.bottom, "soft", dash=(3.0, 2.0))
    for index, (name, span) in enumerate(zip(names, spans, strict=True)):
        y = frame.top + 26 * index + 13
        label = shorten(name, 140, NORMAL)
        scene.write(frame.left - 16, y + 4, label, size=NORMAL, anchor="end", title=name)
        if not math.isfinite(span.value):
            scene.write(width - 60, y + 4, "none", color="soft", size=SMALL)
            continue
        left, right = (frame.x(bound) for bound in span.bounds())
        scene.line(left, y, right, y, series_color(index), width=2.5)
        scene.add(marker(index, frame.x(span.value), y, 5.0))
        sign = "+" if zero else ""
        scene.write(width - 60, y + 4, f"{span.value:{sign}.2f}", color="soft", size=SMALL)
    middle = (frame.left + frame.right) / 2
    title = shorten(title, width - 40, NORMAL)
    scene.write(middle, frame.bottom + 38, title, size=NORMAL, anchor="middle")
    return scene
