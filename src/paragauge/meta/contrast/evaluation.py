"""How a metric scores meaning that is changed in one known way: the evaluation of contrast sets.

For each kind of candidate, every good paraphrase of a source is compared with every candidate of that
kind of the same source. The share of comparisons that the good paraphrase wins is

    wins = (comparisons with the better score for the good one + ties / 2) / comparisons

so 1 is perfect and 0.5 is chance. With the scores 80 and 60 of two good paraphrases and 60 of a negated
source, there are two comparisons, one won and one tied: wins = 0.75. "Better" is lower for metrics
such as TER. The mean score of a kind is over its candidates.

Metrics that need references get the source as the only reference.

Intervals are from a Poisson bootstrap over sources, because candidates of one source are not
independent. A candidate whose score is undefined is left out of its mean and of its comparisons, and is
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import unknown_key
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.contrast.contrast_set import GOOD_KINDS, ContrastSet, read_contrast_set
from paragauge.meta.measure import Bootstrap, Measure, undefined_measure
from paragauge.metrics.base import Metric
from paragauge.metrics.scoring import prepare
from paragauge.text.python_data.result_table import (
    ReadableTable,
    ResultTable,
    interval_text,
    plain_value,
)
from paragauge.version import __version__

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class KindContrast:
    """One kind of candidate under one metric; `wins` is None for a good kind."""

    kind: str
    mean: Measure  # n is the number of candidates
    wins: Measure | None  # n is the number of comparisons


@dataclass(frozen=True)
class MetricContrast:
    """All kinds under one metric; `undefined` candidates have no score."""

    metric: str
    title: str
    signature: str
    higher_is_better: bool
    source_is_reference: bool
    undefined: int
    kinds: tuple[KindContrast, ...]

    def __getitem__(self, kind: str) -> KindContrast:
        for row in self.kinds:
            if row.kind == kind:
                return row
        raise unknown_key("kind", kind, [row.kind for row in self.kinds])


@dataclass(frozen=True, repr=False)
class ContrastSheet(ResultTable):
    """The contrasts of several metrics on one set.

    `left_out` counts the sources without a good paraphrase; the other counts are without them.
    """

    metrics: tuple[MetricContrast, ...]
    sources: int
    candidates: int
    good: tuple[str, ...]
    bootstrap: Bootstrap
    left_out: int = 0

    def __getitem__(self, metric: str) -> MetricContrast:
        for one in self.metrics:
            if one.metric == metric:
                return one
        raise unknown_key("metric", metric, [one.metric for one in self.metrics])

    def to_rows(self) -> list[dict[str, Any]]:
        """One record per metric and kind."""
        records = []
        for one in self.metrics:
            for row in one.kinds:
                wins = row.wins or Measure(None, 0)
                records.append(
                    {
                        "metric": one.metric,
                        "kind": row.kind,
                        "good": "yes" if row.wins is None else "no",
                        "candidates": row.mean.n,
                        "mean": row.mean.value,
                        "mean_low": row.mean.low,
                        "mean_high": row.mean.high,
                        "comparisons": wins.n,
                        "wins": wins.value,
                        "wins_low": wins.low,
                        "wins_high": wins.high,
                        "signature": one.signature,
                    }
                )
        return records

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, as JSON has it."""
        content: dict[str, Any] = plain_value(self)
        del content["bootstrap"]["threads"]  # results do not depend on it
        return {**content, "paragauge": __version__}

    def readable(self) -> ReadableTable:
        """One row per kind: how often a good paraphrase wins, under each metric."""
        rows = []
        for number, first in enumerate(self.metrics[0].kinds):
            shares = [one.kinds[number].wins for one in self.metrics]
            cells = [interval_text(w.value, w.low, w.high) if w else "" for w in shares]
            rows.append([first.kind, *cells])
        header = ["kind (good wins)", *(one.title for one in self.metrics)]
        return ReadableTable(header, rows, [one.signature for one in self.metrics])


