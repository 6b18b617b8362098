"""Table 7 of Weese, Ganitkevitch and Callison-Burch (2014); `paper_tables.py` describes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from paragauge.errors import InputError
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.sets.evalset import EvalSet


def systems_table(judged: EvalSet, settings: CorrelationSettings, criteria: Sequence[str]) -> Layout:
    """Table 7: Spearman's rho of scores of systems with the ratings on each criterion."""
    if not judged.scores:
        raise InputError("expected scores of systems to correlate with the ratings, found none")
    rated = [name for name, values in judged.ratings.items() if not np.isnan(values).all()]
    criteria = criteria or rated
    if not criteria:
        raise InputError("expected ratings of systems to correlate with, found none")
    chosen = dataclasses.replace(settings, statistic="spearman", view="system")
    columns = [correlate(judged, criterion, list(judged.scores), chosen) for criterion in criteria]
    rows = [
        LayoutRow(
            scores.title,
            tuple(
                LayoutCell(cell.value, "signed", cell.low, cell.high, cell.reason)
                for cell in (column[label] for column in columns)
            ),
        )
        for label, scores in judged.scores.items()
    ]
    notes = [
        f"{name}: {columns[0].systems} systems, {column.items} rated candidates"
        + "".join(f", {count} left out with {reason}" for reason, count in column.left_out.items())
        + "."
        for name, column in zip(criteria, columns, strict=True)
    ]
    turned = [columns[0][label].title for label in columns[0].turned]
    if turned:
        notes.append(f"Signs reversed, because lower is better: {', '.join(turned)}.")
    title = "Correlation of automatic evaluation metrics with human judgments"
    names = tuple(name.capitalize() for name in criteria)
    return Layout(title, names, tuple(rows), tuple(notes), chosen, "Spearman's rho over systems")
