"""iBLEU (Sun and Zhou 2012): BLEU against the references, less BLEU against the source.

    iBLEU = alpha * BLEU(candidate, references) - (1 - alpha) * BLEU(candidate, source)

Both BLEUs are corpus scores for a corpus and segment scores for a segment. The authors tried alpha
from 0.7 to 0.9 and recommend no single value; 0.8 is the middle and the default. Several sources
count as several references of the second BLEU. The scale is that of BLEU, but a copy of the source
that matches no reference reaches -100 * (1 - alpha).

The statistics are BLEU's against the references, then BLEU's against the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.bleu import (
    BLEU,
    EffectiveOrder,
    ReferenceLength,
    Smoothing,
    bleu_stats,
    effective_order_setting,
    ref_length_setting,
    same_bleu,
    smooth_setting,
    smooth_value_setting,
)
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
class IBLEU(Metric):
    """BLEU that is punished for copying the source.

    >>> copy = IBLEU(alpha=0.8).score(["a b c d"], sources=["a b c d"], references=[["a b c e"]])
    >>> bleu = BLEU().score(["a b c d"], references=[["a b c e"]])
    >>> abs(copy.value - (0.8 * bleu.value - 20)) < 1e-9
    True
    """

    name: ClassVar[str] = "iBLEU"
    summary: ClassVar[str] = "BLEU with the references less BLEU with the source"

    alpha: float = setting(0.8, low=0, high=1, help="weight of the references")
    order: int = order_setting()
    smooth: Smoothing = smooth_setting()
    smooth_value: float | None = smooth_value_setting()
    effective_order: EffectiveOrder = effective_order_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    ref_length: ReferenceLength = ref_length_setting()
    normalize: Normalize = normalize_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "smooth_value", self._bleu().smooth_value)

    @property
    def needs(self) -> frozenset[str]:
        """Sources and references."""
        return frozenset({"sources", "references"})

    def _bleu(self) -> BLEU:
        return same_bleu(self)

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """BLEU's statistics against the references and against the source."""
        tokens = batch.normalized(self.normalize).tokens(self.tokenize, self.case)
        sides = [tokens.require("references"), tokens.require("sources")]
        candidates = tokens.candidates[system]
        stats = [
            bleu_stats(candidates, side, self.order, batch.threads, self.ref_length) for side in sides
        ]
        return np.concatenate(stats, axis=1)

    def corpus_values(self, sums: Floats) -> Floats:
        """iBLEU of summed statistics."""
        references, source = np.split(sums, 2, axis=-1)
        bleu = self._bleu()
        return self._combine(bleu.corpus_values(references), bleu.corpus_values(source))

    def segment_values(self, stats: Floats) -> Floats:
        """iBLEU of each segment."""
        references, source = np.split(stats, 2, axis=-1)
        bleu = self._bleu()
        return self._combine(bleu.segment_values(references), bleu.segment_values(source))

    def _combine(self, references: Floats, source: Floats) -> Floats:
        return np.asarray(self.alpha * references - (1 - self.alpha) * source)

    def parts(self, sums: Floats) -> dict[str, float]:
        """Both BLEUs."""
        references, source = np.split(sums, 2)
        bleu = self._bleu()
        return {
            "bleu_references": float(bleu.corpus_values(references)),
            "bleu_source": float(bleu.corpus_values(source)),
        }
