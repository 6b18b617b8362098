"""Tokenizers, vocabulary, ragged corpora, line-numbered readers and writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.text.array_file import read_arrays, write_arrays
    from paragauge.text.batch import Batch, TokenGroups, Tokens
    from paragauge.text.bitext import (
        Bitext,
        BitextFiles,
        read_bitext,
        read_bitext_tsv,
        token_counts,
    )
    from paragauge.text.corpus import Corpus
    from paragauge.text.lines import (
        LineGroups,
        Lines,
        group_means,
        segment_of_line,
    )
    from paragauge.text.progress import silent
    from paragauge.text.ragged import Ragged, gather
    from paragauge.text.rated_pairs import RatedPairs, SegmentRange, read_rated_pairs
    from paragauge.text.tables.dialect import TableDialect
    from paragauge.text.tokenizers import apply_case, tokenize, tokenize_lines
    from paragauge.text.vocabulary import Vocabulary
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Batch",
    "Bitext",
    "BitextFiles",
    "Corpus",
    "LineGroups",
    "Lines",
    "Ragged",
    "RatedPairs",
    "SegmentRange",
    "TableDialect",
    "TokenGroups",
    "Tokens",
    "Vocabulary",
    "apply_case",
    "gather",
    "group_means",
    "read_arrays",
    "read_bitext",
    "read_bitext_tsv",
    "read_rated_pairs",
    "segment_of_line",
    "silent",
    "token_counts",
    "tokenize",
    "tokenize_lines",
    "write_arrays",
]
