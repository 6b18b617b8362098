"""PRO, pairwise ranked optimization of a model's weights (Hopkins and May 2011).

A linear model ranks hypotheses by w . x. Each iteration decodes the sentences of a development set
under the current weights and adds the lists to those of earlier iterations. For each sentence,
`samples` (5000) pairs of its hypotheses are drawn; of those whose metric differs by more than `least`
(0.05 of the metric's scale), the `kept` (50) pairs that differ most are kept. Each is an example that
the better one should rank above the worse one,

    w . (x_better - x_worse) > 0,

and logistic regression learns w' from all of them. The new weights are (1 - rate) w + rate w', with
rate 0.1, after both have been scaled to sum |w| = 1.

The metric may be any that scores single sentences. Metrics based on BLEU are smoothed for that by
adding 1 to the counts of all orders above 1, as in the paper (BLEU+1). After each iteration the output
for the development set is scored with the original metric, at corpus level; the weights with the best
of these scores are the result. The original weights take part unchanged, so tuning never lowers the
score on its own set.

Deviations: differences are divided by their root mean square in each feature before the regression, so
that its penalty treats all features alike; a feature in which no pair differs (unknown words, for
example) keeps its share in w'. Tuning stops early when the weights move by less than `tolerance`.

Cost: decoding, plus samples x sentences draws and a regression on kept x sentences rows per iteration.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.errors import InputError, LengthError, SettingError
from paragauge.generate.generator import Generator
from paragauge.generate.hypothesis_pool import HypothesisPool
from paragauge.generate.pairwise_ranking import fit_weights, interpolate, normalize, sample_pairs
from paragauge.kernels.layout import Floats
from paragauge.metrics.base import INPUT_ARGUMENTS, Metric
from paragauge.text.progress import Progress, silent


@dataclass(frozen=True)
class TuneSettings:
    """Settings of PRO; the symbols of the paper are in parentheses.

    >>> TuneSettings(rate=2)
    Traceback (most recent call last):
    paragauge.errors.SettingError: tuning rate: expected a number from 0 to 1, found 2
    """

    iterations: int = 25
    nbest: int = 100  # hypotheses per sentence and iteration (k)
    samples: int = 5000  # pairs drawn per sentence (Gamma)
    kept: int = 50  # pairs kept per sentence (Xi)
    least: float = 0.05  # smallest difference of a pair, as a share of the metric's scale (alpha)
    rate: float = 0.1  # share of the new weights (Psi)
    penalty: float = 0.01  # of the regression: penalty / 2 * |w|^2 is added to the mean loss
    tolerance: float = 1e-3  # tuning ends when the sum of |changes| of the weights is smaller
    seed: int = 7

    def __post_init__(self) -> None:
        for name, low, high in (
            ("iterations", 1, 1000),
            ("nbest", 2, 100_000),
            ("samples", 1, 10_000_000),
            ("kept", 1, 1_000_000),
            ("least", 0, 1),
            ("rate", 0, 1),
            ("penalty", 0, 1e9),
            ("tolerance", 0, 2),
            ("seed", 0, 2**63 - 1),
        ):
            value = getattr(self, name)
            is_whole = "float" not in str(type(self).__dataclass_fields__[name].type)
            if not low <= value <= high or (is_whole and value != int(value)):
                kind = "a whole number" if is_whole else "a number"
                raise SettingError(
                    f"tuning {name}: expected {kind} from {low} to {high:g}, found {value}"
                )


DEFAULT = TuneSettings()


@dataclass(frozen=True)
class Iteration:
    """One round: weights, their score on the development set, and what they were learned from."""

    number: int  # 0 has the original weights
    score: float
    hypotheses: int  # in all lists so far
    pairs: int  # from which the next weights are learned; 0 in the last round
    weights: tuple[float, ...]


@dataclass(frozen=True)
class TuningResult:
    """The weights with the best score on the development set, and how they were found."""

    names: tuple[str, ...]
    weights: Floats
    history: tuple[Iteration, ...]
    best: int  # the number of the round with these weights
    metric: str  # signature
    settings: TuneSettings
    converged: bool


def tune(
    generator: Generator,
    sources: Sequence[str],
    metric: Metric,
    *,
    references: Sequence[Sequence[str]] | None = None,
    settings: TuneSettings = DEFAULT,
    threads: int = 0,
    progress: Progress = silent,
    on_iteration: Callable[[Iteration], None] | None = None,
) -> TuningResult:
    """Find weights for `generator` that raise `metric` on the development set.

    `references` has a list for each source, for metrics that need references. `progress` is called with
    each step, `on_iteration` with each iteration when its score is known. The same seed gives the same
    weights with any number of threads.
    """
    check_tuning(metric, sources, references)
    pool = HypothesisPool(
        sentence_metric(metric), sources=sources, references=references, threads=threads
    )
    history: list[Iteration] = []
    weights, converged = generator.weights, False
    hypotheses = 0
    for number in range(settings.iterations + 1):
        progress(f"iteration {number}: decoding{_last_score(history)}")
        current = generator.with_weights(weights) if number else generator
        lists = current.nbest(sources, settings.nbest, threads=threads)
        score = metric.score(
            lists.best(), sources=sources, references=references, threads=threads
        ).value
        progress(f"iteration {number}: learning{_last_score(history)}")
        hypotheses += pool.add(lists)
        last = converged or number == settings.iterations
        better = np.zeros((0, len(weights)))
        if not last:
            better = sample_pairs(
                pool,
                samples=settings.samples,
                keep=settings.kept,
                least=settings.least * metric.scale,
                seed=(settings.seed, number),
            )
            if number == 0 and len(better) == 0:
                raise InputError(
                    "tuning: no two paraphrases of a sentence differ by more than "
                    f"{settings.least:g} of {metric.name}'s scale; give more sentences, longer "
                    "n-best lists or a smaller least"
                )
        history.append(Iteration(number, score, hypotheses, len(better), tuple(weights.tolist())))
        if on_iteration is not None:
            on_iteration(history[-1])
        if last:
            break
        weights = normalize(weights)
        updated = interpolate(weights, fit_weights(better, weights, settings.penalty), settings.rate)
        converged = float(np.abs(updated - weights).sum()) < settings.tolerance
        weights = updated
    sign = 1 if metric.higher_is_better else -1
    best = max(history, key=lambda iteration: (sign * iteration.score, -iteration.number))
    return TuningResult(
        generator.features,
        np.array(best.weights),
        tuple(history),
        best.number,
        metric.signature,
        settings,
        converged,
    )


def sentence_metric(metric: Metric) -> Metric:
    """The metric that scores single sentences in tuning: metrics based on BLEU add 1 to counts.

    >>> from paragauge.metrics.bleu import BLEU
    >>> sentence_metric(BLEU()).label
    'bleu:smooth=add-k:smooth_value=1'
    """
    names = {field.name for field in dataclasses.fields(metric)}
    uses_bleu = metric.settings().get("adequacy", "bleu") == "bleu"
    if {"smooth", "smooth_value"} <= names and uses_bleu:
        return dataclasses.replace(metric, smooth="add-k", smooth_value=1.0)  # type: ignore[call-arg]
    return metric


def check_tuning(
    metric: Metric, sources: Sequence[str], references: Sequence[Sequence[str]] | None
) -> None:
    """Reject a metric or a development set that tuning cannot use.

    >>> from paragauge.metrics.bleu import BLEU
    >>> check_tuning(BLEU(), [], [])
    Traceback (most recent call last):
    paragauge.errors.InputError: tuning: expected at least one sentence, found none
    """
    if not metric.sentence_level:
        raise SettingError(
            f"{metric.name} does not score single sentences, which tuning compares; "
            "tune with another metric, for example bleu"
        )
    inputs = {"sources"} | ({"references"} if references is not None else set())
    metric.require(inputs, INPUT_ARGUMENTS)
    if len(sources) == 0:
        raise InputError("tuning: expected at least one sentence, found none")
    if references is not None and len(references) != len(sources):
        raise LengthError(
            f"tuning: expected references for {len(sources)} sources, found {len(references)}"
        )


def _last_score(history: Sequence[Iteration]) -> str:
    return f", score {history[-1].score:.2f}" if history else ""
