"""What training leaves out: sentence pairs and phrase pairs that do not mean the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.generate.filters.pair_filter import filter_pairs, pair_similarities
    from paragauge.generate.filters.person_words import keeps_persons
    from paragauge.generate.filters.phrase_details import keeps_details
    from paragauge.generate.filters.phrase_filter import PhraseFilter
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "PhraseFilter",
    "filter_pairs",
    "keeps_details",
    "keeps_persons",
    "pair_similarities",
]
