"""PEM, a learned metric of paraphrases (Liu, Dahlmeier and Ng 2010).

Given a source and a candidate, and no reference, PEM predicts the rating that people would give:

    PEM = regression(adequacy, fluency, dissimilarity)

a support-vector regression with a radial basis function kernel. What the parts are is a setting,
`features`:

- `learned`, the default with the model that comes with the package: adequacy from what changed
  between the sentences, learned from people and from changed meanings (`adequacy.py`); fluency
  learned from errors (`fluency.py`); dissimilarity, the share of new wording. The regression is
  fitted to the paper's anchors, on its scale of 1 to 5: a copy 2, an unrelated or ungrammatical
  sentence 1, a fluent, different sentence with the same meaning 5; between copy and paraphrase the
  rating grows with the share of new wording, and a copy with a changed meaning gets 1. In much new
  wording a changed word may go unnoticed. A rating is at most what adequacy allows
  (`bounded_regression.py`). `adequacy` replaces the first part by the scores of
  another metric; the regression stays.
- `paper`: the paper's own. Adequacy is the F1 of two bags of pivot-language n-grams, fluency the
  normalized score of a language model, similarity the F1 of the two bags of n-grams (`features.py`).
- `extended`, the default with other models: more measurements of the same kind.

The last two are fitted to human ratings (`fit.py`, `paragauge pem train`). All that a model needs is in
its folder (`model.py`). `pem-context` (`pem_context.py`) is `learned` with an encoder.

The prediction is on the scale of the ratings that the model was fitted to, and is mapped linearly to
0 to 100. With `learned` it is cut there; the others may go beyond their scale. A corpus scores the mean
of its segments, and with several sources a segment scores the mean over them.

The statistics are (value, 1, the three parts); parts are times 100, but for the logarithm of a language
model.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from paragauge.errors import InputError, SettingError, ShapeError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import MeanMetric, Metric, mean_stats
from paragauge.metrics.combined.adequacy_metric import (
    join_adequacy,
    prefix_settings,
    unfold_adequacy,
)
from paragauge.metrics.pem.adequacy.adequacy import Adequacy
from paragauge.metrics.pem.explain import ScoredPair, explain_pair
from paragauge.metrics.pem.explanation import PEMExplanation
from paragauge.metrics.pem.features import FEATURE_SETS, PAPER, FeatureSet, batch_features
from paragauge.metrics.pem.fit import PEMFit, fit_regression
from paragauge.metrics.pem.fluency import Fluency
from paragauge.metrics.pem.learned_parts import (
    LEARNED,
    adequacy_spec,
    measure_parts,
    open_adequacy,
    open_regression,
    replace_adequacy,
)
from paragauge.metrics.pem.model import (
    SHIPPED,
    PEMModel,
    form_signature,
    model_setting,
    open_model,
    text_signature,
)
from paragauge.metrics.pem.word_weights import WordWeights
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.metrics.settings import normalize_setting, setting
from paragauge.text.batch import Batch, GroupedTexts, Texts
from paragauge.text.lines import group_means
from paragauge.text.tokenizers import Normalize, normalize_text

Features = Literal["auto", "learned", "paper", "extended"]
PAPER_TITLES = {
    "pivot_f1": "pivot F1",
    "fluency": "fluency (ln/token)",
    "target_f1": "target F1",
}
LEARNED_SCALE = (0.0, 100.0)
LEARNED_TITLES = {name: name for name in LEARNED}
OWN = "own"  # adequacy that is not another metric's


@dataclass(frozen=True)
class PredictedRating(MeanMetric):
    """What PEM and PEM in context share: a regression of three parts, on the scale of ratings."""

    shown_parts: ClassVar[Mapping[str, str]] = LEARNED_TITLES

    normalize: Normalize = normalize_setting("typography")

    @property
    def needs(self) -> frozenset[str]:
        """Sources."""
        return frozenset({"sources"})

    @property
    def reads_english(self) -> bool:
        """Whether its tools or models are for English."""
        return bool(self.settings().get("model", SHIPPED) == SHIPPED)

    @property
    @abstractmethod
    def feature_set(self) -> str:
        """The set of features that the regression reads."""

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the three parts."""
        return LEARNED

    @property
    @abstractmethod
    def own_adequacy(self) -> Adequacy | None:
        """The learned adequacy, if it is the first part."""

    @property
    @abstractmethod
    def regression(self) -> RBFRegression:
        """The regression; an error if the model has none for these features."""

    @property
    def rating_scale(self) -> tuple[float, float]:
        """The lowest and the highest rating on the scale that the regression predicts."""
        return LEARNED_SCALE

    @abstractmethod
    def batch_features(self, batch: Batch, system: str) -> tuple[Floats, Ints | None]:
        """The features of each source line, and the lines of each segment as in `LineGroups`."""

    def batch_stats(self, batch: Batch, system: str) -> Floats:
        """(value, 1, parts) of each segment."""
        batch = batch.normalized(self.normalize)
        rows, groups = self.batch_features(batch, system)
        low, high = self.rating_scale
        values = 100.0 * (self.regression.predict(rows, batch.threads) - low) / (high - low)
        means = group_means(groups, self.value_and_parts(values, rows))
        return mean_stats(means[:, 0], means[:, 1:])

    def value_and_parts(self, values: Floats, rows: Floats) -> Floats:
        """The values, cut to 0 and 100, and the parts, times 100: [n, 4]."""
        return np.column_stack([np.clip(values, 0.0, 100.0), 100.0 * rows])

    def components(
        self, candidates: Texts, *, sources: GroupedTexts, threads: int = 0
    ) -> dict[str, Floats]:
        """The rating and the three parts of each segment, each an array [n].

        >>> parts = PEM().components(["It rains."], sources=["It is raining."])
        >>> list(parts)
        ['rating', 'adequacy', 'fluency', 'dissimilarity']
        """
        rows = self.stats(candidates, sources=sources, threads=threads)
        parts = dict(zip(self.part_names, rows[:, 2:].T, strict=True))
        return {"rating": self._rating(rows[:, 0]), **parts}

    def explain(self, candidate: str, source: str, reference: str | None = None) -> PEMExplanation:
        """What changed, and the parts and features behind the score of one pair.

        A reference is needed if the metric in place of adequacy compares with references.

        >>> explanation = PEM().explain("It rains.", "It is raining.")
        >>> list(explanation.parts)
        ['adequacy', 'fluency', 'dissimilarity']
        """
        for what, text in (("candidate", candidate), ("source", source)):
            if not isinstance(text, str):
                raise ShapeError(
                    f"{what}: expected one sentence, found {type(text).__name__}; explain one pair "
                    "at a time"
                )
        given_candidate, given_source = candidate, source
        candidate, source = (normalize_text(text, self.normalize) for text in (candidate, source))
        others = {"sources": [source]}
        if "references" in self.needs:
            if reference is None:
                raise InputError(f"{self.label} needs a reference, found none; give reference=")
            others["references"] = [reference]
        batch = Batch.of({"": [candidate]}, **others, threads=1, several=False).normalized(
            self.normalize
        )
        stats = self.batch_stats(batch, "")
        own = self.own_adequacy
        pair = ScoredPair(
            candidate,
            source,
            value=float(self.segment_values(stats)[0]),
            parts=self.parts(stats[0]),
            row=self.batch_features(batch, "")[0][0],
            adequacy=None if own is None else own.view(batch, ""),
            metric=self.name,
            signature=self.signature,
        )
        explanation = explain_pair(pair, self.explained_model(), self.regression, self.rating_scale)
        return replace(explanation, candidate_text=given_candidate, source_text=given_source)

    def explained_model(self) -> PEMModel | None:
        """The model whose pivots and language model the features come from, if they do."""
        return None

    def parts(self, sums: Floats) -> dict[str, float]:
        """The mean rating on the model's own scale, and the means of the three parts."""
        count = max(float(sums[1]), 1.0)
        means = [float(value) / count for value in sums[2:]]
        return {
            "rating": float(self._rating(sums[0] / count)),
            **dict(zip(self.part_names, means, strict=True)),
        }

    def segment_parts(self, stats: Floats) -> dict[str, Floats]:
        """The three parts of each segment; NaN where it has no score."""
        has_score = stats[:, 1:2] > 0
        return dict(zip(self.part_names, np.where(has_score, stats[:, 2:], np.nan).T, strict=True))

    def _rating(self, values: Floats) -> Floats:
        low, high = self.rating_scale
        return np.asarray(low + values / 100.0 * (high - low))

    def learned_signature(self, adequacy: Adequacy | None) -> dict[str, str]:
        """Fingerprints of the learned parts and of the regression."""
        low, high = self.rating_scale
        form = WordWeights.default().form
        return {
            **form_signature(form),
            **({} if adequacy is None else adequacy.extra_signature()),
            **Fluency().extra_signature(),
            "svr": self.regression.fingerprint,
            "ratings": f"{low:g}-{high:g}",
        }


