"""Metrics and people on the same candidates: what a report says about both.

For every criterion: each metric's correlation with the mean ratings, over candidates and over
systems, and, where there are two judges or more, how far the judges agree with one another. A metric
that agrees with people less than one judge agrees with another has room to improve; one that agrees
more than that follows the judges' common habits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.meta.agreement.agreement import Agreement, AgreementSettings, criterion_agreement
from paragauge.meta.correlation.correlation import Correlations, CorrelationSettings, Step, correlate
from paragauge.meta.measure import Bootstrap
from paragauge.meta.sets.evalset import EvalSet


@dataclass(frozen=True)
class CriterionAgreement:
    """One criterion: correlations over candidates, over systems, and between judges."""

    criterion: str
    pooled: Correlations
    system: Correlations | None
    judges: Agreement | None


@dataclass(frozen=True)
class People:
    """The judged candidates, with scores, and the agreement on each criterion."""

    judged: EvalSet
    criteria: list[CriterionAgreement]


def people(
    judged: EvalSet,
    settings: CorrelationSettings | None = None,
    *,
    criteria: Sequence[str] = (),
    step: Step | None = None,
) -> People:
    """Agreement of the set's metrics with people, on some criteria or all that have ratings.

    >>> from paragauge import PINC
    >>> from paragauge.meta.sets.evalset_builder import build
    >>> texts = {("1", "a"): "x z", ("2", "a"): "x y", ("3", "a"): "z z"}
    >>> rows = [(n, "a", "A", {"overall": v}) for n, v in (("1", 2.0), ("2", 1.0), ("3", 3.0))]
    >>> judged = build(rows, sources={n: ["x y"] for n in "123"}, candidates=texts)
    >>> agreement = people(judged.score_with({"pinc": PINC()}))
    >>> round(agreement.criteria[0].pooled["pinc"].value, 2)
    0.96
    """
    settings = dataclasses.replace(settings or CorrelationSettings(), view="pooled")
    bootstrap = Bootstrap(settings.bootstrap, settings.level, settings.seed, settings.threads)
    views = []
    rated = [name for name, values in judged.ratings.items() if not np.isnan(values).all()]
    for criterion in criteria or rated:
        pooled = correlate(judged, criterion, settings=settings, step=step)
        system = None
        if pooled.systems > 1:
            chosen = dataclasses.replace(settings, view="system")
            system = correlate(judged, criterion, settings=chosen, step=step)
        judges = None
        if len(np.unique(judged.rating_judge[~np.isnan(judged.criterion(criterion))])) > 1:
            judges = criterion_agreement(judged, criterion, AgreementSettings(bootstrap=bootstrap))
        views.append(CriterionAgreement(criterion, pooled, system, judges))
    return People(judged, views)
