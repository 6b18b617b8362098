"""Tables 4 to 6 of Kauchak and Barzilay (2006): does rewriting help, and how much is rewritten?

- ``kauchak-4``: the correlation of each metric with people, averaged over documents of sampled segments
  (`repeated_documents`), with the first reference of each segment and with the first two.
- ``kauchak-5``: paired t-tests over the same documents, with one reference. Two triangles mark a
  difference at the 99 % level, one at the 95 % level, × none; triangles point to the better metric, to
  the left (the row's) or up (the column's). The cell's value is p, as in the paper not corrected for
  the number of comparisons. The paper has the comparisons with BLEU and with its own method; here are
  all.
- ``kauchak-6``: the score of each metric and the number of words that its method replaced, with one
  reference, averaged over the systems (in groups: over the systems of each, then over the groups). The
  candidates are those of the set, rated or not.

The metrics are usually BLEU as it is and on references rewritten by several methods.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.correlation import Correlation, CorrelationSettings, correlate
from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
from paragauge.meta.correlation.repeated_documents import paired_t_test
from paragauge.meta.correlation.system_level import cells
from paragauge.meta.sets.evalset import EvalSet
from paragauge.metrics.base import Metric
from paragauge.rewrite.rewriter import ACCEPTED
from paragauge.rewrite.rewritten_metric import RewrittenMetric

MOST_REFERENCES = 2
STRONG, WEAK = 0.01, 0.05
ROW, COLUMN, NEITHER, SAME = "◁", "△", "×", "="


def documents_table(
    judged: EvalSet, settings: CorrelationSettings, criterion: str, metrics: Mapping[str, Metric]
) -> Layout:
    """Table 4."""
    counts = range(1, 1 + min(MOST_REFERENCES, _fewest_references(judged)))
    results = [_by_documents(judged, settings, criterion, metrics, count) for count in counts]
    rows = tuple(
        LayoutRow(results[0][label].title, tuple(result[label] for result in results))
        for label in metrics
    )
    columns = tuple(f"{count} reference{'s' * (count > 1)}" for count in counts)
    title = f"Pearson correlation with {criterion}, averaged over documents"
    signatures = dict.fromkeys(result[label].signature for label in metrics for result in results)
    return Layout(title, columns, rows, tuple(signatures), _documents(settings))


def significance_table(
    judged: EvalSet, settings: CorrelationSettings, criterion: str, metrics: Mapping[str, Metric]
) -> Layout:
    """Table 5."""
    result = _by_documents(judged, settings, criterion, metrics, 1)
    rows = tuple(
        LayoutRow(
            result[label].title,
            tuple(compare_documents(result[label], result[other]) for other in metrics),
        )
        for label in metrics
    )
    chosen = settings.documents
    signs = (
        f"Paired t-tests over {chosen.repetitions} documents of {chosen.size} segments, seed "
        f"{chosen.seed}. {ROW}{ROW} or {COLUMN}{COLUMN}: significant at the 99% level, {ROW} or "
        f"{COLUMN}: at the 95% level, {NEITHER}: not, {SAME}: equal. Triangles point to the better "
        "metric, that of the row or that of the column; p is not corrected for the number of "
        "comparisons, as in the paper."
    )
    notes = (signs, *(result[label].signature for label in metrics))
    title = f"Significance of the differences in correlation with {criterion}, 1 reference"
    columns = tuple(result[label].title for label in metrics)
    return Layout(title, columns, rows, notes, _documents(settings))


def substitutions_table(
    judged: EvalSet, settings: CorrelationSettings, metrics: Mapping[str, Metric]
) -> Layout:
    """Table 6."""
    judged = _with_references(judged, 1).score_with(metrics, settings.threads)
    batch = judged.batch(settings.threads)
    rows = []
    for label, metric in metrics.items():
        score = LayoutCell(_mean_of_systems(judged, _system_scores(judged, label)), "score")
        replaced = None
        if isinstance(metric, RewrittenMetric):
            rewriting = metric.rewrite(batch, "")
            accepted = rewriting.segment[rewriting.verdicts == ACCEPTED]
            counts = np.bincount(accepted, minlength=judged.items)[judged.output_item]
            sums = np.zeros((len(judged.groups), len(judged.systems)))
            group = judged.segment_group[judged.item_segment[judged.output_item]]
            np.add.at(sums, (group, judged.output_system), counts)
            replaced = LayoutCell(_mean_of_systems(judged, sums), "count")
        rows.append(LayoutRow(judged.scores[label].title, (score, replaced)))
    segments = len(np.unique(judged.item_segment))
    systems = len(judged.systems)
    notes = (
        f"Means over {systems} systems; {segments} segments, 1 reference.",
        *(judged.scores[label].signature for label in metrics),
    )
    title = "Scores and the number of substitutions"
    return Layout(title, ("Score", "Substitutions"), tuple(rows), notes, _plain(settings))


def compare_documents(row: Correlation, column: Correlation) -> LayoutCell:
    """The sign of the paper for two metrics' correlations in the same documents, and p."""
    if row.metric == column.metric:
        return LayoutCell(None, "mark", reason="the same metric", mark="")
    for side in (row, column):
        if side.value is None:
            return LayoutCell(None, "mark", reason=f"{side.title}: {side.reason}", mark="-")
    test = paired_t_test(np.array(row.by_document), np.array(column.by_document))
    if test.difference == 0:
        return LayoutCell(test.p, "mark", reason=test.reason, mark=SAME)
    times = (test.p < STRONG) + (test.p < WEAK)
    sign = ROW if test.difference > 0 else COLUMN
    return LayoutCell(test.p, "mark", reason=test.reason, mark=sign * times or NEITHER)


