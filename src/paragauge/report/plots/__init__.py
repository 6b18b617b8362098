"""Plots as scenes, one kind a file."""

from paragauge.report.plots.curves import Curve, curve_plot
from paragauge.report.plots.histogram import histogram_plot
from paragauge.report.plots.intervals import Span, interval_bar, interval_plot
from paragauge.report.plots.matrix import matrix_plot
from paragauge.report.plots.plane import plane_plot
from paragauge.report.plots.scatter import scatter_plot

__all__ = [
    "Curve",
    "Span",
    "curve_plot",
    "histogram_plot",
    "interval_bar",
    "interval_plot",
    "matrix_plot",
    "plane_plot",
    "scatter_plot",
]
