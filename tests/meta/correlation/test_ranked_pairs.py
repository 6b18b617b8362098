"""The taus of the WMT tasks and accuracy on pairs, with ties, against plain loops."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from paragauge.errors import SettingError
from paragauge.kernels.reference import resample_weight
from paragauge.meta.correlation.ranked_pairs import (
    VARIANTS,
    PairAccuracy,
    TunedAccuracy,
    WMTKendall,
    pairs_within,
    rated_pairs,
)
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.evalset import MetricScores
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.panel import panels

LABELS = ("near", "coarse", "ter")
REPLICATES = 30


@pytest.fixture(params=[3, 4])
def both(request, twin):
    facts = twin.facts(request.param, segments=10)
    panel = panels(twin.evalset(facts, lower=["ter"]), twin.criterion, LABELS)[0]
    return panel, twin.plain(facts, LABELS, lower=["ter"])[""]


def tau(compared, variant):
    """Tau of (metric's difference, people's difference) of pairs; None if nothing counts."""
    con = sum(metric * human > 0 for metric, human in compared if human)
    dis = sum(metric * human < 0 for metric, human in compared if human)
    ties = sum(metric == 0 for metric, human in compared if human)
    above, below = {
        "wmt12": (con - dis - ties, con + dis + ties),
        "wmt13": (con - dis, con + dis),
        "wmt14": (con - dis, con + dis + ties),
    }[variant]
    return above / below if below else None


def rated(plain, label, difference, times=None):
    return [
        (a.scores[label] - b.scores[label], a.gold - b.gold)
        for a, b in plain.pairs()
        if abs(a.gold - b.gold) > difference
        for _ in range(1 if times is None else times[a.segment])
    ]


@pytest.mark.parametrize("difference", [0.0, 1.0])
@pytest.mark.parametrize("variant", VARIANTS)
def test_taus_of_ratings(both, same, variant, difference):
    panel, plain = both
    statistic = WMTKendall("zero", variant, difference)
    for label in LABELS:
        estimate = statistic.value(panel, panel.scores(label))
        compared = rated(plain, label, difference)
        same([estimate.value], [tau(compared, variant)])
        assert estimate.pairs == len(compared)
        drawn = statistic.resample_values(panel, panel.scores(label), Draws(REPLICATES, 2))
        times = [plain.poisson(2, b) for b in range(REPLICATES)]
        same(drawn, [tau(rated(plain, label, difference, weights), variant) for weights in times])
    estimate = statistic.exchange_scores(
        panel, panel.scores("coarse"), panel.scores("ter"), Draws(REPLICATES, 6)
    )
    worlds = [plain.exchanged_sources("coarse", "ter", 6, b, keeps=0) for b in range(REPLICATES)]
    for values, label in zip(estimate, "ab", strict=True):
        same(values, [tau(rated(world, label, difference), variant) for world in worlds])


def test_taus_by_hand(twin):
    # Ratings 1 2 3 4; the metric says 1 3 2 2: four pairs agree, one does not, one is tied.
    facts = [
        twin.Fact("1", (name,), {"A": gold}, {"m": score})
        for name, gold, score in (("a", 1.0, 1.0), ("b", 2.0, 3.0), ("c", 3.0, 2.0), ("d", 4.0, 2.0))
    ]
    panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
    taus = [WMTKendall(variant=variant).value(panel, panel.scores("m")).value for variant in VARIANTS]
    # 1-2 +, 1-3 +, 1-4 +, 2-3 -, 2-4 -, 3-4 tied
    assert taus == pytest.approx([(3 - 2 - 1) / 6, (3 - 2) / 5, (3 - 2) / 6])
    taus = [
        WMTKendall(variant=variant, difference=1).value(panel, panel.scores("m"))
        for variant in VARIANTS
    ]
    # More than 1 apart: 1-3 +, 1-4 +, 2-4 -
    assert [one.value for one in taus] == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert taus[0].pairs == 3


@pytest.fixture
def rankings(tmp_path):
    """Ranking tasks of three judges over five systems, with ties and -1, and a metric's scores."""
    rng = np.random.default_rng(11)
    names = "abcde"
    tasks, lines = [], ["segment\tjudge\t" + "\t".join(f"system{i}\trank{i}" for i in (1, 2, 3, 4))]
    for row in range(40):
        segment, judge = str(int(rng.integers(8))), "ABC"[row % 3]
        ranked = rng.choice(list(names), 4, replace=False).tolist()
        ranks = [int(rank) or -1 for rank in rng.integers(0, 4, 4)]
        tasks.append((segment, judge, dict(zip(ranked, ranks, strict=True))))
        cells = [f"{name}\t{rank}" for name, rank in zip(ranked, ranks, strict=True)]
        lines.append("\t".join([segment, judge, *cells]))
    path = tmp_path / "ranks.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores = {(str(i), name): float(rng.integers(0, 5)) for i in range(8) for name in names}
    return path, tasks, scores


