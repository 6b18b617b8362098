"""Pictures: a canvas of primitives, SVG and PNG output, and drawings of alignments and derivations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.report.drawing.canvas import (
        Circle,
        Path,
        Rect,
        Scene,
        Style,
        Text,
    )
    from paragauge.report.drawing.save import save_plot
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Circle",
    "Path",
    "Rect",
    "Scene",
    "Style",
    "Text",
    "save_plot",
]
