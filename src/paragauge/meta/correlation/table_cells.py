"""Cells that the correlation tables of several papers share."""

from __future__ import annotations

import dataclasses

import numpy as np

from paragauge.meta.correlation.correlation import Correlation, CorrelationSettings, correlate
from paragauge.meta.correlation.statistic import View
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.metrics.control_systems import JUDGE as CONTROL

MOST_PEOPLE = 30  # of whom published tables have two to five; every two of more would take minutes


def people(judged: EvalSet) -> list[str]:
    """The judges that are people: not the control, and not ratings without a judge."""
    return [name for name in judged.judges if name not in ("", CONTROL)]


def listed_people(judged: EvalSet) -> tuple[list[str], list[str]]:
    """The people who have rows of their own, and a note if they are too many for that."""
    found = people(judged)
    if len(found) <= MOST_PEOPLE:
        return found, []
    limit = f"with more than {MOST_PEOPLE}, none has a row"
    note = f"{len(found):,} judges: {limit}; paragauge agree has them."
    return [], [note]


def one_correlation(
    judged: EvalSet,
    criterion: str,
    label: str,
    settings: CorrelationSettings,
    *,
    view: View = "pooled",
    judge: str | None = None,
    where: str | None = None,
) -> Correlation:
    """How one metric or criterion correlates with the ratings, in one view."""
    chosen = dataclasses.replace(settings, view=view)
    return correlate(judged, criterion, [label], chosen, judge=judge, where=where).rows[0]


def both_levels(
    judged: EvalSet,
    criterion: str,
    label: str,
    settings: CorrelationSettings,
    *,
    judge: str | None = None,
    where: str | None = None,
) -> tuple[Correlation, ...]:
    """The correlation at sentence level and at system level."""
    return tuple(
        one_correlation(judged, criterion, label, settings, view=view, judge=judge, where=where)
        for view in ("pooled", "system")
    )


def judge_pair(
    judged: EvalSet,
    criterion: str,
    a: str,
    b: str,
    settings: CorrelationSettings,
    view: View = "pooled",
) -> Correlation | None:
    """One judge's ratings as scores, against the other's; None if they have none in common."""
    scores = MetricScores(a, a, judged.means(criterion, a))
    one = dataclasses.replace(judged, scores={a: scores})
    rated = ~np.isnan(scores.values) & ~np.isnan(judged.means(criterion, b))
    return one_correlation(one, criterion, a, settings, view=view, judge=b) if rated.any() else None
