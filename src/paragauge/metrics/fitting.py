"""Fit a learned metric to human ratings of any number of systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, overload

import numpy as np

from paragauge.errors import InputError, unknown_name
from paragauge.metrics.combined import pinc_sigmoid, pinc_svr
from paragauge.metrics.combined.pinc_sigmoid import PINCSigmoid, SigmoidFit
from paragauge.metrics.combined.pinc_svr import PINCRegression, RegressionFit
from paragauge.metrics.maxsim import context, soft
from paragauge.metrics.maxsim.context import MaxSimContext
from paragauge.metrics.maxsim.fit import MaxSimFit
from paragauge.metrics.maxsim.metric import MaxSim
from paragauge.metrics.maxsim.soft import MaxSimSoft
from paragauge.metrics.regression.held_out import FOLDS, SEED, number_sources
from paragauge.text.batch import Batch, GroupedTexts, Texts

FittedName = Literal["pinc-sigmoid", "pinc-svr", "maxsim-soft", "maxsim-context"]
FITTED: tuple[FittedName, ...] = get_args(FittedName)
# The settings that a fit of each metric learns.
GRIDS = {"maxsim-soft": soft.GRID, "maxsim-context": context.GRID}
LEARNED = {"pinc-sigmoid": pinc_sigmoid.LEARNED, "pinc-svr": pinc_svr.LEARNED} | {
    name: frozenset({"weights", *grid}) for name, grid in GRIDS.items()
}
KINDS: dict[
    FittedName, type[PINCSigmoid] | type[PINCRegression] | type[MaxSimSoft] | type[MaxSimContext]
] = {
    "pinc-sigmoid": PINCSigmoid,
    "pinc-svr": PINCRegression,
    "maxsim-soft": MaxSimSoft,
    "maxsim-context": MaxSimContext,
}
AnyFit = SigmoidFit | RegressionFit | MaxSimFit[MaxSimSoft] | MaxSimFit[MaxSimContext]
# The rating of each (system, segment); segments count from 0.
Ratings = Mapping[tuple[str, int], float]


@overload
def fit(
    systems: Mapping[str, Texts],
    ratings: Ratings,
    metric: Literal["pinc-sigmoid"] = ...,
    *,
    sources: GroupedTexts | None = ...,
    references: GroupedTexts | None = ...,
    folds: int | None = ...,
    seed: int | None = ...,
    threads: int = ...,
    **settings: Any,
) -> SigmoidFit: ...


@overload
def fit(
    systems: Mapping[str, Texts],
    ratings: Ratings,
    metric: Literal["pinc-svr"],
    *,
    sources: GroupedTexts | None = ...,
    references: GroupedTexts | None = ...,
    folds: int | None = ...,
    seed: int | None = ...,
    threads: int = ...,
    **settings: Any,
) -> RegressionFit: ...


@overload
def fit(
    systems: Mapping[str, Texts],
    ratings: Ratings,
    metric: Literal["maxsim-soft"],
    *,
    sources: GroupedTexts | None = ...,
    references: GroupedTexts | None = ...,
    folds: int | None = ...,
    seed: int | None = ...,
    threads: int = ...,
    **settings: Any,
) -> MaxSimFit[MaxSimSoft]: ...


@overload
def fit(
    systems: Mapping[str, Texts],
    ratings: Ratings,
    metric: Literal["maxsim-context"],
    *,
    sources: GroupedTexts | None = ...,
    references: GroupedTexts | None = ...,
    folds: int | None = ...,
    seed: int | None = ...,
    threads: int = ...,
    **settings: Any,
) -> MaxSimFit[MaxSimContext]: ...


def fit(
    systems: Mapping[str, Texts],
    ratings: Ratings,
    metric: FittedName = "pinc-sigmoid",
    *,
    sources: GroupedTexts | None = None,
    references: GroupedTexts | None = None,
    folds: int | None = None,
    seed: int | None = None,
    threads: int = 0,
    **settings: Any,
) -> AnyFit:
    """Fit PINC x sigmoid(BLEU or another metric), PINC-SVR, MAXSIM-soft or MAXSIM-context to ratings.

    `ratings` has the rating of a candidate by its system and its segment, counted from 0; NaN or absent
    is missing. `folds` (5 by default) and `seed` (7) are those of the cross-validation.
    `settings` are those of the metric that are not learned.

    >>> fitted = fit(
    ...     {"mine": ["c d", "a b", "e f"]},
    ...     {("mine", 0): 4, ("mine", 1): 1, ("mine", 2): 1},
    ...     sources=["a b"] * 3,
    ...     references=["c d"] * 3,
    ... )
    >>> fitted.ratings, fitted.pearson > 0.99
    (3, True)
    """
    inputs = {"sources": sources, "references": references}
    unfitted_metric(metric, **settings).require(
        [name for name, texts in inputs.items() if texts is not None]
    )
    batch = Batch.of(systems, sources=sources, references=references, threads=threads)
    return fit_batches([batch], ratings, metric, folds=folds, seed=seed, threads=threads, **settings)


def fit_batches(
    batches: Iterable[Batch],
    ratings: Ratings,
    metric: FittedName = "pinc-sigmoid",
    *,
    folds: int | None = None,
    seed: int | None = None,
    threads: int = 0,
    **settings: Any,
) -> AnyFit:
    """As `fit`, with the texts in batches.

    >>> texts = {"sources": ["a b"] * 3, "references": ["c d"] * 3}
    >>> batch = Batch.of({"mine": ["c d", "a b", "e f"]}, **texts)
    >>> fit_batches([batch], {("mine", 0): 4, ("mine", 1): 1, ("mine", 2): 1}).ratings
    3
    """
    kind = KINDS[metric]
    if issubclass(kind, MaxSim):
        unfitted = kind.unfitted(**settings)
        values, candidates, others = _gather_pairs(batches, ratings, unfitted)
        return kind.fit(
            values,
            candidates,
            references=others,
            folds=FOLDS if folds is None else folds,
            seed=SEED if seed is None else seed,
            threads=threads,
            **settings,
        )
    return _fit_sentence_pairs(
        kind.unfitted(**settings),
        batches,
        ratings,
        FOLDS if folds is None else folds,
        SEED if seed is None else seed,
        threads,
    )


def unfitted_metric(
    metric: FittedName, **settings: Any
) -> PINCSigmoid | PINCRegression | MaxSimSoft | MaxSimContext:
    """The metric of this name before its fit.

    >>> sorted(unfitted_metric("pinc-sigmoid").needs)
    ['references', 'sources']
    """
    if metric not in FITTED:
        raise unknown_name("metric to fit", metric, FITTED)
    return KINDS[metric].unfitted(**settings)


def _fit_sentence_pairs(
    unfitted: PINCSigmoid | PINCRegression,
    batches: Iterable[Batch],
    ratings: Ratings,
    folds: int,
    seed: int,
    threads: int,
) -> SigmoidFit | RegressionFit:
    components, values = [], []
    groups: list[tuple[str, ...]] = []
    sizes: dict[str, int] = {}
    for batch in batches:
        for system in batch.systems:
            components.append(unfitted.components(batch, system))
            values += batch_ratings(ratings, batch, system)
            groups += map(tuple, batch.sources or [])
            sizes[system] = batch.first + len(batch)
    check_rated_segments(ratings, sizes)
    return unfitted.fit_components(
        np.concatenate(components),
        np.array(values, np.float64),
        number_sources(groups, seed),
        folds=folds,
        seed=seed,
        threads=threads,
    )


def _gather_pairs(
    batches: Iterable[Batch], ratings: Ratings, metric: MaxSim
) -> tuple[list[float], list[str], list[list[str]]]:
    """The ratings and candidates of all systems, and what each candidate is compared with."""
    values: list[float] = []
    candidates: list[str] = []
    others: list[list[str]] = []
    sizes: dict[str, int] = {}
    for batch in batches:
        for system, lines in batch.systems.items():
            values += batch_ratings(ratings, batch, system)
            candidates += lines
            others += metric.others(batch)
            sizes[system] = batch.first + len(batch)
    check_rated_segments(ratings, sizes)
    return values, candidates, others


def batch_ratings(ratings: Ratings, batch: Batch, system: str) -> list[float]:
    """The rating of each segment of a system, NaN where there is none."""
    numbers = range(batch.first, batch.first + len(batch))
    return [ratings.get((system, number), math.nan) for number in numbers]


def check_rated_segments(ratings: Ratings, sizes: Mapping[str, int]) -> None:
    """Refuse ratings of segments that the systems, of these sizes, do not have."""
    beyond = [(system, number) for system, number in ratings if number >= sizes.get(system, 0)]
    if beyond:
        system, number = min(beyond)
        raise InputError(
            f"ratings: expected segments of the corpus, found segment {number + 1} of '{system}', "
            "which it does not have"
        )
