"""Correlation and accuracy of systems, with resamples and exchanges, against plain loops."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from paragauge import BLEU
from paragauge.errors import SettingError
from paragauge.kernels.reference import resample_weight
from paragauge.meta.correlation.coefficients import COEFFICIENTS
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.correlation.system_level import RESAMPLE, SystemAccuracy, SystemCoefficient, cells
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.evalset_builder import build
from paragauge.meta.sets.panel import panels

LABELS = ("near", "coarse", "ter")
REPLICATES = 30
SYSTEMS_SEED = 0x5957E45  # how the draws of systems are kept apart from those of segments
STATISTICS = ("pearson", "spearman", "kendall", "accuracy")


def made(name, resample="segments"):
    if name == "accuracy":
        return SystemAccuracy(resample=resample)
    return SystemCoefficient(resample=resample, coefficient=name)


@pytest.fixture(params=[5, 6])
def both(request, twin):
    facts = twin.facts(request.param, segments=9, systems="abcdef", missing=0.15)
    panel = panels(twin.evalset(facts, lower=["ter"]), twin.criterion, LABELS)[0]
    return panel, twin.plain(facts, LABELS, lower=["ter"])[""]


def of_lists(twin, x, y, name, copies=None):
    """The statistic of two lists, each entry taken as often as `copies` says."""
    if x is None or y is None:
        return None
    drawn = [i for i in range(len(x)) for _ in range(1 if copies is None else copies[i])]
    if name != "accuracy":
        return twin.correlation([x[i] for i in drawn], [y[i] for i in drawn], name)
    # Two copies of a system are no pair: nobody could put them in an order.
    pairs = [(i, j) for i, j in itertools.combinations(drawn, 2) if i != j]
    right = [np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]) for i, j in pairs]
    return sum(right) / len(right) if right else None


@pytest.mark.parametrize("resample", RESAMPLE)
@pytest.mark.parametrize("name", STATISTICS)
def test_values_and_resamples(both, twin, same, name, resample):
    panel, plain = both
    statistic = made(name, resample)
    assert panel.judged.systems == plain.systems
    gold = plain.system_means(None)
    for label in LABELS:
        estimate = statistic.value(panel, panel.scores(label))
        same([estimate.value], [of_lists(twin, plain.system_means(label), gold, name)])
        assert (estimate.pairs, estimate.parts, estimate.reason) == (len(plain.systems), 1, "")
        drawn = statistic.resample_values(panel, panel.scores(label), Draws(REPLICATES, 4))
        expected = []
        for b in range(REPLICATES):
            times = None if resample == "systems" else plain.poisson(4, b)
            copies = None
            if resample != "segments":
                numbers = range(len(plain.systems))
                copies = [resample_weight("poisson", 4 ^ SYSTEMS_SEED, b, i) for i in numbers]
            x, y = plain.system_means(label, times), plain.system_means(None, times)
            expected.append(of_lists(twin, x, y, name, copies))
        same(drawn, expected)


@pytest.mark.parametrize("exchange", ["cells", "segments"])
@pytest.mark.parametrize("name", STATISTICS)
def test_exchanges(both, twin, same, name, exchange):
    panel, plain = both
    for a, b in (("near", "ter"), ("coarse", "near")):
        draws = Draws(REPLICATES, 3, exchange=exchange)
        exchanged = made(name).exchange_scores(panel, panel.scores(a), panel.scores(b), draws)
        one, two, gold = plain.standard(a), plain.standard(b), plain.system_means(None)
        for replicate in range(REPLICATES):
            # Coins of cells are numbered system by system, in the order of the candidates.
            lists, number = ([], []), 0
            for system in plain.systems:
                mine = ([], [])
                for place, item in enumerate(plain.items):
                    if system in item.systems:
                        pair = (one[place], two[place])
                        coin = number if exchange == "cells" else item.segment
                        if resample_weight("coin", 3, replicate, coin):
                            pair = pair[::-1]
                        number += 1
                        for values, value in zip(mine, pair, strict=True):
                            values.append(value)
                for means, values in zip(lists, mine, strict=True):
                    means.append(math.fsum(values) / len(values))
            expected = [of_lists(twin, means, gold, name) for means in lists]
            same([values[replicate] for values in exchanged], expected)


@pytest.mark.parametrize("name", STATISTICS)
def test_threads(both, name):
    panel, _ = both
    a, b = panel.scores("near"), panel.scores("ter")
    one, three = (
        np.array(
            [
                made(name, "both").resample_values(panel, a, Draws(50, 7, threads)),
                *made(name).exchange_scores(panel, a, b, Draws(50, 7, threads)),
            ]
        )
        for threads in (1, 3)
    )
    np.testing.assert_array_equal(one, three)


@pytest.fixture
def texts():
    """Three systems whose sentences get worse, with one reference."""
    rng = np.random.default_rng(2)
    words = [f"w{i}" for i in range(12)]
    references = {str(i): [" ".join(rng.choice(words, 9))] for i in range(8)}
    candidates, rows = {}, []
    for place, system in enumerate("abc"):
        for segment, (reference,) in references.items():
            noise = [w if rng.random() > 0.15 + 0.2 * place else "x" for w in reference.split()]
            candidates[segment, system] = " ".join(noise)
            rows.append((segment, system, "A", {"overall": float(5 - place + rng.integers(-1, 2))}))
    judged = build(rows, references=references, candidates=candidates)
    return judged.score_with({"bleu": BLEU()}), candidates, references


def test_corpus_scores(texts, twin, same):
    """A system's score is that of its corpus, in which a text that was drawn twice is twice."""
    judged, candidates, references = texts
    panel = panels(judged, "overall", ["bleu"])[0]

    def corpus(system, times):
        drawn = [segment for segment in references for _ in range(times[int(segment)])]
        chosen = [candidates[segment, system] for segment in drawn]
        return BLEU().score(chosen, references=[references[segment] for segment in drawn]).value

    once = dict.fromkeys(range(8), 1)
    scores = panel.scores("bleu")
    same(cells(judged, scores).values, [corpus(system, once) for system in "abc"])
    segment_means = [
        scores.values[judged.output_item[judged.output_system == i]].mean() for i in range(3)
    ]
    same(cells(judged, dataclasses.replace(scores, stats=None, metric=None)).values, segment_means)
    drawn = SystemCoefficient().resample_values(panel, scores, Draws(15, 9))
    for b, value in enumerate(drawn):
        times = {i: resample_weight("poisson", 9, b, i) for i in range(8)}
        gold = [
            np.average(
                panel.gold[judged.output_item[judged.output_system == i]], weights=list(times.values())
            )
            for i in range(3)
        ]
        same([value], [twin.correlation([corpus(system, times) for system in "abc"], gold, "pearson")])