def with_metric(judged, scores, missing=()):
    values = np.full(judged.items, np.nan)
    for item, system in zip(judged.output_item, judged.output_system, strict=True):
        key = (judged.segments[judged.item_segment[item]], judged.systems[system])
        values[item] = np.nan if key in missing else scores[key]
    return dataclasses.replace(judged, scores={"m": MetricScores("m", "m", values)})


def ranked(tasks, scores, judge=None, missing=(), times=None):
    compared = []
    for segment, who, ranks in tasks:
        if judge not in (None, who):
            continue
        for (a, first), (b, second) in itertools.combinations(ranks.items(), 2):
            if -1 in (first, second) or {(segment, a), (segment, b)} & set(missing):
                continue
            pair = (scores[segment, a] - scores[segment, b], second - first)
            compared += [pair] * (1 if times is None else times[segment])
    return compared


@pytest.mark.parametrize("judge", [None, "B"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_taus_of_rankings(rankings, same, variant, judge):
    path, tasks, scores = rankings
    missing = {("0", "a"), ("3", "c")}
    judged = with_metric(read_evalset(path), scores, missing)
    panel = panels(judged, "rank", ["m"], judge=judge)[0]
    statistic = WMTKendall(variant=variant)
    estimate = statistic.value(panel, panel.scores("m"))
    compared = [pair for pair in ranked(tasks, scores, judge, missing) if pair[1]]
    same([estimate.value], [tau(compared, variant)])
    assert estimate.pairs == len(compared)
    drawn = statistic.resample_values(panel, panel.scores("m"), Draws(REPLICATES, 2))
    number = {name: i for i, name in enumerate(judged.segments)}
    for b, value in enumerate(drawn):
        times = {name: resample_weight("poisson", 2, b, i) for name, i in number.items()}
        same([value], [tau(ranked(tasks, scores, judge, missing, times), variant)])


def test_accuracy(both, same):
    panel, plain = both
    statistic = PairAccuracy()
    for label in LABELS:
        estimate = statistic.value(panel, panel.scores(label))
        same([estimate.value], [plain.accuracy(label)])
        assert estimate.pairs == len(plain.pairs())
        assert estimate.parts == len({a.segment for a, _ in plain.pairs()})
        drawn = statistic.resample_values(panel, panel.scores(label), Draws(REPLICATES, 2))
        same(drawn, [plain.accuracy(label, plain.poisson(2, b)) for b in range(REPLICATES)])
    estimate = statistic.exchange_scores(
        panel, panel.scores("coarse"), panel.scores("ter"), Draws(REPLICATES, 6)
    )
    worlds = [plain.exchanged_sources("coarse", "ter", 6, b, keeps=0) for b in range(REPLICATES)]
    for values, label in zip(estimate, "ab", strict=True):
        same(values, [world.accuracy(label) for world in worlds])


def test_tuned_accuracy(both, same):
    panel, plain = both
    statistic = TunedAccuracy()
    for label in LABELS:
        estimate = statistic.value(panel, panel.scores(label))
        value, tie = plain.tuned(label)
        same([estimate.value, estimate.tie], [value, tie])
        # The threshold that is reported gives the accuracy that is reported.
        same([estimate.value], [plain.accuracy(label, tie=estimate.tie)])
        assert estimate.value > PairAccuracy().value(panel, panel.scores(label)).value - 1e-9
        drawn = statistic.resample_values(panel, panel.scores(label), Draws(REPLICATES, 2))
        same(drawn, [plain.tuned(label, plain.poisson(2, b))[0] for b in range(REPLICATES)])
    estimate = statistic.exchange_scores(
        panel, panel.scores("coarse"), panel.scores("ter"), Draws(REPLICATES, 6)
    )
    worlds = [plain.exchanged_sources("coarse", "ter", 6, b, keeps=1) for b in range(REPLICATES)]
    for values, label in zip(estimate, "ab", strict=True):
        same(values, [world.tuned(label)[0] for world in worlds])


def test_tuned_accuracy_by_hand(twin):
    # People tie b and c. Differences 0.4 (a-b), 0.5 (a-c) and 0.1 (b-c): a threshold of 0.1 gets all.
    facts = [
        twin.Fact("1", (name,), {"A": gold}, {"m": score})
        for name, gold, score in (("a", 1.0, 0.0), ("b", 2.0, 0.5), ("c", 2.0, 0.75))
    ]
    panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
    assert PairAccuracy().value(panel, panel.scores("m")).value == pytest.approx(2 / 3)
    estimate = TunedAccuracy().value(panel, panel.scores("m"))
    assert (estimate.value, estimate.tie) == (1.0, 0.25)


@pytest.mark.parametrize(
    "statistic", [PairAccuracy(), TunedAccuracy(), *(WMTKendall(variant=each) for each in VARIANTS)]
)
def test_degenerate(twin, statistic):
    def found(cells):
        facts = [
            twin.Fact(segment, (name,), {"A": gold}, {"m": score})
            for segment, name, gold, score in cells
        ]
        panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
        value = statistic.value(panel, panel.scores("m"))
        drawn = statistic.resample_values(panel, panel.scores("m"), Draws(20))
        assert np.isnan(drawn).all() == (value.value is None)
        one, two = statistic.exchange_scores(panel, *[panel.scores("m")] * 2, Draws(20))
        np.testing.assert_array_equal(one, two)
        return value

    kendall = isinstance(statistic, WMTKendall)
    alone = found([("1", "a", 1.0, 0.5), ("2", "a", 2.0, 0.7)])
    reason = "people order no pair" if kendall else "no source has two candidates"
    assert (alone.value, alone.pairs, alone.reason) == (None, 0, reason)
    flat = found([("1", "a", 1.0, 0.5), ("1", "b", 2.0, 0.5)])
    if kendall:
        expected = {"kendall-wmt12": -1.0, "kendall-wmt13": None, "kendall-wmt14": 0.0}[statistic.name]
        assert flat.value == expected
        assert flat.reason == ("the metric ties all pairs" if expected is None else "")
    else:
        assert flat.value == 0.0
    equal = found([("1", "a", 2.0, 0.5), ("1", "b", 2.0, 0.7)])
    if kendall:
        assert (equal.value, equal.reason) == (None, "people order no pair")
    else:
        assert (equal.value, equal.tie) == (
            (0.0, None) if statistic.name == "accuracy" else (1.0, pytest.approx(0.2))
        )


def test_pairs_have_all_and_only_candidates_of_a_source(both):
    panel, plain = both
    pairs = rated_pairs(panel)
    assert len(pairs.left) == len(plain.pairs())
    assert (panel.segment[pairs.left] == panel.segment[pairs.right]).all()
    assert len(set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))) == len(pairs.left)
    nothing = pairs_within(*(np.zeros(0, np.int64),) * 2, np.zeros(0), np.zeros(0, np.int64))
    assert len(nothing.left) == 0


def test_threads(both):
    panel, _ = both
    a, b = panel.scores("near"), panel.scores("coarse")
    for statistic in (WMTKendall(), PairAccuracy(), TunedAccuracy()):
        one, three = (
            np.array(
                [
                    statistic.resample_values(panel, a, Draws(80, 7, threads)),
                    *statistic.exchange_scores(panel, a, b, Draws(80, 7, threads)),
                ]
            )
            for threads in (1, 3)
        )
        np.testing.assert_array_equal(one, three)


def test_errors():
    with pytest.raises(SettingError, match="unknown variant of Kendall's tau 'wmt15'; did you mean"):
        WMTKendall(variant="wmt15")
    for wrong in (-1.0, float("nan")):
        with pytest.raises(SettingError, match="difference: expected a number from 0, found"):
            WMTKendall(difference=wrong)


def test_rankings_have_no_difference(rankings):
    path, _, scores = rankings
    panel = panels(with_metric(read_evalset(path), scores), "rank", ["m"])[0]
    with pytest.raises(SettingError, match="rankings have an order only"):
        WMTKendall(difference=1).value(panel, panel.scores("m"))
