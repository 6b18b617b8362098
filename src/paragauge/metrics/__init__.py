"""One file per metric, named as its paper names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.base import MeanMetric, Metric, mean_stats
    from paragauge.metrics.bleu import BLEU
    from paragauge.metrics.chrf import ChrF
    from paragauge.metrics.combined.bleu_pinc import BLEUPINC
    from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid, SigmoidFit
    from paragauge.metrics.combined.pinc_svr import PINCRegression, RegressionFit
    from paragauge.metrics.context.bert_ibleu import BERTIBLEU
    from paragauge.metrics.context.bertscore import BERTScore
    from paragauge.metrics.context.cosine import Cosine
    from paragauge.metrics.context.parascore import ParaScore
    from paragauge.metrics.control_systems import ControlKind, controls, write_controls
    from paragauge.metrics.corpus_score import Score
    from paragauge.metrics.engine_scoring import score_table
    from paragauge.metrics.explanations import explain
    from paragauge.metrics.fitting import FittedName, fit, fit_batches
    from paragauge.metrics.ibleu import IBLEU
    from paragauge.metrics.maxsim.context import MaxSimContext
    from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
    from paragauge.metrics.maxsim.soft import MaxSimSoft
    from paragauge.metrics.meteor import METEOR
    from paragauge.metrics.pem.adequacy.adequacy import Adequacy
    from paragauge.metrics.pem.adequacy.adequacy_context import AdequacyContext
    from paragauge.metrics.pem.fluency import Fluency
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.pem.pem_context import PEMContext
    from paragauge.metrics.pem.pivot_f1 import PivotF1
    from paragauge.metrics.pinc import PINC
    from paragauge.metrics.precis import PRECIS
    from paragauge.metrics.registry import METRICS, Metrics
    from paragauge.metrics.regression.boosted_trees import BoostedTrees
    from paragauge.metrics.regression.held_out import HeldOut
    from paragauge.metrics.resampling import Resampler
    from paragauge.metrics.scoring import Census, ScoreSheet, batch_statistics, score, score_batches
    from paragauge.metrics.sets.distinct import Distinct
    from paragauge.metrics.sets.pairwise_pinc import PairwisePINC
    from paragauge.metrics.sets.pick import PickedCandidates
    from paragauge.metrics.sets.self_bleu import SelfBLEU
    from paragauge.metrics.settings import case_setting, order_setting, setting, tokenize_setting
    from paragauge.metrics.spec_syntax import Wrapper, register_wrapper
    from paragauge.metrics.target_f1 import TargetF1
    from paragauge.metrics.ter import TER
    from paragauge.metrics.ter_edits import Shift, Step, TEREdits
    from paragauge.metrics.weighted_bags import WeightedBags
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "BERTIBLEU",
    "BLEU",
    "BLEUPINC",
    "IBLEU",
    "METEOR",
    "METRICS",
    "PEM",
    "PINC",
    "PRECIS",
    "TER",
    "Adequacy",
    "AdequacyContext",
    "BERTScore",
    "BoostedTrees",
    "Census",
    "ChrF",
    "ControlKind",
    "Cosine",
    "Distinct",
    "FittedName",
    "Fluency",
    "HeldOut",
    "MaxSim",
    "MaxSimContext",
    "MaxSimDep",
    "MaxSimSoft",
    "MeanMetric",
    "Metric",
    "Metrics",
    "PEMContext",
    "PINCRegression",
    "PINCSigmoid",
    "PairwisePINC",
    "ParaScore",
    "PickedCandidates",
    "PivotF1",
    "RegressionFit",
    "Resampler",
    "Score",
    "ScoreSheet",
    "SelfBLEU",
    "Shift",
    "SigmoidFit",
    "Step",
    "TEREdits",
    "TargetF1",
    "WeightedBags",
    "Wrapper",
    "batch_statistics",
    "case_setting",
    "controls",
    "explain",
    "fit",
    "fit_batches",
    "mean_stats",
    "order_setting",
    "register_wrapper",
    "score",
    "score_batches",
    "score_table",
    "setting",
    "tokenize_setting",
    "write_controls",
]
