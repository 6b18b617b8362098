"""The distribution of segment scores, and how the first two metrics relate."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots import histogram_plot, scatter_plot
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    details,
    figure,
    paragraph,
    small,
    sortable_table,
    system_cell,
    system_name,
)
from paragauge.report.pages.sections.evaluation import Evaluation

MOST_PLOTS = 12


def distributions(evaluation: Evaluation) -> Section:
    """A histogram for each system and metric."""
    examples, systems = evaluation.examples, evaluation.systems
    limits = {}
    for label in evaluation.labels:
        values = np.concatenate([examples.values(system, label) for system in systems])
        known = values[~np.isnan(values)]
        low, high = float(known.min(initial=0.0)), float(known.max(initial=100.0))
        limits[label] = math.floor(min(0.0, low)), math.ceil(max(100.0, high))
    rows = []
    for index, system in enumerate(systems):
        cells = [system_cell(system, index)]
        for label in evaluation.labels:
            values = examples.values(system, label)
            known = values[~np.isnan(values)]
            middle = float(np.median(known)) if len(known) else None
            name = f"{evaluation.title(label)} of the segments of {system}"
            drawn = small(histogram_plot(values, *limits[label], index, name))
            median = "no score" if middle is None else f"median {middle:.1f}"
            cells.append(Cell(f'{drawn}<span class="soft">{median}</span>', middle, "score"))
        rows.append(cells)
    header = ["system"]
    for label in evaluation.labels:
        low, high = limits[label]
        header.append(f"{evaluation.title(label)}, {low:g} to {high:g}")
    html = sortable_table(header, rows)
    if evaluation.partial():
        html += paragraph(evaluation.partial(), "soft")
    plots = segment_plots(evaluation)
    if plots:
        drawn = "".join(
            f"<div><h4>{system_name(system, index)}</h4>{figure(scene)}</div>"
            for (system, index), scene in plots.items()
        )
        summary = escape(f"{next(iter(plots.values())).label}, segment by segment")
        html += details(summary, f'<div class="multiples">{drawn}</div>')
    return Section("spread", "Distribution of segment scores", html)


def segment_plots(evaluation: Evaluation) -> dict[tuple[str, int], Scene]:
    """The first metric against the second, one plot for each of the first systems."""
    if len(evaluation.labels) < 2:
        return {}
    first, second = evaluation.labels[:2]
    return {
        (system, index): scatter_plot(
            evaluation.examples.values(system, second),
            evaluation.examples.values(system, first),
            titles=(evaluation.title(second), evaluation.title(first)),
            width=460,
            height=330,
        )
        for index, system in enumerate(evaluation.systems[:MOST_PLOTS])
    }
