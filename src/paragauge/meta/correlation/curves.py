"""How the correlation of a metric with ratings grows with the number of references.

Figure 4 of Chen and Dolan (2011): for each number k of references, k of each segment's references
are drawn at random, candidates are scored against them, and the scores are correlated with the
ratings; this is repeated and averaged. A second line adds the source sentence to the references. The
paper does not say how it drew; here every repetition draws again, without replacement, for each
segment. Segments with fewer than k references use all they have, and are counted; `complete` leaves
out their items instead, at all points, so that the points differ only in k.

The band is the central `level` of the bootstrap distribution over segments, pooled over repetitions:
it covers both the choice of segments and the choice of references.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.evalset import EvalSet, as_evalset
from paragauge.meta.sets.panel import panels
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import interval


@dataclass(frozen=True)
class CurvePoint:
    """The correlation with k references, with or without the source among them."""

    references: int
    source: bool
    value: float | None
    low: float | None
    high: float | None
    short: int  # segments with fewer references than asked for
    reason: str = ""  # why there is no value


@dataclass(frozen=True)
class ReferenceCurve:
    """Correlation over the number of references."""

    metric: str
    title: str
    signature: str
    criterion: str
    statistic: str
    view: str
    repetitions: int
    items: int
    points: list[CurvePoint]
    settings: CorrelationSettings


def curve(
    judged: EvalSet | Any,
    criterion: str,
    metric: Metric,
    counts: Sequence[int] | None = None,
    settings: CorrelationSettings | None = None,
    *,
    repetitions: int = 10,
    complete: bool = False,
    where: str | None = None,
    step: Callable[[str], None] | None = None,
) -> ReferenceCurve:
    """The curve of one metric; `counts` are 1, 2, ... up to the most references by default.

    `judged` is an evaluation set or a data frame with its columns, as `EvalSet.from_frame` takes it.

    >>> from paragauge import BLEU
    >>> from paragauge.meta.sets.evalset_builder import build
    >>> texts = {("1", "a"): "x z", ("2", "a"): "x y", ("3", "a"): "z z"}
    >>> rows = [(n, "a", "A", {"overall": v}) for n, v in (("1", 2.0), ("2", 3.0), ("3", 1.0))]
    >>> inputs = {"sources": {n: ["x"] for n in "123"}, "references": {n: ["x y", "y"] for n in "123"}}
    >>> judged = build(rows, candidates=texts, **inputs)
    >>> settings = CorrelationSettings(test="none", bootstrap=0)
    >>> [point.references for point in curve(judged, "overall", BLEU(), settings=settings).points]
    [1, 2, 1, 2]
    """
    judged = as_evalset(judged)
    settings = settings or CorrelationSettings()
    if judged.references is None or judged.sources is None or judged.candidates is None:
        raise InputError("a curve needs sources, references and candidates; give all of them")
    if "references" not in metric.needs:
        raise SettingError(f"{metric.name} does not use references; a curve needs a metric that does")
    if repetitions < 1:
        raise SettingError(f"expected at least one repetition, found {repetitions}")
    most = max(map(len, judged.references))
    counts = sorted(set(counts or range(1, most + 1)))
    if counts[0] < 0 or counts[-1] > most:
        raise SettingError(
            f"expected numbers of references from 0 to {most}, the most that a segment has, found "
            f"{', '.join(map(str, counts))}"
        )
    if complete:
        enough = np.array([len(texts) >= counts[-1] for texts in judged.references])
        judged = judged.where(enough[judged.item_segment])
    points = [
        _point(judged, criterion, metric, count, source, settings, repetitions, where, step)
        for source in (False, True)
        for count in counts
        if count > 0 or source
    ]
    scored = judged.score_with({metric.label: metric}, settings.threads)
    items = sum(panel.judged.items for panel in panels(scored, criterion, [], where=where))
    chosen = settings.build_statistic()
    title = metric.name + metric.label[len(metric.name) :]
    return ReferenceCurve(
        metric.label,
        title,
        metric.signature,
        criterion,
        chosen.name,
        chosen.view,
        repetitions,
        items,
        points,
        settings,
    )


def _point(
    judged: EvalSet,
    criterion: str,
    metric: Metric,
    count: int,
    source: bool,
    settings: CorrelationSettings,
    repetitions: int,
    where: str | None,
    step: Callable[[str], None] | None,
) -> CurvePoint:
    sources, references = judged.sources or (), judged.references or ()
    statistic = settings.build_statistic()
    random = np.random.default_rng([settings.seed, count])
    values: list[float | None] = []
    reasons: dict[str, None] = {}
    resampled = []
    label = metric.label
    share = max(1, settings.bootstrap // repetitions) if settings.bootstrap else 0
    for repetition in range(repetitions):
        if step is not None:
            step(f"{count} references, {'with' if source else 'without'} the source")
        drawn = tuple(
            tuple(texts[i] for i in sorted(random.permutation(len(texts))[:count].tolist()))
            + (sources[segment] if source else ())
            for segment, texts in enumerate(references)
        )
        scored = dataclasses.replace(judged, references=drawn).score_with(
            {label: metric}, settings.threads
        )
        parts = panels(scored, criterion, [label], where=where)
        estimates = [statistic.value(panel, panel.scores(label)) for panel in parts]
        undefined = [estimate.reason for estimate in estimates if estimate.value is None]
        reasons.update(dict.fromkeys(undefined))
        known = [estimate.value for estimate in estimates if estimate.value is not None]
        values.append(float(np.mean(known)) if len(known) == len(estimates) else None)
        if share and values[-1] is not None:
            draws = Draws(share, settings.seed + repetition, settings.threads)
            lists = [statistic.resample_values(panel, panel.scores(label), draws) for panel in parts]
            resampled.append(np.mean(lists, axis=0))
    low, high = interval(np.concatenate(resampled), settings.level) if resampled else (None, None)
    defined = [value for value in values if value is not None]
    return CurvePoint(
        count,
        source,
        float(np.mean(defined)) if len(defined) == len(values) else None,
        low,
        high,
        sum(len(references[segment]) < count for segment in set(judged.item_segment.tolist())),
        "; ".join(reasons),
    )
