"""Which metric agrees with people? Correlations at every level, with tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.meta.correlation.coefficients import (
        BySource,
        BySystem,
        Coefficient,
        Pooled,
    )
    from paragauge.meta.correlation.correlation import (
        Correlation,
        Correlations,
        CorrelationSettings,
        MetricDifference,
        correlate,
        views_of,
    )
    from paragauge.meta.correlation.curves import CurvePoint, ReferenceCurve, curve
    from paragauge.meta.correlation.paper_layout import Layout, LayoutCell, LayoutRow
    from paragauge.meta.correlation.paper_tables import layout
    from paragauge.meta.correlation.ranked_pairs import (
        PairAccuracy,
        Pairs,
        TunedAccuracy,
        WMTKendall,
    )
    from paragauge.meta.correlation.repeated_documents import Documents, TTest
    from paragauge.meta.correlation.soft_accuracy import SoftAccuracy
    from paragauge.meta.correlation.statistic import Draws, Estimate, Statistic
    from paragauge.meta.correlation.system_level import (
        Cells,
        SystemAccuracy,
        SystemCoefficient,
        SystemStatistic,
    )
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "BySource",
    "BySystem",
    "Cells",
    "Coefficient",
    "Correlation",
    "CorrelationSettings",
    "Correlations",
    "CurvePoint",
    "Documents",
    "Draws",
    "Estimate",
    "Layout",
    "LayoutCell",
    "LayoutRow",
    "MetricDifference",
    "PairAccuracy",
    "Pairs",
    "Pooled",
    "ReferenceCurve",
    "SoftAccuracy",
    "Statistic",
    "SystemAccuracy",
    "SystemCoefficient",
    "SystemStatistic",
    "TTest",
    "TunedAccuracy",
    "WMTKendall",
    "correlate",
    "curve",
    "layout",
    "views_of",
]
