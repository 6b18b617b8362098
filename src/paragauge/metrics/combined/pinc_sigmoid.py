"""PINC x sigmoid(BLEU) (Chen and Dolan 2011, section 5.2): the paper's best single score.

    value = PINC * 1 / (1 + exp(-slope * (BLEU - midpoint)))

"Semantic preservation is closer to a binary decision": the logistic of the sentence's BLEU says
whether the meaning is kept, and PINC counts only as far as it is. The paper picked the two
parameters by an oracle on its ratings and does not print them, so they have no default here: `fit`
learns them from human ratings, by maximizing the Pearson correlation of the value with the ratings
(the paper's criterion), over a grid refined by Nelder and Mead's method. What it reaches on ratings
that it was not fitted to is `held_out` of the fit (`regression/held_out.py`). A corpus scores the mean
of its segments.

`adequacy` puts another metric in BLEU's place (`adequacy_metric.py`), in the fit and in the score; a
segment without a value of that metric is left out of both. Its values may be below 0.

The statistics are (value, 1, BLEU or the other metric, PINC).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, SettingError
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import Metric
from paragauge.metrics.combined.adequacy_metric import fold_adequacy
from paragauge.metrics.combined.bleu_pinc import SentencePair
from paragauge.metrics.fit_files import load_fit, save_fit
from paragauge.metrics.minimization import search_simplex
from paragauge.metrics.regression.held_out import FOLDS, LEVEL, REPLICATES, SEED, HeldOut, held_out
from paragauge.metrics.settings import convert_settings, setting
from paragauge.text.batch import GroupedTexts, Texts

LEARNED = frozenset({"slope", "midpoint"})


@dataclass(frozen=True)
class PINCSigmoid(SentencePair):
    """PINC, as far as BLEU says that the meaning is kept.

    >>> metric = PINCSigmoid(slope=0.1, midpoint=30)
    >>> texts = {"sources": ["a b x y"], "references": [["a b c d"]]}
    >>> round(metric.score(["a b c d"], **texts).value, 3)
    79.095
    """

    name: ClassVar[str] = "PINC-sigmoid"
    summary: ClassVar[str] = "PINC x sigmoid(BLEU), its logistic fitted to ratings"

    slope: float | None = setting(None, low=0, help="steepness of the logistic (from a fit)")
    midpoint: float | None = setting(
        None, low=-1000, high=1000, help="adequacy (BLEU) at which half of PINC counts (from a fit)"
    )

    @classmethod
    def from_settings(cls, explicit: Mapping[str, str], defaults: Mapping[str, str]) -> Metric:
        """As of every metric; ``model=FILE`` takes the settings of a fit, whatever the defaults are."""
        if "model" not in explicit:
            return super().from_settings(explicit, defaults)
        own = {key: value for key, value in explicit.items() if key != "model"}
        own = fold_adequacy(cls.name, own, defaults)
        return cls(**(load_fit(explicit["model"], cls).settings() | convert_settings(cls, own)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.slope is None or self.midpoint is None:
            raise SettingError(
                "PINC-sigmoid needs slope and midpoint: fit them to ratings (paragauge fit) and give "
                "model=FILE, or give both settings"
            )

    @classmethod
    def load(cls, path: str | Path) -> PINCSigmoid:
        """The metric that `SigmoidFit.save` wrote."""
        return load_fit(path, cls)

    @classmethod
    def unfitted(cls, **settings: Any) -> PINCSigmoid:
        """The metric before a fit, with a slope and a midpoint that mean nothing.

        >>> PINCSigmoid.unfitted(order=2).order
        2
        """
        learned = sorted(LEARNED & set(settings))
        if learned:
            raise SettingError(f"{learned[0]}: is learned by the fit; leave it out")
        return cls(slope=1.0, midpoint=50.0, **settings)

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
    ) -> SigmoidFit:
        """Learn slope and midpoint from one rating per segment; NaN marks a missing rating.

        References may be left out if the metric that `adequacy` names needs none.

        >>> texts = {"sources": ["a b", "a b", "a b"], "references": [["c d"], ["c d"], ["c d"]]}
        >>> fitted = PINCSigmoid.fit([4, 1, 1], ["c d", "a b", "e f"], **texts)
        >>> fitted.pearson > 0.99
        True
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
        replicates: int = REPLICATES,
        level: float = LEVEL,
        threads: int = 0,
    ) -> SigmoidFit:
        """Learn slope and midpoint from the `components` [n, 2] and the ratings [n] of segments.

        `units` [n] are the numbers of their sources, which folds of the cross-validation keep together.
        The other settings stay what they are. Segments without a rating or a component are left out.
        The interval of the held-out figure has `replicates` resamples; with 0, there is none.
        """
        known = ~np.isnan(ratings) & ~np.isnan(components).any(axis=1)
        if known.sum() < 3 or float(np.ptp(ratings[known])) == 0:
            raise InputError(
                f"expected at least 3 ratings that are not all equal, found {int(known.sum())}; "
                "a constant cannot be correlated with"
            )
        adequacy, pinc = components[known].T
        if not np.isfinite(ratings[known]).all() or float(np.ptp(pinc)) == 0:
            raise InputError("expected finite ratings and candidates that differ in PINC")
        slope, midpoint, pearson = _best_logistic(adequacy, pinc, ratings[known])
        if pearson <= 0:
            raise InputError(
                f"expected ratings that rise with quality; the best correlation found is {pearson:.3f}"
            )
        metric = replace(self, slope=slope, midpoint=midpoint)
        gold = ratings[known]

        def predict(is_out: NDArray[np.bool_]) -> Floats:
            fitted = _best_logistic(adequacy[~is_out], pinc[~is_out], gold[~is_out])
            return np.asarray(pinc[is_out] * logistic(adequacy[is_out], *fitted[:2]))

        figure = held_out(
            predict,
            gold,
            units[known],
            folds=folds,
            seed=seed,
            replicates=replicates,
            level=level,
            threads=threads,
        )
        return SigmoidFit(metric, pearson, figure, int(known.sum()), int((~known).sum()))

    def combine(self, adequacy: Floats, pinc: Floats) -> Floats:
        """PINC weighted by the logistic of the adequacy (BLEU)."""
        return pinc * logistic(adequacy, float(self.slope or 0), float(self.midpoint or 0))


