"""How references differ, as text, Markdown, LaTeX, TSV and JSON."""

from __future__ import annotations

import numpy as np

from paragauge.report.tables.score_tables import json_text, readable, tsv_text
from paragauge.rewrite.evaluation.reference_differences import ReferenceDifferences

FIELDS = ("words", "edits", "unmatched", "synonyms")


def render_differences(counts: ReferenceDifferences, form: str = "text") -> str:
    """The counts in one of the formats."""
    least = f"differ in at least {counts.least} word{'s' * (counts.least != 1)}"
    shares = {
        "identical": counts.identical,
        least: counts.at_least,
        "have synonyms among the words that differ": counts.with_synonyms,
    }
    means = {
        "words that differ": counts.words,
        "edits in words": counts.edits,
        "words that only one reference has": counts.unmatched,
        "those with a synonym in the other": counts.synonyms,
    }
    records: list[dict[str, object]] = [
        {"count": "pairs of references", "pairs": counts.pairs, "share": 1.0, "mean": None}
    ]
    records += [
        {"count": name, "pairs": pairs, "share": pairs / counts.pairs, "mean": None}
        for name, pairs in shares.items()
    ]
    records += [
        {"count": name, "pairs": None, "share": None, "mean": float(np.mean(values))}
        for name, values in means.items()
    ]
    if form == "tsv":
        return tsv_text(("count", "pairs", "share", "mean"), records)
    if form == "json":
        facts = {"segments": counts.segments, "single": counts.single, "pairs": counts.pairs}
        facts |= {"identical": counts.identical, "least": counts.least, "at_least": counts.at_least}
        more = {"with_synonyms": counts.with_synonyms, "synonym_share": counts.synonym_share}
        means_ = {f"mean_{name}": float(getattr(counts, name).mean()) for name in FIELDS}
        about = {"thesaurus": counts.thesaurus}
        return json_text("rewrite-differences", {**facts, **more, **means_, **about})
    rows = [["pairs of references", f"{counts.pairs:,}", ""]]
    rows += [
        [name, f"{pairs:,}", f"{100 * pairs / counts.pairs:.1f} %"] for name, pairs in shares.items()
    ]
    rows += [[f"{name}, mean", f"{values.mean():.2f}", ""] for name, values in means.items()]
    rows[-1][2] = f"{100 * counts.synonym_share:.1f} %"
    notes = [f"{counts.segments:,} segments; words are lowercase Penn tokens without punctuation."]
    if counts.single:
        notes.append(f"{counts.single:,} segments have fewer than two references and no pair.")
    notes.append(f"Synonyms: {counts.thesaurus}.")
    return readable(form, "lrr", ["", "number", "share"], rows, notes)
