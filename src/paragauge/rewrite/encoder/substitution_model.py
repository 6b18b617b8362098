"""A logistic regression on what a substitution does to a sentence: its weights, and their file.

    log odds that people accept it = bias + sum of weight * feature

The file is JSON: the weights by the features' names, the bias, the threshold in log odds, and the
fingerprint of the encoder that they were fitted to; with another encoder they mean nothing.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.kernels.layout import Floats
from paragauge.metrics.model_description import read_description
from paragauge.rewrite.encoder.substitution_features import FEATURES
from paragauge.text.files import atomic
from paragauge.text.saving.sealed_json import seal_json

KIND = ("paragauge substitution model", 1)
ENGLISH = Path(__file__).parents[2] / "models" / "substitution" / "english.json"
REMEDY = "use a file that tools/models/train_substitution.py wrote, or leave the model out"


@dataclass(frozen=True)
class SubstitutionModel:
    """Weights [FEATURES] and bias; accepted are substitutions with log odds of `threshold` or more."""

    weights: tuple[float, ...]
    bias: float
    threshold: float
    encoder: str

    def __post_init__(self) -> None:
        numbers = (*self.weights, self.bias, self.threshold)
        if len(self.weights) != len(FEATURES) or not all(map(math.isfinite, numbers)):
            raise ValueError(
                f"expected {len(FEATURES)} weights, a bias and a threshold that are finite numbers, "
                f"found {len(self.weights)} weights"
            )

    @classmethod
    def open(cls, path: str | Path) -> SubstitutionModel:
        """Read a model.

        >>> SubstitutionModel.open(ENGLISH).encoder
        '...'
        """
        return read_description(Path(path), KIND, "a substitution model", _parse, REMEDY)

    @property
    def fingerprint(self) -> str:
        """A short name for the weights."""
        numbers = np.array([*self.weights, self.bias], np.float64)
        return hashlib.sha256(numbers.tobytes() + self.encoder.encode()).hexdigest()[:8]

    def log_odds(self, features: Floats) -> NDArray[np.float64]:
        """The log odds of substitutions whose features are the rows, float64 [substitutions].

        Each row is summed on its own: a product of matrices rounds by the number of rows.
        """
        return np.asarray((features * np.array(self.weights)).sum(axis=1) + self.bias)

    def save(self, path: str | Path, about: Mapping[str, Any]) -> None:
        """Write the model with what there is to say about its making."""
        content = {
            "format": KIND[0],
            "version": KIND[1],
            "encoder": self.encoder,
            "threshold": self.threshold,
            "bias": self.bias,
            "weights": dict(zip(FEATURES, self.weights, strict=True)),
            **about,
        }
        with atomic(path) as file:
            file.write(seal_json(content))


def _parse(content: Any) -> SubstitutionModel:
    weights = content["weights"]
    if tuple(weights) != FEATURES:
        raise ValueError("other features")
    return SubstitutionModel(
        tuple(float(weights[name]) for name in FEATURES),
        float(content["bias"]),
        float(content["threshold"]),
        str(content["encoder"]),
    )
