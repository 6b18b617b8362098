"""Tables 1 to 3 of Liu, Dahlmeier and Ng (2010); `paper_tables.py` describes them."""

from __future__ import annotations

from collections.abc import Mapping

from paragauge.errors import InputError
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.paper_layout import Layout, LayoutRow
from paragauge.meta.correlation.statistic import View
from paragauge.meta.correlation.table_cells import (
    MOST_PEOPLE,
    both_levels,
    judge_pair,
    listed_people,
    people,
)
from paragauge.meta.sets.evalset import EvalSet
from paragauge.metrics.base import Metric


def judges_table(judged: EvalSet, settings: CorrelationSettings, overall: str) -> Layout:
    """Table 1: each judge against each other one, at sentence and at system level."""
    judged.criterion(overall)
    judges = people(judged)
    if len(judges) < 2:
        raise InputError(
            f"expected at least two judges to compare, found {', '.join(judges) or 'none'}; the "
            "ratings need a column judge"
        )
    if len(judges) > MOST_PEOPLE:
        raise InputError(
            f"expected at most {MOST_PEOPLE} judges for a table with a column for each, found "
            f"{len(judges):,}; paragauge agree compares more"
        )
    views: tuple[tuple[str, View], ...] = (("Sentence Level", "pooled"), ("System Level", "system"))
    rows = [
        LayoutRow(
            judge,
            tuple(
                judge_pair(judged, overall, other, judge, settings, view) if place < number else None
                for _, view in views
                for place, other in enumerate(judges[:-1])
            ),
        )
        for number, judge in enumerate(judges)
        if number
    ]
    columns = tuple(f"{level}: {other}" for level, _ in views for other in judges[:-1])
    title = f"Inter-judge correlation for {overall} paraphrase score"
    return Layout(title, columns, tuple(rows), (), settings)


def criteria_table(
    judged: EvalSet, settings: CorrelationSettings, overall: str, where: str | None
) -> Layout:
    """Table 2: each criterion against the overall score, the last also where the others are high."""
    others = [name for name in judged.criteria if name != overall]
    judged.criterion(overall)
    if not others:
        raise InputError(
            f"expected another criterion than '{overall}' to correlate with it, found none"
        )
    rows = [
        LayoutRow(name.capitalize(), both_levels(judged, overall, name, settings)) for name in others
    ]
    if where is None and {"adequacy", "fluency", "dissimilarity"} <= set(others):
        where = "adequacy>=4 and fluency>=4"
    if where is not None:
        name = "dissimilarity" if "dissimilarity" in others else others[-1]
        cells = both_levels(judged, overall, name, settings, where=where)
        rows.append(LayoutRow(f"{name.capitalize()} ({where})", cells))
    title = f"Correlation of paraphrase criteria with {overall} score"
    return Layout(title, ("Sentence Level", "System Level"), tuple(rows), (), settings)


def metrics_table(
    judged: EvalSet,
    settings: CorrelationSettings,
    overall: str,
    metrics: Mapping[str, Metric] | None,
) -> Layout:
    """Table 3: each metric against the mean of the judges, and against each judge."""
    if metrics:
        judged = judged.score_with(metrics, settings.threads)
    if not judged.scores:
        raise InputError("expected metrics to correlate with the judges, found none")
    rows = []
    judges, judge_notes = listed_people(judged)
    for label, scores in judged.scores.items():
        cells = both_levels(judged, overall, label, settings)
        rows.append(LayoutRow(f"{scores.title} vs. Human Avg.", cells))
        for judge in judges:
            cells = both_levels(judged, overall, label, settings, judge=judge)
            rows.append(LayoutRow(f"{scores.title} vs. {judge}", cells))
    title = f"Correlation of metrics with human judgment ({overall} score)"
    signatures = (one.signature for one in judged.scores.values() if one.signature)
    notes = (*judge_notes, *signatures)
    return Layout(title, ("Sentence Level", "System Level"), tuple(rows), notes, settings)
