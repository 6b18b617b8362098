"""Pivot F1: PEM's adequacy component (Liu, Dahlmeier and Ng 2010, section 4.2).

Source and candidate are segmented into phrases, each is replaced by its translations into a pivot
language, with their probabilities, and the two bags of pivot-language n-grams, n = 1 ... 4, are
compared:

    pivot F1 = 2 m / (a + b)

with the total weight m that the bags share and their own weights a and b, times 100. Sentences that
would be translated alike score high, whatever their words. With several pivot languages the score is
the mean over them. Pivots are those of a PEM model (`paragauge pem train`).

A corpus scores the mean of its segments, and with several sources a segment scores the mean over them.
Time is linear in the number of words, times the translations of each phrase. The statistics are
(value, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pem.features import batch_features
from paragauge.metrics.pem.model import SHIPPED, model_setting, open_model, text_signature
from paragauge.metrics.settings import normalize_setting
from paragauge.text.batch import Batch
from paragauge.text.lines import group_means
from paragauge.text.tokenizers import Normalize


@dataclass(frozen=True)
class PivotF1(MeanMetric):
    """F1 of the pivot-language n-grams of source and candidate: whether they translate alike.

    >>> sources = ["The meeting was put off."] * 2
    >>> kept, lost = PivotF1().segments(
    ...     ["The meeting was postponed.", "The cat was fed."], sources=sources
    ... )
    >>> bool(kept > lost)
    True
    """

    name: ClassVar[str] = "PivotF1"
    summary: ClassVar[str] = "F1 of n-grams in pivot languages (the paper's adequacy; no references)"

    model: str = model_setting()
    normalize: Normalize = normalize_setting("typography")

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return self.model == SHIPPED

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1) of each segment."""
        resources = open_model(self.model).resources
        batch = batch.normalized(self.normalize)
        rows, groups = batch_features(resources, ("pivot_f1",), batch, system)
        return mean_stats(100.0 * group_means(groups, rows[:, 0]))

    def extra_signature(self) -> dict[str, str]:
        """The form of the text and the fingerprint of each pivot."""
        model = open_model(self.model)
        return {**text_signature(model), "pivots": model.fingerprints["pivots"]}
