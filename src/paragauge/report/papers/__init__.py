"""The tables, figures and formulas of the five papers, with the command that makes each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.report.papers.demo_files import examples_folder
    from paragauge.report.papers.gallery import PAPERS, PaperSheet, papers
    from paragauge.report.papers.paper_item import PaperItem
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = ["PAPERS", "PaperItem", "PaperSheet", "examples_folder", "papers"]
