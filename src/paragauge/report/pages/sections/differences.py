"""Differences from the baseline with their significance, and who beats whom among all systems."""

from __future__ import annotations

import math
from dataclasses import replace
from html import escape

from paragauge.meta.significance.comparison import Comparison
from paragauge.meta.significance.system_pairs import Pairwise, pairwise
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots import Span, interval_bar, matrix_plot
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    figure,
    p_cell,
    paragraph,
    small,
    sortable_table,
    system_cell,
)
from paragauge.report.pages.sections.evaluation import Evaluation
from paragauge.report.pages.sections.scores import parts_line
from paragauge.report.tables.score_tables import CORRECTED, test_note

FEWEST = 3  # the table already compares two systems


def differences(evaluation: Evaluation) -> Section | None:
    """A table for each metric, and the matrix of all pairs; None without a comparison."""
    comparison = evaluation.comparison
    if comparison is None:
        return None
    parts = [paragraph(test_note(comparison), "soft")]
    for label in evaluation.labels:
        parts.append(f"<h3>{escape(evaluation.title(label))}</h3>")
        parts.append(_table(evaluation, comparison, label))
    matrices = significance_plots(evaluation)
    if matrices:
        parts.append("<h3>Who beats whom</h3>")
        drawn = "".join(figure(scene, "") for scene in matrices.values())
        caption = next(iter(matrices.values())).caption
        parts.append(f'<div class="multiples">{drawn}</div>' + paragraph(caption, "soft"))
    return Section("differences", f"Differences from {comparison.baseline}", "".join(parts))


def _table(evaluation: Evaluation, comparison: Comparison, label: str) -> str:
    members = [row for row in comparison.differences if row.metric == label]
    spans = [Span(row.difference, row.low, row.high) for row in members]
    bounds = [abs(bound) for span in spans for bound in span.bounds() if not math.isnan(bound)]
    reach = 1.06 * max([1e-3, *bounds])
    tests = {"p_randomization": "p (rand.)"} if comparison.randomization else {}
    tests |= {"p_bootstrap": "p (boot.)"} if comparison.sheet.bootstrap else {}
    rows = []
    for row, span in zip(members, spans, strict=True):
        tone = "soft" if not row.significant else "good" if row.better else "bad"
        index = evaluation.systems.index(row.system)
        value, beside = Cell.number(row.value), parts_line(evaluation.sheet[row.system, label])
        interval = "" if row.low is None else f"[{row.low:+.2f}, {row.high:+.2f}]"
        rows.append(
            [
                system_cell(row.system, index),
                replace(value, html=value.html + beside),
                Cell.number(row.difference, "+.2f"),
                # Before the rest, so that no window is too narrow for it.
                Cell.text(row.verdict, tone),
                Cell.text(interval, "soft"),
                Cell(small(interval_bar(span, -reach, reach, index, zero=True)), row.difference),
                *(p_cell(getattr(row, name)) for name in tests),
                p_cell(row.p_corrected),
            ]
        )
    interval = f"{100 * comparison.sheet.level:g}% interval" if comparison.sheet.bootstrap else ""
    header = ["system", "score", "difference", "verdict", interval, "", *tests.values(), "p corrected"]
    return sortable_table(header, rows)


def significance_plots(evaluation: Evaluation) -> dict[str, Scene]:
    """One matrix of all pairs for each metric, by label; none without resamples."""
    comparison = evaluation.comparison
    if comparison is None or not evaluation.sheet.bootstrap or len(evaluation.systems) < FEWEST:
        return {}
    scenes = {}
    for label in evaluation.labels:
        pairs = pairwise(
            evaluation.sheet, label, alpha=comparison.alpha, correction=comparison.correction
        )
        scene = scenes[label] = matrix_plot(
            pairs.systems,
            pairs.p_values,
            pairs.better,
            title=evaluation.title(label),
            alpha=comparison.alpha,
            clusters=pairs.clusters,
            width=460 if len(pairs.systems) <= 6 else 760,
        )
        scene.caption = f"{_pairs_note(comparison, pairs)} {scene.caption}"
    return scenes


def _pairs_note(comparison: Comparison, pairwise: Pairwise) -> str:
    """Which p-values a matrix shows."""
    count = len(pairwise.systems) * (len(pairwise.systems) - 1) // 2
    correction = CORRECTED[comparison.correction]
    if pairwise.correction == comparison.correction:
        over = f"{correction} over all {count} pairs" if correction else ", not corrected"
        return f"p-values of the paired bootstrap{over}."
    return (
        f"p-values of the paired bootstrap, not corrected: {comparison.sheet.bootstrap} resamples "
        f"cannot bring p{correction} over all {count} pairs below {comparison.alpha:g}."
    )
