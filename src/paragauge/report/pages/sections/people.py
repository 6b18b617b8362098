"""Agreement with people: which metric to believe, with scatter plots and who beats whom."""

from __future__ import annotations

import itertools
from html import escape

import numpy as np

from paragauge.meta.correlation.correlation import Correlation, Correlations
from paragauge.meta.metrics_and_judges import CriterionAgreement, People
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots import Span, interval_bar, matrix_plot, scatter_plot
from paragauge.report.drawing.save import file_name
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    details,
    figure,
    paragraph,
    small,
    sortable_table,
)
from paragauge.report.tables.correlation_tables import shared_notes
from paragauge.report.tables.score_tables import join_names

FEWEST = 3  # the table already compares two metrics
MATRIX = (
    "Corrected p of the row's agreement against the column's; + and blue: the row agrees better, − and "
    "vermilion: worse; no color: p of {alpha:g} or more. Thick lines separate clusters."
)
SHOWN = 4  # scatter plots that are visible at once; a click opens the others


def people_section(people: People) -> Section:
    """A table for each criterion, plots, and how it was computed."""
    parts = []
    for agreement in people.criteria:
        parts.append(f"<h3>{escape(agreement.criterion)}</h3>")
        parts.append(paragraph(headline(agreement)))
        parts.append(_table(agreement))
        scenes = scatter_plots(people, agreement)
        plots = [
            figure(scene, f"{agreement.pooled[label].title}: {_value(agreement.pooled[label])}")
            for label, scene in scenes.items()
        ]
        parts.append(f'<div class="multiples">{"".join(plots[:SHOWN])}</div>')
        if plots[SHOWN:]:
            more = f'<div class="multiples">{"".join(plots[SHOWN:])}</div>'
            parts.append(details("The other metrics", more))
        jitter = _jitter(people, agreement.criterion)
        moved = f", moved by up to {jitter:g} to separate equal ones" if jitter else ""
        note = f"Each point is a candidate{moved}; lines are least squares with their 95% bands."
        parts.append(paragraph(note, "soft"))
        matrix = metric_matrix(agreement.pooled)
        if matrix is not None:
            parts.append(figure(matrix, MATRIX.format(alpha=agreement.pooled.alpha)))
    notes: dict[str, None] = {}
    for agreement in people.criteria:
        views = [one for one in (agreement.pooled, agreement.system) if one is not None]
        notes.update(dict.fromkeys(shared_notes(views)))
    parts.append(details("How agreement was computed", "".join(paragraph(note) for note in notes)))
    return Section("people", "Agreement with people", "".join(parts))


def headline(agreement: CriterionAgreement) -> str:
    """Which metric agrees best with people on one criterion, and how well the judges agree."""
    best = [row for row in agreement.pooled.rows if agreement.pooled.clusters.get(row.metric) == 1]
    best = best or [row for row in agreement.pooled.rows if row.value is not None][:1]
    if not best:
        text = "No metric has a correlation here."
    else:
        verb = "agrees" if len(best) == 1 else "agree"
        text = f"{join_names([row.title for row in best])} {verb} best with people: {_value(best[0])}."
    pairs = [] if agreement.judges is None else [pair.sentence for pair in agreement.judges.pairs]
    values = [pair.value for pair in pairs if pair.value is not None]
    if values:
        between = f"{min(values):.3f}" + ("" if len(values) == 1 else f" to {max(values):.3f}")
        text += f" Between judges the correlation is {between}."
    return text


def _value(row: Correlation) -> str:
    bounds = "" if row.low is None else f" [{row.low:.3f}, {row.high:.3f}]"
    return "no value" if row.value is None else f"{row.value:.3f}{bounds}"


def _table(agreement: CriterionAgreement) -> str:
    results = [one for one in (agreement.pooled, agreement.system) if one is not None]
    header = ["metric"]
    for one in results:
        pooled = one is agreement.pooled
        header += ["candidates" if pooled else "systems", "interval", *([""] * pooled), "cluster"]
    rows = []
    for row in agreement.pooled.rows:
        cells = [Cell.text(row.title, "name")]
        for one in results:
            mine = one[row.metric]
            note = mine.reason if mine.value is None else ""
            if mine.low is not None:
                note = f"[{mine.low:.3f}, {mine.high:.3f}]"
            span = Span(np.nan if mine.value is None else mine.value, mine.low, mine.high)
            cells += [
                Cell.number(mine.value, ".3f"),
                Cell.text(note, "soft"),
            ]
            if one is agreement.pooled:
                bar = interval_bar(span, -1.0, 1.0, None, zero=True)
                cells.append(Cell(small(bar), mine.value))
            cells.append(Cell.number(one.clusters.get(row.metric), "g"))
        rows.append(cells)
    return sortable_table(header, rows, caption="Pearson's r with the mean ratings")


def scatter_plots(people: People, agreement: CriterionAgreement) -> dict[str, Scene]:
    """Each metric against the ratings on one criterion, by label; best first."""
    ratings = people.judged.means(agreement.criterion)
    scenes = {}
    for row in agreement.pooled.rows:
        values = people.judged.scores[row.metric].values
        known = ~(np.isnan(ratings) | np.isnan(values))
        scenes[row.metric] = scatter_plot(
            values[known],
            ratings[known],
            titles=(row.title, agreement.criterion),
            jitter=_jitter(people, agreement.criterion),
            width=400,
            height=310,
        )
    return scenes


def _jitter(people: People, criterion: str) -> float:
    """Noise that separates equal ratings on a coarse scale; 0 on a fine one."""
    ratings = people.judged.means(criterion)
    levels = np.unique(ratings[~np.isnan(ratings)])
    return 0.35 * float(np.diff(levels).min()) if 1 < len(levels) < 30 else 0.0


def people_plots(people: People) -> dict[str, Scene]:
    """All plots by the names of their files, without the extension."""
    scenes = {}
    for agreement in people.criteria:
        base = f"people-{file_name(agreement.criterion)}"
        for label, scene in scatter_plots(people, agreement).items():
            scenes[f"{base}-{file_name(label)}"] = scene
        matrix = metric_matrix(agreement.pooled)
        if matrix is not None:
            scenes[f"{base}-significance"] = matrix
    return scenes


def metric_matrix(correlations: Correlations) -> Scene | None:
    """Which metric agrees better than which; None for fewer than three."""
    names = [row.metric for row in correlations.rows if row.value is not None]
    if not correlations.differences or len(names) < FEWEST:
        return None
    size = len(names)
    p_values, better = np.ones((size, size)), np.zeros((size, size), np.int64)
    for difference in correlations.differences:
        i, j = names.index(difference.metric), names.index(difference.other)
        p_values[i, j] = p_values[j, i] = difference.p_corrected
        if difference.difference > 0:
            better[i, j], better[j, i] = 1, -1
    numbers = [correlations.clusters[name] for name in names]
    starts = [i for i, (a, b) in enumerate(itertools.pairwise(numbers), 1) if a != b]
    return matrix_plot(
        [correlations[name].title for name in names],
        p_values,
        better,
        title=f"Agreement with {correlations.criterion}",
        alpha=correlations.alpha,
        clusters=starts,
        width=460 if size <= 6 else 760,
    )
