"""Fit PEM's regression to human ratings.

The regression is a support-vector regression with a radial basis function kernel (scikit-learn; the
paper used SVM light and does not give its parameters). Features and ratings are standardized. C, gamma
and epsilon are chosen one at a time over the values in `SEARCH`, twice, by the Pearson correlation of a
cross-validation whose folds keep all candidates of a source together, and which includes the controls
with their weight; at most `SEARCHED` pairs, drawn by the seed, take part in the search. It starts from
scikit-learn's defaults, and a change must gain at least `GAIN`. gamma is given per feature: the
kernel's is gamma / number of features.

The figure to trust is `held_out`: the sources are divided into `folds`, each of which is predicted by a
regression that was searched and fitted on the others only; the interval is a bootstrap over sources.
`held_out_changed` is the same without pairs whose candidate is the source itself. The returned
regression is then fitted on everything; `pearson` is its correlation with its own training ratings.

With `controls`, artificial paraphrases of every source join the training, never the evaluation: the
paper's copy (2 on the scale from 1 to 5), random sentence (1) and sentence of a unigram model (1), and
optionally the scrambled source (1). They teach what ratings of systems' output do not show: that a
paraphrase is bad if nothing changed, if no meaning is kept, or if it cannot be read. With copies among
the controls, rated copies are left out of the training, because people who were asked about meaning
alone give them the highest rating. A control has `control_weight` times the weight of a rated pair.

The feature `copy` of the extended set is not standardized but stretched (`COPY_SCALE`), so that a copy
is compared with copies only: the low rating of copies does not spread to paraphrases that changed a
little, which people rate highly. The paper's three features cannot tell the two apart.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, LengthError, SettingError, unknown_name
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics import control_systems
from paragauge.metrics.control_systems import ControlKind, check_kinds, control_ratings
from paragauge.metrics.pem.card import card_text
from paragauge.metrics.pem.features import (
    FEATURE_SETS,
    FeatureSet,
    Resources,
    pair_features,
    same_text,
)
from paragauge.metrics.pem.model import PEMModel
from paragauge.metrics.regression.held_out import number_sources, pearson
from paragauge.metrics.regression.rbf import RBFRegression
from paragauge.metrics.regression.search import Data, regression_class, search
from paragauge.metrics.resampling import check_run, correlation_interval
from paragauge.text.progress import Progress, silent
from paragauge.text.wording import pluralize

FEWEST = 10


@dataclass(frozen=True)
class PEMFit:
    """A fitted regression, and how well it predicts: see the module.

    `predictions` are those of the cross-validation, one for each rated pair. `base` is the model that
    the resources come from, if any: what it says about them is saved with them.
    """

    regression: RBFRegression
    features: str
    predictions: Floats
    parameters: dict[str, float]
    pearson: float
    held_out: float
    low: float | None
    high: float | None
    held_out_changed: float
    folds: int
    ratings: int
    missing: int
    sources: int
    copies: int
    controls: int
    seed: int
    scale: tuple[float, float]
    resources: Resources
    base: PEMModel | None = None

    def save(self, folder: str | Path) -> None:
        """Write a model with this one regression, which `PEM(model=folder)` uses."""
        base = self.base
        about = {} if base is None else {k: v for k, v in base.about.items() if k != "ratings"}
        about |= {"fits": {self.features: self.facts()}}
        origin = None if base is None else base.origin
        regressions = {self.features: self.regression}
        model = PEMModel(self.resources, regressions, self.scale, about, origin)
        model.save(folder, card_text(model))

    def facts(self) -> dict[str, Any]:
        """Everything but the regression, for the model's description."""
        facts = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name not in ("regression", "features", "predictions", "scale", "resources", "base")
        }
        return {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in facts.items()
        }


def fit_regression(
    ratings: Sequence[float],
    candidates: Sequence[str],
    sources: Sequence[str],
    resources: Resources,
    *,
    feature_set: FeatureSet = "extended",
    scale: tuple[float, float] = (1.0, 5.0),
    controls: Sequence[ControlKind] = (),
    control_weight: float = 0.3,
    folds: int = 5,
    seed: int = 7,
    level: float = 0.95,
    threads: int = 0,
    progress: Progress = silent,
) -> PEMFit:
    """Learn from one rating per pair of source and candidate (NaN: missing); see the module.

    `scale` is the lowest and the highest rating that people could give; `controls` are kinds of
    control systems.
    """
    check_run(threads=threads, bootstrap=1, seed=seed, level=level)
    if feature_set not in FEATURE_SETS:
        raise unknown_name("set of features", feature_set, FEATURE_SETS)
    check_learning(control_weight)
    rated, units = check_ratings(ratings, candidates, sources, scale, controls, folds, seed)
    trained = _training_mask(rated, controls)
    progress("features")
    names = FEATURE_SETS[feature_set]
    table = pair_features(names, resources, rated.candidates, rated.sources, threads)
    ones = np.ones(int(trained.sum()))
    data = Data(tuple(names), table[trained], rated.ratings[trained], units[trained], ones, folds, seed)
    extra = None
    if controls:
        extra = _control_data(
            controls, control_weight, rated.sources, units, data, resources, scale, threads
        )
    held_out = np.empty(len(table))
    for fold in range(folds):
        progress(f"fold {fold + 1} of {folds}")
        is_out = units % folds == fold
        held_out[is_out] = search(data, extra, fold)[0].predict(table[is_out])
    progress("all ratings")
    regression, parameters = search(data, extra)
    low, high = correlation_interval(
        held_out, rated.ratings, units, seed=seed, level=level, threads=threads
    )
    return PEMFit(
        regression,
        feature_set,
        held_out,
        parameters,
        pearson=pearson(regression.predict(table), rated.ratings),
        held_out=pearson(held_out, rated.ratings),
        low=low,
        high=high,
        held_out_changed=pearson(held_out[~rated.copies], rated.ratings[~rated.copies]),
        folds=folds,
        ratings=len(table),
        missing=rated.missing,
        sources=len(set(units.tolist())),
        copies=int(rated.copies.sum()),
        controls=0 if extra is None else len(extra.ratings),
        seed=seed,
        scale=scale,
        resources=resources,
    )


