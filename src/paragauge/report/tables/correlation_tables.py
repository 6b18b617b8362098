"""Correlations with ratings as text, Markdown, LaTeX, TSV and JSON.

The readable forms have one row per metric and, for each view, the value with its interval and the
cluster: metrics with the same number cannot be told apart. Below are the significant differences in
words, and how everything was computed. TSV has one record per metric, view and group; JSON has
everything, with the differences between all pairs of metrics.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from paragauge.meta.correlation.correlation import Correlation, Correlations
from paragauge.meta.correlation.curves import ReferenceCurve
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell
from paragauge.meta.correlation.repeated_documents import Documents
from paragauge.report.statistic_titles import STATISTIC_TITLES
from paragauge.report.tables.score_tables import CORRECTED, join_names, json_text, readable, tsv_text
from paragauge.text.wording import p_text, pluralize

VIEWS = {
    "pooled": "segments, pooled",
    "by-source": "segments, by source",
    "by-system": "segments, by system",
    "system": "systems",
}
TEST_NAMES = {
    "permutation": "permutation of the metrics' scores",
    "bootstrap": "paired bootstrap",
    "williams": "Williams' test",
    "documents": "paired t-test over sampled documents",
}
# How papers print the cells of their tables.
CELL_STYLES = {
    "correlation": "{:.4f}",
    "score": "{:.2f}",
    "count": "{:,.0f}",
    "percent": "{:.1%}",
    "agreement": "{:.2f}",
    "signed": "{:+.1f}",
    "rho": "{:.3f}",
}
MOST_GROUPS = 4  # of more groups, such as language pairs, only the mean is shown
FEW = 10  # below this many systems a correlation over systems comes with a warning
_FIELDS = (
    "criterion",
    "judge",
    "where",
    "view",
    "statistic",
    "metric",
    "group",
    "value",
    "low",
    "high",
    "pairs",
    "parts",
    "tie",
    "cluster",
    "reason",
)


def render_correlations(
    results: Sequence[Correlations], form: str = "text", *, matrix: bool = False
) -> str:
    """Correlations in one of the formats; with `matrix` also who beats whom, pair by pair."""
    if form == "json":
        return json_text("meta", {"correlations": [one.to_dict() for one in results]})
    if form == "tsv":
        return tsv_text(_FIELDS, [row for one in results for row in one.to_rows()])
    parts = []
    for heading in dict.fromkeys(_heading(one) for one in results):
        members = [one for one in results if _heading(one) == heading]
        parts.append(_section(heading, members, form))
        if matrix:
            parts += [_matrix(one, form) for one in members if one.differences]
    return "\n".join(parts)


def _heading(one: Correlations) -> str:
    who = f" by {one.judge}" if one.judge else ""
    where = f", where {one.where}" if one.where else ""
    return f"Correlation with {one.criterion}{who}{where}"


def _section(heading: str, members: list[Correlations], form: str) -> str:
    header, alignment = ["metric"], "l"
    spans = [("", 1)]
    several = all(1 < len(one.groups) <= MOST_GROUPS for one in members)
    for one in members:
        wide = bool(one.clusters)
        groups = one.groups if several else []
        spans.append((VIEWS[one.view], len(groups) + 1 + wide))
        header += [*groups, STATISTIC_TITLES[one.statistic], *(["cluster"] * wide)]
        alignment += "r" * len(groups) + ("rr" if wide else "r")
    rows = []
    # Metrics with scores of systems only are not in views of segments.
    widest = max(members, key=lambda one: len(one.rows))
    for row in widest.rows if len(widest.rows) > len(members[0].rows) else members[0].rows:
        cells = [row.title]
        for one in members:
            mine = next((other for other in one.rows if other.metric == row.metric), None)
            if several:
                cells += ["-" if mine is None else _group_cell(mine, name) for name in one.groups]
            cells.append("-" if mine is None else _cell(mine))
            if one.clusters:
                cells.append(str(one.clusters.get(row.metric, "")))
        rows.append(cells)
    notes = [note for one in members for note in _findings(one)]
    notes += shared_notes(members)
    notes += list(dict.fromkeys(row.signature for row in members[0].rows if row.signature))
    table = readable(form, alignment, header, rows, notes, spans)
    title = {"markdown": f"**{heading}**\n\n", "latex": f"% {heading}\n"}.get(form, f"{heading}\n\n")
    return title + table


def _matrix(one: Correlations, form: str) -> str:
    """Corrected p-values of all pairs: + where the row agrees better, - where the column does."""
    names = [row.metric for row in one.rows if row.value is not None]
    cells = dict.fromkeys(itertools.product(names, names), "")
    for difference in one.differences:
        sign = "+" if difference.difference > 0 else "-" if difference.difference < 0 else ""
        other = {"+": "-", "-": "+"}.get(sign, "")
        p = p_text(difference.p_corrected)
        cells[difference.metric, difference.other], cells[difference.other, difference.metric] = (
            sign + p,
            other + p,
        )
    titles = [one[name].title for name in names]
    rows = [[one[a].title, *(cells[a, b] for b in names)] for a in names]
    place = f"{VIEWS[one.view]}, {STATISTIC_TITLES[one.statistic]}"
    note = f"{place}: corrected p of the row against the column; + where the row agrees better."
    return readable(form, "l" + "r" * len(names), ["", *titles], rows, [note])


def _cell(row: Correlation) -> str:
    if row.value is None:
        return "-"
    return f"{row.value:.3f}" + ("" if row.low is None else f" [{row.low:.3f}, {row.high:.3f}]")


def _group_cell(row: Correlation, group: str) -> str:
    """The value in one group."""
    value = row.groups[group].value
    return "-" if value is None else f"{value:.3f}"


def _findings(one: Correlations) -> list[str]:
    """What is significant, and what has no value."""
    place = f"{VIEWS[one.view]}, {STATISTIC_TITLES[one.statistic]}"
    notes = [
        f"{place}: {row.title} has no value: {row.reason}." for row in one.rows if row.value is None
    ]
    titles = {row.metric: row.title for row in one.rows}
    if not one.differences:
        return notes
    wins = []
    for row in one.rows:
        beaten = [d for d in one.differences if d.metric == row.metric and d.significant]
        if beaten:
            names = join_names([titles[d.other] for d in beaten])
            worst = max(d.p_corrected for d in beaten)
            p = p_text(worst)
            wins.append(f"{row.title} agrees better than {names} (p{p if p[0] == '<' else '=' + p})")
    text = "; ".join(wins) if wins else "no significant difference between metrics"
    return [*notes, f"{place}: {text}."]


def shared_notes(members: Sequence[Correlations]) -> list[str]:
    """How several correlations were computed; what is true of some names them."""
    owners: dict[str, list[Correlations]] = {}
    for one in members:
        for note in dict.fromkeys(correlation_notes(one)):
            owners.setdefault(note, []).append(one)
    return [
        note if len(some) == len(members) else f"{_places(some)}: {note}"
        for note, some in owners.items()
    ]


def _places(members: Sequence[Correlations]) -> str:
    """Views with their statistics, as titles of columns have them."""
    titles: dict[str, list[str]] = {}
    for one in members:
        titles.setdefault(VIEWS[one.view], []).append(STATISTIC_TITLES[one.statistic])
    return "; ".join(
        f"{view}, {join_names(list(dict.fromkeys(names)))}" for view, names in titles.items()
    )


def correlation_notes(one: Correlations) -> list[str]:
    """How the correlations were computed."""
    notes = []
    left_out = ", ".join(f"{count} with {reason}" for reason, count in one.left_out.items())
    systems = f" of {one.systems} system{'s' * (one.systems != 1)}" if one.systems else ""
    items = f"{one.items} candidate{'s' * (one.items != 1)}"
    groups = f" in {len(one.groups)} groups, averaged" if len(one.groups) > 1 else ""
    notes.append(f"{items}{systems}{groups}" + (f"; left out: {left_out}." if left_out else "."))
    notes += _parts_left_out(one)
    if one.turned:
        names = join_names([one[label].title for label in one.turned])
        notes.append(f"Signs reversed, because lower is better: {names}.")
    fewest = min(estimate.pairs for row in one.rows for estimate in row.groups.values())
    if one.view == "system" and fewest < FEW:
        notes.append("With so few systems, another set of them may give another order.")
    if one.documents is not None:
        notes.append(documents_note(one.documents, one.level))
    if one.bootstrap:
        notes.append(
            f"Brackets: {100 * one.level:g}% interval, {one.bootstrap} bootstrap resamples of "
            f"{'segments and systems' if one.resample == 'both' else one.resample}, seed {one.seed}."
        )
    if one.requested != one.test and len(one.rows) > 1:
        notes.append(
            "The permutation test is for system scores that are means of segment scores; not all are "
            "here, so differences are tested by the bootstrap."
        )
    if one.differences:
        unit = "segment" if one.exchange == "segments" or one.view == "by-source" else "cell"
        draws = f" {unit} by {unit} ({one.draws} draws)" if one.test == "permutation" else ""
        notes.append(
            f"Differences: {TEST_NAMES[one.test]}{draws}, two-sided; significant: "
            f"p{CORRECTED[one.correction]} below {one.alpha:g}. Metrics in the same cluster cannot "
            "be told apart."
        )
    notes += _too_few_draws(one)
    lost = {row.title: int(np.isnan(row.resampled[: one.bootstrap]).sum()) for row in one.rows}
    if any(lost.values()):
        counts = ", ".join(f"{title} {count}" for title, count in lost.items() if count)
        notes.append(f"Resamples without a value, left out of the intervals: {counts}.")
    tuned = [
        f"{row.title} {estimate.tie:.4g} ({group + ': ' * bool(group)}{_share(estimate.tied)} of pairs)"
        for row in one.rows
        for group, estimate in row.groups.items()
        if estimate.tie is not None
    ]
    if tuned:
        notes.append(f"Scores that differ by no more than this count as tied: {', '.join(tuned)}.")
    return notes


def documents_note(documents: Documents, level: float) -> str:
    """What values by documents are, and their intervals."""
    return (
        f"Values: mean over {documents.repetitions} documents of {documents.size} segments, seed "
        f"{documents.seed}; brackets: {100 * level:g}% interval by Student's t over the documents, too "
        "narrow because documents share segments."
    )


def _share(part: float | None) -> str:
    """A share as a percentage that does not round to none or all.

    >>> _share(0.9996), _share(0.25), _share(0.0001), _share(0.0)
    ('over 99%', '25%', 'under 1%', '0%')
    """
    percent = 100 * (part or 0.0)
    if 0 < percent < 1:
        return "under 1%"
    return "over 99%" if 99 < percent < 100 else f"{percent:.0f}%"


def _too_few_draws(one: Correlations) -> list[str]:
    """A warning where no difference, however clear, could be significant."""
    draws = {"permutation": one.draws, "bootstrap": one.bootstrap}.get(one.test)
    if draws is None or one.correction not in ("holm", "bonferroni") or not one.differences:
        return []
    smallest = len(one.differences) / (draws + 1)
    if smallest < one.alpha:
        return []
    rest = f"{draws} draws and {len(one.differences)} comparisons"
    note = (
        f"No difference can be significant: with {rest} no corrected p is below "
        f"{min(1.0, smallest):.2g}. Ask for more draws or compare fewer metrics."
    )
    return [note]


def _parts_left_out(one: Correlations) -> list[str]:
    """Sources and systems that are not in the mean, for each metric if metrics differ."""
    counts: dict[str, dict[str, int]] = {}
    for row in one.rows:
        for estimate in row.groups.values():
            for reason, count in estimate.left_out.items():
                mine = counts.setdefault(reason, {})
                mine[row.title] = mine.get(row.title, 0) + count
    notes = []
    for reason, by_metric in counts.items():
        shared = len(by_metric) == len(one.rows) and len(set(by_metric.values())) == 1
        metrics = ", ".join(f"{title} {count}" for title, count in by_metric.items())
        what = f"{next(iter(by_metric.values()))} {reason}" if shared else f"{reason} ({metrics})"
        notes.append(f"Left out of the means {VIEWS[one.view].split(', ')[1]}: {what}.")
    return notes


def render_layout(table: Layout, form: str = "text") -> str:
    """A paper's table in one of the formats, four decimals as papers print them."""
    has_marks = any(
        isinstance(cell, LayoutCell) and cell.style == "mark"
        for row in table.rows
        for cell in row.cells
    )
    if form in ("json", "tsv"):
        records = [
            {
                "row": row.label,
                "column": column,
                "value": None if cell is None else cell.value,
                "low": None if cell is None else cell.low,
                "high": None if cell is None else cell.high,
                "reason": "not applicable" if cell is None else cell.reason,
                **({"mark": cell.mark if isinstance(cell, LayoutCell) else ""} if has_marks else {}),
            }
            for row in table.rows
            for column, cell in zip(table.columns, row.cells, strict=False)
        ]
        if form == "json":
            facts = {"title": table.title, "cells": records, "notes": list(table.notes)}
            return json_text("meta-layout", {**facts})
        names = ("row", "column", "value", "low", "high", "reason", *["mark"] * has_marks)
        return tsv_text(names, records)
    rows, reasons = [], []
    for row in table.rows:
        cells = []
        for cell in row.cells:
            if cell is None:
                cells.append("N/A")
            elif isinstance(cell, LayoutCell) and cell.style == "mark":
                cells.append(cell.mark)
            elif cell.value is None:
                cells.append("-")
                reasons.append(f"{row.label}: {cell.reason}.")
            else:
                style = CELL_STYLES[cell.style if isinstance(cell, LayoutCell) else "correlation"]
                bounds = [style.format(end) for end in (cell.low, cell.high) if end is not None]
                cells.append(style.format(cell.value) + (f" [{', '.join(bounds)}]" if bounds else ""))
        rows.append([row.label, *(cells or [""] * len(table.columns))])
    notes = [*dict.fromkeys(reasons), *table.notes]
    if table.settings.test == "documents" and not has_marks:
        notes.append(documents_note(table.settings.documents, table.settings.level))
    elif table.settings.bootstrap and not has_marks:
        unit = table.settings.resample if table.settings.view == "system" else "segments"
        notes.append(
            f"{table.statistic}; brackets: {100 * table.settings.level:g}% interval, "
            f"{table.settings.bootstrap} bootstrap resamples of "
            f"{'segments and systems' if unit == 'both' else unit}, seed {table.settings.seed}."
        )
    alignment = "l" + "r" * len(table.columns)
    body = readable(form, alignment, ["", *table.columns], rows, notes)
    title = {"markdown": f"**{table.title}**\n\n", "latex": f"% {table.title}\n"}
    return title.get(form, f"{table.title}\n\n") + body


