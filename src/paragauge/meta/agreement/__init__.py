"""Do people agree? Agreement of judges, and what their ratings say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.meta.agreement.agreement import (
        Agreement,
        AgreementSettings,
        AgreementSheet,
        JudgeOthers,
        agree,
        criterion_agreement,
    )
    from paragauge.meta.agreement.alpha import krippendorff_alpha
    from paragauge.meta.agreement.judge_controls import ControlReport, JudgeControl
    from paragauge.meta.agreement.judge_correlation import Outputs
    from paragauge.meta.agreement.judge_pairs import JudgePair, RatedJudgments
    from paragauge.meta.agreement.judges import Consistency, JudgeRatings, z_normalize
    from paragauge.meta.agreement.kappa import fleiss_kappa, percent_agreement
    from paragauge.meta.agreement.substitution_tables import substitution_layout
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Agreement",
    "AgreementSettings",
    "AgreementSheet",
    "Consistency",
    "ControlReport",
    "JudgeControl",
    "JudgeOthers",
    "JudgePair",
    "JudgeRatings",
    "Outputs",
    "RatedJudgments",
    "agree",
    "criterion_agreement",
    "fleiss_kappa",
    "krippendorff_alpha",
    "percent_agreement",
    "substitution_layout",
    "z_normalize",
]
