"""Evaluation of evaluations: comparison and significance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use, make_callable

if TYPE_CHECKING:
    from paragauge.meta.contrast_evaluation import (
        ContrastSheet,
        KindContrast,
        MetricContrast,
        contrast,
    )
    from paragauge.meta.contrast_set import ContrastSet, read_contrast_set
    from paragauge.meta.evaluation import meta
    from paragauge.meta.metrics_and_judges import CriterionAgreement, People
    from paragauge.meta.sentence_changes import ChangedSentence, change_sentences, contrast_lines
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "ChangedSentence",
    "ContrastSet",
    "ContrastSheet",
    "CriterionAgreement",
    "KindContrast",
    "MetricContrast",
    "People",
    "change_sentences",
    "contrast",
    "contrast_lines",
    "meta",
    "read_contrast_set",
]

make_callable(__name__)
