"""Self-contained HTML pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.report.pages.blocks.highlight import Highlighted, Piece
    from paragauge.report.pages.blocks.html import Cell, Section, figure
    from paragauge.report.pages.derivation_page import render_derivations
    from paragauge.report.pages.report_page import ReportWriter, render_report, report_writer
    from paragauge.report.pages.sections.stored_segments import Examples
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Cell",
    "Examples",
    "Highlighted",
    "Piece",
    "ReportWriter",
    "Section",
    "figure",
    "render_derivations",
    "render_report",
    "report_writer",
]
