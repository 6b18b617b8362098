"""Several candidates for one source: the first, the best or their mean, and how much they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.sets.distinct import Distinct
    from paragauge.metrics.sets.pairwise_pinc import PairwisePINC
    from paragauge.metrics.sets.pick import PickedCandidates
    from paragauge.metrics.sets.self_bleu import SelfBLEU
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = ["Distinct", "PairwisePINC", "PickedCandidates", "SelfBLEU"]
