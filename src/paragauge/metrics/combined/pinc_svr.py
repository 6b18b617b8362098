"""A support-vector regression of ratings on BLEU and PINC, which Chen and Dolan (2011) suggest.

Section 5.2: "Other more complicated methods for combining BLEU and PINC are also possible with sample
human ratings, such as using a SVM as was done in PEM." Here the rating of a candidate is predicted from
its BLEU, with effective order, and its PINC by PEM's kind of regression, with a radial basis function
kernel (`regression/rbf.py`; `regression/search.py` searches its parameters). The value is the predicted
rating, mapped linearly so that the lowest and the highest rating of the fit become 0 and 100, and cut
there. A corpus scores the mean of its segments.

Unlike the fitted sigmoid, the regression may take any shape, so it needs more ratings: `fit` says how
well it predicts those of sources that it was not fitted to (`regression/held_out.py`).

`adequacy` puts another metric in BLEU's place (`combined/adequacy_metric.py`). The statistics are
(value, 1, BLEU or the other metric, PINC).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import Metric
from paragauge.metrics.combined.adequacy_metric import fold_adequacy
from paragauge.metrics.combined.bleu_pinc import SentencePair
from paragauge.metrics.fit_files import read_fit, save_fit, saved_settings
from paragauge.metrics.regression.held_out import FOLDS, SEED, HeldOut, held_out, pearson
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.metrics.regression.search import Data, search
from paragauge.metrics.settings import convert_settings, setting
from paragauge.text.batch import GroupedTexts, Texts

LEARNED = frozenset({"model"})
NAMES = ("adequacy", "pinc")
FEWEST = 10
UNFITTED = "(none yet)"


@dataclass(frozen=True)
class RatingRegression:
    """A regression, and the lowest and the highest rating that it was fitted to."""

    regression: RBFRegression
    low: float
    high: float

    def values(self, components: Floats) -> Floats:
        """The predicted ratings of rows of adequacy and PINC [n, 2], from 0 to 100; NaN if one is."""
        known = ~np.isnan(components).any(axis=1)
        values = np.full(len(components), np.nan)
        predicted = self.regression.predict(components[known])
        values[known] = np.clip(100 * (predicted - self.low) / (self.high - self.low), 0.0, 100.0)
        return values

    def content(self) -> dict[str, Any]:
        """What a file says about it."""
        r = self.regression
        arrays = {name: getattr(r, name).tolist() for name in ("mean", "scale", "vectors")}
        numbers = {"gamma": r.gamma, "intercept": r.intercept}
        return (
            arrays
            | {"coefficients": r.coefficients.tolist()}
            | numbers
            | {"ratings": [self.low, self.high]}
        )

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> RatingRegression:
        """The regression that `content` describes."""
        low, high = map(float, content["ratings"])
        arrays = {
            name: np.array(content[name], np.float64)
            for name in ("mean", "scale", "vectors", "coefficients")
        }
        gamma, intercept = float(content["gamma"]), float(content["intercept"])
        if not np.isfinite([gamma, intercept, low, high]).all() or (arrays["scale"] <= 0).any():
            raise ValueError("its numbers are out of range")
        count = len(arrays["coefficients"])
        shapes = {"mean": (2,), "scale": (2,), "vectors": (count, 2), "coefficients": (count,)}
        finite = all(np.isfinite(array).all() for array in arrays.values())
        if {name: array.shape for name, array in arrays.items()} != shapes or not finite or low >= high:
            raise ValueError("the shapes of its arrays")
        regression = RBFRegression(NAMES, gamma=gamma, intercept=intercept, **arrays)
        return cls(regression, low, high)


@dataclass(frozen=True)
class PINCRegression(SentencePair):
    """The rating that a support-vector regression predicts from BLEU and PINC.

    >>> texts = {"sources": ["a b"] * 12, "references": ["c d"] * 12}
    >>> fitted = PINCRegression.fit([4, 1, 2] * 4, ["c d", "a b", "e f"] * 4, **texts)
    >>> scores = fitted.metric.segments(["c d", "a b"], sources=["a b"] * 2, references=["c d"] * 2)
    >>> (scores > 50).tolist()
    [True, False]
    """

    name: ClassVar[str] = "PINC-SVR"
    summary: ClassVar[str] = "support-vector regression of ratings on BLEU and PINC"

    model: str | None = setting(None, help="the file of a fit (paragauge fit)")

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As of every metric; ``model=FILE`` takes the settings of a fit, whatever the defaults are."""
        if "model" not in explicit:
            return super().from_settings(explicit, defaults)
        saved = saved_settings(explicit["model"], cls)
        own = convert_settings(cls, fold_adequacy(cls.name, explicit, defaults))
        if own.get("adequacy", saved.get("adequacy")) != saved.get("adequacy"):
            raise SettingError(
                f"PINC-SVR adequacy={own['adequacy']}: {explicit['model']} was fitted with "
                f"adequacy={saved.get('adequacy')}; leave it out, or fit again"
            )
        return cls(**(saved | own))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model is None:
            raise SettingError(
                "PINC-SVR needs a regression: fit one to ratings (paragauge fit --metric pinc-svr) "
                "and give model=FILE"
            )
        if self.model != UNFITTED:
            _ = self.fitted  # A bad file is an error at once.

    @classmethod
    def load(cls, path: str | Path) -> PINCRegression:
        """The metric that `RegressionFit.save` wrote, with its settings."""
        return cls(**saved_settings(path, cls), model=str(path))

    @classmethod
    def unfitted(cls, **settings: Any) -> PINCRegression:
        """The metric before a fit.

        >>> PINCRegression.unfitted(order=2).order
        2
        """
        if "model" in settings:
            raise SettingError("model: is learned by the fit; leave it out")
        return cls(model=UNFITTED, **settings)

    @cached_property
    def fitted(self) -> RatingRegression:
        """The regression, read from the file."""
        if self.model is None or self.model == UNFITTED:
            raise SettingError("PINC-SVR has no regression yet: fit it to ratings")
        content = read_fit(self.model, type(self))
        try:
            return RatingRegression.of(content["regression"])
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                self.model, None, f"expected a fit saved by paragauge ({error}); fit again"
            ) from None

    def signature_settings(self) -> dict[str, str]:
        """The settings, with the fingerprint of the regression instead of its file."""
        settings = super().signature_settings()
        del settings["model"]
        return settings | ({} if "fitted" not in self.__dict__ else self._fingerprint())

    def _fingerprint(self) -> dict[str, str]:
        low, high = self.fitted.low, self.fitted.high
        return {"svr": self.fitted.regression.fingerprint, "ratings": f"{low:g}-{high:g}"}

    @classmethod
    def fit(
        cls,
        ratings: Sequence[float],
        candidates: Texts,
        *,
        sources: GroupedTexts,
        references: GroupedTexts | None = None,
        folds: int = FOLDS,
        seed: int = SEED,
        threads: int = 0,
        **settings: Any,
    ) -> RegressionFit:
        """Learn from one rating per segment; NaN marks a missing rating.

        >>> texts = {"sources": ["a b"] * 12, "references": ["c d"] * 12}
        >>> candidates = ["c d", "a b", "e f"] * 4
        >>> PINCRegression.fit([4, 1, 2] * 4, candidates, **texts).ratings
        12
        """
        unfitted = cls.unfitted(**settings)
        rated = unfitted.rated_components(
            ratings, candidates, sources=sources, references=references, seed=seed, threads=threads
        )
        return unfitted.fit_components(*rated, folds=folds, seed=seed, threads=threads)

    def fit_components(
        self,
        components: Floats,
        ratings: Floats,
        units: Ints,
        *,
        folds: int = FOLDS,
        seed: int = SEED,
        threads: int = 0,
    ) -> RegressionFit:
        """Learn from the `components` [n, 2], the ratings [n] and the numbers of the sources [n].

        Segments without a rating or a component are left out.
        """
        known = ~np.isnan(ratings) & ~np.isnan(components).any(axis=1)
        table, gold, sources = components[known], ratings[known], units[known]
        if len(gold) < FEWEST or float(np.ptp(gold)) == 0 or not np.isfinite(gold).all():
            raise InputError(
                f"expected at least {FEWEST} finite ratings that are not all equal, found {len(gold)}"
            )
        data = Data(NAMES, table, gold, sources, np.ones(len(gold)), folds, seed)
        low, high = float(gold.min()), float(gold.max())

        def predict(is_out: np.ndarray[Any, np.dtype[np.bool_]]) -> Floats:
            fold = int(sources[is_out][0] % folds)
            return RatingRegression(search(data, None, fold)[0], low, high).values(table[is_out])

        figure = held_out(predict, gold, sources, folds=folds, seed=seed, threads=threads)
        regression, parameters = search(data, None)
        fitted = RatingRegression(regression, low, high)
        own = fitted.values(table)
        metric = replace(self)
        metric.__dict__["fitted"] = fitted  # It is in no file yet.
        missing = int((~known).sum())
        return RegressionFit(metric, pearson(own, gold), figure, parameters, len(gold), missing)

    def combine(self, adequacy: Floats, pinc: Floats) -> Floats:
        """The predicted rating of each segment, from 0 to 100."""
        if self.model == UNFITTED and "fitted" not in self.__dict__:
            return np.where(np.isnan(adequacy), np.nan, pinc)
        return self.fitted.values(np.stack([adequacy, pinc], axis=1))


@dataclass(frozen=True)
class RegressionFit:
    """A fitted `metric`, its correlation with its own ratings, and `held_out`, the figure to trust.

    `parameters` are those that the search chose; `missing` counts the segments that were left out.
    """

    metric: PINCRegression
    pearson: float
    held_out: HeldOut
    parameters: dict[str, float]
    ratings: int
    missing: int

    def save(self, path: str | Path) -> None:
        """Write the fit as JSON, which `PINCRegression.load` and the command line read."""
        facts = {
            "pearson": self.pearson,
            **self.held_out.facts(),
            "ratings": self.ratings,
            "missing": self.missing,
            "parameters": self.parameters,
        }
        save_fit(path, self.metric, facts, {"regression": self.metric.fitted.content()})
