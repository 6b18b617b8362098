"""PRÉCIS (Ganitkevitch, Callison-Burch, Napoles and Van Durme 2011): BLEU that rewards short output.

    PRÉCIS = BLEU(C, R) * exp(lambda * (phi - |C| / |I|))    if |C| / |I| > phi
    PRÉCIS = BLEU(C, R)                                      otherwise

I is the input, C its compression and R the references, which are compressions made by people; phi is
the requested compression rate (`ratio`) and lambda says how fast the score falls above it
(`strength`). BLEU's own brevity penalty stays, so output much shorter than the references loses too.
|.| counts words or, with `unit="characters"`, characters other than spaces. Lengths and counts are
summed over the corpus before the divisions. The statistics are BLEU's and then (|C|, |I|).

The defaults are those of the authors' tool, Joshua (class `Precis`): words, lambda 5, brevity penalty
on, the input not a reference; the rate has no default there and is 0.5 here, which halves sentences.

Deviations: Joshua can also take the rate of the references, and subtract a term for similarity to the
input; both are left out, because the formula has neither (PINC measures the latter). If a segment has
several sources, |I| is their mean length. An empty input with output counts as an infinite rate: 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

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
class PRECIS(Metric):
    """BLEU with a penalty for output that is longer than asked for.

    >>> texts = {"sources": ["a b c d e f g h"], "references": [["a b c d"]]}
    >>> round(PRECIS().score(["a b c d"], **texts).value, 2)
    100.0
    >>> score = PRECIS().score(["a b c d e f g h"], **texts)
    >>> round(score.parts["verbosity_penalty"], 4), round(score.value, 2)
    (0.0821, 2.84)
    """

    name: ClassVar[str] = "PRECIS"
    summary: ClassVar[str] = "BLEU with a penalty for output above a target compression rate"

    ratio: float = setting(0.5, low=0, high=1, help="compression rate that is asked for, phi")
    strength: float = setting(
        5.0, key="lambda", low=0, help="how fast the score falls above it, lambda"
    )
    unit: Literal["words", "characters"] = setting(
        "words", choices=("words", "characters"), help="what lengths count"
    )
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
        """BLEU's statistics against the references, then the lengths of candidate and source."""
        batch = batch.normalized(self.normalize)
        tokens = batch.tokens(self.tokenize, self.case)
        candidates, references = tokens.candidates[system], tokens.require("references")
        bleu = bleu_stats(candidates, references, self.order, batch.threads, self.ref_length)
        counted = tokens if self.unit == "words" else batch.tokens("char", "mixed")
        sources = counted.require("sources")
        theirs = sources.mean(sources.tokens.lengths.astype(np.float64))
        lengths = np.stack([counted.candidates[system].lengths, theirs], axis=1)
        return np.concatenate([bleu, lengths], axis=1)

    def corpus_values(self, sums: Floats) -> Floats:
        """PRÉCIS of summed statistics."""
        return self._bleu().corpus_values(sums[..., :-2]) * self._penalty(sums)

    def segment_values(self, stats: Floats) -> Floats:
        """PRÉCIS of each segment."""
        return self._bleu().segment_values(stats[..., :-2]) * self._penalty(stats)

    def parts(self, sums: Floats) -> dict[str, float]:
        """BLEU and its parts, the compression rate and the penalty for its excess."""
        bleu = self._bleu()
        return {
            "bleu": float(bleu.corpus_values(sums[:-2])),
            **bleu.parts(sums[:-2]),
            "compression_rate": float(_rate(sums)),
            "verbosity_penalty": float(self._penalty(sums)),
        }

    def _penalty(self, stats: Floats) -> Floats:
        excess = np.maximum(0.0, _rate(stats) - self.ratio)
        # Nothing of an infinite rate is left, except by a penalty that is switched off.
        return np.exp(-self.strength * excess) if self.strength else np.ones_like(excess)


def _rate(stats: Floats) -> Floats:
    """Length of the candidate by that of its source; infinite where only the source is empty."""
    mine, theirs = stats[..., -2], stats[..., -1]
    without = np.where(mine > 0, np.inf, 0.0)
    return np.asarray(np.divide(mine, theirs, out=without, where=theirs > 0))
