"""How often good paraphrases win against each kind of candidate: a row a kind, a marker a metric."""

from __future__ import annotations

from paragauge.meta.contrast.evaluation import ContrastSheet
from paragauge.report.drawing.canvas import Scene, marker, series_color, shorten
from paragauge.report.drawing.plots.axes import NORMAL, SMALL, Frame, legend, legend_height, ticks

STEP = 11.0  # between the markers of two metrics in one row
TITLE = "share of comparisons that a good paraphrase wins"


def contrast_plot(sheet: ContrastSheet, *, width: float = 640) -> Scene:
    """The shares of all metrics with their intervals; the dashed line is chance."""
    kinds = [row.kind for row in sheet.metrics[0].kinds if row.wins is not None]
    titles = [one.title for one in sheet.metrics]
    tall = STEP * len(titles) + 13
    bottom = 10 + tall * len(kinds)
    height = bottom + 48
    scene = Scene(width, height + legend_height(titles, width), TITLE)
    frame = Frame(130, 10, width - 24, bottom, (0, 1), (0, 1))
    for tick in ticks(*frame.across):
        scene.line(frame.x(tick), frame.top, frame.x(tick), frame.bottom, "grid")
        place = {"color": "soft", "size": SMALL, "anchor": "middle"}
        scene.write(frame.x(tick), frame.bottom + 17, f"{tick:g}", **place)
    scene.line(frame.x(0.5), frame.top, frame.x(0.5), frame.bottom, "soft", dash=(3.0, 2.0))
    for number, kind in enumerate(kinds):
        top = frame.top + tall * number
        scene.line(frame.left, top, frame.right, top, "grid")
        label = shorten(kind, 110, NORMAL)
        scene.write(frame.left - 12, top + tall / 2 + 4, label, size=NORMAL, anchor="end", title=kind)
        for index, one in enumerate(sheet.metrics):
            wins = one[kind].wins
            if wins is None or wins.value is None:
                continue
            y = top + 12 + STEP * index
            if wins.low is not None and wins.high is not None:
                ends = frame.x(wins.low), y, frame.x(wins.high), y
                scene.line(*ends, series_color(index), width=2.0, opacity=0.6)
            scene.add(marker(index, frame.x(wins.value), y, 4.2, f"{one.title}: {wins.value:.2f}"))
    middle = (frame.left + frame.right) / 2
    scene.write(middle, frame.bottom + 38, TITLE, size=NORMAL, anchor="middle")
    legend(scene, titles, height + 4)
    return scene