def render_curve(curve: ReferenceCurve, form: str = "text") -> str:
    """A reference curve in one of the formats."""
    records = [dataclasses.asdict(point) for point in curve.points]
    if form == "json":
        shared = {"metric": curve.metric, "criterion": curve.criterion, "statistic": curve.statistic}
        shared |= {"view": curve.view}
        return json_text("curve", {**shared, "points": records})
    if form == "tsv":
        return tsv_text(list(records[0]), records)
    rows = []
    for count in sorted({point.references for point in curve.points}):
        cells = [str(count)]
        for source in (False, True):
            points = [p for p in curve.points if (p.references, p.source) == (count, source)]
            value = points[0].value if points else None
            bounds = (
                ""
                if not points or points[0].low is None
                else (f" [{points[0].low:.3f}, {points[0].high:.3f}]")
            )
            cells.append("-" if value is None else f"{value:.3f}{bounds}")
        short = max(p.short for p in curve.points if p.references == count)
        rows.append([*cells, str(short)])
    header = ["references", "without the source", "with the source", "segments with fewer"]
    note = (
        f"{STATISTIC_TITLES[curve.statistic]} of {curve.title} with {curve.criterion} "
        f"({VIEWS[curve.view]}), {curve.items} candidates, mean of {curve.repetitions} draws of the "
        f"references, seed {curve.settings.seed}."
    )
    if curve.settings.bootstrap:
        note += (
            f" Brackets: {100 * curve.settings.level:g}% interval, bootstrap over segments and draws."
        )
    reasons = dict.fromkeys(
        f"{pluralize(point.references, 'reference')}: no value: {point.reason}."
        for point in curve.points
        if point.reason
    )
    return readable(form, "rrrr", header, rows, [*reasons, note, curve.signature])
