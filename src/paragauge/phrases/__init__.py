"""Phrase extraction, and phrase tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.phrases.extract import (
        ExtractionSettings,
        aligned_batches,
        encode_side,
        extract_batches,
        extract_table,
        steps,
    )
    from paragauge.phrases.moses import MosesReader, read_moses, write_moses
    from paragauge.phrases.pivot_bags import PivotBags, count_bags, idf, precision_recall_f1
    from paragauge.phrases.pivot_builder import pivot_of_table
    from paragauge.phrases.pivot_file import PivotArrays
    from paragauge.phrases.pivot_network import NetworkSettings, Pivot, SegmentPhrase
    from paragauge.phrases.scores import lexical_table
    from paragauge.phrases.table import PhrasePair, PhraseTable, new_table
    from paragauge.phrases.word_links import word_rows
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "ExtractionSettings",
    "MosesReader",
    "NetworkSettings",
    "PhrasePair",
    "PhraseTable",
    "Pivot",
    "PivotArrays",
    "PivotBags",
    "SegmentPhrase",
    "aligned_batches",
    "count_bags",
    "encode_side",
    "extract_batches",
    "extract_table",
    "idf",
    "lexical_table",
    "new_table",
    "pivot_of_table",
    "precision_recall_f1",
    "read_moses",
    "steps",
    "word_rows",
    "write_moses",
]
