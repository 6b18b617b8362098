"""Meta-evaluation: which metric agrees with people, for several criteria, judges and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paragauge.errors import InputError
from paragauge.meta.correlation.correlation import (
    Correlations,
    CorrelationSettings,
    StatisticName,
    Step,
    correlate,
    views_of,
)
from paragauge.meta.correlation.statistic import View
from paragauge.meta.correlation.system_level import FEWEST
from paragauge.meta.sets.evalset import EvalSet, as_evalset
from paragauge.metrics.base import Metric


def meta(
    judged: EvalSet | Any,
    metrics: Iterable[Metric | str] | None = None,
    criteria: Sequence[str] = (),
    settings: CorrelationSettings | Sequence[CorrelationSettings] | None = None,
    *,
    judges: Sequence[str | None] = (None,),
    where: str | None = None,
    threads: int = 0,
    step: Step | None = None,
) -> list[Correlations]:
    """Correlate metrics with human judgments: one result per criterion, judge and settings.

    `judged` is an evaluation set or a data frame with its columns, as `EvalSet.from_frame` takes it.
    `metrics` are metrics to score the texts with, or labels of scores and criteria that the set has;
    all its scores by default. Without `criteria`, all that have ratings and are not among the metrics;
    without `settings`, Pearson's correlation in its usual views. A judge that is None stands for the
    mean of all.

    >>> from paragauge import PINC
    >>> from paragauge.meta.sets.evalset_builder import build
    >>> texts = {("1", "a"): "x z", ("2", "a"): "x y", ("3", "a"): "z z"}
    >>> rows = [(n, "a", "A", {"overall": v}) for n, v in (("1", 2.0), ("2", 1.0), ("3", 3.0))]
    >>> judged = build(rows, sources={n: ["x y"] for n in "123"}, candidates=texts)
    >>> result = meta(judged, [PINC()])[0]
    >>> result.criterion, round(result["pinc"].value, 2)
    ('overall', 0.96)
    """
    judged = as_evalset(judged)
    listed = list(judged.scores if metrics is None else metrics)
    computed = {metric.label: metric for metric in listed if isinstance(metric, Metric)}
    if computed:
        judged = judged.score_with(computed, threads)
    labels = [metric.label if isinstance(metric, Metric) else metric for metric in listed]
    criteria = criteria or rated_criteria(judged, labels)
    if settings is None:
        settings = [
            CorrelationSettings(view=view, threads=threads) for view in usual_views("pearson", judged)
        ]
    chosen = [settings] if isinstance(settings, CorrelationSettings) else settings
    return [
        correlate(judged, criterion, labels, one, judge=judge, where=where, step=step)
        for criterion in criteria
        for judge in judges
        for one in chosen
    ]


def rated_criteria(judged: EvalSet, predictors: Sequence[str] = ()) -> list[str]:
    """The criteria that have ratings, without those that are treated as metrics."""
    names = [name for name in judged.criteria if name not in predictors]
    if not names:
        raise InputError("expected a criterion to correlate with; all of them are predictors")
    rated = [name for name in names if not np.isnan(judged.criterion(name)).all()]
    if not rated:
        raise InputError(f"no criterion has ratings: {', '.join(names)}")
    return rated


def usual_views(statistic: StatisticName, judged: EvalSet) -> list[View]:
    """The views of a statistic that the set allows and that are shown by default."""
    if any(scores.system_level for scores in judged.scores.values()):
        return ["system"]
    if "pooled" not in views_of(statistic):
        return list(views_of(statistic)[:1])
    return ["pooled", "system"] if len(judged.systems) >= FEWEST else ["pooled"]
