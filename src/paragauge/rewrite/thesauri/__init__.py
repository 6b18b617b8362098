"""Thesauri that propose words: WordNet, classes by Brown clustering, and neighbors by LSA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.rewrite.thesauri.brown import BrownClusters
    from paragauge.rewrite.thesauri.frequent_words import FrequentWords
    from paragauge.rewrite.thesauri.inflection import Inflection
    from paragauge.rewrite.thesauri.lsa import (
        LSA,
        LSASettings,
        feature_columns,
        find_neighbors,
        weight_counts,
        word_vectors,
    )
    from paragauge.rewrite.thesauri.thesaurus import Tags, Thesaurus
    from paragauge.rewrite.thesauri.wordnet_thesaurus import WordNetThesaurus
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "LSA",
    "BrownClusters",
    "FrequentWords",
    "Inflection",
    "LSASettings",
    "Tags",
    "Thesaurus",
    "WordNetThesaurus",
    "feature_columns",
    "find_neighbors",
    "weight_counts",
    "word_vectors",
]