@dataclass(frozen=True)
class SigmoidFit:
    """A fitted `metric`, its correlation with its own ratings, and `held_out`, the figure to trust.

    `missing` counts the segments that were left out.
    """

    metric: PINCSigmoid
    pearson: float
    held_out: HeldOut
    ratings: int
    missing: int

    def save(self, path: str | Path) -> None:
        """Write the fit as JSON, which `PINCSigmoid.load` and the command line read."""
        facts = {
            "pearson": self.pearson,
            **self.held_out.facts(),
            "ratings": self.ratings,
            "missing": self.missing,
        }
        save_fit(path, self.metric, facts)


def logistic(adequacy: Floats, slope: float, midpoint: float) -> Floats:
    """1 / (1 + exp(-slope * (adequacy - midpoint))), without overflow.

    >>> logistic(np.array([30.0, 1e6]), 2.0, 30.0)
    array([0.5, 1. ])
    """
    with np.errstate(invalid="ignore"):  # NaN in, NaN out
        return np.asarray(np.exp(-np.logaddexp(0.0, -slope * (adequacy - midpoint))))


def _best_logistic(adequacy: Floats, pinc: Floats, gold: Floats) -> tuple[float, float, float]:
    centered = gold - gold.mean()

    def loss(parameters: Floats) -> float:
        values = pinc * logistic(adequacy, float(np.exp(parameters[0])), float(parameters[1]))
        values = values - values.mean()
        norm = float(np.sqrt((values**2).sum() * (centered**2).sum()))
        return 1.0 if norm < 1e-12 else 1.0 - float((values * centered).sum()) / norm

    grid = [
        np.array([np.log(slope), midpoint])
        for slope in (0.01, 0.03, 0.1, 0.3, 1.0)
        for midpoint in np.linspace(0.0, 100.0, 21)
    ]
    starts = sorted(grid, key=loss)[:3]
    best, _ = min(
        (search_simplex(loss, start, 2000) for start in starts), key=lambda optimum: optimum[1]
    )
    # Slopes beyond these are a step or a constant to the last digit; the bound keeps files finite.
    slope = float(np.exp(np.clip(best[0], -12.0, 7.0)))
    midpoint = float(np.clip(best[1], -1000.0, 1000.0))
    return slope, midpoint, 1.0 - loss(np.array([np.log(slope), midpoint]))
