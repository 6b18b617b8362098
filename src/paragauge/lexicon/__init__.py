"""WordNet synonyms, antonyms and base forms, articles, and stems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.lexicon.articles import indefinite_article
    from paragauge.lexicon.lemmas import LemmaTable
    from paragauge.lexicon.opposites import OppositeSets, opposite_pairs
    from paragauge.lexicon.stems import stem
    from paragauge.lexicon.wordnet import WordNet, load, related_pairs
    from paragauge.lexicon.wordnet_table import Contents, pack
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Contents",
    "LemmaTable",
    "OppositeSets",
    "WordNet",
    "indefinite_article",
    "load",
    "opposite_pairs",
    "pack",
    "related_pairs",
    "stem",
]
