"""Correlation over the number of references (Chen and Dolan 2011, figure 4)."""

from __future__ import annotations

import math

from paragauge.meta.correlation.curves import ReferenceCurve
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots.curves import Curve, curve_plot
from paragauge.report.statistic_titles import STATISTIC_TITLES


def reference_plot(curve: ReferenceCurve) -> Scene:
    """The two lines of a reference curve with their bands."""
    lines = []
    for source, name in ((False, "without the source"), (True, "with the source")):
        points = [point for point in curve.points if point.source is source]
        lines.append(
            Curve(
                name,
                [float(point.references) for point in points],
                [math.nan if point.value is None else point.value for point in points],
                [point.low for point in points],
                [point.high for point in points],
            )
        )
    name = f"{STATISTIC_TITLES[curve.statistic]} of {curve.title} with {curve.criterion}"
    return curve_plot(lines, titles=("number of references", name))
