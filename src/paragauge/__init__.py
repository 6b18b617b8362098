"""paragauge measures paraphrases: sentences, systems and whole resources.

>>> from paragauge import PINC
>>> PINC().score(["a man is shooting a gun"], sources=["a man fires a revolver"]).value
85.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from paragauge.errors import ParagaugeError
from paragauge.meta.significance.compare import Comparison, compare
from paragauge.metrics.base import Metric, Score
from paragauge.metrics.bleu import BLEU
from paragauge.metrics.bleu_pinc import BLEUPINC
from paragauge.metrics.ibleu import IBLEU
from paragauge.metrics.pinc import PINC
from paragauge.metrics.pinc_sigmoid import PINCSigmoid
from paragauge.metrics.precis import PRECIS
from paragauge.metrics.sacrebleu_metric import TER, ChrF
from paragauge.metrics.scoring import ScoreSheet, score
from paragauge.metrics.target_f1 import TargetF1
from paragauge.text.tokenisers import tokenize
from paragauge.version import __version__

if TYPE_CHECKING:
    from paragauge.meta.correlation.correlation import Correlations, Settings, correlate
    from paragauge.meta.sets.evalset import EvalSet
    from paragauge.meta.sets.evalset_files import read_evalset
    from paragauge.meta.sets.evalset_write import write_evalset
    from paragauge.metrics.maxsim.metric import MaxSim, MaxSimDep
    from paragauge.metrics.maxsim.soft import MaxSimSoft
    from paragauge.metrics.meteor import METEOR
    from paragauge.metrics.pem.metric import PEM

__all__ = [
    "BLEU",
    "BLEUPINC",
    "IBLEU",
    "METEOR",
    "PEM",
    "PINC",
    "PRECIS",
    "TER",
    "ChrF",
    "Comparison",
    "Correlations",
    "EvalSet",
    "MaxSim",
    "MaxSimDep",
    "MaxSimSoft",
    "Metric",
    "PINCSigmoid",
    "ParagaugeError",
    "Score",
    "ScoreSheet",
    "Settings",
    "TargetF1",
    "__version__",
    "compare",
    "correlate",
    "read_evalset",
    "score",
    "tokenize",
    "write_evalset",
]

# Loaded when they are first used: who only scores does not wait for them.
_LATER = {
    "Correlations": "paragauge.meta.correlation.correlation",
    "EvalSet": "paragauge.meta.sets.evalset",
    "METEOR": "paragauge.metrics.meteor",
    "PEM": "paragauge.metrics.pem.metric",
    "MaxSim": "paragauge.metrics.maxsim.metric",
    "MaxSimDep": "paragauge.metrics.maxsim.metric",
    "MaxSimSoft": "paragauge.metrics.maxsim.soft",
    "Settings": "paragauge.meta.correlation.correlation",
    "correlate": "paragauge.meta.correlation.correlation",
    "read_evalset": "paragauge.meta.sets.evalset_files",
    "write_evalset": "paragauge.meta.sets.evalset_write",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'paragauge' has no attribute '{name}'")
    return getattr(importlib.import_module(_LATER[name]), name)
