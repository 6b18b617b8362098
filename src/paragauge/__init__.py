"""paragauge measures paraphrases: sentences, systems and whole resources.

>>> from paragauge import PINC
>>> PINC().score(["a man is shooting a gun"], sources=["a man fires a revolver"]).value
85.0
"""

from paragauge.errors import ParagaugeError
from paragauge.meta.compare import Comparison, compare
from paragauge.metrics.base import Metric, Score
from paragauge.metrics.bleu import BLEU
from paragauge.metrics.bleu_pinc import BLEUPINC
from paragauge.metrics.ibleu import IBLEU
from paragauge.metrics.pinc import PINC
from paragauge.metrics.pinc_sigmoid import PINCSigmoid
from paragauge.metrics.sacrebleu_metric import TER, ChrF
from paragauge.metrics.scoring import ScoreSheet, score
from paragauge.metrics.target_f1 import TargetF1
from paragauge.text.tokenisers import tokenize
from paragauge.version import __version__

__all__ = [
    "BLEU",
    "BLEUPINC",
    "IBLEU",
    "PINC",
    "TER",
    "ChrF",
    "Comparison",
    "Metric",
    "PINCSigmoid",
    "ParagaugeError",
    "Score",
    "ScoreSheet",
    "TargetF1",
    "__version__",
    "compare",
    "score",
    "tokenize",
]
