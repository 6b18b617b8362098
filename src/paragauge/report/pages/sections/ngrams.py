"""N-grams that one system matches, or adds, more often than the baseline."""

from __future__ import annotations

from html import escape

from paragauge.meta.significance.ngram_differences import NgramCounts, NgramDifference
from paragauge.report.pages.blocks.html import (
    Cell,
    Section,
    details,
    paragraph,
    sortable_table,
    system_name,
)
from paragauge.report.pages.sections.evaluation import Evaluation

ROWS = 12
LEAST = 3.84


def ngrams(evaluation: Evaluation) -> Section | None:
    """A pair of tables for each system against the baseline; None for a single system."""
    counts, systems = evaluation.ngrams, evaluation.systems
    if counts is None or counts.segments == 0 or len(systems) < 2:
        return None
    verb = "matches with the references" if counts.matching else "has and the source does not"
    baseline = evaluation.baseline
    parts = [
        paragraph(
            f"N-grams of one to four words that one system {verb} more often than the other, by the "
            f"log-likelihood ratio G2 of the two counts, from {LEAST} on. For one n-gram by itself "
            f"{LEAST} is p = 0.05 and 10.83 is p = 0.001. Share: (a + 1) / (a + b + 2), the smoothed "
            "share of the first system.",
            "soft",
        )
    ]
    for index, system in enumerate(systems):
        if system == baseline:
            continue
        base = system_name(baseline, systems.index(baseline))
        parts.append(
            details(
                f"{system_name(system, index)} against {base}",
                '<div class="multiples">'
                f"{_table(counts, system, baseline)}{_table(counts, baseline, system)}</div>",
                opened=len(systems) <= 3,
            )
        )
    if counts.segments < evaluation.sheet.segments:
        parts.append(paragraph(f"From the first {counts.segments:,} segments.", "soft"))
    return Section("ngrams", "N-grams that differ", "".join(parts))


def _table(counts: NgramCounts, system: str, rival: str) -> str:
    rows = [_row(row) for row in counts.differences(system, rival, most=ROWS, least=LEAST)]
    if not rows:
        return paragraph(f"No n-gram stands out in {system} against {rival}.", "soft")
    header = ["n-gram", system, rival, "share", "G2"]
    return sortable_table(header, rows, caption=f"More often in {system}")


def _row(row: NgramDifference) -> list[Cell]:
    words = " ".join(row.words)
    return [
        Cell(f'<span dir="auto">{escape(words)}</span>', words, "ngram"),
        Cell.number(row.count, ","),
        Cell.number(row.rival_count, ","),
        Cell.number(row.ratio),
        Cell.number(row.g2, ".1f"),
    ]
