"""Evaluation sets: systems, segments, judgments and judges; their files, and choices of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.meta.sets.evalset import EvalSet, MetricScores, Missing
    from paragauge.meta.sets.evalset_builder import Builder
    from paragauge.meta.sets.evalset_files import read_evalset
    from paragauge.meta.sets.evalset_part import EvalSetPart
    from paragauge.meta.sets.evalset_texts import (
        read_outputs,
        with_corpus,
        with_outputs,
        with_scores,
    )
    from paragauge.meta.sets.panel import Panel, panels
    from paragauge.meta.sets.wmt_folder import read_wmt
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Builder",
    "EvalSet",
    "EvalSetPart",
    "MetricScores",
    "Missing",
    "Panel",
    "panels",
    "read_evalset",
    "read_outputs",
    "read_wmt",
    "with_corpus",
    "with_outputs",
    "with_scores",
]
