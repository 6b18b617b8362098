"""Parallel sentences: clusters, and their import and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.corpus.campaign_export import ExportSettings
    from paragauge.collect.corpus.clusters import SentenceFilter
    from paragauge.collect.corpus.corpus_tables import read_corpus
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "ExportSettings",
    "SentenceFilter",
    "read_corpus",
]
