"""One file per metric, named as its paper names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.bags import WeightedBags
    from paragauge.metrics.base import (
        MeanMetric,
        Metric,
        Score,
        counts_range,
        data_facts,
    )
    from paragauge.metrics.controls import control_systems, write_controls
    from paragauge.metrics.engine_scoring import score_table
    from paragauge.metrics.pinc_sigmoid import fit
    from paragauge.metrics.registry import (
        Metrics,
        convert_settings,
        parse_metric,
        parse_metrics,
    )
    from paragauge.metrics.resampling import (
        Resampler,
        correlation_interval,
        interval,
        running_sum,
    )
    from paragauge.metrics.scoring import (
        Census,
        ScoreSheet,
        Tally,
        prepare,
        score_batches,
    )
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Census",
    "MeanMetric",
    "Metric",
    "Metrics",
    "Resampler",
    "Score",
    "ScoreSheet",
    "Tally",
    "WeightedBags",
    "control_systems",
    "convert_settings",
    "correlation_interval",
    "counts_range",
    "data_facts",
    "fit",
    "interval",
    "parse_metric",
    "parse_metrics",
    "prepare",
    "running_sum",
    "score_batches",
    "score_table",
    "write_controls",
]
