"""paragauge measures paraphrases: sentences, systems and whole resources.

>>> from paragauge import PINC
>>> PINC().score(["a man is shooting a gun"], sources=["a man fires a revolver"]).value
85.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use
from paragauge.version import __version__

if TYPE_CHECKING:
    from paragauge.errors import ParagaugeError
    from paragauge.grammar.parametric_sheet import ParametricSheet, parametric
    from paragauge.meta import meta
    from paragauge.meta.agreement.agreement import AgreementSettings, AgreementSheet, agree
    from paragauge.meta.contrast.contrast_set import ContrastSet, read_contrast_set
    from paragauge.meta.contrast.evaluation import ContrastSheet, contrast
    from paragauge.meta.correlation.correlation import Correlations, CorrelationSettings, correlate
    from paragauge.meta.correlation.curves import ReferenceCurve, curve
    from paragauge.meta.sets.evalset import EvalSet
    from paragauge.meta.sets.evalset_files import read_evalset
    from paragauge.meta.sets.evalset_write import write_evalset
    from paragauge.meta.significance.comparison import Comparison, compare
    from paragauge.metrics.base import Metric
    from paragauge.metrics.bleu import BLEU
    from paragauge.metrics.chrf import ChrF
    from paragauge.metrics.combined.bleu_pinc import BLEUPINC
    from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid
    from paragauge.metrics.combined.pinc_svr import PINCRegression
    from paragauge.metrics.context.bert_ibleu import BERTIBLEU
    from paragauge.metrics.context.bertscore import BERTScore
    from paragauge.metrics.context.cosine import Cosine
    from paragauge.metrics.context.parascore import ParaScore
    from paragauge.metrics.control_systems import controls
    from paragauge.metrics.corpus_score import Score
    from paragauge.metrics.explanations import explain
    from paragauge.metrics.fitting import fit
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
    from paragauge.metrics.scoring import ScoreSheet, score
    from paragauge.metrics.sets.distinct import Distinct
    from paragauge.metrics.sets.pairwise_pinc import PairwisePINC
    from paragauge.metrics.sets.pick import PickedCandidates
    from paragauge.metrics.sets.self_bleu import SelfBLEU
    from paragauge.metrics.target_f1 import TargetF1
    from paragauge.metrics.ter import TER
    from paragauge.report import report
    from paragauge.report.drawing.plots.rating_scatter import scatter
    from paragauge.report.papers.gallery import papers
    from paragauge.rewrite import rewrite
    from paragauge.rewrite.rewritten_metric_spec import metric
    from paragauge.text.tokenizers import tokenize
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "BERTIBLEU",
    "BLEU",
    "BLEUPINC",
    "IBLEU",
    "METEOR",
    "PEM",
    "PINC",
    "PRECIS",
    "TER",
    "Adequacy",
    "AdequacyContext",
    "AgreementSettings",
    "AgreementSheet",
    "BERTScore",
    "ChrF",
    "Comparison",
    "ContrastSet",
    "ContrastSheet",
    "CorrelationSettings",
    "Correlations",
    "Cosine",
    "Distinct",
    "EvalSet",
    "Fluency",
    "MaxSim",
    "MaxSimContext",
    "MaxSimDep",
    "MaxSimSoft",
    "Metric",
    "PEMContext",
    "PINCRegression",
    "PINCSigmoid",
    "PairwisePINC",
    "ParaScore",
    "ParagaugeError",
    "ParametricSheet",
    "PickedCandidates",
    "PivotF1",
    "ReferenceCurve",
    "Score",
    "ScoreSheet",
    "SelfBLEU",
    "TargetF1",
    "__version__",
    "agree",
    "compare",
    "contrast",
    "controls",
    "correlate",
    "curve",
    "explain",
    "fit",
    "meta",
    "metric",
    "papers",
    "parametric",
    "read_contrast_set",
    "read_evalset",
    "report",
    "rewrite",
    "scatter",
    "score",
    "tokenize",
    "write_evalset",
]
