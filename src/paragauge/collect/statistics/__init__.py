"""The progress of a campaign, and the figures of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.statistics.campaign_statistics import Statistics, compute_statistics
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Statistics",
    "compute_statistics",
]
