"""PEM, a learned metric of paraphrases (Liu, Dahlmeier and Ng 2010).

Given a source and a candidate, and no reference, PEM predicts the rating that people would give:

    PEM = regression(adequacy, fluency, similarity of wording)

Adequacy is the F1 of two bags of pivot-language n-grams, fluency the normalized score of a language
model, similarity the F1 of the two bags of n-grams (`features.py`); the regression is a
support-vector regression with a radial basis function kernel, fitted to human ratings (`fit.py`).
All that it needs is in a model's folder (`model.py`), of which one for English comes with the
package.

The prediction is on the scale of the ratings that the model was fitted to, and is mapped linearly to
0 to 100. It is not cut there: a regression may go beyond its scale. A corpus scores the mean of its
segments, and with several sources a segment scores the mean over them.

`features` chooses the paper's three features or an extended set. Deviations from the paper are settings
of a model; those of the model that comes with the package are listed in its card.

The statistics are (value, 1, 100 x pivot F1, fluency, 100 x target F1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from paragauge.errors import SettingError, ShapeError
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import MeanMetric, mean_stats
from paragauge.metrics.pem.explain import ScoredPair, explain_pair
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.features import FEATURE_SETS, PAPER, FeatureSet, batch_features
from paragauge.metrics.pem.fit import PEMFit, fit_regression
from paragauge.metrics.pem.model import PEMModel, model_setting, open_model, text_signature
from paragauge.metrics.settings import setting
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.lines import group_means


@dataclass(frozen=True)
class PEM(MeanMetric):
    """The rating that people would give a paraphrase, from 0 to 100, without references.

    >>> pem = PEM()
    >>> sources = ["The meeting was put off until Monday because the director was ill."]
    >>> good = "Since the director was sick, they postponed the meeting to Monday."
    >>> bad = "director until put the ill meeting was Monday the off because was"
    >>> pem.segments([good], sources=sources) > pem.segments([bad], sources=sources)
    array([ True])
    """

    name: ClassVar[str] = "PEM"
    summary: ClassVar[str] = (
        "rating predicted from pivot languages, fluency and wording (no references)"
    )
    shown_parts: ClassVar[Mapping[str, str]] = {
        "pivot_f1": "pivot F1",
        "fluency": "fluency (ln/token)",
        "target_f1": "target F1",
    }
    lower_parts: ClassVar[frozenset[str]] = frozenset({"target_f1"})

    model: str = model_setting()
    features: FeatureSet = setting(
        "extended", choices=tuple(FEATURE_SETS), help="the paper's three features, or more"
    )

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    @staticmethod
    def fit(
        ratings: Sequence[float],
        candidates: Sequence[str],
        *,
        sources: Sequence[str],
        model: str = "english",
        features: FeatureSet = "extended",
        **options: Any,
    ) -> PEMFit:
        """Fit the regression to one rating per pair (NaN: missing); see `fit.py` for `options`.

        Pivots and language model are those of `model`. What is returned has the figures of a
        cross-validation, and `save(folder)` for a model to use.
        """
        base = open_model(model)
        fitted = fit_regression(
            ratings, candidates, sources, base.resources, feature_set=features, **options
        )
        return replace(fitted, base=base)

    def open_model(self) -> PEMModel:
        """The model; an error if it has no regression for these features."""
        model = open_model(self.model)
        if self.features not in model.regressions:
            raise SettingError(
                f"PEM model {self.model} has no regression for features={self.features}; "
                f"it has {', '.join(sorted(model.regressions))}"
            )
        return model

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, parts) of each segment."""
        rows, groups = self.batch_features(batch, system)
        model = self.open_model()
        low, high = model.scale
        names = FEATURE_SETS[self.features]
        predicted = model.regressions[self.features].predict(rows, batch.threads)
        values = 100.0 * (predicted - low) / (high - low)
        parts = [rows[:, names.index(part)] for part in PAPER]
        table = np.column_stack([values, 100 * parts[0], parts[1], 100 * parts[2]])
        means = group_means(groups, table)
        return mean_stats(means[:, 0], means[:, 1:])

    def batch_features(self, batch: Batch, system: str) -> tuple[Floats, np.ndarray | None]:
        """The features of each source line, and the lines of each segment as in `LineGroups`."""
        resources = self.open_model().resources
        return batch_features(resources, FEATURE_SETS[self.features], batch, system)

    def components(
        self, candidates: Texts, *, sources: GroupedTexts, threads: int = 0
    ) -> dict[str, Floats]:
        """The rating and the three parts of each segment, each an array [n].

        >>> parts = PEM().components(["It rains."], sources=["It is raining."])
        >>> list(parts)
        ['rating', 'pivot_f1', 'fluency', 'target_f1']
        """
        rows = self.stats(candidates, sources=sources, threads=threads)
        return {"rating": self._rating(rows[:, 0]), **dict(zip(PAPER, rows[:, 2:].T, strict=True))}

    def explain(self, candidate: str, source: str) -> PEMExplanation:
        """Segmentation, networks, n-grams and features behind the score of one pair.

        >>> explanation = PEM().explain("It rains.", "It is raining.")
        >>> round(explanation.value, 1), list(explanation.parts)
        (73.4, ['pivot_f1', 'fluency', 'target_f1'])
        """
        for what, text in (("candidate", candidate), ("source", source)):
            if not isinstance(text, str):
                raise ShapeError(
                    f"{what}: expected one sentence, found {type(text).__name__}; explain one pair "
                    "at a time"
                )
        batch = Batch.of({"": [candidate]}, sources=[source], threads=1)
        stats = self.batch_stats(batch, "")
        pair = ScoredPair(
            candidate,
            source,
            value=float(self.segment_values(stats)[0]),
            parts=self.parts(stats[0]),
            row=self.batch_features(batch, "")[0][0],
            feature_set=self.features,
            metric=self.name,
            signature=self.signature,
        )
        return explain_pair(pair, self.open_model())

    def parts(self, sums: Floats) -> dict[str, float]:
        """The mean rating on the model's own scale, and the means of the three parts."""
        count = max(float(sums[1]), 1.0)
        means = {name: float(value) / count for name, value in zip(PAPER, sums[2:], strict=True)}
        return {"rating": float(self._rating(sums[0] / count)), **means}

    def segment_parts(self, stats: Floats) -> dict[str, Floats]:
        """The three parts of each segment; NaN where it has no score."""
        has_score = stats[:, 1:2] > 0
        return dict(zip(PAPER, np.where(has_score, stats[:, 2:], np.nan).T, strict=True))

    def _rating(self, values: Floats) -> Floats:
        low, high = self.open_model().scale
        return np.asarray(low + values / 100.0 * (high - low))

    def extra_signature(self) -> dict[str, str]:
        """Fingerprints of everything that decides the score."""
        model = self.open_model()
        low, high = model.scale
        return {
            **text_signature(model),
            **model.fingerprints,
            "svr": model.regressions[self.features].fingerprint,
            "ratings": f"{low:g}-{high:g}",
        }
