"""Contrasts: does each metric notice a change of meaning? A table, a plot and what they say."""

from __future__ import annotations

from paragauge.meta.contrast.evaluation import ContrastSheet, KindContrast, MetricContrast
from paragauge.report.drawing.plots.contrast_shares import contrast_plot
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    details,
    figure,
    paragraph,
    sortable_table,
)
from paragauge.report.tables.contrast_tables import contrast_notes, share_text
from paragauge.report.tables.score_tables import join_names

CAPTION = (
    "How often a good paraphrase scores better than another candidate for the same source. "
    "1 is always; the dashed line is chance."
)
PLOT_NAME = "contrasts"


def contrast_section(sheet: ContrastSheet) -> Section:
    """What each metric prefers, a plot, a table, and how it was computed."""
    parts = [paragraph(headline(one)) for one in sheet.metrics]
    parts.append(figure(contrast_plot(sheet), CAPTION))
    parts.append(_table(sheet))
    notes = "".join(paragraph(note) for note in contrast_notes(sheet))
    parts.append(details("How contrasts were computed", notes))
    return Section("contrasts", "Does a metric notice a change of meaning?", "".join(parts))


def headline(contrast: MetricContrast) -> str:
    """The kinds of candidates that one metric prefers to good paraphrases."""
    compared = [row for row in contrast.kinds if row.wins is not None and row.wins.value is not None]
    if not compared:
        return f"{contrast.title} has no comparisons here."
    lost = [row.kind for row in compared if row.wins is not None and (row.wins.value or 0) < 0.5]
    count = len(compared)
    if not lost:
        return f"{contrast.title} prefers good paraphrases to candidates of every other kind."
    return (
        f"{contrast.title} prefers {len(lost)} of {count} other kinds of candidates to good "
        f"paraphrases: {join_names(lost)}."
    )


def _table(sheet: ContrastSheet) -> str:
    header = ["kind"]
    for one in sheet.metrics:
        header += [f"{one.title}: good wins", "mean score"]
    rows = []
    for number, kind in enumerate(row.kind for row in sheet.metrics[0].kinds):
        cells = [Cell.text(kind, "name")]
        for one in sheet.metrics:
            cells += _cells(one.kinds[number])
        rows.append(cells)
    return sortable_table(header, rows, caption="Share of comparisons that good paraphrases win")


def _cells(row: KindContrast) -> list[Cell]:
    wins = Cell("", None, "n")
    if row.wins is not None:
        wins = Cell(share_text(row.wins), row.wins.value, "n")
    return [wins, Cell.number(row.mean.value, ".1f", "n")]
