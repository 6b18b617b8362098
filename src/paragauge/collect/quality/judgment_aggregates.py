"""One value from many judgments: means, Dawid and Skene's estimate, and the reliability of judges.

`aggregate_judgments` gives the mean, median and spread of each candidate on each criterion; a scale is
ordinal, hence the median and the counts. `estimate_dawid_skene` (`meta/agreement/dawid_skene.py`) takes
the values of a scale as categories, estimates how each judge confuses them, and gives the probability
of every value, their expectation and the likeliest value. `measure_reliability` compares each judge
with the others: the mean distance from their mean, the correlation with it, and, with Dawid and Skene,
the share of answers that equal the estimate.

Ranks of candidates shown together are not categories, so Dawid and Skene's method rejects them.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.meta.agreement.dawid_skene import ITERATIONS, fit_dawid_skene

RANK = "rank"


@dataclass(frozen=True)
class Judgment:
    """One value that a worker gave a candidate of an item on a criterion."""

    item: str
    candidate: str
    worker: str
    criterion: str
    value: float


@dataclass(frozen=True)
class Aggregate:
    """The judgments of one candidate on one criterion, together."""

    item: str
    candidate: str
    criterion: str
    count: int
    mean: float
    median: float
    deviation: float | None  # of the sample; None with one judgment
    counts: Mapping[float, int]


@dataclass(frozen=True)
class Estimate:
    """Dawid and Skene's view of one candidate on one criterion."""

    item: str
    candidate: str
    criterion: str
    likeliest: float
    expected: float
    probabilities: Mapping[float, float]
    converged: bool  # False if EM was stopped before the estimates of the criterion converged


@dataclass(frozen=True)
class Reliability:
    """A judge on one criterion against the others; None where there is nothing to compare."""

    worker: str
    criterion: str
    judgments: int
    compared: int  # judgments of candidates that others judged too
    distance: float | None  # mean absolute distance from the mean of the others
    correlation: float | None
    bias: float | None  # mean signed distance: above 0 is more lenient than the others
    agrees: float | None  # share of answers that equal Dawid and Skene's likeliest value


def aggregate_judgments(judgments: Sequence[Judgment]) -> list[Aggregate]:
    """Mean, median and spread of each candidate and criterion, in the order of first judgments.

    >>> judgments = [Judgment("1", "a", w, "overall", v) for w, v in [("x", 4), ("y", 5), ("z", 3)]]
    >>> overall = aggregate_judgments(judgments)[0]
    >>> overall.mean, overall.median, overall.deviation, overall.count
    (4.0, 4.0, 1.0, 3)
    """
    aggregates = []
    for (item, candidate, criterion), mine in _group_by_candidate(judgments).items():
        values = [own.value for own in mine]
        spread = statistics.stdev(values) if len(values) > 1 else None
        counts = dict(sorted(Counter(values).items()))
        mean, median = float(np.mean(values)), float(np.median(values))
        aggregates.append(
            Aggregate(item, candidate, criterion, len(values), mean, median, spread, counts)
        )
    return aggregates


def estimate_dawid_skene(judgments: Sequence[Judgment], iterations: int = ITERATIONS) -> list[Estimate]:
    """Dawid and Skene's estimate of each candidate and criterion.

    A judge who judged a candidate twice counts with the first judgment. The EM runs on each criterion
    by itself. Of equally likely values the lowest is the likeliest.

    >>> good = [("1", 5), ("2", 1), ("3", 5), ("4", 1)]
    >>> judgments = [Judgment(i, "a", w, "overall", v) for w in "wxy" for i, v in good]
    >>> judgments += [Judgment(i, "a", "liar", "overall", 6 - v) for i, v in good]
    >>> [estimate.likeliest for estimate in estimate_dawid_skene(judgments)]
    [5.0, 1.0, 5.0, 1.0]
    """
    if iterations < 1:
        raise SettingError(f"iterations: expected a whole number from 1, found {iterations}")
    if any(judgment.criterion == RANK for judgment in judgments):
        raise InputError(
            "ranks of candidates shown together are not categories for Dawid and Skene; use means"
        )
    estimates: dict[tuple[str, str, str], Estimate] = {}
    for criterion in dict.fromkeys(judgment.criterion for judgment in judgments):
        first: dict[tuple[tuple[str, str, str], str], float] = {}
        for judgment in judgments:
            if judgment.criterion == criterion:
                first.setdefault((_key(judgment), judgment.worker), float(judgment.value))
        candidates = list(dict.fromkeys(key for key, _ in first))
        places = {key: place for place, key in enumerate(candidates)}
        _, workers = np.unique([worker for _, worker in first], return_inverse=True)
        values, labels = np.unique(list(first.values()), return_inverse=True)
        items = [places[key] for key, _ in first]
        fit = fit_dawid_skene(items, workers, labels, iterations=iterations)
        for key, row in zip(candidates, fit.classes, strict=True):
            shares = dict(zip(values.tolist(), row.tolist(), strict=True))
            likeliest = max(shares, key=lambda value: shares[value])
            estimates[key] = Estimate(*key, likeliest, float(row @ values), shares, fit.converged)
    return [estimates[key] for key in _group_by_candidate(judgments)]


def measure_reliability(
    judgments: Sequence[Judgment], estimates: Sequence[Estimate] = ()
) -> list[Reliability]:
    """Each judge on each criterion against the others; `estimates` are from `estimate_dawid_skene`.

    >>> judgments = [Judgment(i, "a", w, "overall", v) for i, v in [("1", 5), ("2", 1)] for w in "xy"]
    >>> measure_reliability(judgments)[0].distance, measure_reliability(judgments)[0].correlation
    (0.0, 1.0)
    """
    likeliest = {(e.item, e.candidate, e.criterion): e.likeliest for e in estimates}
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    equal: dict[tuple[str, str], list[bool]] = defaultdict(list)
    totals: Counter[tuple[str, str]] = Counter()
    for key, mine in _group_by_candidate(judgments).items():
        for own in mine:
            judge = own.worker, own.criterion
            totals[judge] += 1
            others = [other.value for other in mine if other.worker != own.worker]
            if others:
                pairs[judge].append((own.value, float(np.mean(others))))
            if key in likeliest:
                equal[judge].append(own.value == likeliest[key])
    return [_reliability(judge, n, pairs[judge], equal[judge]) for judge, n in totals.items()]


def _reliability(
    judge: tuple[str, str], total: int, pairs: list[tuple[float, float]], equal: list[bool]
) -> Reliability:
    agrees = float(np.mean(equal)) if equal else None
    if not pairs:
        return Reliability(*judge, total, 0, None, None, None, agrees)
    own, theirs = np.array(pairs).T
    gap = own - theirs
    varied = len(own) > 1 and np.ptp(own) > 0 and np.ptp(theirs) > 1e-12
    correlation = float(np.corrcoef(own, theirs)[0, 1].round(12)) if varied else None
    distance, bias = float(np.abs(gap).mean()), float(gap.mean())
    return Reliability(*judge, total, len(pairs), distance, correlation, bias, agrees)


def _key(judgment: Judgment) -> tuple[str, str, str]:
    return judgment.item, judgment.candidate, judgment.criterion


def _group_by_candidate(judgments: Sequence[Judgment]) -> dict[tuple[str, str, str], list[Judgment]]:
    groups: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
    for judgment in judgments:
        groups[_key(judgment)].append(judgment)
    return groups
