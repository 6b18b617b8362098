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

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.encode.encoder_by_name import SHIPPED
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.bleu import BLEU, bleu_stats
from paragauge.metrics.context.bertscore import BERTScore
from paragauge.metrics.context.explanation import ContextExplanation, Term, harmonic_weights
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import Case, Normalize, Tokenizer


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

    encoder: str = setting(SHIPPED, help="an encoder's folder or name; english comes with the package")
    layer: int = setting(4, low=0, high=200, help="the encoder's layer whose vectors are compared")
    beta: float = setting(4.0, low=0, high=1000, help="how many times BERTScore counts")
    order: int = order_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return self.encoder == SHIPPED

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """BERTScore's layer."""
        return self._similarity.encoder_layers

    @property
    def _similarity(self) -> BERTScore:
        return BERTScore(
            encoder=self.encoder,
            against="sources",
            layer=self.layer,
            normalize=self.normalize,
        )

    def explain(self, candidate: str, source: str) -> ContextExplanation:
        """BERTScore with its matching, BLEU with its n-grams, and how they combine.

        >>> explanation = BERTIBLEU().explain("They postponed the meeting.", "The meeting was put off.")
        >>> [term.name for term in explanation.terms]
        ['BERTScore', '1 - BLEU']
        >>> abs(sum(term.adds for term in explanation.terms) - explanation.value) < 1e-9
        True
        """
        similarity = self._similarity.explain(candidate, source)
        batch = Batch.of({"": [candidate]}, sources=[source], threads=1)
        value, known, matched, overlap = self.batch_stats(batch, "")[0].tolist()
        terms: tuple[Term, ...] = ()
        parts: dict[str, float] = {}
        if known:
            novelty = max(100 - overlap, 0.0)  # rounding may leave BLEU above 100
            weights = harmonic_weights(matched, novelty, self.beta) if matched >= 0 else (0, 0)
            counts = self._bleu_counts(batch, "")[0]
            parts = {"self_bleu": overlap, **BLEU(order=self.order).parts(counts)}
            terms = (
                Term("BERTScore", matched, weights[0], "with the source, F"),
                Term("1 - BLEU", novelty, weights[1], self._overlap_note(overlap, counts)),
            )
        return ContextExplanation(
            self.name,
            value if known else None,
            self.signature,
            similarity.texts,
            similarity.candidate,
            similarity.other,
            terms,
            similarity=similarity,
            parts=parts,
        )

    def _overlap_note(self, overlap: float, counts: Floats) -> str:
        """BLEU and the n-grams that candidate and source share."""
        matches, ngrams = counts[2 : 2 + self.order], counts[2 + self.order :]
        shared = ", ".join(
            f"{n}-grams {match:.0f} of {count:.0f}"
            for n, (match, count) in enumerate(zip(matches, ngrams, strict=True), 1)
        )
        return f"BLEU {overlap:.2f}, shared with the source: {shared}"

    def _bleu_counts(self, batch: Batch, system: str) -> Floats:
        tokens = batch.normalized(self.normalize).tokens(self.tokenize, self.case)
        return bleu_stats(
            tokens.candidates[system], tokens.require("sources"), self.order, batch.threads
        )

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, BERTScore, BLEU) of each segment."""
        rows = self._similarity.batch_stats(batch, system)
        overlap = BLEU(order=self.order).segment_values(self._bleu_counts(batch, system))
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
