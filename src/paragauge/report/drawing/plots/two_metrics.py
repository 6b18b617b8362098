"""One point per system in the plane of two metrics, each with its confidence ellipse.

The ellipse is that of the bootstrap replicates (x, y) of a system, which are paired: both metrics are
computed on the same resample of segments. With C the covariance matrix of the replicates, it is the
set of points z around the score with

    (z - score)' C^-1 (z - score) = -2 ln(1 - level)

the quantile of chi-squared with two degrees of freedom, which holds `level` of a normal distribution.
Names stand beside their points, do not overlap and stay inside the picture; a thin line leads to a
name that had to move away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.report.drawing.canvas import (
    Mark,
    Path,
    Scene,
    Style,
    Text,
    marker,
    series_color,
    shorten,
)
from paragauge.report.drawing.plots.axes import Frame, pad_range

Box = tuple[float, float, float, float]
_LONGEST = 150.0
MOST_FILLED = 8


def plane_plot(
    names: Sequence[str],
    x: Sequence[float],
    y: Sequence[float],
    *,
    titles: tuple[str, str],
    replicates: Sequence[tuple[Floats, Floats]] | None = None,
    level: float = 0.95,
    width: float = 640,
    height: float = 440,
) -> Scene:
    """Systems at (x, y); `replicates` are the resampled scores of each, two float64 [bootstrap]."""
    ellipses = [
        ellipse(a, b, replicates[i], level) if replicates else []
        for i, (a, b) in enumerate(zip(x, y, strict=True))
    ]
    known = [i for i in range(len(names)) if math.isfinite(x[i]) and math.isfinite(y[i])]
    outlines = [point for i in known for point in [(x[i], y[i]), *ellipses[i]]]
    frame = Frame(
        62,
        14,
        width - 18,
        height - 54,
        pad_range([point[0] for point in outlines]),
        pad_range([point[1] for point in outlines]),
    )
    scene = Scene(width, height, f"{titles[1]} over {titles[0]}, one point per system")
    frame.draw(scene, titles)
    for i in known:
        if ellipses[i]:
            outline = tuple((frame.x(a), frame.y(b)) for a, b in ellipses[i])
            color = series_color(i)
            # Many overlapping fills would be unreadable.
            shade = 0.16 if len(names) <= MOST_FILLED else 0.05
            scene.add(Path(outline, Style(fill=color, opacity=shade), closed=True))
            scene.add(Path(outline, Style(stroke=color, width=1.2, opacity=0.8), closed=True))
    points = {i: (frame.x(x[i]), frame.y(y[i])) for i in known}
    labels, left_out = _labels(frame, {i: names[i] for i in known}, points)
    scene.add(*[mark for mark in labels if isinstance(mark, Path)])
    metrics = [title.split(":")[0] for title in titles]
    for i in known:
        title = f"{names[i]}: {metrics[0]} {x[i]:.2f}, {metrics[1]} {y[i]:.2f}"
        scene.add(marker(i, *points[i], 5.5, title))
    scene.add(*[mark for mark in labels if isinstance(mark, Text)])
    if replicates:
        scene.caption = f"Ellipses hold {100 * level:g}% of the bootstrap's resamples."
    if left_out:
        scene.caption += f" Names without room: {', '.join(left_out)}."
    if len(known) < len(names):
        without = [name for i, name in enumerate(names) if i not in known]
        scene.caption += f" Without a score: {', '.join(without)}."
    scene.caption = scene.caption.strip()
    return scene


def ellipse(
    x: float, y: float, replicates: tuple[Floats, Floats], level: float
) -> list[tuple[float, float]]:
    """The outline of the confidence ellipse around (x, y), in 48 points; none if it is undefined.

    >>> spread = np.array([-1.0, 1.0, -1.0, 1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    >>> outline = ellipse(0, 0, spread, 0.95)
    >>> round(max(a for a, _ in outline), 3)  # sqrt(4/3 * -2 ln 0.05)
    2.826
    """
    both = np.stack(replicates)
    both = both[:, np.isfinite(both).all(axis=0)]
    if both.shape[1] < 3 or not (math.isfinite(x) and math.isfinite(y)):
        return []
    values, vectors = np.linalg.eigh(np.cov(both))
    axes = vectors * np.sqrt(np.maximum(values, 0) * -2 * math.log(1 - level))
    angles = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    outline = axes @ np.stack([np.cos(angles), np.sin(angles)])
    return [(x + a, y + b) for a, b in outline.T.tolist()]


def _labels(
    frame: Frame, names: dict[int, str], points: dict[int, tuple[float, float]]
) -> tuple[list[Mark], list[str]]:
    """Names with the lines that lead to them, and the names that did not fit."""
    boxes: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in points.values()]
    edge = (frame.left + 2, frame.top + 2, frame.right - 2, frame.bottom - 2)
    marks: list[Mark] = []
    left_out = []
    for i, name in names.items():
        short = shorten(name, _LONGEST, 12, bold=True)
        for label, lead in _places(*points[i], short, name):
            box = label.extent()
            if _within(box, edge) and not any(_overlap(box, other) for other in boxes):
                boxes.append(box)
                marks += [*([lead] if lead is not None else []), label]
                break
        else:
            left_out.append(name)
    return marks, left_out


def _places(x: float, y: float, short: str, name: str) -> list[tuple[Text, Path | None]]:
    """Where a name may stand, the best place first."""
    places = []
    title = name if short != name else ""
    for far in (10.0, 18.0, 30.0, 44.0, 60.0, 80.0, 105.0, 135.0, 170.0, 210.0):
        for angle in (-30, 30, 210, 150, -75, 75, 0, 180, -105, 105):
            dx, dy = far * math.cos(math.radians(angle)), far * math.sin(math.radians(angle))
            anchor = "middle" if abs(dx) < 0.4 * far else "start" if dx > 0 else "end"
            label = Text(x + dx, y + dy + 4, short, size=12, anchor=anchor, bold=True, title=title)
            lead = None
            if far > 20:
                lead = Path(((x, y), (x + 0.94 * dx, y + 0.94 * dy)), Style(stroke="soft", width=0.8))
            places.append((label, lead))
    return places


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _within(box: Box, edge: Box) -> bool:
    return box[0] >= edge[0] and box[1] >= edge[1] and box[2] <= edge[2] and box[3] <= edge[3]
