"""Quality of answers: controls, agreement, hints and the noise filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.quality.campaign_noise_filter import train_filter, write_verdicts
    from paragauge.collect.quality.cluster_evidence import TrustedClusters
    from paragauge.collect.quality.hint_rules import find_answer_hints
    from paragauge.collect.quality.judgment_aggregates import (
        Judgment,
        aggregate_judgments,
        measure_reliability,
    )
    from paragauge.collect.quality.judgment_agreement import measure_agreement
    from paragauge.collect.quality.noise_filter import NoiseFilter
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Judgment",
    "NoiseFilter",
    "TrustedClusters",
    "aggregate_judgments",
    "find_answer_hints",
    "measure_agreement",
    "measure_reliability",
    "train_filter",
    "write_verdicts",
]
