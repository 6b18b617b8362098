"""Pearson, Spearman and Kendall over candidates, with resamples and exchanges, against plain loops."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from paragauge.errors import SettingError
from paragauge.meta.correlation.coefficients import (
    COEFFICIENTS,
    BySource,
    BySystem,
    Pooled,
    coefficient,
)
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.panel import panels

LABELS = ("near", "coarse", "ter")
VIEWS = {"pooled": Pooled, "by_source": BySource, "by_system": BySystem}
REPLICATES = 12


@pytest.fixture(params=[0, 1, 2])
def both(request, twin):
    """The same data as a panel and as plain items; the second has one judge, the third half points."""
    facts = twin.facts(
        request.param,
        judges=("A",) if request.param == 1 else ("A", "B"),
        step=0.5 if request.param == 2 else 1.0,
    )
    panel = panels(twin.evalset(facts, lower=["ter"]), twin.criterion, LABELS)[0]
    return panel, twin.plain(facts, LABELS, lower=["ter"])[""]


@pytest.mark.parametrize("constant", ["zero", "skip"])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_values_and_resamples(both, same, name, view, constant):
    panel, plain = both
    plain = dataclasses.replace(plain, constant=constant)
    statistic = VIEWS[view](constant, name)
    for label in LABELS:
        loop = getattr(plain, view)
        estimate = statistic.value(panel, panel.scores(label))
        same([estimate.value], [loop(label, name)])
        drawn = statistic.resample_values(panel, panel.scores(label), Draws(REPLICATES, 5))
        same(drawn, [loop(label, name, plain.poisson(5, b)) for b in range(REPLICATES)])


@pytest.mark.parametrize("exchange", ["cells", "segments"])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_exchanges(both, same, name, view, exchange):
    panel, plain = both
    statistic = VIEWS[view](coefficient=name)
    for a, b in (("near", "ter"), ("coarse", "near")):
        draws = Draws(REPLICATES, 3, exchange=exchange)
        exchanged = statistic.exchange_scores(panel, panel.scores(a), panel.scores(b), draws)
        worlds = [
            plain.exchanged_items(a, b, 3, replicate)
            if exchange == "cells"
            else plain.exchanged_sources(a, b, 3, replicate, keeps=1)
            for replicate in range(REPLICATES)
        ]
        for values, label in zip(exchanged, "ab", strict=True):
            same(values, [getattr(world, view)(label, name) for world in worlds])


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_threads_and_seed(both, name, view):
    panel, _ = both
    statistic = VIEWS[view](coefficient=name)
    a, b = panel.scores("near"), panel.scores("coarse")

    def drawn(seed: int, threads: int) -> np.ndarray:
        draws = Draws(60, seed, threads)
        return np.array(
            [statistic.resample_values(panel, a, draws), *statistic.exchange_scores(panel, a, b, draws)]
        )

    np.testing.assert_array_equal(drawn(7, 1), drawn(7, 3))
    assert (drawn(7, 1) != drawn(8, 1)).any()


def test_what_it_rests_on(twin):
    # Source 1 has three candidates, 2 has equal ratings, 3 has one candidate only, 4 equal scores.
    cells = [("1", 1, 2), ("1", 2, 3), ("1", 3, 1), ("2", 2, 1), ("2", 2, 2), ("3", 5, 5)]
    cells += [("4", 1, 7), ("4", 2, 7)]
    facts = [
        twin.Fact(segment, ("abc"[i % 3],), {"A": float(gold)}, {"m": float(score)})
        for i, (segment, gold, score) in enumerate(cells)
    ]
    panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
    estimate = BySource().value(panel, panel.scores("m"))
    # 1 2 3 against 2 3 1 is -1/2; source 4 counts as 0.
    assert estimate.value == pytest.approx(-1 / 4)
    assert (estimate.pairs, estimate.parts, estimate.reason) == (5, 2, "")
    assert estimate.left_out == {"sources with equal or single ratings": 2}
    estimate = BySource("skip").value(panel, panel.scores("m"))
    assert estimate.value == pytest.approx(-1 / 2)
    assert (estimate.pairs, estimate.parts) == (3, 1)
    assert estimate.left_out == {
        "sources with equal or single ratings": 2,
        "sources on which the metric is constant": 1,
    }
    estimate = Pooled().value(panel, panel.scores("m"))
    assert (estimate.pairs, estimate.parts, estimate.left_out) == (8, 1, {})


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_degenerate(twin, name):
    def reasons(cells):
        facts = [
            twin.Fact(segment, systems, {"A": gold}, {"m": score})
            for segment, systems, gold, score in cells
        ]
        panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
        statistics = [kind("zero", name) for kind in VIEWS.values()]
        for one in statistics:
            drawn = one.resample_values(panel, panel.scores("m"), Draws(20))
            value = one.value(panel, panel.scores("m"))
            if value.value is None:
                assert np.isnan(drawn).all()
            else:
                assert np.isfinite(drawn).any()
        return [one.value(panel, panel.scores("m")).reason for one in statistics]

    alone = [("1", ("a",), 3.0, 0.5)]
    assert reasons(alone) == [
        "fewer than two items",
        "no source has different ratings",
        "no system has different ratings",
    ]
    equal = [(str(i), ("a",), 3.0, i / 7) for i in range(5)]
    assert reasons(equal)[0] == "all ratings are equal"
    flat = [("1", (system,), gold, 0.1) for system, gold in (("a", 1.0), ("b", 2.0), ("c", 3.0))]
    # The one source that there is counts as 0.
    assert reasons(flat) == ["the metric is constant", "", "no system has different ratings"]
    nameless = [("1", (), 1.0, 0.1), ("1", (), 2.0, 0.3)]
    assert reasons(nameless) == ["", "", "no candidate belongs to a system"]


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_two_lists(name, twin):
    rng = np.random.default_rng(4)
    for size, top in ((2, 2), (5, 3), (40, 4), (300, 1000)):
        x, y = rng.integers(0, top, (2, size)).astype(float)
        expected = twin.correlation(x.tolist(), y.tolist(), name)
        value = coefficient(x, y, name)
        assert value == (None if expected is None else pytest.approx(expected, abs=1e-9))
    assert coefficient(np.array([1.0]), np.array([2.0]), name) is None
    assert coefficient(np.zeros(0), np.zeros(0), name) is None


@pytest.mark.parametrize("scale", [1e-200, 1e-310, 1e200])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_very_small_and_very_large_scores(both, name, scale):
    """Probabilities of sentences can be so small that their squares are 0."""
    panel, _ = both
    near = panel.scores("near")
    tiny = dataclasses.replace(near, values=scale * near.values)
    for kind in VIEWS.values():
        statistic = kind(coefficient=name)
        expected = statistic.value(panel, near).value
        assert statistic.value(panel, tiny).value == pytest.approx(expected, abs=1e-9)
        draws = Draws(5)
        resampled, expected = (statistic.resample_values(panel, one, draws) for one in (tiny, near))
        np.testing.assert_allclose(resampled, expected, atol=1e-9)
        resampled, expected = (
            statistic.exchange_scores(panel, one, panel.scores("ter"), draws) for one in (tiny, near)
        )
        np.testing.assert_allclose(resampled, expected, atol=1e-9)


def test_errors():
    with pytest.raises(SettingError, match="unknown coefficient 'kendal'; did you mean 'kendall'"):
        Pooled(coefficient="kendal")
    with pytest.raises(SettingError, match="unknown coefficient 'tau'"):
        coefficient(np.ones(2), np.ones(2), "tau")
    with pytest.raises(SettingError, match="unknown policy for constant metrics 'drop'"):
        BySource("drop")


def test_false_alarms_with_effects_of_whole_sources(twin):
    """Metrics that like or dislike whole sources: exchanging segments keeps the level, cells do not."""
    alarms = {"segments": 0, "cells": 0}
    for trial in range(60):
        rng = np.random.default_rng(trial)
        quality = rng.normal(size=(30, 1)) + 0.3 * rng.normal(size=(30, 20))
        scores = [quality + rng.normal(size=(30, 1)) for _ in range(2)]
        facts = [
            twin.Fact(str(i), (f"s{j}",), {"A": quality[i, j]}, {"a": x[i, j], "b": y[i, j]})
            for x, y in [scores]
            for i in range(30)
            for j in range(20)
        ]
        panel = panels(twin.evalset(facts), twin.criterion, ["a", "b"])[0]
        a, b = panel.scores("a"), panel.scores("b")
        observed = abs(Pooled().value(panel, a).value - Pooled().value(panel, b).value)
        for exchange in alarms:
            first, second = Pooled().exchange_scores(panel, a, b, Draws(99, trial, exchange=exchange))
            p = (1 + int((np.abs(first - second) >= observed - 1e-9).sum())) / 100
            alarms[exchange] += p <= 0.05
    # Five per cent of 60 are 3; nine or more have a chance below one in a hundred.
    assert alarms["segments"] < 9
    assert alarms["cells"] > 15
