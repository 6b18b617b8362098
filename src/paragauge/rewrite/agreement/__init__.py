"""Which proposals leave a sentence grammatical, and what changes around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.rewrite.agreement.article_agreement import (
        agreeing_article,
        replace_tokens,
        skip_opening,
    )
    from paragauge.rewrite.agreement.compounds import find_compounds
    from paragauge.rewrite.agreement.contractions import Contractions
    from paragauge.rewrite.agreement.tag_agreement import TaggedPlaces, keep_grammatical
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Contractions",
    "TaggedPlaces",
    "agreeing_article",
    "find_compounds",
    "keep_grammatical",
    "replace_tokens",
    "skip_opening",
]
