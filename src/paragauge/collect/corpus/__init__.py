"""Parallel sentences: clusters, and their import and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.corpus.clusters import Wanted
    from paragauge.collect.corpus.corpus_rows import read_corpus
    from paragauge.collect.corpus.export_choice import ExportSettings
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "ExportSettings",
    "Wanted",
    "read_corpus",
]
