"""PEM (Liu, Dahlmeier and Ng 2010): the metric, its features, models, training and explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.pem.adequacy.adequacy import Adequacy
    from paragauge.metrics.pem.adequacy.adequacy_context import AdequacyContext
    from paragauge.metrics.pem.adequacy.adequacy_model import AdequacyModel
    from paragauge.metrics.pem.adequacy.word_changes import (
        LinkedWord,
        WordLinks,
        link_words,
        measure_changes,
    )
    from paragauge.metrics.pem.adequacy.word_classes import WordFacts, describe_word
    from paragauge.metrics.pem.bitext import PivotText
    from paragauge.metrics.pem.card import card_text
    from paragauge.metrics.pem.change_summary import Change, summarize_changes
    from paragauge.metrics.pem.explanation import PEMExplanation
    from paragauge.metrics.pem.explanation_parts import (
        AdequacyView,
        Edge,
        Feature,
        FluencyView,
        Gram,
        Influence,
        Overlap,
        Phrase,
        PivotView,
        Summary,
        Token,
    )
    from paragauge.metrics.pem.features import Bags, Reader, Resources, pair_features
    from paragauge.metrics.pem.fit import PEMFit, TrainingPairs
    from paragauge.metrics.pem.fluency import Fluency
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.pem.model import PEMModel, open_model
    from paragauge.metrics.pem.pem_context import PEMContext
    from paragauge.metrics.pem.pivot_f1 import PivotF1
    from paragauge.metrics.pem.rated_corpus import gather_rated_pairs
    from paragauge.metrics.pem.train import (
        Trained,
        TrainSettings,
        refit,
        stage_count,
    )
    from paragauge.metrics.pem.training_stages import Stage, Stages
    from paragauge.metrics.pem.word_weights import WordWeights
    from paragauge.metrics.regression.rbf import RBFRegression
    from paragauge.metrics.regression.search import Data
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "PEM",
    "Adequacy",
    "AdequacyContext",
    "AdequacyModel",
    "AdequacyView",
    "Bags",
    "Change",
    "Data",
    "Edge",
    "Feature",
    "Fluency",
    "FluencyView",
    "Gram",
    "Influence",
    "LinkedWord",
    "Overlap",
    "PEMContext",
    "PEMExplanation",
    "PEMFit",
    "PEMModel",
    "Phrase",
    "PivotF1",
    "PivotText",
    "PivotView",
    "RBFRegression",
    "Reader",
    "Resources",
    "Stage",
    "Stages",
    "Summary",
    "Token",
    "TrainSettings",
    "Trained",
    "TrainingPairs",
    "WordFacts",
    "WordLinks",
    "WordWeights",
    "card_text",
    "describe_word",
    "gather_rated_pairs",
    "link_words",
    "measure_changes",
    "open_model",
    "pair_features",
    "refit",
    "stage_count",
    "summarize_changes",
]
