"""Tables that `paragauge lm` prints, as text, JSON, TSV, Markdown or LaTeX."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragauge.lm import KenLMModel, LanguageModel, SentenceModel, Totals, TrainingSummary
from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.text.wording import pluralize

SCORE_FIELDS = ("file", "sentences", "tokens", "unknown", "log10", "perplexity", "known_perplexity")


def render_training(done: TrainingSummary, form: str) -> str:
    """The numbers of n-grams and the discounts of each order."""
    records = [
        {"order": k, "ngrams": count, "d1": d[0], "d2": d[1], "d3": d[2]}
        for k, (count, d) in enumerate(zip(done.counts, done.discounts, strict=True), 1)
    ]
    if form == "json":
        return json_text(
            "lm-train",
            {
                "model": done.output,
                "sentences": done.sentences,
                "tokens": done.tokens,
                "words": done.words,
                "form": done.form.record(),
                "orders": records,
                "temporary_files": done.spilled,
            },
        )
    if form == "tsv":
        return tsv_text(("order", "ngrams", "d1", "d2", "d3"), records)
    rows = [
        [str(r["order"]), f"{r['ngrams']:,}", *(f"{r[name]:.4f}" for name in ("d1", "d2", "d3"))]
        for r in records
    ]
    note = (
        f"{done.output}: from {pluralize(done.sentences, 'sentence')} with "
        f"{pluralize(done.tokens, 'word')}, "
        f"{done.words:,} of them different. {done.form.label}"
    )
    return readable(form, "rrrrr", ["order", "n-grams", "D1", "D2", "D3+"], rows, [note])


def render_scores(model: SentenceModel, files: Mapping[str, Totals], form: str) -> str:
    """A row for each file."""
    records: list[dict[str, Any]] = [
        {"file": name}
        | {key: value for key, value in dataclasses.asdict(totals).items() if key in SCORE_FIELDS}
        | {
            "perplexity": totals.perplexity(),
            "known_perplexity": totals.perplexity(unknown=False),
        }
        for name, totals in files.items()
    ]
    if form == "json":
        content = {"model": model.name, "order": model.order, "form": model.form.record()}
        return json_text("lm-score", {**content, "files": records})
    if form == "tsv":
        return tsv_text(SCORE_FIELDS, records)
    rows = [
        [
            r["file"],
            *(f"{r[name]:,}" for name in ("sentences", "tokens", "unknown")),
            *(_number(r[name]) for name in ("log10", "perplexity", "known_perplexity")),
        ]
        for r in records
    ]
    header = ["file", "sentences", "words", "unknown", "log10", "perplexity", "without unknown"]
    return readable(form, "lrrrrrr", header, rows, [f"{model.name}. {model.form.label}"])


def render_info(model: SentenceModel, path: str, form: str) -> str:
    """The description of a model."""
    counts = model.counts if isinstance(model, LanguageModel) else None
    record: dict[str, Any] = {
        "model": path,
        "name": model.name,
        "kind": "KenLM binary" if isinstance(model, KenLMModel) else "paragauge",
        "order": model.order,
        "bytes": Path(path).stat().st_size if Path(path).is_file() else None,
        "words": None if counts is None else counts[0] - 3,
        "ngrams": None if counts is None else list(counts),
        "form": model.form.record(),
    }
    if form == "json":
        return json_text("lm-info", record)
    lines = [("name", record["name"]), ("order", str(model.order)), ("text", model.form.label)]
    if record["bytes"] is not None:
        lines.append(("file", f"{record['bytes']:,} bytes"))
    if counts is not None:
        lines.append(("words", f"{counts[0] - 3:,}"))
        lines += [(f"{k}-grams", f"{count:,}") for k, count in enumerate(counts, 1)]
    if form == "tsv":
        return tsv_text(("what", "value"), [{"what": a, "value": b} for a, b in lines])
    return readable(form, "ll", ["what", "value"], [list(line) for line in lines], [])


def _number(value: float) -> str:
    return "nan" if math.isnan(value) else f"{value:.2f}"
