"""Weights of a search objective, chosen on a development set.

The terms of an objective such as `pem-context+model` have scales of their own, so no weight of one is a
natural choice. Search runs on the development set, every text that it evaluates joins a pool with the
values of its terms, and weights are chosen under which the best texts of the pool score highest by a
metric with references; then search runs again with these weights, until they stay or `rounds` are over.
This is minimum error rate training (Och 2003) with a grid in place of the exact line search, for any
metric whose statistics add up to a corpus score.

Only ratios of weights matter, so the first term's stays. The others start where the weighted terms have
equal standard deviations within the texts of a sentence. One after the other is then multiplied by
powers of 2 from 2^-6 to 2^6, and keeps the best of them, until nothing rises any more; of equally good
weights the one closest to the start wins. The weights of the round with the best score are the result,
and the original weights are round 0, so tuning never lowers the score on its own set.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.generate.generator import Generator
from paragauge.generate.metric_search import DEFAULT, SearchSettings, search
from paragauge.generate.objective import Objective
from paragauge.kernels.layout import Floats, Ints
from paragauge.metrics.base import INPUT_ARGUMENTS, Metric
from paragauge.text.progress import Progress, silent

POWERS = sorted(range(-6, 7), key=abs)
PASSES = 5  # through all terms, at most


@dataclass(frozen=True)
class SearchRound:
    """One round: weights, the score of what search finds with them, and the texts seen so far."""

    number: int  # 0 has the original weights
    weights: tuple[float, ...]
    score: float
    texts: int


@dataclass(frozen=True)
class SearchTuning:
    """The objective with the weights of the best round, and all rounds."""

    objective: Objective
    history: tuple[SearchRound, ...]
    best: int
    metric: str  # signature


@dataclass(frozen=True)
class TextPool:
    """Texts of all sentences: terms [texts, terms], statistics of the metric, where sentences begin."""

    terms: Floats
    stats: Floats
    offsets: Ints

    def best_rows(self, weights: Sequence[float]) -> Ints:
        """The best text of each sentence that has any; the first of equal ones.

        >>> pool = TextPool(np.array([[1.0, 0], [0, 3], [2, 2]]), np.zeros((3, 1)), np.array([0, 2, 3]))
        >>> pool.best_rows([1, 0.1]).tolist(), pool.best_rows([1, 1]).tolist()
        ([0, 2], [1, 2])
        """
        totals = self.terms @ np.asarray(weights, np.float64)
        totals = np.where(np.isnan(totals), -np.inf, totals)
        rows = [
            first + int(np.argmax(totals[first:last]))
            for first, last in itertools.pairwise(self.offsets.tolist())
            if last > first
        ]
        return np.array(rows, np.int64)

    def score(self, metric: Metric, weights: Sequence[float]) -> float:
        """The corpus score of the best texts under these weights."""
        sums = self.stats[self.best_rows(weights)].sum(axis=0)
        return float(metric.corpus_values(sums[None])[0])

    def balanced_weights(self, weights: Sequence[float]) -> tuple[float, ...]:
        """Weights under which all terms vary as much as the first one within sentences.

        Signs stay, as does the first weight and that of a term that does not vary.

        >>> pool = TextPool(np.array([[0.0, 0], [10, 1]]), np.zeros((2, 1)), np.array([0, 2]))
        >>> pool.balanced_weights([1, 1])
        (1.0, 10.0)
        """
        spans = itertools.pairwise(self.offsets.tolist())
        known = np.where(np.isfinite(self.terms), self.terms, 0.0)
        variances = [known[first:last].var(axis=0) for first, last in spans if last > first]
        deviations = np.sqrt(np.mean(variances, axis=0)) if variances else np.zeros(len(weights))
        first = abs(weights[0]) * float(deviations[0])
        return (
            float(weights[0]),
            *(
                float(np.copysign(first / deviation, weight)) if first and deviation else float(weight)
                for weight, deviation in zip(weights[1:], deviations[1:].tolist(), strict=True)
            ),
        )

    def choose_weights(self, metric: Metric, start: Sequence[float]) -> tuple[float, ...]:
        """The weights on the grid around `start` with the best score, one term after the other."""
        sign = 1 if metric.higher_is_better else -1
        weights = list(map(float, start))
        best = sign * self.score(metric, weights)
        for _ in range(PASSES):
            before = list(weights)
            for term in range(1, len(weights)):
                center = weights[term]
                for power in POWERS:
                    trial = [*weights[:term], center * 2.0**power, *weights[term + 1 :]]
                    score = sign * self.score(metric, trial)
                    if score > best:
                        best, weights = score, trial
            if weights == before:
                break
        return tuple(weights)


def tune_search(
    generator: Generator,
    sources: Sequence[str],
    objective: Objective,
    metric: Metric,
    *,
    references: Sequence[Sequence[str]] | None = None,
    settings: SearchSettings = DEFAULT,
    rounds: int = 3,
    threads: int = 0,
    progress: Progress = silent,
    on_round: Callable[[SearchRound], None] | None = None,
) -> SearchTuning:
    """Choose the weights of `objective` that raise `metric` on the development set.

    `references` has a list for each source, for metrics that need references. `progress` is called
    `rounds + 1` times, `on_round` when the score of a round is known.
    """
    _check(objective, metric, sources, references, rounds)
    seen: list[dict[str, tuple[float, ...]]] = [{} for _ in sources]
    history: list[SearchRound] = []
    current = objective
    for number in range(rounds + 1):
        progress(f"round {number}: searching")
        found = search(generator, sources, current, settings=settings, threads=threads)
        for texts, more in zip(seen, found.seen, strict=True):
            texts.update((text, known.terms) for text, known in more.items())
        score = metric.score(found.texts, sources=sources, references=references, threads=threads).value
        history.append(SearchRound(number, current.weights, score, sum(map(len, seen))))
        if on_round is not None:
            on_round(history[-1])
        if number == rounds:
            break
        pool = _pool(seen, metric, sources, references, threads)
        start = current.weights if number else pool.balanced_weights(current.weights)
        weights = pool.choose_weights(metric, start)
        if weights == current.weights:
            break
        current = current.with_weights(weights)
    sign = 1 if metric.higher_is_better else -1
    best = max(history, key=lambda item: (sign * item.score, -item.number))
    return SearchTuning(
        objective.with_weights(best.weights), tuple(history), best.number, metric.signature
    )


def _pool(
    seen: Sequence[Mapping[str, tuple[float, ...]]],
    metric: Metric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    threads: int,
) -> TextPool:
    counts = [len(texts) for texts in seen]
    owners = np.repeat(np.arange(len(seen)), counts).tolist()
    stats = metric.stats(
        [text for texts in seen for text in texts],
        sources=[sources[owner] for owner in owners],
        references=None if references is None else [references[owner] for owner in owners],
        threads=threads,
    )
    terms = [row for texts in seen for row in texts.values()]
    return TextPool(np.array(terms), stats, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _check(
    objective: Objective,
    metric: Metric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]] | None,
    rounds: int,
) -> None:
    if not 1 <= rounds <= 1000:
        raise SettingError(f"rounds: expected a whole number from 1 to 1000, found {rounds}")
    if len(objective.names) < 2:
        raise SettingError(
            f"search '{objective.label}': expected two or more terms to weight, found "
            f"{len(objective.names)}; add model, for example"
        )
    if 0 in objective.weights:
        raise SettingError(f"search '{objective.label}': a weight of 0 cannot be tuned; leave it out")
    inputs = {"sources"} | ({"references"} if references is not None else set())
    metric.require(inputs, INPUT_ARGUMENTS)
    if not any(source.strip() for source in sources):
        raise InputError("tuning: expected at least one sentence, found none")
    if references is not None and len(references) != len(sources):
        raise LengthError(
            f"tuning: expected references for {len(sources)} sources, found {len(references)}"
        )
