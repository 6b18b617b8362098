"""Who beats whom, among all pairs of systems, and which systems form a cluster.

The p-value of a pair is that of the paired bootstrap (see `compare`), from the replicates that a
score sheet holds already, corrected for the number of pairs (see `multiple_comparisons.py`). With
B replicates no p-value is below 1 / (B + 1), which a correction for hundreds of pairs may raise above
`alpha`: if even the smallest p-values would not be significant, none is corrected, and `correction`
says so. Systems are sorted by score; their clusters are those of `multiple_comparisons.py`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError
from paragauge.kernels.layout import Floats, Ints
from paragauge.meta.significance.comparison import shifted_p_value
from paragauge.meta.significance.multiple_comparisons import Correction, clusters, correct_p_values
from paragauge.metrics.scoring import ScoreSheet


@dataclass(frozen=True)
class Pairwise:
    """All pairs under one metric; row and column i belong to system i, the best one first.

    `p_values` is float64 [n, n], 1 on the diagonal; `better` is int64 [n, n]: 1 where the
    row's score is better than the column's, -1 where worse, 0 where equal. `correction` is what was
    applied. `clusters` are the positions at which a new cluster begins, without the first.
    """

    metric: str
    systems: list[str]
    p_values: Floats
    better: Ints
    correction: Correction
    clusters: list[int]


def pairwise(
    sheet: ScoreSheet, metric: str, *, alpha: float = 0.05, correction: Correction = "holm"
) -> Pairwise:
    """Compare all systems of a sheet that was made with bootstrap resamples."""
    if not sheet.bootstrap:
        raise InputError("expected a score sheet with bootstrap resamples, found one without")
    scores = [score for score in sheet.scores if score.metric == metric]
    sign = 1.0 if scores[0].higher_is_better else -1.0
    values = {score.system: sign * score.value for score in scores}
    systems = sorted(values, key=lambda name: (math.isnan(values[name]), -values[name]))
    count = len(systems)
    pairs = list(itertools.combinations(range(count), 2))
    raw = []
    for i, j in pairs:
        a, b = systems[i], systems[j]
        difference = sheet[a, metric].value - sheet[b, metric].value
        raw.append(shifted_p_value(difference, sheet.resampled[a, metric] - sheet.resampled[b, metric]))
    smallest = correct_p_values([1 / (sheet.bootstrap + 1)] * len(pairs), correction)
    if smallest and smallest[0] >= alpha:
        correction = "none"
    p_values, better = np.ones((count, count)), np.zeros((count, count), np.int64)
    for (i, j), p in zip(pairs, correct_p_values(raw, correction), strict=True):
        p_values[i, j] = p_values[j, i] = p
        if values[systems[i]] > values[systems[j]]:
            better[i, j], better[j, i] = 1, -1
    wins = (p_values < alpha) & (better > 0)
    place = {name: i for i, name in enumerate(systems)}
    numbers = list(clusters(systems, lambda a, b: bool(wins[place[a], place[b]])).values())
    starts = [i for i in range(1, count) if numbers[i] != numbers[i - 1]]
    return Pairwise(metric, systems, p_values, better, correction, starts)