def panel_of(twin, rows):
    facts = [
        twin.Fact(segment, (name,), {"A": gold}, {"m": score}) for segment, name, gold, score in rows
    ]
    return panels(twin.evalset(facts), twin.criterion, ["m"])[0]


@pytest.mark.parametrize("name", STATISTICS)
def test_degenerate(twin, name):
    alone = panel_of(twin, [("1", "a", 3.0, 0.5), ("2", "a", 4.0, 0.7)])
    estimate = made(name).value(alone, alone.scores("m"))
    number = "two" if name == "accuracy" else "three"
    assert (estimate.value, estimate.pairs, estimate.reason) == (
        None,
        1,
        f"fewer than {number} systems",
    )
    assert np.isnan(made(name).resample_values(alone, alone.scores("m"), Draws(10))).all()

    # Every mean is of 0.1, over 1, 3, 6 and 7 candidates: sums round, the means are equal all the same.
    sizes = {"a": 1, "b": 3, "c": 6, "d": 7}
    cells = [(str(i), system) for system, size in sizes.items() for i in range(size)]
    for gold, score, reason, accuracy in (
        (lambda i: 0.1, float, "all ratings are equal", 0.0),
        (float, lambda i: 0.1, "the metric is constant", 0.0),
        (lambda i: 0.1, lambda i: 0.3, "all ratings are equal", 1.0),
    ):
        panel = panel_of(twin, [(i, system, gold(i), score(i)) for i, system in cells])
        estimate = made(name).value(panel, panel.scores("m"))
        drawn = made(name).resample_values(panel, panel.scores("m"), Draws(300))
        if name == "accuracy":
            assert estimate.value == accuracy
        else:
            assert (estimate.value, estimate.reason) == (None, reason)
            assert np.isnan(drawn).all()


def test_no_system_at_all(twin):
    facts = [twin.Fact(str(i), (), {"A": float(i)}, {"m": float(i)}) for i in range(5)]
    panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
    for name in STATISTICS:
        estimate = made(name).value(panel, panel.scores("m"))
        number = "two" if name == "accuracy" else "three"
        assert (estimate.value, estimate.reason) == (None, f"fewer than {number} systems")


def test_ties_of_systems_do_not_depend_on_the_order_of_segments(twin):
    # Both have 0.1, 0.2 and 0.3, but 0.1 + 0.2 + 0.3 > 0.3 + 0.2 + 0.1 in floating point.
    scores = {"a": (0.1, 0.2, 0.3), "b": (0.3, 0.2, 0.1)}
    rows = [
        (str(i), name, 3.0, value) for name, values in scores.items() for i, value in enumerate(values)
    ]
    panel = panel_of(twin, rows)
    assert SystemAccuracy().value(panel, panel.scores("m")).value == 1.0


def test_undefined_corpus_scores_have_a_reason(twin):
    @dataclasses.dataclass(frozen=True)
    class Odd(BLEU):
        def corpus_values(self, sums):
            return np.full(sums.shape[:-1], np.nan)

    panel = panel_of(twin, [("1", "a", 1.0, 0.5), ("1", "b", 2.0, 0.7)])
    scores = MetricScores("odd", "odd", np.array([0.5, 0.7]), stats=np.ones((2, 10)), metric=Odd())
    for name in STATISTICS:
        estimate = made(name).value(panel, scores)
        assert (estimate.value, estimate.reason) == (None, "the metric has no score of some system")


def test_errors():
    with pytest.raises(SettingError, match="unknown way to resample 'system'; did you mean 'systems'"):
        SystemAccuracy(resample="system")
    with pytest.raises(SettingError, match="unknown coefficient 'spearmen'; did you mean 'spearman'"):
        SystemCoefficient(coefficient="spearmen")
    assert set(STATISTICS) == {*COEFFICIENTS, "accuracy"}
