"""The model of the learned fluency: two language models and a linear regression, in a folder.

    model.json       format, version, the weights of the features, the two anchors of the scale, and
                     fingerprints of the other files
    surface.bin      the language model of words
    mixed.bin        the language model of function words and tags

The regression predicts -ln(1 + errors); it is fitted to sentences with a known number of errors, made
on purpose (`tools/models/train_fluency.py`). A linear map makes scores of its predictions,

    score = 100 (prediction - low) / (high - low), not below 0 and not above 100

where `high` and `low` are such that a tenth of the clean sentences that it is fitted to score 100, and
a quarter of the shuffled ones 0. An empty sentence scores 0.
"""

from __future__ import annotations

import functools
import hashlib
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import FileFormatError
from paragauge.kernels.layout import Floats
from paragauge.lm.model import LanguageModel
from paragauge.metrics.model_description import read_description
from paragauge.metrics.pem.fluency_features import FEATURES, FORMS, measure_sentences
from paragauge.text.files import atomic
from paragauge.text.lines import Lines
from paragauge.text.saving.sealed_json import seal_json

FORMAT = "paragauge fluency model"
VERSION = 1
DESCRIPTION = "model.json"
REMEDY = "make it with tools/models/train_fluency.py"
CLEAN_BELOW = 0.9
SHUFFLED_BELOW = 0.25
FOLDER = Path(__file__).parents[2] / "models" / "fluency"


@dataclass(frozen=True, eq=False)
class FluencyModel:
    """Language models, the weight of each feature, what is added to their sum, and the anchors."""

    surface: LanguageModel
    mixed: LanguageModel
    weights: Floats
    intercept: float
    low: float
    high: float

    @classmethod
    def default(cls) -> FluencyModel:
        """The English model that comes with the package; it is loaded once.

        >>> FluencyModel.default() is FluencyModel.default()
        True
        """
        return _load_shipped()

    @classmethod
    def fit(
        cls,
        surface: LanguageModel,
        mixed: LanguageModel,
        rows: Floats,
        errors: Floats,
        ridge: float,
        shuffled: int,
    ) -> FluencyModel:
        """Fit the regression to features [sentences, FEATURES] and numbers of errors.

        `ridge` is the weight of the squared weights of standardized features; sentences with 0 errors
        and those with `shuffled` are the anchors.
        """
        goal = -np.log1p(errors)
        means, spreads = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
        scaled = (rows - means) / spreads
        normal = scaled.T @ scaled + ridge * np.eye(scaled.shape[1])
        weights = np.linalg.solve(normal, scaled.T @ (goal - goal.mean())) / spreads
        intercept = float(goal.mean() - means @ weights)
        predictions = rows @ weights + intercept
        low = float(np.quantile(predictions[errors == shuffled], SHUFFLED_BELOW))
        high = float(np.quantile(predictions[errors == 0], CLEAN_BELOW))
        return cls(surface, mixed, weights, intercept, low, high)

    def score(self, lines: Lines, threads: int = 0) -> Floats:
        """The score of each line, from 0 to 100.

        >>> model = FluencyModel.default()
        >>> clean, broken = model.score(Lines.of(["She has two dogs.", "She have two dog."]))
        >>> bool(clean > broken)
        True
        """
        rows = measure_sentences(lines, self.surface, self.mixed, threads)
        # ln(1 + words) is 0 for an empty sentence only.
        return np.where(rows[:, FEATURES.index("length")] > 0, self.predict(rows), 0.0)

    def predict(self, rows: Floats) -> Floats:
        """The scores of sentences with these features [sentences, FEATURES]."""
        total = np.full(len(rows), self.intercept)
        for column, weight in zip(rows.T, self.weights.tolist(), strict=True):
            total += weight * column  # A matrix product's last digits depend on the number of rows.
        return np.clip(100.0 * (total - self.low) / (self.high - self.low), 0.0, 100.0)

    @functools.cached_property
    def name(self) -> str:
        """The first digits of a SHA-256 of the language models and numbers."""
        numbers = [*self.weights.tolist(), self.intercept, self.low, self.high]
        content = " ".join([self.surface.name, self.mixed.name, *map(repr, numbers)])
        return hashlib.sha256(content.encode()).hexdigest()[:8]

    def save(self, folder: Path) -> None:
        """Write the description of a folder that has the language models."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "weights": dict(zip(FEATURES, self.weights.tolist(), strict=True)),
            "intercept": self.intercept,
            "low": self.low,
            "high": self.high,
            "fingerprints": {"surface": self.surface.name, "mixed": self.mixed.name},
        }
        with atomic(folder / DESCRIPTION) as out:
            out.write(seal_json(content))

    @classmethod
    def load(cls, folder: Path) -> FluencyModel:
        """The model in a folder; one that is incomplete, mixed up or of another version is an error.

        >>> FluencyModel.load(Path("no/such/folder"))
        Traceback (most recent call last):
        paragauge.errors.FileFormatError: no/such/folder/model.json: no such file; check the path
        """
        path = folder / DESCRIPTION
        weights, numbers, recorded = read_description(
            path, (FORMAT, VERSION), "a fluency model", _parse_description, REMEDY
        )
        surface, mixed = (LanguageModel.load(folder / f"{form}.bin") for form in FORMS)
        model = cls(surface, mixed, weights, *numbers)
        for form, language_model in zip(FORMS, (surface, mixed), strict=True):
            if language_model.name != recorded[form]:
                raise FileFormatError(
                    path,
                    None,
                    f"expected {form}.bin to be {recorded[form]}, found {language_model.name}: "
                    f"files of two models; {REMEDY}",
                )
        return model


@functools.cache
def _load_shipped() -> FluencyModel:
    return FluencyModel.load(FOLDER)


def _parse_description(content: Any) -> tuple[Floats, list[float], dict[str, str]]:
    """The weights, the other numbers, and the fingerprints of the language models."""
    if tuple(content["weights"]) != FEATURES:
        raise ValueError("other features")
    numbers = [float(content[key]) for key in ("intercept", "low", "high")]
    weights = np.array([float(weight) for weight in content["weights"].values()])
    if not (all(map(math.isfinite, [*numbers, *weights])) and numbers[1] < numbers[2]):
        raise ValueError("numbers out of range")
    return weights, numbers, {form: content["fingerprints"][form] for form in FORMS}
