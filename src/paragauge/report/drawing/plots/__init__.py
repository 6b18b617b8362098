"""Plots as scenes, one kind a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.report.drawing.plots.contrast_shares import contrast_plot
    from paragauge.report.drawing.plots.curves import Curve, curve_plot
    from paragauge.report.drawing.plots.histogram import histogram_plot
    from paragauge.report.drawing.plots.intervals import Span, interval_bar, interval_plot
    from paragauge.report.drawing.plots.matrix import matrix_plot
    from paragauge.report.drawing.plots.scatter import scatter_plot
    from paragauge.report.drawing.plots.two_metrics import plane_plot
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Curve",
    "Span",
    "contrast_plot",
    "curve_plot",
    "histogram_plot",
    "interval_bar",
    "interval_plot",
    "matrix_plot",
    "plane_plot",
    "scatter_plot",
]