def check_learning(control_weight: float) -> None:
    """Refuse a weight of controls out of range, and an environment without scikit-learn.

    >>> check_learning(0)
    Traceback (most recent call last):
    paragauge.errors.SettingError: control_weight: expected a number above 0 and up to 1, found 0
    """
    if not 0 < control_weight <= 1:
        raise SettingError(
            f"control_weight: expected a number above 0 and up to 1, found {control_weight!r}"
        )
    regression_class()


@dataclass(frozen=True)
class TrainingPairs:
    """Pairs that have a rating."""

    ratings: Floats
    candidates: list[str]
    sources: list[str]
    copies: NDArray[np.bool_]
    missing: int


def check_ratings(
    ratings: Sequence[float],
    candidates: Sequence[str],
    sources: Sequence[str],
    scale: tuple[float, float],
    controls: Sequence[ControlKind],
    folds: int,
    seed: int,
) -> tuple[TrainingPairs, Ints]:
    """The pairs that have a rating, and a number for each source; an error if they are too few."""
    if controls:
        check_kinds(controls)
    rated = _select_rated(ratings, candidates, sources, scale)
    units = number_sources(rated.sources, seed)
    if not isinstance(folds, int) or not 2 <= folds <= len(set(units.tolist())):
        raise SettingError(
            f"folds: expected a whole number from 2 to the number of different sources, found {folds!r}"
        )
    changed = int(_training_mask(rated, controls).sum())
    if changed < FEWEST:
        raise InputError(
            f"ratings: expected at least {FEWEST} of changed sentences, found {changed}; "
            "rate more, or fit without the control copy"
        )
    return rated, units


def _training_mask(rated: TrainingPairs, controls: Sequence[str]) -> NDArray[np.bool_]:
    """Which pairs take part in the training."""
    return ~rated.copies if "copy" in controls else np.ones(len(rated.ratings), np.bool_)


def _select_rated(
    ratings: Sequence[float],
    candidates: Sequence[str],
    sources: Sequence[str],
    scale: tuple[float, float],
) -> TrainingPairs:
    low, high = scale
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise SettingError(f"scale: expected a smaller and a larger number, found {low:g} and {high:g}")
    if not len(ratings) == len(candidates) == len(sources):
        raise LengthError(
            f"expected a rating for each pair, found {pluralize(len(ratings), 'rating')}, "
            f"{pluralize(len(candidates), 'candidate')} and {pluralize(len(sources), 'source')}"
        )
    values = np.asarray(ratings, np.float64)
    known = ~np.isnan(values)
    outside = np.flatnonzero(known & ((values < low) | (values > high)))
    if len(outside):
        at = int(outside[0])
        raise InputError(
            f"ratings: expected numbers from {low:g} to {high:g}, found {values[at]:g} for pair "
            f"{at + 1}; give the scale that people rated on"
        )
    if int(known.sum()) < FEWEST:
        raise InputError(
            f"ratings: expected at least {FEWEST}, found {int(known.sum())}; rate more sentences"
        )
    rows = np.flatnonzero(known).tolist()
    ours, theirs = [candidates[i] for i in rows], [sources[i] for i in rows]
    same = np.array([same_text(a, b) for a, b in zip(ours, theirs, strict=True)], np.bool_)
    return TrainingPairs(values[rows], ours, theirs, same, int((~known).sum()))


def _control_data(
    kinds: Sequence[ControlKind],
    weight: float,
    sources: list[str],
    units: Ints,
    data: Data,
    resources: Resources,
    scale: tuple[float, float],
    threads: int,
) -> Data:
    """The control paraphrases of every distinct source."""
    numbers = dict(zip(sources, units.tolist(), strict=True))
    distinct = list(numbers)
    systems = control_systems.controls(distinct, kinds, seed=data.seed)
    ratings = {
        str(row["system"]): float(row["overall"]) for row in control_ratings(1, kinds, scale=scale)
    }
    ours = [text for kind in kinds for text in systems[kind]]
    return dataclasses.replace(
        data,
        table=pair_features(data.names, resources, ours, distinct * len(kinds), threads),
        ratings=np.repeat([ratings[kind] for kind in kinds], len(distinct)),
        units=np.array(list(numbers.values()) * len(kinds), np.int64),
        weights=np.full(len(ours), weight),
    )
