"""PEM (Liu, Dahlmeier and Ng 2010): the metric, its features, models, training and explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.metrics.pem.bitext import PivotText
    from paragauge.metrics.pem.card import card_text
    from paragauge.metrics.pem.explanation import PEMExplanation
    from paragauge.metrics.pem.explanation_parts import (
        Edge,
        Feature,
        FluencyView,
        Gram,
        Influence,
        Overlap,
        Phrase,
        PivotView,
        Token,
    )
    from paragauge.metrics.pem.features import Bags, Reader, Resources
    from paragauge.metrics.pem.fit import PEMFit, TrainingPairs, pair_features
    from paragauge.metrics.pem.fluency import Fluency
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.pem.model import PEMModel, open_model
    from paragauge.metrics.pem.pivot_f1 import PivotF1
    from paragauge.metrics.pem.rated_corpus import gather_rated_pairs
    from paragauge.metrics.pem.train import (
        Trained,
        TrainSettings,
        refit,
        stage_count,
    )
    from paragauge.metrics.pem.training_stages import Stage, Stages
    from paragauge.metrics.regression.rbf import RBFRegression
    from paragauge.metrics.regression.search import Data
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "PEM",
    "Bags",
    "Data",
    "Edge",
    "Feature",
    "Fluency",
    "FluencyView",
    "Gram",
    "Influence",
    "Overlap",
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
    "Token",
    "TrainSettings",
    "Trained",
    "TrainingPairs",
    "card_text",
    "gather_rated_pairs",
    "open_model",
    "pair_features",
    "refit",
    "stage_count",
]
