"""Quality of answers: controls, agreement, hints and the noise filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.quality.aggregate import Judgment, means, reliability
    from paragauge.collect.quality.cluster_evidence import Clusters
    from paragauge.collect.quality.hints import answer_hints
    from paragauge.collect.quality.live_agreement import agreement
    from paragauge.collect.quality.noise import NoiseFilter
    from paragauge.collect.quality.review_hints import train_filter, write_verdicts
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Clusters",
    "Judgment",
    "NoiseFilter",
    "agreement",
    "answer_hints",
    "means",
    "reliability",
    "train_filter",
    "write_verdicts",
]
