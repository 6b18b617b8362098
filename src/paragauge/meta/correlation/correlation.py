"""Which metric agrees with people, and is the difference real?

`correlate` computes, for one criterion and one statistic, the value of every metric with its bootstrap
interval, and the comparison of all metrics with one another: a matrix of p-values, corrected for
their number, and clusters of metrics that cannot be told apart.

Data that has groups (language pairs, test sets) is evaluated in each group; the result is the plain
mean over groups. Resamples are drawn within groups.

Statistics and the views they exist in:

    pearson, spearman, kendall       pooled, by-source, by-system, system
    kendall-wmt12, -wmt13, -wmt14    by-source
    accuracy                         by-source, system
    accuracy-tuned                   by-source
    soft-accuracy                    system

`spa` is soft-accuracy, and so is `pce`, mt-metrics-eval's name for 1 minus the pairwise confidence
error; `acc-t` is accuracy-tuned.

Tests of the difference between two metrics, all two-sided:

- ``permutation``: scores are exchanged at random (see `coefficients`, `pairwise`, `system_level`),
  those of whole segments or of single cells; p is the share of draws whose difference is at least
  the observed one. Where system scores are not means of segment scores (BLEU, soft accuracy) the
  bootstrap takes its place, and the result says so;
- ``bootstrap``: both metrics on the same resamples; p by the shift method, as in `compare`;
- ``williams``: Williams' test, for Pearson, pooled or system, without groups;
- ``documents``: the protocol of Kauchak and Barzilay (2006), for coefficients at system level: values
  are means over documents of sampled segments, and the test is a paired t-test over the documents
  (`repeated_documents`).

A constant or otherwise undefined metric has no value, is not compared, and ranks last.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

import numpy as np

from paragauge.errors import InputError, SettingError, unknown_key, unknown_name
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.coefficients import (
    COEFFICIENTS,
    BySource,
    BySystem,
    CoefficientName,
    Pooled,
    coefficient,
)
from paragauge.meta.correlation.ranked_pairs import PairAccuracy, TunedAccuracy, WMTKendall, WMTVariant
from paragauge.meta.correlation.repeated_documents import (
    Documents,
    document_correlations,
    mean_interval,
    paired_t_test,
)
from paragauge.meta.correlation.soft_accuracy import SoftAccuracy
from paragauge.meta.correlation.statistic import (
    EXCHANGES,
    VIEWS,
    ConstantPolicy,
    Draws,
    Estimate,
    ExchangeUnit,
    Statistic,
    View,
)
from paragauge.meta.correlation.system_level import (
    ResampledUnit,
    SystemAccuracy,
    SystemCoefficient,
    SystemStatistic,
    cells,
    gold_cells,
)
from paragauge.meta.sets.evalset import EvalSet, as_evalset
from paragauge.meta.sets.panel import Panel, panels
from paragauge.meta.significance.comparison import p_value, shifted_p_value
from paragauge.meta.significance.multiple_comparisons import (
    CORRECTIONS,
    Correction,
    clusters,
    correct_p_values,
)
from paragauge.meta.significance.williams import williams_p
from paragauge.metrics.resampling import check_run, interval
from paragauge.text.python_data.result_table import (
    ReadableTable,
    ResultTable,
    interval_text,
    plain_value,
)
from paragauge.text.wording import pluralize

StatisticName = Literal[
    "pearson",
    "spearman",
    "kendall",
    "kendall-wmt12",
    "kendall-wmt13",
    "kendall-wmt14",
    "accuracy",
    "accuracy-tuned",
    "soft-accuracy",
]
TestName = Literal["permutation", "bootstrap", "williams", "documents", "none"]
STATISTICS: tuple[StatisticName, ...] = get_args(StatisticName)
TESTS: tuple[TestName, ...] = get_args(TestName)
Step = Callable[[str], None]
# The names that the WMT metrics tasks and mt-metrics-eval use.
SHORT_NAMES: Mapping[str, StatisticName] = {
    "spa": "soft-accuracy",
    "pce": "soft-accuracy",
    "acc-t": "accuracy-tuned",
}


def statistic_name(name: str) -> StatisticName:
    """The name of a statistic, which may be given by its short name.

    >>> statistic_name("spa"), statistic_name("kendall")
    ('soft-accuracy', 'kendall')
    """
    known = SHORT_NAMES.get(name, name)
    if known not in STATISTICS:
        raise unknown_name("statistic", name, [*STATISTICS, *SHORT_NAMES])
    return known


def views_of(name: StatisticName) -> tuple[View, ...]:
    """The views that a statistic exists in.

    >>> views_of("accuracy")
    ('by-source', 'system')
    """
    name = statistic_name(name)
    if name in COEFFICIENTS:
        return VIEWS
    if name == "soft-accuracy":
        return ("system",)
    return ("by-source", "system") if name == "accuracy" else ("by-source",)


def statistic(
    name: StatisticName,
    view: View = "pooled",
    *,
    constant: ConstantPolicy = "zero",
    resample: ResampledUnit = "segments",
    difference: float = 0.0,
    seed: int = 7,
) -> Statistic:
    """The statistic with this name in this view; `seed` is for those that draw for their value.

    >>> statistic("kendall", "by-source").name
    'kendall'
    """
    name = statistic_name(name)
    if view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    if name in COEFFICIENTS:
        if view == "system":
            return SystemCoefficient(constant, resample, name)
        kind = {"pooled": Pooled, "by-source": BySource, "by-system": BySystem}[view]
        return kind(constant, name)
    chosen: Statistic
    if name == "accuracy" and view == "system":
        return SystemAccuracy(constant, resample)
    if name == "accuracy":
        chosen = PairAccuracy(constant)
    elif name == "accuracy-tuned":
        chosen = TunedAccuracy(constant)
    elif name == "soft-accuracy":
        chosen = SoftAccuracy(constant, seed=seed)
    else:
        variant = cast("WMTVariant", name.removeprefix("kendall-"))
        chosen = WMTKendall(constant, variant, difference)
    if chosen.view != view:
        views = (
            "views are by-source and system" if name == "accuracy" else f"only view is {chosen.view}"
        )
        raise SettingError(f"{name} has no view '{view}'; its {views}")
    return chosen


@dataclass(frozen=True)
class Correlation:
    """One metric's agreement: the mean over groups, and what it is in each group.

    `resampled` has the values on resamples, means over groups, and `resampled_groups` those of each
    group; `by_document` has the values that the test by documents averages, each a mean over groups.
    """

    metric: str
    title: str
    value: float | None
    low: float | None
    high: float | None
    reason: str
    groups: dict[str, Estimate]
    signature: str = ""
    resampled: Floats = field(default_factory=lambda: np.zeros(0), repr=False)
    by_document: tuple[float, ...] = field(default=(), repr=False)
    resampled_groups: Mapping[str, Floats] = field(default_factory=dict, repr=False)

    @property
    def pairs(self) -> int:
        """How many items, pairs or systems it is based on, over all groups."""
        return sum(estimate.pairs for estimate in self.groups.values())


@dataclass(frozen=True)
class MetricDifference:
    """Two metrics: by how much the first agrees better, and whether that could be chance."""

    metric: str
    other: str
    difference: float
    low: float | None
    high: float | None
    p: float
    p_corrected: float
    significant: bool


@dataclass(frozen=True, repr=False)
class Correlations(ResultTable):
    """All metrics against one criterion under one statistic, best first, and their differences."""

    criterion: str
    statistic: str
    view: View
    judge: str | None
    where: str | None
    rows: list[Correlation]
    differences: list[MetricDifference]
    clusters: dict[str, int]
    left_out: dict[str, int]
    groups: list[str]
    items: int
    systems: int
    test: TestName
    requested: TestName  # the test that was asked for, if another one had to be used
    exchange: ExchangeUnit
    draws: int
    bootstrap: int
    seed: int
    level: float
    alpha: float
    correction: Correction
    constant: ConstantPolicy
    resample: ResampledUnit
    turned: list[str]  # metrics for which lower is better
    documents: Documents | None = None  # of the test by documents

    def __getitem__(self, metric: str) -> Correlation:
        for row in self.rows:
            if row.metric == metric:
                return row
        raise unknown_key("metric", metric, [row.metric for row in self.rows])

    def to_rows(self) -> list[dict[str, Any]]:
        """One record per metric, and one for each of its groups if there are several."""
        records = []
        shared = {"criterion": self.criterion, "judge": self.judge, "where": self.where}
        shared |= {"view": self.view, "statistic": self.statistic}
        for row in self.rows:
            mine = shared | {"metric": row.metric}
            whole: dict[str, Any] = {"group": None}
            whole |= {name: getattr(row, name) for name in ("value", "low", "high")}
            only = next(iter(row.groups.values())) if len(row.groups) == 1 else None
            whole |= {"pairs": row.pairs, "reason": row.reason}
            whole |= {name: only and getattr(only, name) for name in ("parts", "tie")}
            records.append(mine | whole | {"cluster": self.clusters.get(row.metric)})
            for group, estimate in row.groups.items():
                if len(self.groups) > 1:
                    shown = ("value", "pairs", "parts", "tie")
                    more = {name: getattr(estimate, name) for name in shown}
                    more |= {"group": group, "low": None, "high": None, "cluster": None}
                    records.append(mine | more | {"reason": estimate.reason})
        return records

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, as JSON has it."""
        content = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name not in ("rows", "differences")
        }
        content["rows"] = [
            {
                field.name: getattr(row, field.name)
                for field in dataclasses.fields(row)
                if field.name not in ("resampled", "resampled_groups", "groups")
            }
            | {"groups": row.groups}
            for row in self.rows
        ]
        content["differences"] = self.differences
        converted: dict[str, Any] = plain_value(content)
        return converted

    def readable(self) -> ReadableTable:
        """One row per metric: its correlation, with interval, and its cluster."""
        rows = [
            [
                row.title,
                interval_text(row.value, row.low, row.high, 3) or row.reason,
                str(self.clusters.get(row.metric, "")),
            ]
            for row in self.rows
        ]
        note = f"{self.statistic} with {self.criterion}, {self.view}"
        notes = [f"{note}, {pluralize(self.items, 'candidate')}"]
        return ReadableTable(["metric", self.statistic, "cluster"], rows, notes)


