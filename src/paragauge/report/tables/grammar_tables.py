"""Grammars as tables: what is known about one, overlaps in the layout of Weese, Ganitkevitch and
Callison-Burch (2014, tables 3, 4 and 5), and the curve of their figure 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from paragauge.grammar.evaluation.data_sizes import FIELDS, DataSizes
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.overlap_curves import OverlapCurve
from paragauge.grammar.rule_overlap import MODES, Overlap, OverlapMode, OverlapRow
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots.curves import Curve, curve_plot
from paragauge.report.tables.score_tables import json_text, made_by, readable, tsv_text
from paragauge.text.wording import format_value, pluralize

KINDS = ("syntactic", "phrasal", "lexical")  # in the order of the paper's table 5
ROW = ("name", "mode", "frequency", "kind", "gold", "resource", "overlap", "precision", "recall")
UNITS = ((1_000_000, "million rules"), (1_000, "thousand rules"))
POINT = ("name", "score", "mode", "frequency", "size", "overlap", "gold", "precision", "recall")


def render_grammar(grammar: Grammar, form: str, path: str | None = None) -> str:
    """The description of a grammar; `path` is shown in place of its folder."""
    info = grammar.info
    if form == "json":
        return json_text("grammar-info", made_by(info))
    rows = [[name, text] for name, text in _facts(grammar) if text]
    if form == "tsv":
        return tsv_text(
            ["name", "value"], [dict(zip(("name", "value"), row, strict=True)) for row in rows]
        )
    return readable(form, "ll", ["grammar", path or str(grammar.folder)], rows, [])


def _facts(grammar: Grammar) -> list[tuple[str, str]]:
    info = grammar.info
    facts = [("rules", f"{len(grammar):,}")]
    facts += [(f"  {kind}", f"{info['kinds'][kind]:,}") for kind in KINDS]
    facts += [("source sides", f"{info['sources']:,}")]
    features = list(grammar.features)
    names = ", ".join(features[:12]) + (f" and {len(features) - 12} more" * (len(features) > 12))
    facts += [("features", f"{len(features)}: {names}" if features else "none")]
    facts += [("entailment", "yes" if grammar.has_entailment else "")]
    origin = info.get("origin")
    facts += _origin(origin) if isinstance(origin, dict) else []
    settings = info.get("settings")
    if isinstance(settings, dict):
        facts += [
            (str(name).replace("_", " "), format_value(value)) for name, value in settings.items()
        ]
    return [
        *facts,
        ("fingerprint", grammar.fingerprint),
        ("made by", f"paragauge {info.get('paragauge', '')}"),
    ]


def _origin(origin: dict[str, Any]) -> list[tuple[str, str]]:
    facts = []
    for file in origin.get("files", []):
        text = f"{file['name']} ({file['format'] or 'empty'}), {pluralize(file['lines'], 'line')}"
        facts.append(("from", text + (f", {file['skipped']:,} left out" if file["skipped"] else "")))
    if origin.get("duplicates"):
        again = pluralize(origin["duplicates"], "line")
        facts.append(("repeated", f"{again} of rules that were already there"))
    if "pruned" in origin:
        settings = format_value(origin["settings"])
        facts.append(
            ("pruned from", f"{origin['pruned']}, {pluralize(origin['rules'], 'rule')}: {settings}")
        )
    return facts


def render_sizes(sizes: DataSizes, form: str) -> str:
    """The sizes of texts and grammars, as tables 1 and 2 of the paper."""
    if form == "tsv":
        return tsv_text(FIELDS, sizes.to_rows())
    if form == "json":
        return json_text("grammar-sizes", sizes.to_dict())
    parts = []
    if sizes.texts:
        rows = [[one.name, f"{one.sets:,}", f"{one.pairs:,}", f"{one.words:,}"] for one in sizes.texts]
        header = ["text", "sentences", "pairs", "words"]
        note = "Words of both sides of all pairs."
        parts.append(readable(form, "lrrr", header, rows, [note]))
    if sizes.grammars:
        rows = [
            [one.name, *(f"{getattr(one, field):,}" for field in ("rules", *KINDS))]
            for one in sizes.grammars
        ]
        parts.append(readable(form, "lrrrr", ["grammar", "rules", *KINDS], rows, []))
    return "\n".join(parts)


def render_overlap(overlap: Overlap, gold: str, form: str) -> str:
    """Overlaps of resources with the gold grammar of this name."""
    if form == "tsv":
        return tsv_text(ROW, overlap_record(overlap, gold)["overlaps"])
    if form == "json":
        return json_text("grammar-overlap", overlap_record(overlap, gold))
    names = list(dict.fromkeys(row.name for row in overlap.rows))
    modes = [mode for mode in MODES if any(row.mode == mode for row in overlap.rows)]
    frequencies = list(dict.fromkeys(row.frequency for row in overlap.rows))
    parts = []
    for mode in modes:
        header = ["grammar", *(f"freq. >= {frequency}" for frequency in frequencies)]
        first = [f"{overlap[names[0], mode, frequency].gold:,}" for frequency in frequencies]
        rows = [[gold, *first]]
        for name in names:
            rows.append([name, *(_cell(overlap[name, mode, frequency]) for frequency in frequencies)])
        note = (
            f"{mode.capitalize()} overlap: gold rules in each grammar, and their share of all of them."
        )
        if mode == "non-strict" and overlap.variants == "sum":
            note += " A rule is as frequent as its label variants together."
        parts.append(readable(form, "l" + "r" * len(frequencies), header, rows, [note]))
    for mode in modes:
        parts.append(_by_kind(overlap, gold, names, mode, frequencies[0], form))
    parts.append(_precision(overlap, names, modes, frequencies, form))
    return "\n".join(parts)


def overlap_record(overlap: Overlap, gold: str) -> dict[str, Any]:
    """Overlaps with the gold grammar of this name, for JSON."""
    return {
        "gold": gold,
        "gold_without_count": overlap.uncounted,
        "lexical": overlap.lexical,
        "variants": overlap.variants,
        "overlaps": [
            asdict(row) | {"precision": row.precision, "recall": row.recall} for row in overlap.rows
        ],
    }


def _by_kind(
    overlap: Overlap, gold: str, names: Sequence[str], mode: OverlapMode, frequency: int, form: str
) -> str:
    first = [f"{overlap[names[0], mode, frequency, kind].gold:,}" for kind in KINDS]
    rows = [[gold, *first]]
    rows += [[name, *(_cell(overlap[name, mode, frequency, kind]) for kind in KINDS)] for name in names]
    single = {"source": "the source side", "both": "both sides"}[overlap.lexical]
    note = f"{mode.capitalize()} overlap by kind, freq. >= {frequency}; lexical: one word on {single}."
    return readable(form, "lrrr", ["grammar", *KINDS], rows, [note])


def _precision(
    overlap: Overlap, names: Sequence[str], modes: Sequence[str], frequencies: Sequence[int], form: str
) -> str:
    rows = []
    for mode in modes:
        for frequency in frequencies:
            for name in names:
                row = overlap[name, mode, frequency]
                numbers = [f"{row.resource:,}", f"{row.gold:,}", f"{row.overlap:,}"]
                shares = [_share(row.precision), _share(row.recall)]
                rows.append([name, mode, str(frequency), *numbers, *shares])
    header = ["grammar", "overlap", "freq. >=", "rules", "gold", "both", "precision", "recall"]
    notes = ["Precision is a lower bound and recall is relative: no gold grammar has all paraphrases."]
    if overlap.uncounted:
        lacking = pluralize(overlap.uncounted, "gold rule has", "gold rules have")
        notes.append(f"{lacking} no count, so each counts as extracted once.")
    return readable(form, "llrrrrrr", header, rows, notes)


def _cell(row: OverlapRow) -> str:
    share = "" if row.recall is None else f" ({100 * row.recall:.1f}%)"
    return f"{row.overlap:,}{share}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}%"


def render_curves(curves: Sequence[OverlapCurve], form: str) -> str:
    """Precision and recall of growing parts of resources."""
    if form == "tsv":
        return tsv_text(POINT, curve_records(curves))
    if form == "json":
        return json_text("grammar-overlap-curves", {"curves": curve_records(curves)})
    rows = [
        [
            curve.name,
            f"{point.size:,}",
            f"{point.overlap:,}",
            _share(point.precision),
            _share(point.recall),
        ]
        for curve in curves
        for point in curve.points
    ]
    one = curves[0]
    against = f"{one.mode} overlap with {pluralize(one.gold, 'gold rule')} of freq. >= {one.frequency}"
    notes = [
        f"The best rules by {one.score}; {against}.",
        "Precision is a lower bound and recall is relative.",
    ]
    return readable(form, "lrrrr", ["grammar", "rules", "both", "precision", "recall"], rows, notes)


def curve_records(curves: Sequence[OverlapCurve]) -> list[dict[str, Any]]:
    """The points of all curves, for JSON and TSV."""
    return [
        {
            "name": curve.name,
            "score": curve.score,
            "mode": curve.mode,
            "frequency": curve.frequency,
            **asdict(point),
            "precision": point.precision,
            "recall": point.recall,
        }
        for curve in curves
        for point in curve.points
    ]


def overlap_plot(curves: Sequence[OverlapCurve]) -> Scene:
    """Precision and recall over the size of the grammar, in percent."""
    largest = max((point.size for curve in curves for point in curve.points), default=0)
    unit, name = next((scale for scale in UNITS if largest >= 10 * scale[0]), (1, "rules"))
    lines = []
    for curve in curves:
        sizes = [point.size / unit for point in curve.points]
        for what in ("precision", "recall"):
            values = [100 * (getattr(point, what) or 0.0) for point in curve.points]
            title = what if len(curves) == 1 else f"{curve.name}: {what}"
            lines.append(Curve(title, sizes, values))
    return curve_plot(lines, titles=(f"{name}, the best first", "percent"))