def contrast(
    metrics: Mapping[str, Metric] | Iterable[Metric | str],
    pairs: ContrastSet | None = None,
    *,
    good: Sequence[str] = GOOD_KINDS,
    bootstrap: int = 1000,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    step: Callable[[str], None] | None = None,
) -> ContrastSheet:
    """How often good paraphrases beat candidates of each other kind, by metric.

    Without `pairs`, the set is the English one that comes with the package. Sources without a good
    paraphrase are left out and counted.

    >>> from paragauge import PINC
    >>> sheet = contrast([PINC()])
    >>> sheet["pinc"]["copy"].wins.value, sheet["pinc"]["unrelated"].wins.value < 0.1
    (1.0, True)
    """
    resampling = Bootstrap(bootstrap, level, seed, threads)
    resampling.check()
    whole = read_contrast_set() if pairs is None else pairs
    whole.check(good)
    pairs = whole.with_good(good)
    sources, candidates = list(pairs.sources), list(pairs.candidates)
    named, _ = prepare({"candidates": candidates}, metrics, sources, sources, threads)
    rows = []
    for label, metric in named.items():
        if step is not None:
            step(label)
        texts = dict.fromkeys(metric.needs, sources)
        scores = metric.segments(candidates, **texts, threads=threads)
        rows.append(_contrast_metric(label, metric, scores, pairs, good, resampling))
    count = len(set(sources))
    left_out = len(set(whole.sources)) - count
    return ContrastSheet(tuple(rows), count, len(pairs), tuple(good), resampling, left_out)


def _contrast_metric(
    label: str,
    metric: Metric,
    scores: Floats,
    pairs: ContrastSet,
    good: Sequence[str],
    bootstrap: Bootstrap,
) -> MetricContrast:
    numbers = {source: number for number, source in enumerate(dict.fromkeys(pairs.sources))}
    segment = np.array([numbers[source] for source in pairs.sources])
    kinds = np.array(pairs.kinds)
    known = ~np.isnan(scores)
    merits = scores if metric.higher_is_better else -scores
    is_good = np.isin(kinds, list(good)) & known
    rows = []
    for kind in [*good, *(name for name in pairs.kind_names() if name not in good)]:
        chosen = (kinds == kind) & known
        columns = np.stack([scores[chosen], np.ones(chosen.sum())], axis=1)
        mean = _ratio(columns, segment[chosen], bootstrap, "no candidate has a score")
        wins = None
        if kind not in good:
            compared, at = _compare(merits, segment, is_good, chosen)
            wins = _ratio(compared, at, bootstrap, "no two candidates of one source have scores")
        rows.append(KindContrast(kind, mean, wins))
    return MetricContrast(
        label,
        metric.name + label[len(metric.name) :],
        metric.signature,
        metric.higher_is_better,
        "references" in metric.needs,
        int((~known).sum()),
        tuple(rows),
    )


def _compare(merits: Floats, segment: Ints, good: Flags, changed: Flags) -> tuple[Floats, Ints]:
    """A row (win, 1) for each comparison [n, 2], and its source [n]; a tie is half a win."""
    first, second = np.flatnonzero(good), np.flatnonzero(changed)
    left, right = np.nonzero(segment[first][:, None] == segment[second][None, :])
    difference = merits[first[left]] - merits[second[right]]
    wins = np.where(difference > 0, 1.0, np.where(difference == 0, 0.5, 0.0))
    return np.stack([wins, np.ones(len(wins))], axis=1), segment[first[left]]


def _ratio(rows: Floats, segment: Ints, bootstrap: Bootstrap, reason: str) -> Measure:
    """The sum of the first column divided by that of the second, with its interval over segments."""
    if len(rows) == 0:
        return undefined_measure(reason, 0)
    total, count = rows.sum(axis=0)
    measure = Measure(float(total / count), len(rows))
    if not bootstrap.draws(segment):
        return measure
    sums = bootstrap.sums(rows, segment)
    ratios = np.full(len(sums), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=ratios, where=sums[:, 1] > 0)
    return measure.within(ratios, bootstrap.level)