@dataclass(frozen=True)
class CorrelationSettings:
    """How correlations are computed and tested."""

    statistic: StatisticName = "pearson"
    view: View = "pooled"
    test: TestName = "permutation"
    exchange: ExchangeUnit = "segments"
    bootstrap: int = 1000
    draws: int = 1000
    seed: int = 7
    level: float = 0.95
    alpha: float = 0.05
    correction: Correction = "holm"
    constant: ConstantPolicy = "zero"
    resample: ResampledUnit = "segments"
    difference: float = 0.0
    documents: Documents = field(default_factory=Documents)
    threads: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistic", statistic_name(self.statistic))
        check_run(threads=self.threads, bootstrap=self.bootstrap, seed=self.seed, level=self.level)
        check_run(threads=0, bootstrap=self.draws, seed=0, level=self.level)
        if not 0 < self.alpha < 1:
            raise SettingError(f"expected alpha between 0 and 1, found {self.alpha}")
        for kind, value, known in (
            ("test", self.test, TESTS),
            ("unit of exchange", self.exchange, EXCHANGES),
            ("correction", self.correction, CORRECTIONS),
        ):
            if value not in known:
                raise unknown_name(kind, value, known)
        coefficients = self.statistic in COEFFICIENTS
        if self.test == "williams" and (
            self.statistic != "pearson" or self.view not in ("pooled", "system")
        ):
            raise SettingError("Williams' test is for Pearson, pooled or system; use the permutation")
        if self.test == "documents" and (self.view != "system" or not coefficients):
            raise SettingError(
                "the test by documents is for coefficients in the view 'system'; choose it"
            )
        if self.test == "permutation" and self.draws == 0:
            raise SettingError(
                "draws: expected a whole number from 1 for the permutation test, found 0"
            )
        if self.test == "bootstrap" and self.bootstrap == 0:
            raise SettingError("the bootstrap test needs resamples; ask for more than 0")
        self.build_statistic()

    def build_statistic(self) -> Statistic:
        """The statistic."""
        return statistic(
            self.statistic,
            self.view,
            constant=self.constant,
            resample=self.resample,
            difference=self.difference,
            seed=self.seed,
        )


