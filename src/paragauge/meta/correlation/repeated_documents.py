"""The protocol of Kauchak and Barzilay (2006, section 4.2): repeated documents and a paired t-test.

A *document* is made of `size` segments (300 in the paper) drawn without replacement. On it each
system has a corpus score and a mean rating, and each metric a Pearson correlation over the systems.
This is repeated (ten times). A metric's agreement is the mean of these correlations (table 4 of the
paper), and the correlations of two metrics are compared by a paired t-test over the repetitions
(table 5). Intervals are those of the t-test: that of a difference leaves out 0 where p is below
1 - level. In data with groups (language pairs) a document is drawn in each, and its correlation is the
mean over the groups.

The documents overlap, so the correlations are not independent and the test finds significance too
easily; more repetitions make it worse. The protocol is here to reproduce published figures; for new
ones use the permutation test or the bootstrap. The paper does not say whether its documents overlap;
with 447 rated segments and ten documents of 300 they must.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Floats
from paragauge.meta.correlation.coefficients import CoefficientName
from paragauge.meta.correlation.system_level import SystemCoefficient, cells, gold_cells
from paragauge.meta.sets.panel import Panel
from paragauge.meta.significance.distributions import student_bound, student_p


@dataclass(frozen=True)
class Documents:
    """How documents are made."""

    size: int = 300
    repetitions: int = 10
    seed: int = 7

    def __post_init__(self) -> None:
        if self.size < 1:
            raise SettingError(f"document size: expected at least 1 segment, found {self.size}")
        if self.repetitions < 2:
            raise SettingError(f"documents: expected at least 2, found {self.repetitions}")


@dataclass(frozen=True)
class TTest:
    """A paired t-test of two metrics' correlations."""

    difference: float
    t: float | None
    p: float
    reason: str = ""


def document_correlations(
    panel: Panel, labels: Sequence[str], documents: Documents, coefficient: CoefficientName = "pearson"
) -> dict[str, Floats]:
    """For each metric its correlation over systems in each document, float64 [repetitions]."""
    segments = np.unique(panel.segment)
    if len(segments) < documents.size:
        raise InputError(
            f"expected at least {documents.size} rated segments for a document, found {len(segments)}; "
            "ask for smaller documents"
        )
    if len(panel.judged.systems) < 3:
        raise InputError(f"expected at least 3 systems to correlate, found {len(panel.judged.systems)}")
    random = np.random.default_rng(documents.seed)
    drawn = [
        random.choice(segments, documents.size, replace=False) for _ in range(documents.repetitions)
    ]
    statistic, gold = SystemCoefficient(coefficient=coefficient), gold_cells(panel)
    ratings = np.stack([gold.score(gold.rows[chosen].sum(axis=0)) for chosen in drawn])
    result = {}
    for label in labels:
        mine = cells(panel.judged, panel.scores(label))
        scores = np.stack([mine.score(mine.rows[chosen].sum(axis=0)) for chosen in drawn])
        if np.isnan(scores).any() or np.isnan(ratings).any():
            raise InputError(
                f"{label}: a document has no rated candidate of some system; ask for larger documents"
            )
        correlations = statistic.of_lists(scores, ratings)
        if np.isnan(correlations).any():
            raise InputError(f"{label}: the scores or ratings of all systems are equal in a document")
        result[label] = correlations
    return result


def mean_interval(values: Floats, level: float) -> tuple[float, float]:
    """The interval of the mean of the values [n], n > 1, by Student's t with n - 1 degrees of freedom.

    The mean of 1, 2 and 3 is 2, its standard error 1 / sqrt(3), and t is 4.303.

    >>> low, high = mean_interval(np.array([1.0, 2.0, 3.0]), 0.95)
    >>> round(low, 3), round(high, 3)
    (-0.484, 4.484)
    """
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / float(np.sqrt(len(values)))
    reach = student_bound(1 - level, len(values) - 1) * error
    return mean - reach, mean + reach


def paired_t_test(a: Floats, b: Floats) -> TTest:
    """The paired, two-sided t-test of equal means.

    Equal lists give p = 1; lists that differ by the same amount everywhere have no variance, and the
    test is undefined: p = 1 with the reason.

    >>> paired_t_test(np.array([0.5, 0.6, 0.7]), np.array([0.4, 0.6, 0.6])).p
    0.183...
    """
    change = a - b
    difference = float(change.mean())
    spread = float(change.std(ddof=1)) if len(change) > 1 else 0.0
    if len(change) < 2 or spread <= 1e-15 * max(1.0, abs(difference)):
        equal = "the correlations are equal" if difference == 0 else "the difference never varies"
        return TTest(difference, None, 1.0, equal if len(change) > 1 else "fewer than two documents")
    t = difference / (spread / np.sqrt(len(change)))
    return TTest(difference, float(t), student_p(float(t), len(change) - 1))