def _by_documents(
    judged: EvalSet,
    settings: CorrelationSettings,
    criterion: str,
    metrics: Mapping[str, Metric],
    references: int,
) -> dict[str, Correlation]:
    scored = _with_references(judged, references).score_with(metrics, settings.threads)
    result = correlate(scored, criterion, list(metrics), _documents(settings))
    return {row.metric: row for row in result.rows}


def _documents(settings: CorrelationSettings) -> CorrelationSettings:
    return dataclasses.replace(
        settings, statistic="pearson", view="system", test="documents", correction="none"
    )


def _plain(settings: CorrelationSettings) -> CorrelationSettings:
    return dataclasses.replace(settings, test="none", bootstrap=0)


def _fewest_references(judged: EvalSet) -> int:
    if judged.references is None:
        raise InputError("expected references to rewrite, found none; give -r, or a column reference")
    return min(len(judged.references[segment]) for segment in judged.item_segment.tolist())


def _with_references(judged: EvalSet, count: int) -> EvalSet:
    """The set with the first `count` references of each segment."""
    if _fewest_references(judged) < count:
        raise InputError(f"expected {count} references of each segment, found fewer")
    references = tuple(group[:count] for group in judged.references or ())
    return dataclasses.replace(judged, references=references)


def _system_scores(judged: EvalSet, label: str) -> Floats:
    """The corpus score of each system in each group, [groups, systems]."""
    mine = cells(judged, judged.scores[label])
    groups = (judged.segment_group == group for group in range(len(judged.groups)))
    sums = [mine.rows[inside].sum(axis=0) for inside in groups]
    return mine.scores.aggregate(np.stack(sums))


def _mean_of_systems(judged: EvalSet, values: Floats) -> float:
    """The mean over groups of the means over their systems, of values [groups, systems]."""
    present = np.zeros(values.shape, np.bool_)
    group = judged.segment_group[judged.item_segment[judged.output_item]]
    present[group, judged.output_system] = True
    means = [row[own].mean() for row, own in zip(values, present, strict=True) if own.any()]
    return float(np.mean(means))