def correlate(
    judged: EvalSet | Any,
    criterion: str,
    metrics: Sequence[str] | None = None,
    settings: CorrelationSettings | None = None,
    *,
    judge: str | None = None,
    where: str | None = None,
    step: Step | None = None,
) -> Correlations:
    """Correlate metrics (all of them by default; criteria count too) with one criterion.

    `judged` is an evaluation set or a data frame with its columns, as `EvalSet.from_frame` takes it.
    `step` is called with the name of the next step, for progress bars.

    >>> from paragauge.meta.sets.evalset_builder import build
    >>> rows = [(str(i), "s", "A", {"overall": float(i % 3)}) for i in range(9)]
    >>> judged = build(rows)
    >>> correlate(judged, "overall", ["overall"], CorrelationSettings(bootstrap=0)).rows[0].value
    1.0
    """
    judged = as_evalset(judged)
    settings = settings or CorrelationSettings()
    if settings.test == "documents":
        settings = dataclasses.replace(settings, bootstrap=0)
    labels = list(dict.fromkeys(judged.scores if metrics is None else metrics))
    if not labels:
        raise InputError("expected at least one metric to correlate, found none")
    chosen = settings.build_statistic()
    of_systems = isinstance(chosen, SystemStatistic)
    parts = panels(judged, criterion, labels, judge=judge, where=where, system_level=of_systems)
    if not of_systems and judged.has_system_ratings_only(criterion):
        raise InputError(
            f"criterion '{criterion}' has ratings of systems only; ask for the view 'system' and "
            "another statistic than soft-accuracy"
        )
    for label in labels:
        if parts[0].scores(label).system_level and chosen.view != "system":
            raise InputError(
                f"'{label}' has scores of systems only, so it has no view '{chosen.view}'; ask for "
                "the view 'system'"
            )
    given = judge is None and criterion in judged.system_ratings
    if isinstance(chosen, SystemStatistic) and given:
        chosen = _resampling_systems(chosen, parts, labels)
    rows = []
    for label in labels:
        if step is not None:
            step(f"{chosen.name} of {label}")
        rows.append(_row(parts, label, chosen, settings))
    if settings.test == "documents":
        rows = _average_documents(parts, rows, settings)
    rows.sort(key=lambda row: -np.inf if row.value is None else row.value, reverse=True)
    test = _applicable(parts, rows, chosen, settings)
    differences = _differences(parts, rows, chosen, dataclasses.replace(settings, test=test), step)
    beaten = {(one.metric, one.other) for one in differences if one.significant}
    names = [row.metric for row in rows if row.value is not None]
    left_out = dict(judged.left_out)
    for panel in parts:
        for reason, count in panel.left_out.items():
            left_out[reason] = left_out.get(reason, 0) + count
    return Correlations(
        criterion=criterion,
        statistic=chosen.name,
        view=chosen.view,
        judge=judge,
        where=where,
        rows=rows,
        differences=differences,
        clusters=clusters(names, lambda a, b: (a, b) in beaten) if test != "none" else {},
        left_out=left_out,
        groups=[panel.group for panel in parts],
        items=sum(panel.judged.items for panel in parts),
        systems=len({name for panel in parts for name in panel.judged.systems}),
        test=test,
        requested=settings.test,
        exchange=settings.exchange,
        draws=settings.draws,
        bootstrap=min(settings.bootstrap, chosen.most_resamples),
        seed=settings.seed,
        level=settings.level,
        alpha=settings.alpha,
        correction=settings.correction,
        constant=settings.constant,
        resample=chosen.resample if isinstance(chosen, SystemStatistic) else "segments",
        turned=[row.metric for row in rows if not parts[0].scores(row.metric).higher_is_better],
        documents=settings.documents if settings.test == "documents" else None,
    )


