"""Contrasts of metrics as text, Markdown, LaTeX, TSV and JSON.

Text, Markdown and LaTeX have one row per kind of candidate and two columns per metric: how often good
paraphrases win, with its interval, and the mean score. TSV and JSON have the intervals of means too.
"""

from __future__ import annotations

from paragauge.meta.contrast.evaluation import ContrastSheet, KindContrast
from paragauge.meta.measure import Measure
from paragauge.report.tables.score_tables import join_names, json_text, readable, tsv_text
from paragauge.text.wording import pluralize

MEANS = ("candidates", "mean", "mean_low", "mean_high")
WINS = ("comparisons", "wins", "wins_low", "wins_high")
FIELDS = ("metric", "kind", "good", *MEANS, *WINS, "signature")


def render_contrast(sheet: ContrastSheet, form: str = "text") -> str:
    """Contrasts in one of the formats."""
    if form == "json":
        return json_text("contrast", sheet.to_dict())
    if form == "tsv":
        return tsv_text(FIELDS, sheet.to_rows())
    kinds = [row.kind for row in sheet.metrics[0].kinds]
    rows = []
    for number, kind in enumerate(kinds):
        contrasts = [one.kinds[number] for one in sheet.metrics]
        rows.append([kind, *(cell for row in contrasts for cell in _cells(row))])
    header = ["kind", *["good wins", "mean"] * len(sheet.metrics)]
    spans = [("", 1), *((one.title, 2) for one in sheet.metrics)]
    return readable(form, "l" + "r" * (len(header) - 1), header, rows, contrast_notes(sheet), spans)


def _cells(row: KindContrast) -> list[str]:
    mean = "-" if row.mean.value is None else f"{row.mean.value:.1f}"
    return ["" if row.wins is None else share_text(row.wins), mean]


def share_text(wins: Measure) -> str:
    """A share of comparisons with its interval, if it has one.

    >>> share_text(Measure(0.5, 8, 0.25, 0.75)), share_text(Measure(None, 0, reason="no comparisons"))
    ('0.50 [0.25, 0.75]', '-')
    """
    if wins.value is None:
        return "-"
    if wins.low is None or wins.high is None:
        return f"{wins.value:.2f}"
    return f"{wins.value:.2f} [{wins.low:.2f}, {wins.high:.2f}]"


def contrast_notes(sheet: ContrastSheet) -> list[str]:
    """How contrasts were computed, and the signatures of the metrics."""
    size = f"{pluralize(sheet.sources, 'source')}, {pluralize(sheet.candidates, 'candidate')}."
    good = f"a good paraphrase ({' or '.join(sheet.good)})"
    rule = f"Good wins: share of comparisons in which {good} scores better than a candidate of the kind"
    notes = [f"{size} {rule} for the same source; ties count half."]
    if sheet.left_out:
        notes.append(left_out_note(sheet))
    wins = [row.wins for one in sheet.metrics for row in one.kinds if row.wins is not None]
    if any(share.low is not None for share in wins):
        notes.append(
            f"Brackets: {100 * sheet.bootstrap.level:g}% interval, Poisson bootstrap over sources, "
            f"{sheet.bootstrap.resamples} resamples, seed {sheet.bootstrap.seed}."
        )
    lower = [one.title for one in sheet.metrics if not one.higher_is_better]
    if lower:
        notes.append(f"Lower is better: {join_names(lower)}.")
    referenced = [one.title for one in sheet.metrics if one.source_is_reference]
    if referenced:
        notes.append(f"The source is the reference: {join_names(referenced)}.")
    for one in sheet.metrics:
        if one.undefined:
            number = pluralize(one.undefined, "candidate")
            notes.append(f"{one.title}: {number} without a score, left out.")
    return notes + [one.signature for one in sheet.metrics]


def left_out_note(sheet: ContrastSheet) -> str:
    """How many sources were left out."""
    number = pluralize(sheet.left_out, "source")
    return f"{number} without a good paraphrase ({' or '.join(sheet.good)}), left out."
