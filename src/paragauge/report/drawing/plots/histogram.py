"""The distribution of values as a histogram of 20 bars."""

from __future__ import annotations

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.report.drawing.canvas import Scene, series_color
from paragauge.report.drawing.plots.axes import bar

BINS = 20


def histogram_plot(values: Floats, low: float, high: float, index: int, label: str) -> Scene:
    """Counts between `low` and `high` in the color of series `index`; NaN is not counted."""
    width, height = 180.0, 46.0
    counts, _ = np.histogram(values[~np.isnan(values)], bins=BINS, range=(low, high))
    heights = counts / max(1, int(counts.max())) * (height - 4)
    step = width / BINS
    scene = Scene(width, height, label)
    scene.line(0, height - 0.5, width, height - 0.5, "grid")
    for i, size in enumerate(heights.tolist()):
        if size > 0:
            tall = max(size, 0.75)
            scene.add(bar(i * step + 0.5, height - 1 - tall, step - 1, tall, series_color(index)))
    return scene