def _resampling_systems(
    chosen: SystemStatistic, parts: list[Panel], labels: Sequence[str]
) -> SystemStatistic:
    """The statistic, with systems resampled where ratings and scores are given for whole systems.

    Resamples of segments would all have the same value: an interval without width, and differences
    that look significant whatever they are.
    """
    if chosen.resample == "segments" and any(parts[0].scores(one).system_level for one in labels):
        return dataclasses.replace(chosen, resample="systems")
    return chosen


def _row(
    parts: list[Panel], label: str, chosen: Statistic, settings: CorrelationSettings
) -> Correlation:
    estimates = {panel.group: chosen.value(panel, panel.scores(label)) for panel in parts}
    values = [estimate.value for estimate in estimates.values() if estimate.value is not None]
    undefined = [
        f"{group}: {estimate.reason}" if group else estimate.reason
        for group, estimate in estimates.items()
        if estimate.value is None
    ]
    resampled = np.zeros(0)
    of_groups: dict[str, Floats] = {}
    low, high = None, None
    # If a group has no value, there is no mean to compare with those of other metrics.
    value = float(np.mean(values)) if values and not undefined else None
    if value is not None and settings.bootstrap:
        draws = Draws(settings.bootstrap, settings.seed, settings.threads)
        of_groups = {
            panel.group: chosen.resample_values(panel, panel.scores(label), draws) for panel in parts
        }
        resampled = np.mean(list(of_groups.values()), axis=0)
        low, high = interval(resampled, settings.level)
    scores = parts[0].scores(label)
    reason = "; ".join(undefined)
    return Correlation(
        label,
        scores.title,
        value,
        low,
        high,
        reason,
        estimates,
        scores.signature,
        resampled,
        resampled_groups=of_groups,
    )


