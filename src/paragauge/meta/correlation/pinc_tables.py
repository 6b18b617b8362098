"""Tables 3 and 4 of Chen and Dolan (2011); `paper_tables.py` describes them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.correlation.table_cells import judge_pair, listed_people, one_correlation
from paragauge.meta.measure import Bootstrap
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.metrics.base import Metric
from paragauge.metrics.combined.bleu_pinc import BLEUPINC, Mean
from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid, SigmoidFit
from paragauge.metrics.control_systems import JUDGE as CONTROL
from paragauge.metrics.regression.held_out import number_sources
from paragauge.metrics.resampling import interval

THRESHOLDS = (0, 30, 60, 90)
MEANS: tuple[Mean, ...] = get_args(Mean)
PINC_NAME = "PINC"


def ratings_table(judged: EvalSet, settings: CorrelationSettings) -> Layout:
    """Table 3: the mean rating of each system on each criterion, with intervals over segments."""
    criteria = [name for name in judged.criteria if not np.isnan(judged.means(name)).all()]
    if not criteria or not judged.systems:
        raise InputError("expected ratings of named systems, found none")
    means = {name: judged.means(name) for name in criteria}
    rows = [
        LayoutRow(
            system,
            tuple(_mean_rating(judged, number, values, settings) for values in means.values()),
        )
        for number, system in enumerate(judged.systems)
    ]
    notes = [
        f"{name}: {int((~np.isnan(values)).sum())} rated candidates." for name, values in means.items()
    ]
    if CONTROL in judged.judges:
        notes.append("Ratings of controls, which were given beforehand, are among the means.")
    columns = tuple(name.capitalize() for name in criteria)
    title = "Average human ratings of the systems"
    return Layout(title, columns, tuple(rows), tuple(notes), settings, "Means over candidates")


def _mean_rating(
    judged: EvalSet, system: int, values: Floats, settings: CorrelationSettings
) -> LayoutCell:
    """The mean over the candidates of a system of their mean ratings."""
    items = judged.output_item[judged.output_system == system]
    items = items[~np.isnan(values[items])]
    if not len(items):
        return LayoutCell(None, "score", reason="no ratings")
    segments = judged.item_segment[items]
    bootstrap = Bootstrap(settings.bootstrap, settings.level, settings.seed, settings.threads)
    value = float(values[items].mean())
    if not bootstrap.draws(segments):
        return LayoutCell(value, "score")
    sums = bootstrap.sums(np.stack([values[items], np.ones(len(items))], axis=1), segments)
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = interval(sums[:, 0] / sums[:, 1], settings.level)
    return LayoutCell(value, "score", low, high)


def combinations_table(
    judged: EvalSet,
    settings: CorrelationSettings,
    overall: str,
    metrics: Mapping[str, Metric] | None,
) -> Layout:
    """Table 4: judges, BLEU, PINC and PEM against people, thresholds of BLEU, and combinations."""
    judged.criterion(overall)
    if metrics:
        judged = judged.score_with(metrics, settings.threads)
    roles = _Roles.of(judged)
    adequacy, pinc = judged.scores[roles.adequacy], judged.scores[roles.pinc]
    fitted = _fit_sigmoid(judged, adequacy.values, pinc.values, judged.means(overall), settings)
    combined = {
        f"{mean.capitalize()} Mean": BLEUPINC(mean=mean).combine(adequacy.values, pinc.values)
        for mean in MEANS
    }
    sigmoid = f"PINC × Sigmoid({adequacy.title})"
    combined[sigmoid] = fitted.metric.combine(adequacy.values, pinc.values)
    scores = {label: MetricScores(label, label, values) for label, values in combined.items()}
    judged = dataclasses.replace(judged, scores={**judged.scores, **scores})
    criteria = judged.criteria
    judges, judge_notes = listed_people(judged)
    rows = [
        LayoutRow(f"{a} vs. {b}", tuple(judge_pair(judged, name, a, b, settings) for name in criteria))
        for a, b in itertools.combinations(judges, 2)
    ]

    def row(label: str, text: str, fits: Sequence[str], where: str | None = None) -> LayoutRow:
        cells = [
            one_correlation(judged, name, label, settings, where=where) if name in fits else None
            for name in criteria
        ]
        return LayoutRow(text, tuple(cells))

    meaning = [name for name in criteria if name != "dissimilarity"]
    novelty = [name for name in criteria if name in ("dissimilarity", overall)]
    rows.append(row(roles.adequacy, f"{adequacy.title} vs. Human", meaning))
    rows.append(row(roles.pinc, f"{pinc.title} vs. Human", novelty))
    for label in roles.others:
        rows.append(row(label, f"{judged.scores[label].title} vs. Human", [overall]))
    rows.append(LayoutRow(f"{pinc.title} vs. Human ({adequacy.title} > threshold)", ()))
    left_out = []
    for threshold in THRESHOLDS:
        above = adequacy.values > threshold
        if min(int((above & ~np.isnan(judged.means(name))).sum()) for name in novelty) < 2:
            left_out.append(str(threshold))
            continue
        where = f'"{roles.adequacy}">{threshold}'
        rows.append(row(roles.pinc, f"threshold = {threshold}", novelty, where))
    rows.append(LayoutRow(f"Combined {adequacy.title} and {pinc.title} vs. Human", ()))
    for label in combined:
        rows.append(row(label, label, [overall]))
    held_out = fitted.held_out
    cell = LayoutCell(held_out.pearson, "correlation", held_out.low, held_out.high, "too few sources")
    held_out_cells = tuple(cell if name == overall else None for name in criteria)
    rows.append(LayoutRow(f"{sigmoid}, held out", held_out_cells))
    sources = (
        f"The sigmoid (slope {fitted.metric.slope:.4g}, midpoint {fitted.metric.midpoint:.4g}) was "
        "fitted on these ratings, as in the paper: its row is optimistic. Held out: fitted on the "
        f"other sources, {held_out.folds} folds."
    )
    notes = [*judge_notes, sources]
    if left_out:
        notes.append(
            f"Fewer than two rated candidates have {adequacy.title} above {', '.join(left_out)}."
        )
    shown = [judged.scores[label] for label in (roles.adequacy, roles.pinc, *roles.others)]
    notes += [one.signature for one in shown if one.signature]
    title = "Correlation between judges, and between metrics and judges (sentence level)"
    columns = tuple(name.capitalize() for name in criteria)
    return Layout(title, columns, tuple(rows), tuple(notes), settings)


@dataclasses.dataclass(frozen=True)
class _Roles:
    """Labels of the scores: PINC, the one in BLEU's place, and those that get a row like PEM's."""

    adequacy: str
    pinc: str
    others: tuple[str, ...]

    @classmethod
    def of(cls, judged: EvalSet) -> _Roles:
        """PINC is the first one of that name, and the first that is none stands where BLEU does."""
        labels = list(judged.scores)
        is_pinc = [_name_of(judged.scores[label]) == PINC_NAME for label in labels]
        if not any(is_pinc) or all(is_pinc):
            lacking = "a metric of meaning such as bleu" if all(is_pinc) and labels else "pinc"
            raise SettingError(
                f"the table needs PINC and a metric in BLEU's place; {lacking} is missing from -m; "
                "for example: -m bleu,pinc"
            )
        pinc = labels[is_pinc.index(True)]
        adequacy = labels[is_pinc.index(False)]
        return cls(adequacy, pinc, tuple(name for name in labels if name not in (adequacy, pinc)))


def _name_of(scores: MetricScores) -> str:
    """The metric's name, or what the label of given scores begins with."""
    if scores.metric is not None:
        return scores.metric.name
    return scores.label.split(":")[0].upper()


def _fit_sigmoid(
    judged: EvalSet, adequacy: Floats, pinc: Floats, gold: Floats, settings: CorrelationSettings
) -> SigmoidFit:
    """The logistic that suits these ratings, and what one fitted to other sources reaches."""
    segments = judged.item_segment.tolist()
    return PINCSigmoid.unfitted().fit_components(
        np.stack([adequacy, pinc], axis=1),
        gold,
        number_sources(segments, settings.seed),
        seed=settings.seed,
        replicates=settings.bootstrap,
        level=settings.level,
        threads=settings.threads,
    )
