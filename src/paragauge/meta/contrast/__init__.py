"""Does a metric notice a change of meaning? Contrast sets, their evaluation, and how to make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.meta.contrast.contrast_set import ContrastSet, read_contrast_set
    from paragauge.meta.contrast.evaluation import (
        ContrastSheet,
        KindContrast,
        MetricContrast,
        contrast,
    )
    from paragauge.meta.contrast.sentence_changes import (
        ChangedSentence,
        change_sentences,
        contrast_lines,
        summarize_changes,
    )
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "ChangedSentence",
    "ContrastSet",
    "ContrastSheet",
    "KindContrast",
    "MetricContrast",
    "change_sentences",
    "contrast",
    "contrast_lines",
    "read_contrast_set",
    "summarize_changes",
]
