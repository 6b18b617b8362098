"""Evaluation of evaluations: comparison and significance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use, make_callable

if TYPE_CHECKING:
    from paragauge.meta.evaluation import meta
    from paragauge.meta.metrics_and_judges import CriterionAgreement, People
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "CriterionAgreement",
    "People",
    "meta",
]

make_callable(__name__)
