"""Metrics inside other people's programs: training loops and trainers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.integrations.training import ComputeMetrics, RunningScores
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = ["ComputeMetrics", "RunningScores"]