@dataclass(frozen=True)
class PEM(PredictedRating):
    """The rating that people would give a paraphrase, from 0 to 100, without references.

    >>> pem = PEM()
    >>> sources = ["The meeting was put off until Monday because the director was ill."]
    >>> good = "Since the director was sick, they postponed the meeting to Monday."
    >>> bad = "director until put the ill meeting was Monday the off because was"
    >>> pem.segments([good], sources=sources) > pem.segments([bad], sources=sources)
    array([ True])
    """

    name: ClassVar[str] = "PEM"
    summary: ClassVar[str] = "rating predicted from adequacy, fluency and dissimilarity (no references)"
    # Of every set of features; an instance shows those of its own.
    shown_parts: ClassVar[Mapping[str, str]] = {**PAPER_TITLES, **LEARNED_TITLES}
    lower_parts: ClassVar[frozenset[str]] = frozenset({"target_f1"})

    model: str = model_setting()
    features: Features = setting(
        "auto",
        choices=get_args(Features),
        help="learned parts, the paper's three features, or more of them; auto: learned with the "
        "model of the package, extended with another",
    )
    adequacy: str = setting(
        OWN, help="the metric whose scores are the first part; own: the learned adequacy"
    )

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As for every metric; settings that begin with ``adequacy_`` are the adequacy metric's.

        `defaults` apply to the adequacy metric too, where it has such a setting.
        """
        own = join_adequacy(cls.name, explicit)
        if own.get("adequacy", OWN) != OWN:
            own["adequacy"] = adequacy_spec(open_adequacy(cls.name, own["adequacy"], defaults))
        return super().from_settings(own, defaults)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.feature_set == "learned" and self.model != SHIPPED:
            raise SettingError(
                f"PEM features=learned: expected the model of the package, found {self.model}; use "
                "features=extended or features=paper"
            )
        if self.adequacy != OWN:
            if self.feature_set != "learned":
                raise SettingError(
                    f"PEM adequacy has no effect with features={self.feature_set}; leave it out, or "
                    f"use features=learned and the model {SHIPPED}"
                )
            object.__setattr__(self, "adequacy", adequacy_spec(open_adequacy(self.name, self.adequacy)))
        titles = LEARNED_TITLES if self.part_names == LEARNED else PAPER_TITLES
        object.__setattr__(self, "shown_parts", titles)

    @property
    def label(self) -> str:
        """The shortest specification; that of the adequacy metric is spread over settings."""
        return unfold_adequacy(super().label, self.adequacy)

    def signature_settings(self) -> dict[str, str]:
        """The settings, and those of a metric in place of adequacy."""
        settings = super().signature_settings() | {"features": self.feature_set}
        del settings["adequacy"]
        if self.adequacy == OWN:
            return settings
        return settings | {"adequacy": self.other.name} | prefix_settings(self.other)

    @property
    def needs(self) -> frozenset[str]:
        """Sources, and what the metric in place of adequacy needs."""
        return super().needs | (frozenset() if self.adequacy == OWN else self.other.needs)

    @property
    def encoder_layers(self) -> Mapping[str, frozenset[int]]:
        """Those of the metric in place of adequacy."""
        return {} if self.adequacy == OWN else self.other.encoder_layers

    @cached_property
    def other(self) -> Metric:
        """The metric in place of adequacy."""
        return open_adequacy(self.name, self.adequacy)

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the three parts."""
        return LEARNED if self.feature_set == "learned" else PAPER

    @property
    def own_adequacy(self) -> Adequacy | None:
        """The learned adequacy, unless the features or another metric are in its place."""
        if self.feature_set != "learned" or self.adequacy != OWN:
            return None
        return Adequacy(normalize=self.normalize)

    @property
    def feature_set(self) -> str:
        """The set of features, with `auto` resolved."""
        if self.features != "auto":
            return self.features
        return "learned" if self.model == SHIPPED else "extended"

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
        if self.feature_set not in model.regressions:
            raise SettingError(
                f"PEM model {self.model} has no regression for features={self.feature_set}; "
                f"it has {', '.join(sorted(model.regressions))}"
            )
        return model

    @property
    def regression(self) -> RBFRegression:
        """The regression of the learned parts, or the model's for these features."""
        if self.feature_set == "learned":
            return open_regression("words")
        return self.open_model().regressions[self.feature_set]

    @property
    def rating_scale(self) -> tuple[float, float]:
        """That of the learned parts, or of the model's ratings."""
        return super().rating_scale if self.feature_set == "learned" else self.open_model().scale

    def explained_model(self) -> PEMModel | None:
        """The model, unless the parts are learned."""
        return None if self.feature_set == "learned" else self.open_model()

    def value_and_parts(self, values: Floats, rows: Floats) -> Floats:
        """The values, and the parts that the table shows: [n, 4]."""
        if self.feature_set == "learned":
            return super().value_and_parts(values, rows)
        names = FEATURE_SETS[self.feature_set]
        pivot, fluency, target = (rows[:, names.index(part)] for part in PAPER)
        return np.column_stack([values, 100.0 * pivot, fluency, 100.0 * target])

    def batch_features(self, batch: Batch, system: str) -> tuple[Floats, Ints | None]:
        """The features of each source line, and the lines of each segment as in `LineGroups`."""
        if self.feature_set != "learned":
            resources = self.open_model().resources
            return batch_features(resources, FEATURE_SETS[self.feature_set], batch, system)
        own = self.own_adequacy
        if own is not None:
            return measure_parts(own, batch, system)
        return replace_adequacy(self.other, batch, system)

    def extra_signature(self) -> dict[str, str]:
        """Fingerprints of everything that decides the score."""
        if self.feature_set == "learned":
            return self.learned_signature(self.own_adequacy)
        model = self.open_model()
        low, high = model.scale
        return {
            **text_signature(model),
            **model.fingerprints,
            "svr": model.regressions[self.feature_set].fingerprint,
            "ratings": f"{low:g}-{high:g}",
        }
