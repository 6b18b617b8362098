"""Results as text, Markdown, LaTeX, TSV and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.report.tables.contrast_tables import render_contrast
    from paragauge.report.tables.coverage_tables import render_coverage, time_split, write_pairs
    from paragauge.report.tables.score_tables import (
        json_text,
        readable,
        render_comparison,
        render_scores,
        tsv_text,
    )
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "json_text",
    "readable",
    "render_comparison",
    "render_contrast",
    "render_coverage",
    "render_scores",
    "time_split",
    "tsv_text",
    "write_pairs",
]
