"""Scores by buckets of segments: small multiples and a table for each grouping."""

from __future__ import annotations

from html import escape

from paragauge.meta.significance.buckets import Grouping
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots import Curve, curve_plot
from paragauge.report.pages.blocks.html import Cell, Section, details, figure, paragraph, sortable_table
from paragauge.report.pages.sections.evaluation import Evaluation

MOST_CURVES = 12


def buckets(evaluation: Evaluation) -> Section | None:
    """Which segments a system is good at; None if no grouping splits the corpus."""
    if not evaluation.groupings:
        return None
    parts = [
        paragraph(
            "Corpus scores of the segments in each bucket, with intervals from a bootstrap of these "
            "segments. Buckets with few segments have wide ones.",
            "soft",
        )
    ]
    for grouping in evaluation.groupings:
        parts.append(f"<h3>{escape(grouping.title)}</h3>")
        drawn = "".join(figure(scene) for scene in bucket_plots(evaluation, grouping).values())
        parts.append(f'<div class="multiples">{drawn}</div>')
        if grouping.segments < evaluation.sheet.segments:
            parts.append(paragraph(f"Segments grouped: {grouping.segments:,}.", "soft"))
        parts.append(details("The numbers", _table(evaluation, grouping)))
    return Section("buckets", "Scores by kind of segment", "".join(parts))


def bucket_plots(evaluation: Evaluation, grouping: Grouping) -> dict[str, Scene]:
    """A plot for each metric, by label: the first systems' scores over the buckets."""
    scenes = {}
    systems = evaluation.systems[:MOST_CURVES]
    for label in evaluation.labels:
        curves = []
        for system in systems:
            scores = grouping.scores[system, label]
            curves.append(
                Curve(
                    system,
                    list(range(len(scores))),
                    [score.value for score in scores],
                    [score.low for score in scores] if evaluation.sheet.bootstrap else None,
                    [score.high for score in scores] if evaluation.sheet.bootstrap else None,
                )
            )
        scenes[label] = curve_plot(
            curves,
            titles=(grouping.title, evaluation.title(label)),
            names=grouping.buckets,
            bands=False,
            title=evaluation.title(label),
            width=460,
            height=300,
        )
        if len(systems) < len(evaluation.systems):
            scenes[label].caption = f"The first {len(systems)} systems; the table has all."
    return scenes


def _table(evaluation: Evaluation, grouping: Grouping) -> str:
    rows = []
    for i, (name, count) in enumerate(zip(grouping.buckets, grouping.counts, strict=True)):
        for system in evaluation.systems:
            cells = [Cell(escape(name), i), Cell.number(count, ","), Cell.text(system)]
            for label in evaluation.labels:
                score = grouping.scores[system, label][i]
                bounds = "" if score.low is None else f"[{score.low:.2f}, {score.high:.2f}]"
                cells += [Cell.number(score.value), Cell.text(bounds, "soft")]
            rows.append(cells)
    header = ["bucket", "segments", "system"]
    for label in evaluation.labels:
        header += [evaluation.title(label), ""]
    return sortable_table(header, rows)
