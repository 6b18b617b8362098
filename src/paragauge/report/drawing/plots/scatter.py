"""Scatter plot of two values per segment, with jitter and a fitted line.

Ratings have few distinct values, so points overlap; `jitter` moves each by a uniform draw of at most
that much in both directions, as in figure 3 of Liu, Dahlmeier and Ng (2010, PEM).
The line is that of least squares; its band is the 95% confidence band of the mean,

    y(x) ± t(0.975, n - 2) s sqrt(1/n + (x - mean)² / Sxx)

Jitter affects only the drawing: line and correlation are those of the data. More than `MOST_POINTS`
points are drawn as hexagons, darker the more points they hold, and the caption says so.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from paragauge.errors import ShapeError
from paragauge.kernels.layout import Floats
from paragauge.meta.significance.distributions import student_bound
from paragauge.report.drawing.canvas import Circle, Path, Scene, Style
from paragauge.report.drawing.plots.axes import Frame, clamp_points, pad_range

MOST_POINTS = 2000
_SHADES = 8


def scatter_plot(
    x: ArrayLike,
    y: ArrayLike,
    *,
    titles: tuple[str, str],
    jitter: float = 0.0,
    fit: bool = True,
    seed: int = 7,
    width: float = 560,
    height: float = 400,
) -> Scene:
    """Points (x, y), both [n]; pairs with an undefined value are left out and counted.

    >>> scene = scatter_plot([1, 2, 3], [2, 4, 6], titles=("a", "b"))
    >>> scene.caption
    '3 points. Pearson r = 1.000; line: least squares with its 95% band.'
    """
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if across.ndim != 1 or across.shape != up.shape:
        raise ShapeError(f"expected as many x as y, found shapes {across.shape} and {up.shape}")
    known = np.isfinite(across) & np.isfinite(up)
    missing = int((~known).sum())
    across, up = across[known], up[known]
    frame = Frame(
        62,
        14,
        width - 18,
        height - 54,
        pad_range([*_ends(across, jitter)]),
        pad_range([*_ends(up, jitter)]),
    )
    scene = Scene(width, height, f"{titles[1]} over {titles[0]}")
    frame.draw(scene, titles)
    draw = np.random.default_rng(seed).uniform(-jitter, jitter, (2, len(across)))
    notes = [f"{len(across):,} point{'s' * (len(across) != 1)}"]
    if len(across) > MOST_POINTS:
        notes[0] += " in hexagons, darker where there are more"
        _hexagons(scene, frame, across + draw[0], up + draw[1])
    else:
        style = Style(fill="series0", opacity=0.55 if len(across) > 60 else 0.85)
        for px, py in zip((across + draw[0]).tolist(), (up + draw[1]).tolist(), strict=True):
            scene.add(Circle(frame.x(px), frame.y(py), 2.6 if len(across) > 300 else 3.4, style))
    if jitter:
        notes.append(f"moved by up to {jitter:g} to separate equal ones")
    if missing:
        notes.append(f"{missing:,} without a value left out")
    scene.caption = "; ".join(notes) + "."
    if len(across) > 2 and np.ptp(across) > 0 and np.ptp(up) > 0:
        scene.caption += f" Pearson r = {np.corrcoef(across, up)[0, 1]:.3f}"
        if fit:
            _line(scene, frame, across, up)
            scene.caption += "; line: least squares with its 95% band"
        scene.caption += "."
    return scene


def _ends(values: Floats, jitter: float) -> tuple[float, ...]:
    if len(values) == 0:
        return ()
    return float(values.min()) - jitter, float(values.max()) + jitter


def _line(scene: Scene, frame: Frame, x: Floats, y: Floats) -> None:
    n, mean = len(x), float(x.mean())
    spread = float(((x - mean) ** 2).sum())
    slope = float(((x - mean) * (y - y.mean())).sum()) / spread
    level = float(y.mean()) - slope * mean
    error = math.sqrt(max(0.0, float(((y - level - slope * x) ** 2).sum())) / (n - 2))
    reach = student_bound(0.05, n - 2) * error
    places = np.linspace(*frame.across, 41).tolist()
    half = [reach * math.sqrt(1 / n + (place - mean) ** 2 / spread) for place in places]
    middle = [level + slope * place for place in places]
    upper = [(frame.x(p), frame.y(m + h)) for p, m, h in zip(places, middle, half, strict=True)]
    lower = [(frame.x(p), frame.y(m - h)) for p, m, h in zip(places, middle, half, strict=True)]
    band = tuple(clamp_points(frame, [*upper, *reversed(lower)]))
    scene.add(Path(band, Style(fill="series1", opacity=0.22), closed=True))
    ends = [(frame.x(p), frame.y(m)) for p, m in zip(places, middle, strict=True)]
    visible = [point for point in ends if frame.top <= point[1] <= frame.bottom]
    if len(visible) > 1:
        scene.add(Path(tuple(visible), Style(stroke="series1", width=2.0)))


def _hexagons(scene: Scene, frame: Frame, x: Floats, y: Floats) -> None:
    """Counts in a hexagonal grid; shades are equal steps of the logarithm of the count."""
    size = 6.5
    column, row = size * math.sqrt(3), size * 1.5
    px = frame.left + (x - frame.across[0]) / (frame.across[1] - frame.across[0]) * (
        frame.right - frame.left
    )
    py = frame.bottom - (y - frame.up[0]) / (frame.up[1] - frame.up[0]) * (frame.bottom - frame.top)
    best = np.full(len(x), np.inf)
    cells = np.zeros((len(x), 2), np.int64)
    # The center nearest to a point is in one of the two rows around it.
    for below in (0, 1):
        down = np.floor(py / row).astype(np.int64) + below
        shift = np.where(down % 2 == 0, 0.0, column / 2)
        right = np.round((px - shift) / column).astype(np.int64)
        far = (px - right * column - shift) ** 2 + (py - down * row) ** 2
        nearer = far < best
        best[nearer] = far[nearer]
        cells[nearer] = np.stack([right, down], axis=1)[nearer]
    centers, counts = np.unique(cells, axis=0, return_counts=True)
    shades = np.ceil(_SHADES * np.log1p(counts) / np.log1p(counts.max())).astype(int)
    corners = [(math.sin(math.radians(60 * k)), math.cos(math.radians(60 * k))) for k in range(6)]
    for (right, down), shade in zip(centers.tolist(), shades.tolist(), strict=True):
        center = right * column + (down % 2) * column / 2, down * row
        outline = [(center[0] + size * a, center[1] + size * b) for a, b in corners]
        style = Style(fill="series0", opacity=0.12 + 0.88 * shade / _SHADES)
        scene.add(Path(tuple(clamp_points(frame, outline)), style, closed=True))
