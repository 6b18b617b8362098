"""A scene as a PNG picture, drawn by matplotlib's Agg at a multiple of its size in pixels.

matplotlib only draws the primitives of the scene, so that a PNG shows what the SVG shows. It is an
extra (`paragauge[plot]`) and is loaded only here.
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Mapping
from typing import Any

from paragauge.errors import MissingExtraError, unknown_name
from paragauge.report.drawing.canvas import THEMES, Circle, Mark, Rect, Scene, Text

SCALE = 3.0  # 288 dots per inch of 96 pixels, enough for print


def require_matplotlib() -> None:
    """Raise an error that says how to install matplotlib if it is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot")


def png_bytes(scene: Scene, theme: str = "light", scale: float = SCALE) -> bytes:
    """The picture in the colors of a theme, `scale` dots for each pixel of the scene."""
    if theme not in THEMES:
        raise unknown_name("theme", theme, THEMES)
    require_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    colors = THEMES[theme]
    with rc_context({"font.family": ["DejaVu Sans"], "path.simplify": False}):
        figure = Figure((scene.width / 96, scene.height / 96), dpi=96 * scale)
        figure.patch.set_facecolor(colors["back"])
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, scene.width)
        axes.set_ylim(scene.height, 0)
        for order, mark in enumerate(scene.marks):
            axes.add_artist(_artist(mark, colors, order))
        out = io.BytesIO()
        # Without a date and a version, the same scene gives the same bytes.
        figure.savefig(out, format="png", dpi=96 * scale, metadata={"Software": None})
    return out.getvalue()


def _artist(mark: Mark, colors: Mapping[str, str], order: int) -> Any:
    """The matplotlib artist of a mark; its lengths are in points of 1/72 inch."""
    from matplotlib import patches
    from matplotlib.path import Path as Outline
    from matplotlib.text import Text as Writing

    point = 72 / 96
    if isinstance(mark, Text):
        return Writing(
            mark.x,
            mark.y,
            mark.text,
            color=colors[mark.color],
            fontsize=mark.size * point,
            fontweight="bold" if mark.bold else "normal",
            ha={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
            va="baseline",
            rotation=-mark.turn,
            rotation_mode="anchor",
            parse_math=False,
            zorder=order,
        )
    style = mark.style
    look: dict[str, Any] = {
        "facecolor": colors[style.fill] if style.fill else "none",
        "edgecolor": colors[style.stroke] if style.stroke else "none",
        "linewidth": style.width * point if style.stroke else 0.0,
        "alpha": style.opacity,
        "zorder": order,
    }
    if style.dash:
        look["linestyle"] = (0, [length / style.width for length in style.dash])
    if isinstance(mark, Circle):
        return patches.Circle((mark.x, mark.y), mark.radius, **look)
    if isinstance(mark, Rect):
        return patches.Rectangle((mark.x, mark.y), mark.width, mark.height, **look)
    points = [*mark.points, mark.points[0]] if mark.closed else list(mark.points)
    return patches.PathPatch(Outline(points, closed=mark.closed), capstyle="butt", **look)
