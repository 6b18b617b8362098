"""Save plots to files: SVG or PNG, by the extension."""

from __future__ import annotations

import re
from pathlib import Path

from paragauge.errors import SettingError, unknown_name
from paragauge.report.drawing.canvas import THEMES, Scene
from paragauge.report.drawing.png import png_bytes, require_resvg
from paragauge.report.drawing.svg import standalone_svg
from paragauge.text.files import atomic_path

PLOT_FORMATS = ("svg", "png")


def check_plot(path: str | Path, theme: str) -> str:
    """The format that the name asks for; raises an error if the format or the theme is unknown."""
    if theme not in THEMES:
        raise unknown_name("theme", theme, THEMES)
    form = Path(path).suffix[1:].lower()
    if form not in PLOT_FORMATS:
        raise SettingError(f"{path}: expected a name that ends in .svg or .png")
    if form == "png":
        require_resvg()
    return form


def save_plot(scene: Scene, path: str | Path, theme: str = "light") -> None:
    """Write a plot to `path`, which ends in .svg or .png and appears when it is complete."""
    form = check_plot(path, theme)
    content = png_bytes(scene, theme) if form == "png" else standalone_svg(scene, theme).encode()
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def file_name(text: str) -> str:
    """A text as part of a file's name.

    >>> file_name("BLEU:smooth=floor"), file_name("../x")
    ('bleu-smooth-floor', 'x')
    """
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-") or "plot"
