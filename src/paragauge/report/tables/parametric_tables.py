"""ParaMetric's measures as tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from paragauge.grammar.parametric import ParametricSettings
from paragauge.grammar.parametric_sheet import ParametricSheet
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.tokenizers import Case
from paragauge.text.wording import pluralize

ALIGNMENT = ("precision", "recall", "f1")
SHARES = ("precision", "recall", "mean_precision", "mean_recall", "precision_all")


def render_parametric(sheet: ParametricSheet, form: str, case: Case) -> str:
    """Scores of alignments and of resources; `case` is that of the gold sentences."""
    record = parametric_record(sheet, case)
    if form == "json":
        return json_text("parametric", record)
    aligned, scored = record["alignments"], record["resources"]
    if form == "tsv":
        tables = [tsv_text(list(rows[0]), rows) for rows in (aligned, scored) if rows]
        return "\n".join(tables)
    parts = []
    if aligned:
        parts.append(_alignments(aligned, form))
    if scored:
        parts.append(_resources(scored, sheet.settings, form))
    return "\n".join(parts)


def parametric_record(sheet: ParametricSheet, case: Case) -> dict[str, Any]:
    """Scores of alignments and of resources, for JSON."""
    aligned = [
        {
            "name": name,
            **{f"link_{share}": getattr(words, share) for share in ALIGNMENT},
            **{f"phrase_{share}": getattr(phrases, share) for share in ALIGNMENT},
            **{f"phrases_{number}": value for number, value in asdict(phrases).items()},
        }
        for name, (words, phrases) in sheet.alignments.items()
    ]
    scored = [
        {"name": name, **{share: getattr(score, share) for share in SHARES}, **asdict(score)}
        for name, score in sheet.resources.items()
    ]
    settings = {name: value for name, value in asdict(sheet.settings).items() if name != "threads"}
    settings |= {"links": sheet.links, "case": case}
    return {"settings": settings, "alignments": aligned, "resources": scored}


def _alignments(rows: list[dict[str, Any]], form: str) -> str:
    header = ["alignment", *["precision", "recall", "F1"] * 2, "phrase pairs"]
    spans = [("", 1), ("word links", 3), ("phrase pairs", 3), ("", 1)]
    names = [f"{what}_{share}" for what in ("link", "phrase") for share in ALIGNMENT]
    cells = [
        [row["name"], *(_share(row[name]) for name in names), f"{row['phrases_found']:,}"]
        for row in rows
    ]
    gold = pluralize(rows[0]["phrases_gold"], "phrase pair is", "phrase pairs are")
    note = f"{gold} consistent with the hand alignment."
    return readable(form, "lrrrrrrr", header, cells, [note], spans)


def _resources(rows: list[dict[str, Any]], settings: ParametricSettings, form: str) -> str:
    header = ["resource", "precision", "recall", "precision", "recall", "precision", "pairs", "both"]
    spans = [("", 1), ("over pairs", 2), ("mean of phrases", 2), ("all pairs", 1), ("", 2)]
    cells = [
        [
            row["name"],
            *(_share(row[share]) for share in SHARES),
            f"{row['resource']:,}",
            f"{row['both']:,}",
        ]
        for row in rows
    ]
    identical = {"drop": "without identical pairs", "keep": "with identical pairs"}[settings.identity]
    gold = f"{pluralize(rows[0]['gold'], 'pair')} of {pluralize(rows[0]['sources'], 'phrase')}"
    notes = [
        f"Gold: {gold} of at most {settings.max_length} words, {identical}.",
        "Precision is a lower bound, over phrases with gold paraphrases or all; recall is relative.",
    ]
    return readable(form, "lrrrrrrr", header, cells, notes, spans)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"
