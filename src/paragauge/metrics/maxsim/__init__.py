"""MAXSIM (Chan and Ng 2008), its extension with learned weights, and explanations of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.maxsim.fit import MaxSimFit, fit_parts
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "MaxSimFit",
    "fit_parts",
]
