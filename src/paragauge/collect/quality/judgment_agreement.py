"""Agreement while judgments come in: per item, and over all, with the measures of `paragauge.meta`.

Over all, on each criterion: Krippendorff's alpha at the ordinal level (for ranks and scales; any number
of judges, missing judgments allowed), Fleiss' kappa and the share of equal pairs. Per candidate: how
many judged it, the share of equal pairs, and the widest distance, so that a requester sees what is
disputed first. Only a judge's first judgment of a candidate counts, and the caller leaves out controls
(`stored_judgments` does). A measure that is undefined says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paragauge.collect.quality.judgment_aggregates import Judgment
from paragauge.meta.agreement.alpha import krippendorff_alpha
from paragauge.meta.agreement.kappa import fleiss_kappa, percent_agreement
from paragauge.meta.measure import Measure


@dataclass(frozen=True)
class CriterionAgreement:
    """All judges on one criterion."""

    criterion: str
    candidates: int
    shared: int  # judged by two or more
    workers: int
    judgments: int
    alpha: Measure
    kappa: Measure
    equal: Measure


@dataclass(frozen=True)
class ItemAgreement:
    """The judges of one candidate on one criterion."""

    item: str
    candidate: str
    criterion: str
    judges: int
    equal: float | None  # share of pairs of judges who gave the same value; None with one judge
    widest: float


def measure_agreement(judgments: Sequence[Judgment]) -> list[CriterionAgreement]:
    """Agreement on each criterion, in the order of first judgments.

    >>> judgments = [Judgment(i, "a", w, "overall", v) for i, v in [("1", 5), ("2", 1)] for w in "xy"]
    >>> agreement = measure_agreement(judgments)[0]
    >>> agreement.alpha.value, agreement.shared, agreement.workers
    (1.0, 2, 2)
    """
    agreements = []
    first = _first_judgments(judgments)
    for criterion in dict.fromkeys(judgment.criterion for judgment in first):
        mine = [judgment for judgment in first if judgment.criterion == criterion]
        numbers: dict[tuple[str, str], int] = {}
        units = np.array(
            [
                numbers.setdefault((judgment.item, judgment.candidate), len(numbers))
                for judgment in mine
            ],
            np.int64,
        )
        values = np.array([judgment.value for judgment in mine], np.float64)
        agreements.append(
            CriterionAgreement(
                criterion,
                len(numbers),
                int((np.bincount(units) > 1).sum()),
                len({judgment.worker for judgment in mine}),
                len(mine),
                krippendorff_alpha(units, values, "ordinal"),
                fleiss_kappa(units, values),
                percent_agreement(units, values),
            )
        )
    return agreements


def measure_item_agreement(judgments: Sequence[Judgment]) -> list[ItemAgreement]:
    """Agreement on each candidate and criterion, the widest distance first.

    >>> judgments = [Judgment("1", "a", w, "overall", v) for w, v in [("x", 1), ("y", 5), ("z", 5)]]
    >>> agreement = measure_item_agreement(judgments)[0]
    >>> round(agreement.equal, 3), agreement.widest
    (0.333, 4)
    """
    groups: dict[tuple[str, str, str], list[float]] = {}
    for judgment in _first_judgments(judgments):
        key = judgment.item, judgment.candidate, judgment.criterion
        groups.setdefault(key, []).append(judgment.value)
    agreements = []
    for key, values in groups.items():
        pairs = [a == b for a, b in combinations(values, 2)]
        equal = sum(pairs) / len(pairs) if pairs else None
        agreements.append(ItemAgreement(*key, len(values), equal, max(values) - min(values)))
    return sorted(agreements, key=lambda agreement: -agreement.widest)


def _first_judgments(judgments: Sequence[Judgment]) -> list[Judgment]:
    """Each worker's first judgment of each candidate and criterion."""
    first: dict[tuple[str, str, str, str], Judgment] = {}
    for judgment in judgments:
        first.setdefault(
            (judgment.item, judgment.candidate, judgment.criterion, judgment.worker), judgment
        )
    return list(first.values())
