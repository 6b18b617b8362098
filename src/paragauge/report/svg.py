"""Small drawings for reports, as SVG text: intervals, a scatter plot, histograms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#a463f2", "#97bbf5", "#9c6b4e")


def colour(index: int) -> str:
    """The colour of the system with this number."""
    return COLOURS[index % len(COLOURS)]


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


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An SVG element; numbers are rounded, ``_`` in a name stands for ``-`` and ends ``class_``.

    >>> tag("text", "a < b", x=1.23456, text_anchor="end", class_="name")
    '<text x="1.235" text-anchor="end" class="name">a &lt; b</text>'
    """
    pairs = []
    for key, value in attributes.items():
        shown = f"{value:.4g}" if isinstance(value, float) else str(value)
        pairs.append(f'{key.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    return f"<{name} {' '.join(pairs)}>{escape(content)}</{name}>"


def drawing(parts: Sequence[str], **attributes: object) -> str:
    """An SVG picture made of elements."""
    opening, closing = tag("svg", role="img", **attributes).split("><")
    return f"{opening}>{''.join(parts)}<{closing}"


def interval_bar(span: Span, low: float, high: float, fill: str, *, zero: bool = False) -> str:
    """A dot with whiskers on a scale from `low` to `high`; with `zero` a line at 0.

    An undefined value has no dot.
    """
    width, height, middle = 220, 18, 9
    scale = (width - 12) / ((high - low) or 1.0)

    def x(value: float) -> float:
        return 6 + (min(max(value, low), high) - low) * scale

    parts = [tag("line", class_="track", x1=6, x2=width - 6, y1=middle, y2=middle)]
    if zero:
        parts.append(tag("line", class_="zero", x1=x(0), x2=x(0), y1=0, y2=height))
    if not math.isnan(span.value):
        left, right = (x(bound) for bound in span.bounds())
        parts.append(tag("line", x1=left, x2=right, y1=middle, y2=middle, stroke=fill, stroke_width=3))
        parts.append(tag("circle", cx=x(span.value), cy=middle, r=4.5, fill=fill))
    label = f"{span.value:.2f}"
    return drawing(parts, class_="bar", width=width, height=height, aria_label=label)


def scatter(
    names: Sequence[str], across: Sequence[Span], up: Sequence[Span], titles: tuple[str, str]
) -> str:
    """Systems as points with both intervals as a cross."""
    width, height, left, top = 560, 380, 56, 16
    right, bottom = width - 16, height - 44
    (x_low, x_high), (y_low, y_high) = _padded(across), _padded(up)

    def x(value: float) -> float:
        return left + (value - x_low) / (x_high - x_low) * (right - left)

    def y(value: float) -> float:
        return bottom - (value - y_low) / (y_high - y_low) * (bottom - top)

    parts = []
    for tick in ticks(x_low, x_high):
        parts.append(tag("line", class_="grid", x1=x(tick), x2=x(tick), y1=top, y2=bottom))
        place = {"x": x(tick), "y": bottom + 16, "text_anchor": "middle"}
        parts.append(tag("text", f"{tick:g}", class_="tick", **place))
    for tick in ticks(y_low, y_high):
        parts.append(tag("line", class_="grid", x1=left, x2=right, y1=y(tick), y2=y(tick)))
        place = {"x": left - 8, "y": y(tick) + 4, "text_anchor": "end"}
        parts.append(tag("text", f"{tick:g}", class_="tick", **place))
    placed: list[tuple[float, float]] = []
    for index, (name, a, b) in enumerate(zip(names, across, up, strict=True)):
        (a_low, a_high), (b_low, b_high) = a.bounds(), b.bounds()
        px, py, stroke = x(a.value), y(b.value), {"stroke": colour(index), "stroke_width": 2}
        parts.append(tag("line", x1=x(a_low), x2=x(a_high), y1=py, y2=py, **stroke))
        parts.append(tag("line", x1=px, x2=px, y1=y(b_low), y2=y(b_high), **stroke))
        parts.append(tag("circle", cx=px, cy=py, r=5, fill=colour(index)))
        at_right = px < width - 130
        label_x, label_y = px + (9 if at_right else -9), py - 8
        while any(abs(label_x - qx) < 90 and abs(label_y - qy) < 14 for qx, qy in placed):
            label_y += 15
        placed.append((label_x, label_y))
        anchor = "start" if at_right else "end"
        parts.append(tag("text", name, class_="name", x=label_x, y=label_y, text_anchor=anchor))
    middle = {"class_": "axis", "text_anchor": "middle"}
    parts.append(tag("text", titles[0], x=(left + right) / 2, y=height - 8, **middle))
    turned = f"translate(14 {(top + bottom) // 2}) rotate(-90)"
    parts.append(tag("text", titles[1], transform=turned, **middle))
    label = f"{titles[1]} over {titles[0]}"
    return drawing(parts, class_="plot", viewBox=f"0 0 {width} {height}", aria_label=label)


def histogram(values: Floats, low: float, high: float, fill: str) -> str:
    """How values are spread between `low` and `high`, in 20 bars."""
    width, height, bins = 220, 48, 20
    counts, _ = np.histogram(values[~np.isnan(values)], bins=bins, range=(low, high))
    heights = counts / max(1, int(counts.max())) * (height - 2)
    step = width / bins
    parts = [tag("line", class_="track", x1=0, x2=width, y1=height, y2=height)]
    for i, size in enumerate(heights.tolist()):
        if size > 0:
            corner = {"x": i * step + 0.5, "y": height - size}
            parts.append(tag("rect", **corner, width=step - 1, height=size, fill=fill))
    return drawing(parts, class_="bar", width=width, height=height, aria_label="histogram")


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between `low` and `high`, about five.

    >>> ticks(0, 100)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw - 1e-12)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def _padded(spans: Sequence[Span]) -> tuple[float, float]:
    bounds = [bound for span in spans for bound in span.bounds()]
    low, high = min(bounds), max(bounds)
    margin = max(1.0, 0.08 * (high - low))
    return low - margin, high + margin
