"""N-gram language models: estimate, prune, store, query."""

from paragauge.lm.estimate import Estimation, Settings
from paragauge.lm.kenlm_model import KenLMModel
from paragauge.lm.model import LanguageModel
from paragauge.lm.open import open_model
from paragauge.lm.protocol import SentenceModel
from paragauge.lm.scores import LanguageModelScores, TokenScores, Totals
from paragauge.lm.text_form import TextForm
from paragauge.lm.train import Trained, train_files

__all__ = [
    "Estimation",
    "KenLMModel",
    "LanguageModel",
    "LanguageModelScores",
    "SentenceModel",
    "Settings",
    "TextForm",
    "TokenScores",
    "Totals",
    "Trained",
    "open_model",
    "train_files",
]
