"""BLEU and PINC in one number (Chen and Dolan 2011, section 5.2 and table 4).

The paper treats BLEU (meaning kept) and PINC (wording changed) as two dimensions, but also tries
their means on each sentence and finds that "almost any simple combination yielded decent
correlation": arithmetic 0.32, geometric 0.30, harmonic 0.30 with overall ratings.

    arithmetic (B + P) / 2        geometric sqrt(B * P)        harmonic 2 * B * P / (B + P)

B is the sentence's BLEU with effective order and P its PINC, both from 0 to 100. A corpus scores the
mean of its segments, which is not the mean of the corpus scores. The harmonic mean of 0 and 0 is 0.
The statistics are (value, 1, B, P).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.bleu import (
    BLEU,
    Smoothing,
    SourceUse,
    smooth_setting,
    smooth_value_setting,
    source_setting,
)
from paragauge.metrics.pinc import (
    PINC,
    Count,
    SeveralSources,
    ShortCandidate,
    count_setting,
    short_setting,
    sources_setting,
)
from paragauge.metrics.settings import (
    Case,
    Tokenizer,
    case_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch

Mean = Literal["arithmetic", "geometric", "harmonic"]


@dataclass(frozen=True)
class SentencePair(MeanMetric):
    """Base of the metrics that combine the BLEU and the PINC of each sentence."""

    order: int = order_setting()
    smooth: Smoothing = smooth_setting()
    smooth_value: float | None = smooth_value_setting()
    source: SourceUse = source_setting()
    count: Count = count_setting()
    short: ShortCandidate = short_setting()
    sources: SeveralSources = sources_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "smooth_value", self.bleu().smooth_value)

    @property
    def needs(self) -> frozenset[str]:
        """Sources and references."""
        return frozenset({"sources", "references"})

    def bleu(self) -> BLEU:
        """The BLEU that is combined."""
        return BLEU(
            order=self.order,
            smooth=self.smooth,
            smooth_value=self.smooth_value,
            effective_order="always",
            source=self.source,
            tokenize=self.tokenize,
            case=self.case,
        )

    def pinc(self) -> PINC:
        """The PINC that is combined."""
        return PINC(
            order=self.order,
            count=self.count,
            short=self.short,
            sources=self.sources,
            tokenize=self.tokenize,
            case=self.case,
        )

    @abstractmethod
    def combine(self, bleu: Floats, pinc: Floats) -> Floats:
        """The value of each segment from its BLEU and its PINC, all [n]."""

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, BLEU, PINC) of each segment."""
        parts: list[BLEU | PINC] = [self.bleu(), self.pinc()]
        bleu, pinc = (part.segment_values(part.batch_stats(batch, system)) for part in parts)
        return mean_stats(self.combine(bleu, pinc), bleu[:, None], pinc[:, None])

    def parts(self, sums: Floats) -> dict[str, float]:
        """Mean BLEU and mean PINC of the segments."""
        return {"mean_bleu": float(sums[2] / sums[1]), "mean_pinc": float(sums[3] / sums[1])}


@dataclass(frozen=True)
class BLEUPINC(SentencePair):
    """A mean of each sentence's BLEU and PINC.

    >>> metric = BLEUPINC(mean="harmonic")
    >>> metric.score(["a b c d"], sources=["a b x y"], references=[["a b c d"]]).value
    88.37209302325583
    """

    name: ClassVar[str] = "BLEU-PINC"
    summary: ClassVar[str] = "mean of BLEU and PINC (meaning kept and wording changed)"

    mean: Mean = setting("arithmetic", choices=get_args(Mean), help="which mean")

    def combine(self, bleu: Floats, pinc: Floats) -> Floats:
        """The chosen mean of each segment's BLEU and PINC."""
        if self.mean == "arithmetic":
            return (bleu + pinc) / 2
        if self.mean == "geometric":
            return np.sqrt(bleu * pinc)
        total = bleu + pinc
        return np.divide(2 * bleu * pinc, total, out=np.zeros_like(total), where=total > 0)
