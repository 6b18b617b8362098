"""The scores of all systems under all metrics, with intervals."""

from __future__ import annotations

import math
from html import escape

from paragauge.metrics.corpus_score import Score
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots import Span, interval_bar, interval_plot
from paragauge.report.drawing.plots.axes import pad_range
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    paragraph,
    small,
    sortable_table,
    system_cell,
)
from paragauge.report.pages.sections.evaluation import Evaluation


def span_of(score: Score) -> Span:
    """A score's value and interval."""
    return Span(score.value, score.low, score.high)


def parts_line(score: Score) -> str:
    """The parts that a metric always shows, each on a line below its score; empty if there are none."""
    rows = "".join(
        f"<dt>{escape(title)}</dt><dd>{score.parts[name]:.2f}</dd>"
        for name, title in score.shown_parts.items()
    )
    return f'<dl class="beside">{rows}</dl>' if rows else ""


def scores(evaluation: Evaluation) -> Section:
    """One row per system, one column per metric."""
    sheet, systems, labels = evaluation.sheet, evaluation.systems, evaluation.labels
    limits = {}
    for label in labels:
        spans = [span_of(sheet[name, label]) for name in systems]
        limits[label] = pad_range([bound for span in spans for bound in span.bounds()])
    rows = []
    for index, system in enumerate(systems):
        cells = [system_cell(system, index)]
        for label in labels:
            score = sheet[system, label]
            bar = small(interval_bar(span_of(score), *limits[label], index))
            bounds = ""
            if score.low is not None:
                bounds = f' <span class="soft">[{score.low:.2f}, {score.high:.2f}]</span>'
            content = "none" if math.isnan(score.value) else f"<b>{score.value:.2f}</b>"
            value = None if math.isnan(score.value) else score.value
            content = f'<span class="value">{content}{bounds}</span>{bar}{parts_line(score)}'
            cells.append(Cell(content, value, "score"))
        rows.append(cells)
    header = ["system"]
    for label in labels:
        arrow = "" if evaluation.higher_is_better(label) else " (lower is better)"
        header.append(evaluation.title(label) + arrow)
    note = ""
    if sheet.bootstrap:
        note = paragraph(
            f"Brackets and bars: {100 * sheet.level:g}% intervals. The bars of a metric share a scale "
            "that covers all of them and may not start at 0.",
            "soft",
        )
    return Section("scores", "Scores", sortable_table(header, rows) + note)


def score_plots(evaluation: Evaluation) -> dict[str, Scene]:
    """One plot of values with intervals for each metric, by label."""
    return {
        label: interval_plot(
            evaluation.systems,
            [span_of(evaluation.sheet[name, label]) for name in evaluation.systems],
            title=evaluation.title(label),
        )
        for label in evaluation.labels
    }
