"""The meaning kept, learned: what changed between two sentences, and what people make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.pem.adequacy.adequacy import Adequacy
    from paragauge.metrics.pem.adequacy.adequacy_context import AdequacyContext
    from paragauge.metrics.pem.adequacy.adequacy_model import AdequacyModel
    from paragauge.metrics.pem.adequacy.word_changes import (
        LinkedWord,
        WordLinks,
        link_words,
        measure_changes,
    )
    from paragauge.metrics.pem.adequacy.word_classes import WordFacts, describe_word
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Adequacy",
    "AdequacyContext",
    "AdequacyModel",
    "LinkedWord",
    "WordFacts",
    "WordLinks",
    "describe_word",
    "link_words",
    "measure_changes",
]
