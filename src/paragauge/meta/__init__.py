"""Evaluation of evaluations: comparison and significance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use, make_callable

if TYPE_CHECKING:
    from paragauge.meta.evaluation import meta
    from paragauge.meta.measure import Bootstrap, Measure, undefined_measure
    from paragauge.meta.metrics_and_judges import CriterionAgreement, People
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Bootstrap",
    "CriterionAgreement",
    "Measure",
    "People",
    "meta",
    "undefined_measure",
]

make_callable(__name__)
