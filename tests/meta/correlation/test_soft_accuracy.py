"""Soft pairwise accuracy against a plain loop with the same coins."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest

from paragauge import BLEU
from paragauge.meta.correlation.soft_accuracy import INNER, OUTER, SoftAccuracy
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.evalset import EvalSet, MetricScores
from paragauge.meta.sets.evalset_builder import build
from paragauge.meta.sets.panel import Panel, panels

LABELS = ("near", "coarse", "ter")


def coins(exchanges, segments, seed):
    """The coins that the package draws: one row for each exchange."""
    return np.random.default_rng(seed).integers(0, 2, (exchanges, segments), np.int8)


def share(a, b, thrown):
    """Share of exchanges whose mean difference reaches the observed one, which counts as one of them.

    `a` and `b` are the values of two systems by segment (position of the coin).
    """
    both = sorted(set(a) & set(b))

    def difference(exchange):
        pairs = [(b[i], a[i]) if exchange[i] else (a[i], b[i]) for i in both]
        return np.mean([one for one, _ in pairs]) - np.mean([two for _, two in pairs])

    observed = np.mean([a[i] for i in both]) - np.mean([b[i] for i in both])
    return (1 + sum(difference(row) >= observed - 1e-9 for row in thrown)) / (1 + len(thrown))


def soft(systems, thrown):
    """Soft accuracy of systems (ratings by place, scores by place); None without common segments."""
    gaps = []
    for one, two in itertools.combinations(systems, 2):
        if set(one[0]) & set(two[0]):
            human, metric = (share(one[side], two[side], thrown) for side in (0, 1))
            gaps.append(abs(human - metric))
    return 1 - np.mean(gaps) if gaps else None


def by_system(plain, label, places):
    """Ratings and scores of each system by place, for segments at these places."""
    result = []
    for system in plain.systems:
        mine = [item for item in plain.items if system in item.systems]
        spread = [(place, item) for item in mine for place in places[item.segment]]
        result.append(
            (
                {place: item.gold for place, item in spread},
                {place: item.scores[label] for place, item in spread},
            )
        )
    return result


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("seed", [7, 8])
def test_values(twin, same, seed, missing):
    facts = twin.facts(seed, segments=9, missing=missing)
    if not missing:
        nameless = {fact.segment for fact in facts if not fact.systems}
        facts = [fact for fact in facts if fact.segment not in nameless]
    judged = twin.evalset(facts, lower=["ter"])
    panel = panels(judged, twin.criterion, LABELS)[0]
    plain = twin.plain(facts, LABELS, lower=["ter"])[""]
    thrown = coins(80, len(judged.segments), seed)
    for label in LABELS:
        estimate = SoftAccuracy(exchanges=80, seed=seed).value(panel, panel.scores(label))
        places = {i: [i] for i in plain.segments}
        same([estimate.value], [soft(by_system(plain, label, places), thrown)])
        assert estimate.pairs == len(plain.systems)


def test_resamples(twin, same):
    facts = twin.facts(9, segments=6, systems="abc")
    judged = twin.evalset(facts)
    panel = panels(judged, twin.criterion, LABELS)[0]
    plain = twin.plain(facts, LABELS)[""]
    drawn = SoftAccuracy(seed=2).resample_values(panel, panel.scores("near"), Draws(4, 5))
    expected = []
    for replicate in range(4):
        times = np.random.default_rng([5, replicate]).poisson(1.0, len(judged.segments))
        drawn_segments = np.repeat(np.arange(len(judged.segments)), times)
        places = {i: np.flatnonzero(drawn_segments == i).tolist() for i in plain.segments}
        expected.append(soft(by_system(plain, "near", places), coins(INNER, len(drawn_segments), 2)))
    # Moved to have the observed value as their mean.
    value = SoftAccuracy(seed=2).value(panel, panel.scores("near")).value
    same(drawn, np.minimum(np.array(expected) + value - np.nanmean(expected), 1.0))


def test_at_most_a_hundred_resamples(twin):
    facts = twin.facts(9, segments=4, systems="abc")
    panel = panels(twin.evalset(facts), twin.criterion, LABELS)[0]
    drawn = SoftAccuracy().resample_values(panel, panel.scores("near"), Draws(OUTER + 5))
    assert np.isnan(drawn[OUTER:]).all()
    assert np.isfinite(drawn[:OUTER]).sum() > OUTER / 2


def test_corpus_scores(same):
    """For BLEU every exchange scores the exchanged corpora."""
    rng = np.random.default_rng(3)
    words = [f"w{i}" for i in range(9)]
    references = {str(i): [" ".join(rng.choice(words, 8))] for i in range(6)}
    rows = [(i, name, "A", {"overall": float(rng.integers(1, 6))}) for i in references for name in "ab"]
    candidates = {
        (i, name): " ".join(w if rng.random() > 0.2 else "x" for w in references[i][0].split())
        for i, name, _, _ in rows
    }
    judged = build(rows, references=references, candidates=candidates).score_with({"bleu": BLEU()})
    panel = panels(judged, "overall", ["bleu"])[0]
    value = SoftAccuracy(exchanges=60).value(panel, panel.scores("bleu")).value
    thrown = coins(60, 6, 7)

    def bleu(exchange, swap):
        names = ["ba"[int(coin)] if swap else "ab"[int(coin)] for coin in exchange]
        texts = [candidates[str(i), name] for i, name in enumerate(names)]
        return BLEU().score(texts, references=list(references.values())).value

    def difference(exchange):
        return bleu(exchange, swap=False) - bleu(exchange, swap=True)

    observed = difference([0] * 6)
    metric = (1 + sum(difference(row) >= observed - 1e-9 for row in thrown)) / 61
    golds = [{int(i): values["overall"] for i, one, _, values in rows if one == name} for name in "ab"]
    same([value], [1 - abs(share(*golds, thrown) - metric)])


def test_by_hand(twin):
    # One system is better on all of 20 segments by the ratings and by the metric: both are sure.
    facts = [
        twin.Fact(str(i), (name,), {"A": gold}, {"same": gold, "opposite": -gold, "flat": 1.0})
        for i in range(20)
        for name, gold in (("a", 5.0), ("b", 1.0))
    ]
    panel = panels(twin.evalset(facts), twin.criterion, ["same", "opposite", "flat"])[0]
    accuracies = {
        label: SoftAccuracy().value(panel, panel.scores(label)).value for label in panel.judged.scores
    }
    sure = 1 / 1001
    assert accuracies["same"] == 1
    # Every exchange of opposite scores is at least as good for the first system: p is 1.
    assert accuracies["opposite"] == pytest.approx(1 - (1 - sure), abs=1e-9)
    assert accuracies["flat"] == pytest.approx(1 - (1 - sure), abs=1e-9)


def test_degenerate(twin):
    def value(cells):
        facts = [twin.Fact(i, (name,), {"A": gold}, {"m": gold}) for i, name, gold in cells]
        panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
        drawn = SoftAccuracy().resample_values(panel, panel.scores("m"), Draws(5))
        estimate = SoftAccuracy().value(panel, panel.scores("m"))
        assert np.isnan(drawn).all() == (estimate.value is None)
        return estimate.value, estimate.reason

    assert value([("1", "a", 1.0), ("2", "a", 2.0)]) == (None, "fewer than two systems")
    apart = [("1", "a", 1.0), ("2", "b", 2.0)]
    assert value(apart) == (None, "no two systems have a segment in common")
    assert value([("1", "a", 3.0), ("1", "b", 3.0)]) == (1.0, "")


def test_large_sets_need_little_memory():
    """Coins for 50,000 segments are thrown in blocks: a gigabyte would be more than all the data."""
    rng = np.random.default_rng(0)
    count = 50_000
    gold = rng.normal(size=(count, 2))
    items = np.arange(2 * count)
    nothing = np.zeros(0, np.int64)
    judged = EvalSet(
        segments=tuple(map(str, range(count))),
        systems=("a", "b"),
        judges=("",),
        groups=("",),
        segment_group=np.zeros(count, np.int64),
        item_segment=items // 2,
        output_item=items,
        output_system=items % 2,
        rating_item=nothing,
        rating_judge=nothing,
        rating_task=nothing,
        ratings={},
    )
    panel = Panel(judged, "", "overall", gold.reshape(-1), {})
    tracemalloc.start()
    estimate = SoftAccuracy().value(panel, MetricScores("m", "m", gold.reshape(-1)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert estimate.value == 1
    assert peak < 200e6
