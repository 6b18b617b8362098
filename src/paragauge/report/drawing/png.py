"""A scene as a PNG picture: its SVG, drawn by resvg at a multiple of its size in pixels.

Text is set in DejaVu Sans, which comes with the package, and in no other font, so that a picture does
not depend on the fonts of a machine. It has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and
Arabic letters; a character that it lacks is drawn as a box. resvg is an extra (`paragauge[plot]`) and
is loaded only here.
"""

from __future__ import annotations

import importlib.util
from importlib import resources

from paragauge.errors import MissingExtraError
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.svg import standalone_svg

SCALE = 3.0  # 288 dots per inch of 96 pixels, enough for print
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def require_resvg() -> None:
    """Raise an error that says how to install resvg if it is missing."""
    if importlib.util.find_spec("resvg_py") is None:
        raise MissingExtraError("resvg_py, which draws PNG,", "plot")


def png_bytes(scene: Scene, theme: str = "light", scale: float = SCALE) -> bytes:
    """The picture in the colors of a theme, `scale` dots for each pixel of the scene.

    >>> png_bytes(Scene(20, 10, "nothing"))[:4]
    b'\\x89PNG'
    """
    svg = standalone_svg(scene, theme)
    require_resvg()
    from resvg_py import svg_to_bytes

    fonts = resources.files("paragauge.report").joinpath("assets", "fonts")
    return svg_to_bytes(
        svg_string=svg,
        zoom=scale,
        skip_system_fonts=True,
        font_files=[str(fonts.joinpath(name)) for name in FONTS],
    )
