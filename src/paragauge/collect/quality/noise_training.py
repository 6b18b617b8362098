"""Training a noise filter: on labeled answers, or on the trusted sentences of a campaign alone.

With labels (`train_with_labels`), positive and negative examples are given; trusted sentences are the
good ones, and each answer is measured against those of other workers: three, ten and all of them.

Without labels (`train_on_clusters`) the positive examples of Chen and Dolan (2011) are all there is:
each trusted sentence belongs to its item. Examples of noise are made from them, by seed, one for every
sentence, in turns: the sentence submitted for another item, and a degraded form of it (words dropped
and swapped; `controls.degrade`). What a requester rejected counts as noise as well. The worker's
behavior cannot be learned from made-up noise and is left out then.

The threshold is the one with the best F1 on the training data where there are labels (more than that
needs held-out workers, as `benchmarks/papers/noise.py` has them), else the one that flags a tenth of
the trusted sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from paragauge.collect.campaigns.controls import degrade
from paragauge.collect.quality.cluster_evidence import TrustedClusters, sample_per_item
from paragauge.collect.quality.logistic_regression import fit_logistic
from paragauge.collect.quality.noise_features import (
    DESCRIBED,
    NAMES,
    WORKER,
    FeatureTable,
    add_cluster_features,
    measure_without_clusters,
)
from paragauge.collect.quality.noise_filter import NoiseFilter
from paragauge.collect.tasks.written_answer import WrittenAnswer
from paragauge.errors import InputError
from paragauge.kernels.layout import Floats

STRENGTH = 0.3
# Trusted sentences of an item to train with; None is all.
SIZES = (3, 10, None)
LEAST_SENTENCES = 20
# The share of trusted sentences that a filter trained without labels flags.
FLAGGED = 0.1
# Beyond this many sentences, more of them teach nothing new.
MOST_SENTENCES = 5000


def train_with_labels(
    answers: Sequence[WrittenAnswer],
    noisy: Sequence[bool] | NDArray[np.bool_],
    *,
    names: Sequence[str] | None = None,
    about: str = "",
    threads: int = 0,
) -> NoiseFilter:
    """A filter fitted to labeled answers; `names` are the features, all that apply by default."""
    labels = np.asarray(noisy, np.bool_)
    if len(labels) != len(answers):
        raise InputError(f"expected {len(answers)} labels, found {len(labels)}")
    alone = measure_without_clusters(answers, threads)
    trusted = [answer for answer, bad in zip(answers, labels, strict=True) if not bad]
    table = stack_cluster_sizes(alone, answers, trusted)
    return train_table(table, np.tile(labels, len(SIZES)), names or _applicable(answers), about)


def stack_cluster_sizes(
    alone: FeatureTable, answers: Sequence[WrittenAnswer], trusted: Sequence[WrittenAnswer]
) -> FeatureTable:
    """The features of all answers with few, more and all trusted sentences, one table below another.

    Campaigns begin with small clusters, so a filter must know how much they can tell.
    """
    tables = [
        add_cluster_features(
            alone, answers, TrustedClusters(trusted if most is None else sample_per_item(trusted, most))
        )
        for most in SIZES
    ]
    return FeatureTable(np.concatenate([table.values for table in tables]))


def train_table(
    table: FeatureTable,
    noisy: NDArray[np.bool_],
    names: Sequence[str] = NAMES,
    about: str = "",
    *,
    strength: float = STRENGTH,
) -> NoiseFilter:
    """Like `train_with_labels`, on features already measured; `strength` is C of `fit_logistic`."""
    model = fit_logistic(table.columns(names), noisy, strength)
    threshold = find_best_threshold(model.probability(table.columns(names)), noisy)
    return NoiseFilter(tuple(names), model, threshold, about)


def train_on_clusters(
    trusted: Sequence[WrittenAnswer],
    rejected: Sequence[WrittenAnswer] = (),
    *,
    seed: int = 7,
    threads: int = 0,
) -> NoiseFilter:
    """A filter fitted to the trusted sentences of a campaign and to what was rejected, if anything.

    >>> trusted = [
    ...     WrittenAnswer(f"{who} is {doing}", item, who)
    ...     for who in "abcdefg"
    ...     for item, doing in [("1", "riding a horse"), ("2", "baking bread"), ("3", "singing loud")]
    ... ]
    >>> filter_ = train_on_clusters(trusted)
    >>> known = TrustedClusters(trusted)
    >>> texts = ("z is riding", "z is baking bread")
    >>> bad, good = filter_.judge([WrittenAnswer(text, "2", "z") for text in texts], known)
    >>> bad.probability > good.probability
    True
    """
    items = list(dict.fromkeys(answer.item for answer in trusted))
    if len(trusted) < LEAST_SENTENCES or len(items) < 2:
        raise InputError(
            f"expected at least {LEAST_SENTENCES} trusted sentences of two items to learn from, found "
            f"{len(trusted)} of {len(items)}; qualify more workers, or use the filter that comes with "
            "the package"
        )
    random = np.random.default_rng(seed)
    chosen = random.permutation(len(trusted))[:MOST_SENTENCES].tolist()
    good = [trusted[i] for i in chosen]
    sources = {answer.item: answer.source for answer in trusted}
    noise = []
    for number, answer in enumerate(good):
        others = int(random.integers(len(items) - 1))
        item = items[others if others < items.index(answer.item) else others + 1]
        text = degrade(answer.text, seed=int(random.integers(2**31)))
        moved = replace(answer, item=item, source=sources[item])
        noise.append(replace(answer, text=text) if number % 2 else moved)
    examples = [*good, *noise, *rejected]
    noisy = np.tile(np.arange(len(examples)) >= len(good), len(SIZES))
    names = [name for name in _applicable(trusted) if name not in WORKER]
    table = stack_cluster_sizes(measure_without_clusters(examples, threads), examples, trusted)
    fitted = train_table(table, noisy, names)
    threshold = float(np.quantile(fitted.model.probability(table.columns(names))[~noisy], 1 - FLAGGED))
    about = f"trained on {len(good)} trusted sentences, seed {seed}"
    return replace(fitted, threshold=threshold, about=about)


def find_best_threshold(chances: Floats, noisy: NDArray[np.bool_]) -> float:
    """The threshold with the best F1, halfway to the next lower probability.

    >>> find_best_threshold(np.array([0.125, 0.25, 0.75, 0.875]), np.array([False, False, True, True]))
    0.5
    """
    order = np.argsort(-chances, kind="stable")
    ranked, hits = chances[order], np.cumsum(noisy[order])
    scores = 2 * hits / (np.arange(1, len(ranked) + 1) + max(1, int(noisy.sum())))
    # Equal probabilities stand or fall together.
    last = np.append(ranked[:-1] > ranked[1:], True)
    best = int(np.argmax(np.where(last, scores, -1)))
    below = ranked[best + 1] if best + 1 < len(ranked) else 0.0
    return float((ranked[best] + below) / 2)


def _applicable(answers: Sequence[WrittenAnswer]) -> tuple[str, ...]:
    return NAMES if any(answer.source for answer in answers) else DESCRIBED
