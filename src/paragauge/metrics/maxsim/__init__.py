"""MAXSIM (Chan and Ng 2008), its extensions with learned weights, and explanations of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.explanation import Word
    from paragauge.metrics.maxsim.fit import MaxSimFit, fit_parts
    from paragauge.metrics.maxsim.similarity import WordSimilarity
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "MaxSimFit",
    "Word",
    "WordSimilarity",
    "fit_parts",
]
