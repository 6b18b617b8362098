"""BERT-iBLEU (Niu et al. 2021): meaning kept and wording changed, without references.

    BERT-iBLEU = (beta + 1) / (beta / BERTScore + 1 / (1 - BLEU))

the weighted harmonic mean of the BERTScore of candidate and source and of one minus their BLEU (which
the paper calls self-BLEU). beta = 4 in the paper: keeping the meaning counts four times as much. A copy
scores 0.

BERTScore is the F of `bertscore.py`, by default with the encoder that ships (the paper's tool uses a
larger one); BLEU is the sentence's, as in `bleu.py` with effective order. With several sources,
BERTScore is the best over them and BLEU takes all of them as references. A corpus scores the mean of
its segments. The score is 0 where BERTScore is not above 0 or BLEU is 1, where the harmonic mean
tends to 0. Values are times 100. The statistics are (value, 1, BERTScore, BLEU).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.bleu import BLEU, bleu_stats
from paragauge.metrics.context.bertscore import BERTScore
from paragauge.metrics.settings import (
    Case,
    Tokenizer,
    case_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch


@dataclass(frozen=True)
class BERTIBLEU(MeanMetric):
    """Harmonic mean of BERTScore with the source and one minus BLEU with the source.

    >>> metric = BERTIBLEU()
    >>> source = ["The meeting was put off until Monday."]
    >>> good = metric.segments(["They postponed the meeting to Monday."], sources=source)
    >>> copy = metric.segments(source, sources=source)
    >>> float(good[0]) > 60, float(copy[0])
    (True, 0.0)
    """

    name: ClassVar[str] = "BERT-iBLEU"
    summary: ClassVar[str] = "BERTScore and 1 - BLEU with the source in one number (no references)"

    encoder: str = setting(SHIPPED, help="an encoder's folder; english comes with the package")
    layer: int = setting(4, low=0, high=200, help="the encoder's layer whose vectors are compared")
    beta: float = setting(4.0, low=0, high=1000, help="how many times BERTScore counts")
    order: int = order_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    @property
    def _similarity(self) -> BERTScore:
        return BERTScore(encoder=self.encoder, against="sources", layer=self.layer)

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, BERTScore, BLEU) of each segment."""
        rows = self._similarity.batch_stats(batch, system)
        tokens = batch.tokens(self.tokenize, self.case)
        counts = bleu_stats(
            tokens.candidates[system], tokens.require("sources"), self.order, batch.threads
        )
        overlap = BLEU(order=self.order).segment_values(counts)
        similarity, known = rows[:, 0], rows[:, 1] > 0
        novelty = 100.0 - overlap
        positive = (similarity > 0) & (novelty > 0)
        below = self.beta / np.where(positive, similarity, 1.0) + 1 / np.where(positive, novelty, 1.0)
        values = np.where(positive, (self.beta + 1) / below, 0.0)
        parts = np.column_stack([similarity, overlap])
        return mean_stats(np.where(known, values, np.nan), parts)

    def parts(self, sums: Floats) -> dict[str, float]:
        """The means of BERTScore and BLEU."""
        count = max(float(sums[1]), 1.0)
        return {"bertscore": float(sums[2]) / count, "self_bleu": float(sums[3]) / count}

    def extra_signature(self) -> dict[str, str]:
        """The fingerprint of the encoder."""
        return self._similarity.extra_signature()
