"""Pairwise PINC: how much the candidates for one source differ from each other.

    pairwise PINC = mean over all ordered pairs (a, b) of candidates of PINC(source a, candidate b)

in the sense of Chen and Dolan (2011, section 4), who score the human descriptions of a video against
each other. 0 if all candidates are equal, 100 if no two share a word. PINC is that of `pinc.py`.

With one candidate there is no pair. By default such a set has no variety and counts 0, so that a
system cannot gain by giving a single candidate where it is unsure; `alone=skip` leaves it out of the
mean. A corpus scores the mean of its segments. The statistics are (value, 1, candidates).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pinc import PINC, Count, ShortCandidate, count_setting, short_setting
from paragauge.metrics.sets.set_batches import alone_setting, peer_batch, peer_means
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import Case, Normalize, Tokenizer


@dataclass(frozen=True)
class PairwisePINC(MeanMetric):
    """Mean PINC of all pairs of candidates for the same source; higher means more variety.

    >>> PairwisePINC(order=1).segments([["a b", "a b"], ["a b", "a c", "d e"], ["a b"]]).round(2)
    array([ 0.  , 83.33,  0.  ])
    """

    name: ClassVar[str] = "Pairwise-PINC"
    summary: ClassVar[str] = "how much several candidates differ from each other, by PINC"
    reads_sets: ClassVar[bool] = True

    order: int = order_setting()
    count: Count = count_setting()
    short: ShortCandidate = short_setting()
    alone: Literal["same", "skip"] = alone_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Nothing but the candidates."""
        return frozenset()

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, candidates) of each segment."""
        sets = batch.candidate_sets(system)
        pinc = PINC(
            order=self.order,
            count=self.count,
            short=self.short,
            tokenize=self.tokenize,
            case=self.case,
            normalize=self.normalize,
        )
        peers = peer_batch(sets, system, batch.threads)
        values = pinc.segment_values(pinc.batch_stats(peers, system)) if len(peers) else np.zeros(0)
        means = peer_means(sets, values, 0.0 if self.alone == "same" else np.nan)
        return mean_stats(means, sets.counts()[:, None].astype(np.float64))

    def parts(self, sums: Floats) -> dict[str, float]:
        """The mean number of candidates."""
        return {"candidates": float(sums[2] / sums[1]) if sums[1] else 0.0}
