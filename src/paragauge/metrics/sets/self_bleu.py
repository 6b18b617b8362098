"""Self-BLEU, in the two senses that papers give the name; lower means more variety.

- `against=candidates` (default; Zhu et al. 2018): the BLEU of each candidate with the other candidates
  for the same source as references, averaged over the candidates. It measures whether the candidates
  repeat each other.
- `against=sources`: the BLEU of each candidate with its source, averaged over the candidates. Papers
  on paraphrasing call this self-BLEU too (Niu et al. 2021, for example). It measures copying, and needs
  no second candidate.

BLEU is the sentence's, as in `bleu.py` with effective order. Zhu et al. take all generated sentences of
a test set as references of each other, because their generator has no source; here a set is the
candidates for one source. Their tool smooths like `smooth=floor`; the default is that of BLEU.

With one candidate there are no others. By default such a set has no variety and counts 100;
`alone=skip` leaves it out of the mean. A corpus scores the mean of its segments. The statistics are
(value, 1, candidates).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.bleu import (
    BLEU,
    Smoothing,
    bleu_stats,
    same_bleu,
    smooth_setting,
    smooth_value_setting,
)
from paragauge.metrics.sets.set_batches import (
    alone_setting,
    candidate_batch,
    peer_batch,
    peer_means,
)
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch
from paragauge.text.lines import group_means
from paragauge.text.tokenizers import Case, Normalize, Tokenizer


@dataclass(frozen=True)
class SelfBLEU(MeanMetric):
    """Mean BLEU of each candidate with the others, or with the source; lower means more variety.

    >>> SelfBLEU(order=1).segments([["a b", "a b"], ["a b", "a c"], ["a b", "c d"], ["a b"]])
    array([100.,  50.,   0., 100.])
    >>> SelfBLEU(order=1, against="sources").segments([["a b", "a c"]], sources=["a b"])
    array([75.])
    """

    name: ClassVar[str] = "Self-BLEU"
    summary: ClassVar[str] = "how much candidates repeat each other, or their source (lower is better)"
    higher_is_better: ClassVar[bool] = False
    reads_sets: ClassVar[bool] = True

    against: Literal["candidates", "sources"] = setting(
        "candidates",
        choices=("candidates", "sources"),
        help="the other candidates (Zhu et al. 2018), or the source",
    )
    order: int = order_setting()
    smooth: Smoothing = smooth_setting()
    smooth_value: float | None = smooth_value_setting()
    alone: Literal["same", "skip"] = alone_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "smooth_value", self._bleu().smooth_value)

    @property
    def needs(self) -> frozenset[str]:
        """Nothing but the candidates, or sources."""
        return frozenset({"sources"} if self.against == "sources" else ())

    def _bleu(self) -> BLEU:
        return same_bleu(self)

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, candidates) of each segment."""
        sets = batch.candidate_sets(system)
        counts = sets.counts()
        if self.against == "sources":
            values = self._values(candidate_batch(batch, system), system)
            bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
            means = np.asarray(group_means(bounds, values))
        else:
            peers = peer_batch(sets, system, batch.threads)
            values = self._values(peers, system) if len(peers) else np.zeros(0)
            means = peer_means(sets, values, 100.0 if self.alone == "same" else np.nan)
        return mean_stats(means, counts[:, None].astype(np.float64))

    def _values(self, batch: Batch, system: str) -> Floats:
        """BLEU of each candidate with the sources of the batch."""
        tokens = batch.normalized(self.normalize).tokens(self.tokenize, self.case)
        sources = tokens.require("sources")
        stats = bleu_stats(tokens.candidates[system], sources, self.order, batch.threads)
        return self._bleu().segment_values(stats)

    def parts(self, sums: Floats) -> dict[str, float]:
        """The mean number of candidates."""
        return {"candidates": float(sums[2] / sums[1]) if sums[1] else 0.0}
