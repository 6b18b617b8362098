"""Tables 1 to 4 of Chan and Ng (2008); `paper_tables.py` describes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.correlation import Correlations, CorrelationSettings, correlate
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.correlation.statistic import Estimate
from paragauge.meta.sets.evalset import EvalSet
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import interval

AVERAGE = "Average"


def metrics_by_criterion(
    judged: EvalSet,
    settings: CorrelationSettings,
    criteria: Sequence[str],
    metrics: Mapping[str, Metric] | None,
) -> Layout:
    """Spearman's rho of each metric's scores of systems by criterion, and the mean over criteria.

    Values are means over the groups (language pairs, test sets); of several groups, each follows with
    rows of its own. Resamples are drawn within groups; the interval of an average comes from the same
    resamples as those of its parts.
    """
    if metrics:
        judged = judged.score_with(metrics, settings.threads)
    if not judged.scores:
        raise InputError("expected metrics to correlate with the ratings, found none")
    rated = [name for name, values in judged.ratings.items() if not np.isnan(values).all()]
    criteria = list(criteria) or rated
    if not criteria:
        raise InputError("expected ratings of systems to correlate with, found none")
    chosen = dataclasses.replace(settings, statistic="spearman", view="system")
    columns = [correlate(judged, criterion, list(judged.scores), chosen) for criterion in criteria]
    groups = list(dict.fromkeys(group for column in columns for group in column.groups))
    rows = _block(columns, list(judged.scores), chosen.level)
    if len(groups) > 1:
        rows = [LayoutRow(f"Mean of {len(groups)}: {', '.join(groups)}", ()), *rows]
        for group in groups:
            labels = list(judged.scores)
            rows += [LayoutRow(group, ()), *_group_block(columns, labels, group, chosen.level)]
    names = [name.capitalize() for name in criteria]
    if len(criteria) > 1:
        names.append(AVERAGE)
    notes = []
    turned = [columns[0][label].title for label in columns[0].turned]
    if turned:
        notes.append(f"Signs reversed, because lower is better: {', '.join(turned)}.")
    notes += [signature for row in columns[0].rows if (signature := row.signature)]
    title = "Correlations of metrics with human judgments of systems"
    return Layout(title, tuple(names), tuple(rows), tuple(notes), chosen, "Spearman's rho over systems")


def _block(columns: Sequence[Correlations], labels: Sequence[str], level: float) -> list[LayoutRow]:
    """A row per metric: its mean over the groups on each criterion, and the average of these."""
    rows = []
    for label in labels:
        found = [column[label] for column in columns]
        cells = [_cell(one.value, one.low, one.high, one.reason) for one in found]
        if len(columns) > 1:
            resampled = [one.resampled for one in found]
            cells.append(_average([one.value for one in found], *_bounds(resampled, level)))
        rows.append(LayoutRow(found[0].title, tuple(cells)))
    return rows


def _group_block(
    columns: Sequence[Correlations], labels: Sequence[str], group: str, level: float
) -> list[LayoutRow]:
    """The same in one group."""
    rows = []
    nothing = Estimate(None, 0, reason="not rated in this group")
    for label in labels:
        estimates = [column[label].groups.get(group, nothing) for column in columns]
        resampled = [column[label].resampled_groups.get(group, np.zeros(0)) for column in columns]
        cells = [
            _cell(one.value, *_bounds([draws], level), one.reason)
            for one, draws in zip(estimates, resampled, strict=True)
        ]
        if len(columns) > 1:
            cells.append(_average([one.value for one in estimates], *_bounds(resampled, level)))
        rows.append(LayoutRow(columns[0][label].title, tuple(cells)))
    return rows


def _bounds(resampled: Sequence[Floats], level: float) -> tuple[float | None, float | None]:
    """The interval of the mean of several statistics, if all have values on the same resamples."""
    if not all(len(one) and one.shape == resampled[0].shape for one in resampled):
        return None, None
    return interval(np.mean(resampled, axis=0), level)


def _cell(value: float | None, low: float | None, high: float | None, reason: str) -> LayoutCell:
    return LayoutCell(value, "rho", low, high, reason)


def _average(values: Sequence[float | None], low: float | None, high: float | None) -> LayoutCell:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return LayoutCell(None, "rho", reason="a criterion has no value")
    return LayoutCell(sum(known) / len(known), "rho", low, high)
