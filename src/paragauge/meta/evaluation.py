"""Meta-evaluation: which metric agrees with people, for several criteria, judges and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from paragauge.meta.sets.conditions import names_in
from paragauge.meta.sets.evalset import EvalSet, as_evalset
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS, PRESETS
from paragauge.metrics.spec_syntax import split_spec
from paragauge.text.name_coverage import check_gaps, coverage_gaps, list_names
from paragauge.text.wording import pluralize


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
    allow_missing: bool = False,
) -> list[Correlations]:
    """Correlate metrics with human judgments: one result per criterion, judge and settings.

    `judged` is an evaluation set or a data frame with its columns, as `EvalSet.from_frame` takes it.
    `metrics` are metrics to score the texts with, or labels of scores and criteria that the set has;
    all its scores by default. Without `criteria`, all that have ratings and are not among the metrics;
    without `settings`, Pearson's correlation in its usual views. A judge that is None stands for the
    mean of all. Systems and segments without any score of a metric whose scores are given are an error,
    unless `allow_missing` leaves them out. Metrics and criteria with values of systems only have no
    part in views of segments.

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
    judged = score_condition(judged, where, threads)
    if not allow_missing:
        _check_scores(judged, labels)
    asked = criteria
    criteria = criteria or rated_criteria(judged, labels)
    if settings is None:
        settings = [
            CorrelationSettings(view=view, threads=threads) for view in usual_views("pearson", judged)
        ]
    chosen = [settings] if isinstance(settings, CorrelationSettings) else settings
    return [
        correlate(
            judged, criterion, _of_view(judged, labels, one), one, judge=judge, where=where, step=step
        )
        for criterion in criteria
        for judge in judges
        for one in chosen
        if asked or not _is_beside_view(judged, criterion, one)
    ]


def score_condition(
    judged: EvalSet,
    where: str | None,
    threads: int = 0,
    defaults: Mapping[str, str] | None = None,
) -> EvalSet:
    """With the scores that a condition asks for and the set does not have yet, from the texts.

    They have the name that the condition has for them. `defaults` are settings of all metrics.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [("1", "a", "A", {"overall": 2.0})]
    >>> one = build(rows, sources={"1": ["x y"]}, candidates={("1", "a"): "x z"})
    >>> score_condition(one, "pinc:order=1>40").value_of("pinc:order=1")
    array([50.])
    """
    names = [] if where is None else names_in(where)
    metrics = {
        name: Metric.from_spec(name, defaults)
        for name in names
        if name not in judged.scores and name not in judged.ratings and _is_metric(name)
    }
    if not metrics:
        return judged
    if judged.candidates is None:
        raise InputError(
            f"condition '{where}': the set has no scores of {next(iter(metrics))} and no texts to "
            "compute them from; give the texts, or the scores"
        )
    return judged.score_with(metrics, threads)


def _is_metric(name: str) -> bool:
    """Whether a name in a condition can be that of a metric; others are unknown criteria."""
    base, _ = split_spec(name)
    return ":" in name or base.lower() in METRICS or base.lower() in PRESETS


def _is_beside_view(judged: EvalSet, criterion: str, settings: CorrelationSettings) -> bool:
    """Whether a criterion has ratings of systems only, and the statistic needs those of segments."""
    needs_segments = settings.view != "system" or settings.statistic == "soft-accuracy"
    return needs_segments and judged.has_system_ratings_only(criterion)


def _of_view(judged: EvalSet, labels: Sequence[str], settings: CorrelationSettings) -> list[str]:
    """The metrics that have values in a view; all if none has, so that the error says why."""
    if settings.view == "system" and settings.statistic != "soft-accuracy":
        return list(labels)
    of_segments = [
        label for label in labels if label not in judged.scores or not judged.scores[label].system_level
    ]
    return of_segments or list(labels)


def _check_scores(judged: EvalSet, labels: Sequence[str]) -> None:
    """Refuse given scores that no item of some system or segment has."""
    segments = [judged.segments[number] for number in range(len(judged.segments))]
    for label in labels:
        scores = judged.scores.get(label)
        if scores is None or scores.metric is not None or scores.system_level:
            continue
        known = ~np.isnan(scores.values)
        if not known.any():
            continue  # the correlation says that the metric has no value
        used = known[judged.output_item]
        scored = {judged.systems[i] for i in np.unique(judged.output_system[used])}
        place = f"the scores of {label}"
        gaps = coverage_gaps("system", judged.systems, scored, "the ratings", place)
        numbers = set(np.unique(judged.item_segment).tolist())
        lacking = numbers - set(np.unique(judged.item_segment[known]).tolist())
        if lacking:
            names = list_names([segments[number] for number in sorted(lacking)])
            gaps.append(f"{pluralize(len(lacking), 'segment')} of the ratings not in {place}: {names}")
        check_gaps(gaps, allow_missing=False)


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
    views = views_of(statistic)
    if "system" in views and any(scores.system_level for scores in judged.scores.values()):
        return ["system"]
    if "pooled" not in views:
        return list(views[:1])
    return ["pooled", "system"] if len(judged.systems) >= FEWEST else ["pooled"]
