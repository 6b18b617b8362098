"""PRO on lists whose best weights are known, its parts by hand, and its errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
import pytest

from paragauge import BLEU, PINC, PRECIS, TER, Metric
from paragauge.errors import InputError, LengthError, SettingError
from paragauge.generate.hypothesis_pool import HypothesisPool
from paragauge.generate.nbest import NBest
from paragauge.generate.pairwise_ranking import fit_weights, interpolate, normalize, sample_pairs
from paragauge.generate.tuning import (
    Iteration,
    TuneSettings,
    sentence_metric,
    tune,
)
from paragauge.kernels.layout import Floats
from paragauge.lm.text_form import TextForm
from paragauge.text.lines import Lines

NAMES = ("good", "noise", "constant", "half")
QUICK = TuneSettings(iterations=6, nbest=20, samples=300, kept=20, rate=0.5)


@dataclass(frozen=True)
class ListGenerator:
    """A paraphraser whose hypotheses are given as (text, features): decoding is sorting."""

    table: Mapping[str, Sequence[tuple[str, Sequence[float]]]]
    features: tuple[str, ...]
    weights: Floats
    name: str = "lists"
    longest: int = 200
    form: TextForm = field(default_factory=TextForm)

    def with_weights(self, weights: Floats) -> Self:
        return replace(self, weights=weights)

    def nbest(
        self,
        lines: Lines | Sequence[str],
        size: int = 1,
        *,
        threads: int = 0,
        progress: Callable[[int], None] | None = None,
    ) -> NBest:
        texts: list[str] = []
        offsets, rows = [0], []
        for line in lines:
            ranked = sorted(
                self.table[line], key=lambda row: (-float(np.dot(row[1], self.weights)), row[0])
            )[:size]
            texts += [text for text, _ in ranked]
            rows += [list(values) for _, values in ranked]
            offsets.append(len(texts))
            if progress is not None:
                progress(1)
        features = np.array(rows, np.float64).reshape(len(texts), len(self.features))
        scores = features @ self.weights
        return NBest(self.features, Lines.of(texts), np.array(offsets), features, scores)


def corpus(count: int, seed: int) -> tuple[ListGenerator, list[str], list[list[str]]]:
    """Sentences whose feature `good` counts words of the reference: a weight on it alone is best."""
    rng = np.random.default_rng(seed)
    table, sources, references = {}, [], []
    for number in range(count):
        words = [f"w{number}_{place}" for place in range(8)]
        source = f"source {number}"
        rows = []
        for candidate in range(40):
            wrong = rng.integers(0, 7)
            spoiled = set(rng.permutation(8)[:wrong].tolist())
            text = " ".join(f"x{candidate}" if i in spoiled else w for i, w in enumerate(words))
            good = -float(wrong) + rng.normal(0, 0.1)
            rows.append((text, (good, rng.normal(0, 50), -100.0, 0.1 * good + rng.normal(0, 1))))
        table[source] = rows
        sources.append(source)
        references.append([" ".join(words)])
    start = np.array([0.0, 0.5, 0.25, 0.25])
    return ListGenerator(table, NAMES, start), sources, references


def test_raises_the_metric_on_held_out_lists() -> None:
    generator, sources, references = corpus(40, seed=1)
    held_out, others, theirs = corpus(40, seed=2)
    result = tune(generator, sources, BLEU(), references=references, settings=QUICK)
    before, after = (
        BLEU().score(held_out.with_weights(weights).nbest(others).best(), references=theirs).value
        for weights in (generator.weights, result.weights)
    )
    # A weight on `good` alone finds the best of each list; noise costs half of the words.
    known = np.array([1.0, 0.0, 0.0, 0.0])
    best = BLEU().score(held_out.with_weights(known).nbest(others).best(), references=theirs).value
    assert after > before + 20
    assert after > 0.95 * best
    assert result.history[result.best].score == max(iteration.score for iteration in result.history)
    assert result.history[0].weights == tuple(normalize(generator.weights).tolist())
    assert np.abs(result.weights).sum() == pytest.approx(1)
    assert abs(result.weights[0]) > 10 * abs(result.weights[1])


def test_a_feature_that_never_differs_keeps_its_share() -> None:
    generator, sources, references = corpus(10, seed=3)
    result = tune(generator, sources, BLEU(), references=references, settings=QUICK)
    # The unscaled sum of old and new weights may be below 1, so scaling can only add to it.
    assert all(0.25 <= iteration.weights[2] < 0.3 for iteration in result.history)


def test_the_same_seed_gives_the_same_and_another_gives_another() -> None:
    generator, sources, references = corpus(10, seed=4)
    once, again = (
        tune(generator, sources, BLEU(), references=references, settings=QUICK, threads=threads)
        for threads in (1, 2)
    )
    assert once.history == again.history
    other = tune(
        generator,
        sources,
        BLEU(),
        references=references,
        settings=TuneSettings(iterations=6, nbest=20, samples=300, kept=20, rate=0.5, seed=8),
    )
    assert other.history[1:] != once.history[1:]


def test_a_metric_where_lower_is_better_falls() -> None:
    generator, sources, references = corpus(20, seed=5)
    result = tune(generator, sources, TER(), references=references, settings=QUICK)
    assert result.history[result.best].score < result.history[0].score - 10
    assert result.history[result.best].score == min(iteration.score for iteration in result.history)


def test_stops_when_the_weights_converge() -> None:
    generator, sources, references = corpus(10, seed=6)
    settings = TuneSettings(iterations=50, nbest=40, samples=2000, kept=50, rate=1, tolerance=0.5)
    seen: list[Iteration] = []
    words: list[str] = []
    result = tune(
        generator,
        sources,
        BLEU(),
        references=references,
        settings=settings,
        on_iteration=seen.append,
        progress=words.append,
    )
    assert result.converged
    assert tuple(seen) == result.history
    assert len(seen) < 50
    assert seen[-1].pairs == 0
    assert words[:2] == ["iteration 0: decoding", "iteration 0: learning"]


def test_sentence_form_of_metrics() -> None:
    assert sentence_metric(BLEU(order=2)) == BLEU(order=2, smooth="add-k", smooth_value=1)
    assert sentence_metric(PRECIS()).label == "precis:smooth=add-k:smooth_value=1"
    assert sentence_metric(PINC()) == PINC()


def lists(texts: list[str], features: list[list[float]]) -> NBest:
    values = np.array(features)
    return NBest(("a", "b"), Lines.of(texts), np.array([0, len(texts)]), values, values.sum(axis=1))


def test_the_pool_adds_only_new_hypotheses() -> None:
    pool = HypothesisPool(PINC(order=1), sources=["a b"], references=None)
    assert pool.add(lists(["a b", "c d"], [[1, 0], [0, 1]])) == 2
    # A known derivation, another derivation of a known text, and a new text.
    assert pool.add(lists(["a b", "a b", "a c"], [[1, 0], [2, 0], [0, 3]])) == 2
    assert pool.rows[0].scores == [0, 100, 0, 50]
    np.testing.assert_array_equal(pool.rows[0].features, [[1, 0], [0, 1], [2, 0], [0, 3]])


def test_pairs_are_oriented_and_the_largest_are_kept() -> None:
    pool = HypothesisPool(PINC(order=1), sources=["a b"], references=None)
    pool.add(lists(["a b", "a c", "c d"], [[1, 0], [0, 1], [0, 5]]))
    # PINC 0, 50 and 100: only the first and the last differ by more than 50.
    differences = sample_pairs(pool, samples=500, keep=10, least=50, seed=(1,))
    np.testing.assert_array_equal(differences, np.tile([-1.0, 5.0], (10, 1)))


def test_logistic_regression_by_hand() -> None:
    # One feature seen 3 times right and once wrong: the loss is smallest at w = ln 3 (no penalty).
    # With a second feature that is the same up to its scale, both get weights of equal effect.
    rows = np.array([[1.0, 10.0]] * 3 + [[-1.0, -10.0]])
    fitted = fit_weights(rows, np.array([0.5, 0.5]), 0.01)
    np.testing.assert_allclose(fitted, [10 / 11, 1 / 11], rtol=1e-4)
    single = fit_weights(rows[:, :1], np.array([1.0]), 0.0)
    assert single.tolist() == [1.0]


def test_interpolation_and_norm() -> None:
    np.testing.assert_allclose(
        interpolate(np.array([0.5, 0.5]), np.array([-1.0, 0.0]), 0.5), [-0.5, 0.5]
    )
    assert normalize(np.zeros(2)).tolist() == [0.5, 0.5]


@dataclass(frozen=True)
class WholeOnly(Metric):
    name: ClassVar[str] = "WholeOnly"
    summary: ClassVar[str] = "only whole corpora"
    sentence_level: ClassVar[bool] = False

    @property
    def needs(self) -> frozenset[str]:
        return frozenset()

    def batch_stats(self, batch: object, system: str) -> Floats:
        raise NotImplementedError

    def corpus_values(self, sums: Floats) -> Floats:
        raise NotImplementedError


def test_rejected_inputs() -> None:
    generator, sources, references = corpus(2, seed=7)
    with pytest.raises(
        SettingError,
        match=r"^WholeOnly does not score single sentences, which tuning compares; tune with another "
        r"metric, for example bleu$",
    ):
        tune(generator, sources, WholeOnly())
    with pytest.raises(InputError, match="BLEU needs references; give references="):
        tune(generator, sources, BLEU())
    with pytest.raises(LengthError, match="expected references for 2 sources, found 1"):
        tune(generator, sources, BLEU(), references=references[:1])
    with pytest.raises(InputError, match="expected at least one sentence, found none"):
        tune(generator, [], BLEU(), references=[])
    same = ListGenerator({"a": [("b", (1.0,))]}, ("f",), np.ones(1))
    with pytest.raises(InputError, match=r"no two paraphrases of a sentence differ by more than 0\.05"):
        tune(same, ["a"], BLEU(), references=[["b"]])
    for settings, message in (
        ({"iterations": 0}, "tuning iterations: expected a whole number from 1 to 1000, found 0"),
        ({"nbest": 2.5}, "tuning nbest: expected a whole number from 2 to 100000, found 2.5"),
        ({"least": float("nan")}, "tuning least: expected a number from 0 to 1, found nan"),
    ):
        with pytest.raises(SettingError, match=message):
            TuneSettings(**settings)  # type: ignore[arg-type]
