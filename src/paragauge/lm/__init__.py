"""N-gram language models: estimate, prune, store, query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.lm.arpa import NgramSource
    from paragauge.lm.estimate import Estimation, EstimationSettings
    from paragauge.lm.kenlm_model import KenLMModel
    from paragauge.lm.model import LanguageModel
    from paragauge.lm.model_loader import open_model
    from paragauge.lm.ngram_table import Level, NgramTable
    from paragauge.lm.scores import LanguageModelScores, TokenScores, Totals
    from paragauge.lm.sentence_model import SentenceModel, score_file
    from paragauge.lm.text_form import Encoder, TextForm
    from paragauge.lm.train import TrainingSummary, train_files
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Encoder",
    "Estimation",
    "EstimationSettings",
    "KenLMModel",
    "LanguageModel",
    "LanguageModelScores",
    "Level",
    "NgramSource",
    "NgramTable",
    "SentenceModel",
    "TextForm",
    "TokenScores",
    "Totals",
    "TrainingSummary",
    "open_model",
    "score_file",
    "train_files",
]
