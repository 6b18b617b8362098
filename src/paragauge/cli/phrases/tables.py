"""Tables that `paragauge phrases` prints: translations of a phrase, the description of a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from paragauge.phrases.table import PhrasePair, PhraseTable
from paragauge.report.tables.score_tables import json_text, made_by, readable, tsv_text
from paragauge.text.wording import format_value, pluralize

HEADER = ["target", "p(t|s)", "p(s|t)", "lex(t|s)", "lex(s|t)", "count", "alignment"]


def render_pairs(phrase: str, pairs: list[PhrasePair], all_pairs: int, form: str) -> str:
    """The first translations of a phrase; `all_pairs` is how many there are in all."""
    if form == "json":
        return json_text(
            "phrases-query",
            {"source": phrase, "targets": all_pairs, "pairs": [asdict(p) for p in pairs]},
        )
    if form == "tsv":
        return tsv_text(list(asdict(pairs[0])), [asdict(pair) for pair in pairs])
    rows = [
        [
            pair.target,
            *(f"{p:.4f}" for p in (pair.p_target, pair.p_source, pair.lex_target, pair.lex_source)),
            "-" if pair.count is None else f"{pair.count:,}",
            pair.alignment or "-",
        ]
        for pair in pairs
    ]
    seen = pairs[0].source_count
    note = f"'{phrase}': {pluralize(all_pairs, 'translation')}"
    note += "" if seen is None else f", extracted {pluralize(seen, 'time')}"
    note += "." if len(pairs) == all_pairs else f"; the first {len(pairs)} are shown."
    return readable(form, "lrrrrrl", HEADER, rows, [note])


def render_info(table: PhraseTable, form: str) -> str:
    """The description of a table."""
    info = table.info
    if form == "json":
        return json_text("phrases-info", made_by(info))
    rows = [[name, text] for name, text in _facts(info) if text]
    if form == "tsv":
        return tsv_text(
            ["name", "value"], [dict(zip(("name", "value"), row, strict=True)) for row in rows]
        )
    return readable(form, "ll", ["phrase table", str(table.folder)], rows, [])


def _facts(info: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and values to print; missing ones are empty."""
    settings, counts = (_dictionary(info.get(name)) for name in ("settings", "counts"))
    known = {"format", "version", "settings", "counts", "pairs", "sources", "fingerprint", "paragauge"}
    filters = (
        ("min_count", 1, "count from"),
        ("min_probability", 0, "p(t|s) from"),
        ("top", None, "most frequent targets"),
    )
    conditions = [
        f"{label} {settings[name]}"
        for name, default, label in filters
        if settings.get(name, default) != default
    ]
    stems = settings.get("stem")
    length, dropped = settings.get("max_length"), counts.get("skipped")
    return [
        ("phrase pairs", format_value(info["pairs"])),
        ("source phrases", _known_text(info.get("sources"))),
        ("extracted", _known_text(counts.get("extracted"))),
        ("sentence pairs", _known_text(counts.get("sentence_pairs"))),
        ("dropped", f"{pluralize(dropped, 'pair')} with an empty side" if dropped else ""),
        ("links", _known_text(counts.get("links"))),
        ("longest phrase", pluralize(length, "word") if length else ""),
        ("tokenizers", _known_text(settings.get("tokenize"))),
        ("case", _known_text(settings.get("case"))),
        ("stemmers", _known_text(stems) if stems != [None, None] else ""),
        ("kept", ", ".join(conditions) or ("all pairs" if settings else "")),
        *((name, _known_text(value)) for name, value in info.items() if name not in known),
        ("fingerprint", info["fingerprint"]),
        ("made by", f"paragauge {info.get('paragauge', '')}"),
    ]


def _dictionary(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _known_text(value: Any) -> str:
    return "" if value is None else format_value(value)