def _average_documents(
    parts: list[Panel], rows: list[Correlation], settings: CorrelationSettings
) -> list[Correlation]:
    """The rows with means over documents in place of the values on all segments."""
    labels = [row.metric for row in rows if row.value is not None]
    name = cast("CoefficientName", settings.statistic)  # the settings refuse others
    by_group = {
        panel.group: document_correlations(panel, labels, settings.documents, name) for panel in parts
    }
    averaged = []
    for row in rows:
        if row.value is None:
            averaged.append(row)
            continue
        lists = {group: correlations[row.metric] for group, correlations in by_group.items()}
        values = np.mean(list(lists.values()), axis=0)
        low, high = mean_interval(values, settings.level)
        groups = {
            group: dataclasses.replace(
                estimate, value=float(lists[group].mean()), parts=settings.documents.repetitions
            )
            for group, estimate in row.groups.items()
        }
        averaged.append(
            dataclasses.replace(
                row,
                value=float(values.mean()),
                low=low,
                high=high,
                groups=groups,
                by_document=tuple(values.tolist()),
            )
        )
    return averaged


def _applicable(
    parts: list[Panel], rows: list[Correlation], chosen: Statistic, settings: CorrelationSettings
) -> TestName:
    """The requested test, or the bootstrap where scores cannot be exchanged."""
    if settings.test != "permutation" or chosen.view != "system":
        return settings.test
    every = [panel.scores(row.metric) for panel in parts for row in rows]
    means = all(scores.stats is None and not scores.system_level for scores in every)
    if means and chosen.name != "soft-accuracy":
        return settings.test
    if settings.bootstrap == 0 and len(rows) > 1:
        raise SettingError(
            "the permutation test is for system scores that are means of segment scores, and without "
            "resamples there is no bootstrap either; ask for resamples, or for no test"
        )
    return "bootstrap" if settings.bootstrap else "none"


def _differences(
    parts: list[Panel],
    rows: list[Correlation],
    chosen: Statistic,
    settings: CorrelationSettings,
    step: Step | None,
) -> list[MetricDifference]:
    known = [row for row in rows if row.value is not None]
    if settings.test == "none" or len(known) < 2:
        return []
    rows_with_p = []
    for i, row in enumerate(known):
        for other in known[i + 1 :]:
            if step is not None:
                step(f"{row.metric} against {other.metric}")
            difference = float(row.value or 0.0) - float(other.value or 0.0)
            low, high = None, None
            if settings.bootstrap:
                low, high = interval(row.resampled - other.resampled, settings.level)
            if settings.test == "bootstrap":
                p = shifted_p_value(difference, row.resampled - other.resampled)
            elif settings.test == "documents":
                mine, theirs = np.array(row.by_document), np.array(other.by_document)
                p = paired_t_test(mine, theirs).p
                low, high = mean_interval(mine - theirs, settings.level)
            elif settings.test == "williams":
                p = _williams(parts, row, other, chosen)
            else:
                p = _permutation(parts, row.metric, other.metric, chosen, settings)
            rows_with_p.append((row.metric, other.metric, difference, low, high, p))
    fixed = correct_p_values([values[-1] for values in rows_with_p], settings.correction)
    return [
        MetricDifference(*values, p_corrected=p, significant=p < settings.alpha)
        for values, p in zip(rows_with_p, fixed, strict=True)
    ]


def _permutation(
    parts: list[Panel], one: str, other: str, chosen: Statistic, settings: CorrelationSettings
) -> float:
    """The p-value of the observed difference, both metrics taken as the test takes them."""
    draws = Draws(settings.draws, settings.seed, settings.threads, settings.exchange)
    observed, trials = 0.0, np.zeros(settings.draws)
    for panel in parts:
        a, b = panel.scores(one), panel.scores(other)
        first, second = chosen.exchange_scores(panel, a, b, draws)
        trials += (first - second) / len(parts)
        values = [chosen.value(panel, scores).value for scores in (a, b)]
        observed += (float(values[0] or 0.0) - float(values[1] or 0.0)) / len(parts)
    return p_value(observed, trials)


def _williams(parts: list[Panel], row: Correlation, other: Correlation, chosen: Statistic) -> float:
    if len(parts) > 1:
        raise SettingError("Williams' test is for data without groups; choose one group")
    panel = parts[0]
    a, b = panel.scores(row.metric), panel.scores(other.metric)
    x, y, count = a.oriented, b.oriented, panel.judged.items
    if chosen.view == "system":
        x, y = cells(panel.judged, a).values, cells(panel.judged, b).values
        count = len(gold_cells(panel).values)
    between = coefficient(x, y)
    return williams_p(float(row.value or 0), float(other.value or 0), float(between or 0), count)
