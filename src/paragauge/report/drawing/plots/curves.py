"""Curves with intervals: correlation over the number of references, precision over recall, buckets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.errors import ShapeError
from paragauge.report.drawing.canvas import Path, Scene, Style, marker, series_color, series_dash
from paragauge.report.drawing.plots.axes import Frame, legend, legend_height, pad_range

MOST_PLACES = 12  # up to this many whole numbers, each gets its own tick


@dataclass(frozen=True)
class Curve:
    """Points (x, y) of one series in drawing order, with `low` and `high` if they have intervals."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None


def curve_plot(
    curves: Sequence[Curve],
    *,
    titles: tuple[str, str],
    names: Sequence[str] | None = None,
    bands: bool = True,
    title: str = "",
    across: tuple[float, float] | None = None,
    up: tuple[float, float] | None = None,
    width: float = 560,
    height: float = 360,
) -> Scene:
    """Curves with their intervals as bands, or as whiskers when `bands` is false.

    `names` makes the x axis categorical: point i of a curve has x = i, and the whiskers of several
    curves stand side by side. `across` and `up` fix the ranges, for example (0, 1) for both of a
    precision/recall curve.
    """
    for curve in curves:
        lengths = {len(curve.x), len(curve.y), *(len(b) for b in (curve.low, curve.high) if b)}
        if len(lengths) != 1:
            raise ShapeError(f"curve '{curve.name}': expected as many x as y, low and high")
    labels = [curve.name for curve in curves]
    key = legend_height(labels, width, dashes=True) if len(curves) > 1 else 0.0
    scene = Scene(width, height + key, title or f"{titles[1]} over {titles[0]}")
    values = [
        float(value)
        for curve in curves
        for column in (curve.y, curve.low or (), curve.high or ())
        for value in column
        if value is not None
    ]
    places = [float(value) for curve in curves for value in curve.x]
    if names is not None:
        across = (-0.5, len(names) - 0.5)
    elif across is None:
        across = pad_range(places)
    top = 32 if title else 14
    frame = Frame(62, top, width - 18, height - 54, across, up or pad_range(values))
    if title:
        scene.write(frame.left, 18, title, size=12.5, bold=True)
    at = sorted(set(places))
    if names is not None:
        frame.draw(scene, titles, list(enumerate(names)))
    elif len(at) <= MOST_PLACES and all(place.is_integer() for place in at):
        frame.draw(scene, titles, [(place, f"{place:g}") for place in at])
    else:
        frame.draw(scene, titles)
    step = 0.36 / max(1, len(curves)) if names is not None and not bands else 0.0
    for index, curve in enumerate(curves):
        shift = step * (index - (len(curves) - 1) / 2)
        _curve(scene, frame, curve, index, shift, bands=bands)
    if len(curves) > 1:
        legend(scene, labels, height + 4, dashes=True)
    return scene


def _curve(scene: Scene, frame: Frame, curve: Curve, index: int, shift: float, *, bands: bool) -> None:
    color = series_color(index)
    points = []
    bounds = []
    for i, (x, y) in enumerate(zip(curve.x, curve.y, strict=True)):
        if not (math.isfinite(x) and math.isfinite(y)):
            continue
        low = curve.low[i] if curve.low else None
        high = curve.high[i] if curve.high else None
        place = frame.x(x + shift)
        points.append((place, frame.y(y)))
        bounds.append((place, frame.y(y if low is None else low), frame.y(y if high is None else high)))
    if not points:
        return
    if bands and curve.low:
        outline = [(x, low) for x, low, _ in bounds] + [(x, high) for x, _, high in reversed(bounds)]
        scene.add(Path(tuple(outline), Style(fill=color, opacity=0.15), closed=True))
    elif curve.low:
        for x, low, high in bounds:
            scene.line(x, low, x, high, color, width=1.4, opacity=0.75)
    if len(points) > 1:
        look = Style(stroke=color, width=1.8, dash=series_dash(index))
        scene.add(Path(tuple(points), look))
    if len(points) <= 60:
        for x, y in points:
            scene.add(marker(index, x, y, 3.8, curve.name))
