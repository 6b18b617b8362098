"""Scatter plots of ratings and metrics, candidate by candidate or system by system.

Figures 3 to 5 of Liu, Dahlmeier and Ng (2010) are of this kind: dissimilarity and overall score of the
candidates whose adequacy and fluency are at least 4; PEM and overall score of all candidates; PEM and
overall score of the systems. Ratings are the mean of the judges. A system's rating is the mean over its
candidates, and its score is the metric's corpus score on the same candidates.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, get_args

import numpy as np

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.system_level import cells
from paragauge.meta.sets.conditions import holds
from paragauge.meta.sets.evalset import EvalSet, MetricScores, as_evalset
from paragauge.report.drawing.canvas import Scene
from paragauge.report.drawing.plots.scatter import scatter_plot
from paragauge.report.drawing.plots.two_metrics import plane_plot

ScatterView = Literal["pooled", "system"]
SCATTER_VIEWS: tuple[ScatterView, ...] = get_args(ScatterView)


def scatter(
    judged: EvalSet | Any,
    x: str,
    y: str = "overall",
    *,
    view: ScatterView = "pooled",
    where: str | None = None,
    jitter: float = 0.0,
    fit: bool = True,
    seed: int = 7,
) -> Scene:
    """Plot two criteria, or a metric and a criterion, of all candidates or of the systems.

    `judged` is an evaluation set or a data frame with its columns, as `EvalSet.from_frame` takes it.
    `where` selects candidates, as for `correlate`. `jitter` moves each candidate by up to that much,
    so that equal ratings do not cover each other; `fit` adds the line of least squares. Both are for
    candidates only.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> values = {"1": (1.0, 2.0), "2": (3.0, 3.5), "3": (5.0, 5.0)}
    >>> rows = [(n, "a", "A", {"dissimilarity": d, "overall": o}) for n, (d, o) in values.items()]
    >>> scatter(build(rows), "dissimilarity").caption
    '3 points. Pearson r = 1.000; line: least squares with its 95% band.'
    """
    judged = as_evalset(judged)
    if view not in SCATTER_VIEWS:
        raise unknown_name("view", view, SCATTER_VIEWS)
    if not 0 <= jitter < np.inf:
        raise SettingError(f"jitter: expected a number from 0 on, found {jitter:g}")
    if x == y:
        raise SettingError(f"expected two different criteria or metrics, found '{x}' twice")
    if len(judged.groups) > 1:
        raise InputError(f"expected one group, found {', '.join(judged.groups)}; choose one (--group)")
    if where is not None:
        judged = judged.where(holds(where, judged.value_of))
    known = ~(np.isnan(judged.value_of(x)) | np.isnan(judged.value_of(y)))
    if not known.any():
        raise InputError(
            f"expected candidates that have both {x} and {y}"
            f"{'' if where is None else f', where {where},'} found none"
        )
    judged = judged.where(known)
    titles = _scores(judged, x).title, _scores(judged, y).title
    for name in (x, y):
        if view == "pooled" and _scores(judged, name).system_level:
            raise InputError(
                f"'{name}' has scores of systems only, so candidates cannot be plotted; ask for the "
                "view 'system'"
            )
    if view == "pooled":
        return scatter_plot(
            judged.value_of(x), judged.value_of(y), titles=titles, jitter=jitter, fit=fit, seed=seed
        )
    if not judged.systems:
        raise InputError("expected named systems, found none; plot the candidates instead")
    across, up = _system_values(judged, x), _system_values(judged, y)
    scene = plane_plot(judged.systems, across.tolist(), up.tolist(), titles=titles)
    notes = [f"{len(judged.systems)} systems, {judged.items:,} candidates.", scene.caption]
    if len(across) > 2 and np.ptp(across) > 0 and np.ptp(up) > 0:
        notes.append(f"Pearson r = {np.corrcoef(across, up)[0, 1]:.3f}.")
    scene.caption = " ".join(filter(None, notes))
    return scene


def _scores(judged: EvalSet, name: str) -> MetricScores:
    """A metric's scores, or the mean ratings on a criterion; larger is not always better."""
    if name in judged.scores:
        return dataclasses.replace(judged.scores[name], higher_is_better=True)
    return MetricScores(name, name, judged.value_of(name))


def _system_values(judged: EvalSet, name: str) -> Floats:
    return cells(judged, _scores(judged, name)).values
