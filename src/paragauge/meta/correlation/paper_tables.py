"""The correlation tables of four papers, from ratings of the same shape.

- ``pem-1``: Liu et al. (2010), table 1: each judge against each other one, on the overall score.
- ``pem-2``: Liu et al. (2010), table 2: how each criterion correlates with the overall score, at
  sentence and system level; the last row is dissimilarity where the other criteria are at least 4.
- ``pem-3``: Liu et al. (2010), table 3: each metric against the mean of the judges and against each
  judge.
- ``pinc-4``: Chen and Dolan (2011), table 4: judges against each other, BLEU and PINC against
  people, PINC where BLEU is above a threshold, and combinations of BLEU and PINC. As in the paper,
  the logistic of PINC x sigmoid(BLEU) is fitted on the same ratings ("we used an oracle"), so its
  value is optimistic. Cells that are N/A in the paper are left out.
- ``kauchak-4``, ``kauchak-5``, ``kauchak-6``: Kauchak and Barzilay (2006), tables 4 to 6: metrics on
  rewritten references (`rewriting_tables.py`). Tables 7 and 8 are in
  `agreement/substitution_tables.py`.
- ``paradigm-7``: Weese, Ganitkevitch and Callison-Burch (2014), table 7: Spearman's rho of scores of
  systems, of any kind, with the ratings on each criterion. A system's rating is the mean over its
  candidates of their mean ratings, which is the paper's mean over all judgments if each candidate has
  as many judges. Rows and columns are in the order of the input.
  One decimal, as in the paper: without ties, the rho of five systems has no more.

The first four are Pearson's r with bootstrap intervals over segments, which the papers do not give.
Sentence level is the *pooled* view. A judge called ``control`` stands for the predetermined ratings of
control systems and does not count as a judge: what judges did not rate is in the means of tables 2 and
3, as in the paper, and not where judges are compared.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from paragauge.errors import InputError, SettingError, unknown_name
from paragauge.meta.correlation.correlation import Correlation, CorrelationSettings, correlate
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.correlation.rewriting_tables import (
    documents_table,
    significance_table,
    substitutions_table,
)
from paragauge.meta.correlation.statistic import View
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.metrics.base import Metric
from paragauge.metrics.bleu import BLEU
from paragauge.metrics.combined.bleu_pinc import BLEUPINC, Mean
from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid
from paragauge.metrics.pinc import PINC
from paragauge.rewrite.rewritten_metric_spec import metrics_by_label

LayoutName = Literal[
    "pem-1", "pem-2", "pem-3", "pinc-4", "kauchak-4", "kauchak-5", "kauchak-6", "paradigm-7"
]
LAYOUTS: tuple[LayoutName, ...] = get_args(LayoutName)
# What tables 4 to 6 of Kauchak and Barzilay compare, if nothing else is asked for.
REWRITINGS = ("bleu", "bleu:rewrite=wordnet", "bleu:rewrite=context")
CONTROL = "control"
THRESHOLDS = (0, 30, 60, 90)
MEANS: tuple[Mean, ...] = get_args(Mean)


def layout(
    name: LayoutName,
    judged: EvalSet,
    settings: CorrelationSettings | None = None,
    *,
    overall: str = "overall",
    where: str | None = None,
    metrics: Mapping[str, Metric] | None = None,
    criteria: Sequence[str] = (),
) -> Layout:
    """The table with this name, for these ratings and, where the table has metrics, texts or scores.

    `metrics`, by label, are for tables 4 to 6 of Kauchak and Barzilay; by default BLEU as it is and on
    references that are rewritten without a filter and with the paper's. `criteria` are the columns of
    ``paradigm-7``, all that have ratings by default.
    """
    settings = dataclasses.replace(
        settings or CorrelationSettings(), test="none", statistic="pearson", view="pooled"
    )
    if where is not None and name in LAYOUTS and name != "pem-2":
        raise SettingError(f"layout {name} has no condition; only pem-2 does")
    if name.startswith("kauchak"):
        metrics = metrics or metrics_by_label(REWRITINGS)
    if name == "pem-1":
        table = _pem_1(judged, settings, overall)
    elif name == "pem-2":
        table = _pem_2(judged, settings, overall, where)
    elif name == "pem-3":
        table = _pem_3(judged, settings, overall)
    elif name == "pinc-4":
        table = _pinc_4(judged, settings, overall)
    elif name == "kauchak-4":
        table = documents_table(judged, settings, overall, metrics or {})
    elif name == "kauchak-5":
        table = significance_table(judged, settings, overall, metrics or {})
    elif name == "kauchak-6":
        table = substitutions_table(judged, settings, metrics or {})
    elif name == "paradigm-7":
        table = _paradigm_7(judged, settings, criteria)
    else:
        raise unknown_name("layout", name, LAYOUTS)
    left_out = ", ".join(f"{count} with {reason}" for reason, count in judged.left_out.items())
    if not left_out:
        return table
    items = f"{judged.items} candidate{'s' * (judged.items != 1)}; left out: {left_out}."
    return dataclasses.replace(table, notes=(items, *table.notes))


def _one(
    judged: EvalSet,
    criterion: str,
    label: str,
    settings: CorrelationSettings,
    *,
    view: View = "pooled",
    judge: str | None = None,
    where: str | None = None,
) -> Correlation:
    chosen = dataclasses.replace(settings, view=view)
    return correlate(judged, criterion, [label], chosen, judge=judge, where=where).rows[0]


def _levels(
    judged: EvalSet,
    criterion: str,
    label: str,
    settings: CorrelationSettings,
    *,
    judge: str | None = None,
    where: str | None = None,
) -> tuple[Correlation, ...]:
    return tuple(
        _one(judged, criterion, label, settings, view=view, judge=judge, where=where)
        for view in ("pooled", "system")
    )


def _pem_1(judged: EvalSet, settings: CorrelationSettings, overall: str) -> Layout:
    judged.criterion(overall)
    judges = _judges(judged)
    if len(judges) < 2:
        raise InputError(
            f"expected at least two judges to compare, found {', '.join(judges) or 'none'}; the "
            "ratings need a column judge"
        )
    views: tuple[tuple[str, View], ...] = (("Sentence Level", "pooled"), ("System Level", "system"))
    rows = [
        LayoutRow(
            judge,
            tuple(
                _pair(judged, overall, other, judge, settings, view) if place < number else None
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


def _pem_2(judged: EvalSet, settings: CorrelationSettings, overall: str, where: str | None) -> Layout:
    others = [name for name in judged.criteria if name != overall]
    judged.criterion(overall)
    if not others:
        raise InputError(
            f"expected another criterion than '{overall}' to correlate with it, found none"
        )
    rows = [LayoutRow(name.capitalize(), _levels(judged, overall, name, settings)) for name in others]
    if where is None and {"adequacy", "fluency", "dissimilarity"} <= set(others):
        where = "adequacy>=4 and fluency>=4"
    if where is not None:
        name = "dissimilarity" if "dissimilarity" in others else others[-1]
        cells = _levels(judged, overall, name, settings, where=where)
        rows.append(LayoutRow(f"{name.capitalize()} ({where})", cells))
    title = f"Correlation of paraphrase criteria with {overall} score"
    return Layout(title, ("Sentence Level", "System Level"), tuple(rows), (), settings)


def _judges(judged: EvalSet) -> list[str]:
    return [name for name in judged.judges if name not in ("", CONTROL)]


def _pem_3(judged: EvalSet, settings: CorrelationSettings, overall: str) -> Layout:
    if not judged.scores:
        raise InputError("expected metrics to correlate with the judges, found none")
    rows = []
    for label, scores in judged.scores.items():
        cells = _levels(judged, overall, label, settings)
        rows.append(LayoutRow(f"{scores.title} vs. Human Avg.", cells))
        for judge in _judges(judged):
            cells = _levels(judged, overall, label, settings, judge=judge)
            rows.append(LayoutRow(f"{scores.title} vs. {judge}", cells))
    title = f"Correlation of metrics with human judgment ({overall} score)"
    return Layout(title, ("Sentence Level", "System Level"), tuple(rows), (), settings)


def _paradigm_7(judged: EvalSet, settings: CorrelationSettings, criteria: Sequence[str]) -> Layout:
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


def _pinc_4(judged: EvalSet, settings: CorrelationSettings, overall: str) -> Layout:
    judged.criterion(overall)
    combined = {f"bleu-pinc:mean={mean}": BLEUPINC(mean=mean) for mean in MEANS}
    judged = judged.score_with({"bleu": BLEU(), "pinc": PINC(), **combined})
    gold = judged.means(overall)
    rated = ~np.isnan(gold)
    batch_of = judged.where(rated)
    segments = batch_of.item_segment.tolist()
    fitted = PINCSigmoid.fit(
        gold[rated].tolist(),
        list(batch_of.candidates or ()),
        sources=[(batch_of.sources or ())[i] for i in segments],
        references=[(batch_of.references or ())[i] for i in segments],
        threads=settings.threads,
    ).metric
    judged = judged.score_with({"pinc-sigmoid": fitted}, settings.threads)
    criteria = judged.criteria
    rows = [
        LayoutRow(f"{a} vs. {b}", tuple(_pair(judged, name, a, b, settings) for name in criteria))
        for a, b in itertools.combinations(_judges(judged), 2)
    ]

    def row(label: str, text: str, fits: Sequence[str], where: str | None = None) -> LayoutRow:
        cells = [
            _one(judged, name, label, settings, where=where) if name in fits else None
            for name in criteria
        ]
        return LayoutRow(text, tuple(cells))

    meaning = [name for name in criteria if name != "dissimilarity"]
    novelty = [name for name in criteria if name in ("dissimilarity", overall)]
    rows.append(row("bleu", "BLEU vs. Human", meaning))
    rows.append(row("pinc", "PINC vs. Human", novelty))
    rows.append(LayoutRow("PINC vs. Human (BLEU > threshold)", ()))
    left_out = []
    for threshold in THRESHOLDS:
        where = f"bleu>{threshold}"
        above = judged.scores["bleu"].values > threshold
        if min(int((above & ~np.isnan(judged.means(name))).sum()) for name in novelty) < 2:
            left_out.append(str(threshold))
            continue
        rows.append(row("pinc", f"threshold = {threshold}", novelty, where))
    rows.append(LayoutRow("Combined BLEU and PINC vs. Human", ()))
    for mean in MEANS:
        rows.append(row(f"bleu-pinc:mean={mean}", f"{mean.capitalize()} Mean", [overall]))
    rows.append(row("pinc-sigmoid", "PINC × Sigmoid(BLEU)", [overall]))
    note = (
        f"The sigmoid (slope {fitted.slope:.4g}, midpoint {fitted.midpoint:.4g}) was fitted on these "
        "ratings, as in the paper: its row is optimistic."
    )
    notes = [note]
    if left_out:
        notes.append(f"Fewer than two rated candidates have BLEU above {', '.join(left_out)}.")
    title = "Correlation between judges, and between metrics and judges (sentence level)"
    columns = tuple(name.capitalize() for name in criteria)
    return Layout(title, columns, tuple(rows), tuple(notes), settings)


def _pair(
    judged: EvalSet,
    criterion: str,
    a: str,
    b: str,
    settings: CorrelationSettings,
    view: View = "pooled",
) -> Correlation | None:
    """One judge's ratings as scores, against the other's."""
    scores = MetricScores(a, a, judged.means(criterion, a))
    one = dataclasses.replace(judged, scores={a: scores})
    rated = ~np.isnan(scores.values) & ~np.isnan(judged.means(criterion, b))
    return _one(one, criterion, a, settings, view=view, judge=b) if rated.any() else None
