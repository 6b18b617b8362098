"""BLEU and PINC in one number (Chen and Dolan 2011, section 5.2 and table 4).

The paper treats BLEU (meaning kept) and PINC (wording changed) as two dimensions, but also tries
their means on each sentence and finds that "almost any simple combination yielded decent
correlation": arithmetic 0.32, geometric 0.30, harmonic 0.30 with overall ratings.

    arithmetic (B + P) / 2        geometric sqrt(B * P)        harmonic 2 * B * P / (B + P)

B is the sentence's BLEU with effective order and P its PINC, both from 0 to 100. A corpus scores the
mean of its segments, which is not the mean of the corpus scores. The harmonic mean of 0 and 0 is 0.

The paper expects better measures of meaning than BLEU (section 6). `adequacy` puts another metric in
its place (`adequacy_metric.py`): B is then that metric's score of the sentence. Where B is below 0,
which the cosine of unrelated sentences can be, the geometric and the harmonic mean are 0, their value
at B = 0. A segment without a B is left out of the mean. The statistics are (value, 1, B, P).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import LengthError, SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import MeanMetric, Metric, mean_stats
from paragauge.metrics.bleu import (
    BLEU,
    ReferenceLength,
    Smoothing,
    SourceUse,
    ref_length_setting,
    smooth_setting,
    smooth_value_setting,
    source_setting,
)
from paragauge.metrics.combined.adequacy_metric import (
    BLEU_NAME,
    adequacy_setting,
    check_adequacy,
    fold_adequacy,
    prefix_settings,
    unfold_adequacy,
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
from paragauge.metrics.regression.held_out import number_sources
from paragauge.metrics.settings import (
    case_setting,
    normalize_setting,
    order_setting,
    setting,
    tokenize_setting,
)
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.tokenizers import Case, Normalize, Tokenizer
from paragauge.text.wording import pluralize

Mean = Literal["arithmetic", "geometric", "harmonic"]
# Settings of BLEU alone, with their keys in signatures; another adequacy metric has its own.
BLEU_SETTINGS = {"smooth": "smooth", "smooth_value": "k", "source": "src", "ref_length": "len"}


@dataclass(frozen=True)
class SentencePair(MeanMetric):
    """Base of the metrics that combine the BLEU, or another adequacy, and the PINC of each sentence."""

    order: int = order_setting()
    smooth: Smoothing = smooth_setting()
    smooth_value: float | None = smooth_value_setting()
    source: SourceUse = source_setting()
    count: Count = count_setting()
    short: ShortCandidate = short_setting()
    sources: SeveralSources = sources_setting()
    tokenize: Tokenizer = tokenize_setting()
    case: Case = case_setting()
    adequacy: str = adequacy_setting()
    ref_length: ReferenceLength = ref_length_setting()
    normalize: Normalize = normalize_setting()

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As for every metric; settings that begin with ``adequacy_`` are the adequacy metric's."""
        return super().from_settings(fold_adequacy(cls.name, explicit, defaults), defaults)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "adequacy", check_adequacy(self.name, self.adequacy))
        if self.adequacy == BLEU_NAME:
            object.__setattr__(self, "smooth_value", self.bleu().smooth_value)
            return
        for name in BLEU_SETTINGS:
            usual = type(self).__dataclass_fields__[name].default
            if getattr(self, name) != usual:
                raise SettingError(
                    f"{self.name} {name}: is a setting of BLEU, but adequacy is {self.adequacy}; "
                    "leave it out"
                )

    @property
    def needs(self) -> frozenset[str]:
        """Sources, and what the adequacy metric needs: references, if that is BLEU."""
        return self.pinc().needs | self.adequacy_metric.needs

    @property
    def label(self) -> str:
        """The shortest specification; that of the adequacy metric is spread over settings."""
        return unfold_adequacy(super().label, self.adequacy)

    def signature_settings(self) -> dict[str, str]:
        """The settings; with another adequacy metric its own instead of BLEU's."""
        settings = super().signature_settings()
        del settings["adequacy"]
        if self.adequacy == BLEU_NAME:
            return settings
        kept = {key: text for key, text in settings.items() if key not in BLEU_SETTINGS.values()}
        return kept | {"adequacy": self.adequacy_metric.name} | prefix_settings(self.adequacy_metric)

    @cached_property
    def adequacy_metric(self) -> Metric:
        """The metric of the meaning kept that is combined with PINC."""
        if self.adequacy == BLEU_NAME:
            return self.bleu()
        return Metric.from_spec(self.adequacy, wrapped=False)

    @property
    def analyzed(self) -> str | None:
        """The analyzed files that the adequacy metric reads, if any."""
        files: str | None = getattr(self.adequacy_metric, "analyzed", None)
        return files

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """Those that the adequacy metric reads."""
        return self.adequacy_metric.encoder_layers

    def bleu(self) -> BLEU:
        """The BLEU that is combined unless `adequacy` names another metric."""
        return BLEU(
            order=self.order,
            smooth=self.smooth,
            smooth_value=self.smooth_value,
            effective_order="always",
            source=self.source,
            tokenize=self.tokenize,
            case=self.case,
            ref_length=self.ref_length,
            normalize=self.normalize,
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
            normalize=self.normalize,
        )

    @abstractmethod
    def combine(self, adequacy: Floats, pinc: Floats) -> Floats:
        """The value of each segment from its adequacy (BLEU) and its PINC, all [n]."""

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, adequacy, PINC) of each segment."""
        parts: list[Metric] = [self.adequacy_metric, self.pinc()]
        adequacy, pinc = (part.segment_values(part.batch_stats(batch, system)) for part in parts)
        return mean_stats(self.combine(adequacy, pinc), adequacy[:, None], pinc[:, None])

    def components(self, batch: Batch, system: str) -> Floats:
        """Adequacy (BLEU) and PINC of each segment, [n, 2]; NaN where the adequacy is undefined."""
        stats = self.batch_stats(batch, system)
        return np.where(stats[:, 1:2] > 0, stats[:, 2:4], np.nan)

    def rated_components(
        self,
        ratings: Sequence[float],
        candidates: Texts,
        *,
        sources: GroupedTexts,
        references: GroupedTexts | None,
        seed: int,
        threads: int,
    ) -> tuple[Floats, Floats, Ints]:
        """What a fit learns from: components [n, 2], ratings [n] and numbers of the sources [n]."""
        self.require({"sources"} | (set() if references is None else {"references"}))
        batch = Batch.of({"": candidates}, sources=sources, references=references, threads=threads)
        values = np.array(list(ratings), np.float64)
        if len(values) != len(batch):
            raise LengthError(
                f"ratings has {pluralize(len(values), 'value')} but candidates has "
                f"{pluralize(len(batch), 'segment')}"
            )
        return self.components(batch, ""), values, number_sources(map(tuple, batch.sources or []), seed)

    def parts(self, sums: Floats) -> dict[str, float]:
        """Mean adequacy (BLEU) and mean PINC of the segments."""
        count = max(float(sums[1]), 1.0)
        names = (self.adequacy_metric.name.lower(), "pinc")
        return {
            f"mean_{name}": float(total) / count for name, total in zip(names, sums[2:], strict=True)
        }


@dataclass(frozen=True)
class BLEUPINC(SentencePair):
    """A mean of each sentence's BLEU and PINC.

    >>> metric = BLEUPINC(mean="harmonic")
    >>> texts = {"sources": ["a b x y"], "references": [["a b c d"]]}
    >>> metric.score(["a b c d"], **texts).value
    88.37209302325583
    >>> BLEUPINC(adequacy="chrf:word_order=2").label
    'bleu-pinc:adequacy=chrf:adequacy_word_order=2'
    """

    name: ClassVar[str] = "BLEU-PINC"
    summary: ClassVar[str] = "mean of BLEU and PINC (meaning kept and wording changed)"

    mean: Mean = setting("arithmetic", choices=get_args(Mean), help="which mean")

    def combine(self, adequacy: Floats, pinc: Floats) -> Floats:
        """The chosen mean of each segment's adequacy (BLEU) and PINC."""
        if self.mean == "arithmetic":
            return (adequacy + pinc) / 2
        kept = np.maximum(adequacy, 0.0)  # NaN stays NaN
        if self.mean == "geometric":
            return np.sqrt(kept * pinc)
        total = kept + pinc
        return 2 * kept * pinc / np.where(total == 0, 1.0, total)
