"""chrF (Popović 2015) and TER (Snover et al. 2006), computed by sacreBLEU.

The usual baselines for paraphrase metrics, in the same command. sacreBLEU does the counting; its
statistics are additive, so corpus scores, intervals and comparisons work as for every other metric
here. Needs the extra `baselines`. The signature carries sacreBLEU's version.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from paragauge.errors import MissingExtraError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import Metric
from paragauge.metrics.settings import case_setting, normalize_setting, setting
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import Case, Normalize


@dataclass(frozen=True)
class SacreBLEUMetric(Metric):
    """A metric that sacreBLEU computes."""

    @property
    def needs(self) -> frozenset[str]:
        """References."""
        return frozenset({"references"})

    @abstractmethod
    def _make(self) -> Any:
        """sacreBLEU's metric with these settings."""

    @cached_property
    def _metric(self) -> Any:
        try:
            return self._make()
        except ImportError:
            raise MissingExtraError("sacreBLEU, which computes chrF and TER,", "baselines") from None

    def extra_signature(self) -> dict[str, str]:
        """sacreBLEU's version."""
        try:
            import sacrebleu
        except ImportError:
            raise MissingExtraError("sacreBLEU, which computes chrF and TER,", "baselines") from None
        return {"sacrebleu": str(sacrebleu.__version__)}

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """sacreBLEU's own statistics of each segment."""
        batch = batch.normalized(self.settings()["normalize"])
        references = [] if batch.references is None else list(batch.references)
        most = max(map(len, references), default=1)
        # sacreBLEU takes one stream per reference, with None where a segment has fewer.
        streams = [[group[i] if i < len(group) else None for group in references] for i in range(most)]
        rows = self._metric._extract_corpus_statistics(list(batch.systems[system]), streams)
        return np.array(rows, np.float64) if rows else np.zeros((0, 1))

    def corpus_values(self, sums: Floats) -> Floats:
        """Scores of summed statistics."""
        flat = sums.reshape(-1, sums.shape[-1])
        scores = [self._metric._compute_score_from_stats(list(row)).score for row in flat]
        return np.array(scores).reshape(sums.shape[:-1])


@dataclass(frozen=True)
class ChrF(SacreBLEUMetric):
    """Character n-gram F-score.

    >>> round(ChrF().score(["a cat"], references=[["a cat sat"]]).value, 1)
    48.6
    """

    name: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "character n-grams shared with the references (by sacreBLEU)"

    char_order: int = setting(6, key="nc", low=1, high=64, help="longest character n-gram")
    word_order: int = setting(0, key="nw", low=0, high=64, help="longest word n-gram (2: chrF++)")
    beta: int = setting(2, low=1, high=64, help="weight of recall")
    whitespace: bool = setting(False, key="space", help="count white space as characters")
    case: Case = case_setting()
    normalize: Normalize = normalize_setting()

    def _make(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.case == "lower",
            whitespace=self.whitespace,
        )


@dataclass(frozen=True)
class TER(SacreBLEUMetric):
    """Translation edit rate: edits and shifts per reference word; lower is better.

    >>> TER().score(["a cat"], references=[["a cat"]]).value
    0.0
    """

    name: ClassVar[str] = "TER"
    summary: ClassVar[str] = "edits needed to reach a reference (by sacreBLEU; lower is better)"
    higher_is_better: ClassVar[bool] = False

    normalized: bool = setting(False, key="norm", help="apply TERCOM's normalization")
    no_punct: bool = setting(False, key="nopunct", help="remove punctuation")
    asian_support: bool = setting(False, key="asian", help="treat Asian characters one by one")
    case: Case = setting(
        "lower", choices=("mixed", "lower"), help="compare words as they are, or in lower case"
    )
    normalize: Normalize = normalize_setting()

    def _make(self) -> Any:
        from sacrebleu.metrics.ter import TER as SacreTER  # noqa: N811

        return SacreTER(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case == "mixed",
        )
