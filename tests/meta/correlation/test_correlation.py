"""Tables of correlations: means over groups, tests between metrics, clusters, settings."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from paragauge.errors import InputError, SettingError
from paragauge.meta.correlation.coefficients import COEFFICIENTS
from paragauge.meta.correlation.correlation import (
    STATISTICS,
    VIEWS,
    CorrelationSettings,
    correlate,
    statistic,
)
from paragauge.meta.correlation.repeated_documents import Documents, document_correlations
from paragauge.meta.correlation.statistic import Draws
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.panel import panels
from paragauge.meta.significance.multiple_comparisons import correct_p_values
from paragauge.meta.significance.williams import williams_p
from paragauge.metrics.base import Metric

LABELS = ("near", "coarse", "ter")
KNOWN = [
    *((name, view) for name in COEFFICIENTS for view in VIEWS),
    *((f"kendall-wmt{year}", "by-source") for year in (12, 13, 14)),
    ("accuracy", "by-source"),
    ("accuracy", "system"),
    ("accuracy-tuned", "by-source"),
    ("soft-accuracy", "system"),
]
FAST = {"bootstrap": 40, "draws": 40, "seed": 3}


@pytest.fixture
def grouped(twin):
    """Two groups with the same names of segments and systems."""
    return twin.evalset(twin.facts(21, segments=10, groups=("x", "y")), lower=["ter"])


@pytest.mark.parametrize(("name", "view"), KNOWN)
def test_values_are_means_over_groups(grouped, same, name, view):
    test = "none" if name == "soft-accuracy" else "permutation"
    correlations = correlate(grouped, "overall", LABELS, CorrelationSettings(name, view, test, **FAST))
    parts = panels(grouped, "overall", LABELS)
    chosen = statistic(name, view)
    if name == "soft-accuracy":
        chosen = dataclasses.replace(chosen, seed=3)
    assert [row.value for row in correlations.rows] == sorted(
        (row.value for row in correlations.rows), reverse=True
    )
    for row in correlations.rows:
        values = [chosen.value(part, part.scores(row.metric)).value for part in parts]
        same([row.value], [np.mean(values)])
        assert [each.value for each in row.groups.values()] == values
        draws = Draws(40, 3)
        lists = [chosen.resample_values(part, part.scores(row.metric), draws) for part in parts]
        drawn = np.mean(lists, axis=0)
        same(row.resampled, drawn)
        same([row.low, row.high], np.nanquantile(drawn, [0.025, 0.975]))
    for one in correlations.differences:
        observed, trials = 0.0, np.zeros(40)
        for part in parts:
            a, b = part.scores(one.metric), part.scores(one.other)
            observed += (chosen.value(part, a).value - chosen.value(part, b).value) / 2
            first, second = chosen.exchange_scores(part, a, b, Draws(40, 3, exchange="segments"))
            trials += (first - second) / 2
        reached = sum(math.isnan(each) or abs(each) >= abs(observed) - 1e-9 for each in trials)
        same([one.difference, one.p], [observed, (1 + reached) / 41])
        same(
            [one.low, one.high],
            np.nanquantile(
                correlations[one.metric].resampled - correlations[one.other].resampled, [0.025, 0.975]
            ),
        )


def test_the_data_of_one_group_is_the_group_alone(grouped, twin, same):
    facts = twin.facts(21, segments=10, groups=("x", "y"))
    alone = twin.evalset([fact for fact in facts if fact.group == "x"], lower=["ter"])
    for name, view in KNOWN[:4]:
        settings = CorrelationSettings(name, view, "none", bootstrap=0)
        whole = correlate(grouped, "overall", LABELS, settings)
        part = correlate(alone, "overall", LABELS, settings)
        only = correlate(grouped.only_group("x"), "overall", LABELS, settings)
        for label in LABELS:
            expected = whole[label].groups["x"].value
            same([part[label].value, only[label].value], [expected, expected])


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "fdr", "none"])
def test_bootstrap_test_and_correction(grouped, correction):
    settings = CorrelationSettings(test="bootstrap", correction=correction, alpha=0.3, **FAST)
    correlations = correlate(grouped, "overall", LABELS, settings)
    raw = []
    for one in correlations.differences:
        trials = correlations[one.metric].resampled - correlations[one.other].resampled
        reached = np.abs(trials - trials.mean()) >= abs(one.difference) - 1e-9
        assert one.p == pytest.approx((reached.sum() + 1) / 41)
        raw.append(one.p)
    assert [one.p_corrected for one in correlations.differences] == pytest.approx(
        correct_p_values(raw, correction)
    )
    assert [one.significant for one in correlations.differences] == [
        one.p_corrected < 0.3 for one in correlations.differences
    ]


def williams_of(x, y, h):
    rows = [float(np.corrcoef(*pair)[0, 1]) for pair in ((x, h), (y, h), (x, y))]
    return williams_p(*rows, len(h))


def test_williams(twin):
    facts = twin.facts(22, segments=15, systems="abcdef")
    judged = twin.evalset(facts, lower=["ter"])
    plain = twin.plain(facts, LABELS, lower=["ter"])[""]
    correlations = correlate(
        judged, "overall", LABELS, CorrelationSettings(test="williams", bootstrap=0)
    )
    scores = {label: [item.scores[label] for item in plain.items] for label in LABELS}
    gold = [item.gold for item in plain.items]
    for one in correlations.differences:
        assert one.p == pytest.approx(
            williams_of(scores[one.metric], scores[one.other], gold), abs=1e-9
        )
    correlations = correlate(
        judged, "overall", LABELS, CorrelationSettings(view="system", test="williams", bootstrap=0)
    )
    for one in correlations.differences:
        x, y, h = (plain.system_means(label) for label in (one.metric, one.other, None))
        assert one.p == pytest.approx(williams_of(x, y, h), abs=1e-9)


def test_documents(twin):
    judged = twin.evalset(twin.facts(23, segments=20, systems="abcde"), lower=["ter"])
    documents = Documents(12, 8, 5)
    settings = CorrelationSettings("spearman", "system", "documents", bootstrap=0, documents=documents)
    correlations = correlate(judged, "overall", LABELS, settings)
    lists = document_correlations(panels(judged, "overall", LABELS)[0], LABELS, documents, "spearman")
    assert len(correlations.differences) == 3
    for one in correlations.differences:
        expected = stats.ttest_rel(lists[one.metric], lists[one.other])
        assert one.p == pytest.approx(expected.pvalue, abs=1e-9)
        change = lists[one.metric] - lists[one.other]
        assert one.difference == pytest.approx(change.mean(), abs=1e-12)
        bounds = expected.confidence_interval(0.95)
        assert (one.low, one.high) == (pytest.approx(bounds.low), pytest.approx(bounds.high))


@pytest.mark.parametrize("groups", [("",), ("x", "y")])
def test_the_value_by_documents_is_the_mean_over_documents(twin, groups):
    """Each document counted segment by segment, in plain Python; in groups, the mean over them."""
    facts = [
        dataclasses.replace(fact, group=group)
        for seed, group in enumerate(groups, 23)
        for fact in twin.facts(seed, segments=20, systems="abcde")
    ]
    judged = twin.evalset(facts, lower=["ter"])
    documents = Documents(12, 8, 5)
    settings = CorrelationSettings(view="system", test="documents", documents=documents, level=0.9)
    correlations = correlate(judged, "overall", LABELS, settings)
    plain = twin.plain(facts, LABELS, lower=["ter"])
    for label in LABELS:
        lists = []
        for group in groups:
            segments, rng = plain[group].segments, np.random.default_rng(5)
            values = []
            for _ in range(8):
                drawn = set(rng.choice(segments, 12, replace=False).tolist())
                times = {segment: int(segment in drawn) for segment in segments}
                x, y = (plain[group].system_means(name, times) for name in (label, None))
                values.append(twin.correlation(x, y, "pearson"))
            lists.append(values)
            assert correlations[label].groups[group].value == pytest.approx(np.mean(values), abs=1e-9)
        means = np.mean(lists, axis=0)
        row = correlations[label]
        assert row.by_document == pytest.approx(means, abs=1e-9)
        assert row.value == pytest.approx(means.mean(), abs=1e-9)
        bounds = stats.t.interval(0.9, 7, means.mean(), stats.sem(means))
        assert (row.low, row.high) == (pytest.approx(bounds[0]), pytest.approx(bounds[1]))
    whole = correlate(judged, "overall", LABELS, CorrelationSettings(view="system", bootstrap=0))
    assert all(whole[label].value != correlations[label].value for label in LABELS)


def test_a_constant_metric_has_no_mean_over_documents(twin):
    facts = [
        dataclasses.replace(fact, scores={**fact.scores, "flat": 1.0})
        for fact in twin.facts(23, segments=20, systems="abcde")
    ]
    settings = CorrelationSettings(view="system", test="documents", documents=Documents(12, 3))
    correlations = correlate(twin.evalset(facts), "overall", ["near", "flat"], settings)
    assert correlations.rows[-1].metric == "flat"
    assert (correlations["flat"].value, correlations["flat"].reason) == (None, "the metric is constant")
    assert correlations["near"].value is not None
    assert correlations.differences == []


@pytest.mark.parametrize("view", ["pooled", "by-source", "system"])
def test_p_is_uniform_without_a_difference(twin, view):
    """Two equally good metrics: p is below 0.2 in about a fifth of the trials."""
    rng = np.random.default_rng(31)
    low, trials = 0, 150
    for _ in range(trials):
        facts = []
        for segment in range(15):
            for system in "abcdef":
                true = rng.normal()
                scores = {"m": true + rng.normal(), "n": 10 * (true + rng.normal())}
                facts.append(twin.Fact(str(segment), (system,), {"A": true + rng.normal()}, scores))
        settings = CorrelationSettings(view=view, bootstrap=0, draws=99, threads=1)
        low += correlate(twin.evalset(facts), "overall", None, settings).differences[0].p < 0.2
    # Four standard errors of a share.
    assert low / trials == pytest.approx(0.2, abs=4 * math.sqrt(0.16 / trials))


def test_a_clear_difference_is_found(twin):
    facts = [
        twin.Fact(str(i), (), {"A": float(i % 5)}, {"good": i % 5 + 0.1 * (i % 3), "bad": float(i % 7)})
        for i in range(100)
    ]
    judged = twin.evalset(facts)
    for test in ("permutation", "bootstrap", "williams"):
        correlations = correlate(
            judged, "overall", None, CorrelationSettings(test=test, bootstrap=200, draws=200)
        )
        (one,) = correlations.differences
        assert (one.metric, one.other, one.significant) == ("good", "bad", True)
        assert one.low > 0
        assert correlations.clusters == {"good": 1, "bad": 2}


@pytest.mark.parametrize(("name", "view"), [known for known in KNOWN if known[0] != "soft-accuracy"])
def test_resamples_are_paired(twin, name, view):
    """A metric and its double: no difference in any resample or draw."""
    facts = twin.facts(24, missing=0.05)
    facts = [
        dataclasses.replace(fact, scores={"m": fact.scores["near"], "twice": 2 * fact.scores["near"]})
        for fact in facts
    ]
    for test in ("permutation", "bootstrap"):
        (one,) = correlate(
            twin.evalset(facts), "overall", None, CorrelationSettings(name, view, test, **FAST)
        ).differences
        assert (one.difference, one.low, one.high) == (
            pytest.approx(0),
            pytest.approx(0),
            pytest.approx(0),
        )
        assert (one.p, one.significant) == (1, False)


def test_undefined_metrics_rank_last_and_are_in_no_comparison(twin):
    facts = [
        dataclasses.replace(fact, scores={"flat": 1.0, **fact.scores})
        for fact in twin.facts(25, groups=("x", "y"))
    ]
    correlations = correlate(
        twin.evalset(facts), "overall", ["flat", "near", "coarse"], CorrelationSettings(**FAST)
    )
    last = correlations.rows[-1]
    assert (last.metric, last.value, last.low, last.high) == ("flat", None, None, None)
    assert last.reason == "x: the metric is constant; y: the metric is constant"
    assert "flat" not in correlations.clusters
    assert [(one.metric, one.other) for one in correlations.differences] == [
        (correlations.rows[0].metric, correlations.rows[1].metric)
    ]


def test_a_metric_that_is_undefined_in_one_group_has_no_mean(twin):
    facts = [
        dataclasses.replace(
            fact, scores={"half": 1.0 if fact.group == "x" else fact.scores["near"], **fact.scores}
        )
        for fact in twin.facts(26, groups=("x", "y"))
    ]
    row = correlate(twin.evalset(facts), "overall", ["half"], CorrelationSettings(**FAST)).rows[0]
    assert (row.value, row.reason) == (None, "x: the metric is constant")
    assert row.groups["y"].value is not None


def test_one_metric_has_no_comparison(grouped):
    correlations = correlate(grouped, "overall", ["near"], CorrelationSettings(**FAST))
    assert (correlations.differences, correlations.clusters) == ([], {"near": 1})
    assert len(correlate(grouped, "overall", ["near", "near"], CorrelationSettings(**FAST)).rows) == 1


def test_judges_and_conditions(twin, same):
    facts = twin.facts(27)
    judged = twin.evalset(facts, lower=["ter"])
    plain = twin.plain(facts, LABELS, lower=["ter"], judge="B")[""]
    correlations = correlate(
        judged, "overall", LABELS, CorrelationSettings(test="none", bootstrap=0), judge="B"
    )
    same([correlations["ter"].value], [plain.pooled("ter", "pearson")])
    assert (correlations.judge, correlations.items) == ("B", len(plain.items))
    where = "near>0 and not ter>=60"
    selected = [fact for fact in facts if fact.scores["near"] > 0 and not fact.scores["ter"] >= 60]
    expected = correlate(
        twin.evalset(selected, lower=["ter"]), "overall", LABELS, CorrelationSettings(**FAST)
    ).rows
    correlations = correlate(
        judged, "overall", LABELS, CorrelationSettings(bootstrap=0, test="none"), where=where
    )
    same([correlations[row.metric].value for row in expected], [row.value for row in expected])


def test_ranks_as_criterion(twin, same):
    facts = twin.facts(28)
    turned = [
        dataclasses.replace(fact, ratings={judge: -value for judge, value in fact.ratings.items()})
        for fact in facts
    ]
    settings = CorrelationSettings("kendall", "by-source", "none", bootstrap=0)
    expected = correlate(twin.evalset(facts), "overall", LABELS, settings)
    correlations = correlate(twin.evalset(turned, criterion="rank"), "rank", LABELS, settings)
    same([correlations[label].value for label in LABELS], [expected[label].value for label in LABELS])


def test_soft_accuracy_follows_the_seed(grouped):
    values = {
        seed: correlate(
            grouped,
            "overall",
            ["near"],
            CorrelationSettings("soft-accuracy", "system", "none", bootstrap=0, seed=seed),
        )
        .rows[0]
        .value
        for seed in (7, 8)
    }
    assert values[7] != values[8]
    correlations = correlate(
        grouped,
        "overall",
        ["near"],
        CorrelationSettings("soft-accuracy", "system", "bootstrap", bootstrap=1000),
    )
    # No more resamples were drawn than this, and the result says so.
    assert correlations.bootstrap == 100


@pytest.mark.parametrize(("name", "view"), KNOWN)
def test_threads(grouped, name, view):
    test = "bootstrap" if name == "soft-accuracy" else "permutation"
    one, three = (
        correlate(
            grouped, "overall", LABELS, CorrelationSettings(name, view, test, threads=threads, **FAST)
        )
        for threads in (1, 3)
    )
    assert one.differences == three.differences
    for a, b in zip(one.rows, three.rows, strict=True):
        np.testing.assert_array_equal(a.resampled, b.resampled)


def test_steps_are_announced(grouped):
    words = []
    correlate(grouped, "overall", LABELS, CorrelationSettings(**FAST), step=words.append)
    assert words[:3] == ["pearson of near", "pearson of coarse", "pearson of ter"]
    assert len(words) == 3 + 3
    assert " against " in words[-1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"statistic": "pearsn"}, "unknown statistic 'pearsn'; did you mean 'pearson'"),
        ({"view": "system-level"}, "unknown view 'system-level'; did you mean 'system'"),
        (
            {"statistic": "kendall-wmt14"},
            "kendall-wmt14 has no view 'pooled'; its only view is by-source",
        ),
        (
            {"statistic": "soft-accuracy", "test": "none"},
            "soft-accuracy has no view 'pooled'; its only view is system",
        ),
        (
            {"statistic": "accuracy"},
            "accuracy has no view 'pooled'; its views are by-source and system",
        ),
        ({"test": "t-test"}, "unknown test 't-test'"),
        ({"correction": "holmes"}, "unknown correction 'holmes'; did you mean 'holm'"),
        ({"constant": "nil"}, "unknown policy for constant metrics 'nil'"),
        ({"view": "system", "resample": "all"}, "unknown way to resample 'all'"),
        ({"alpha": 1.0}, "expected alpha between 0 and 1, found 1.0"),
        ({"level": 95}, "expected a level between 0 and 1, found 95"),
        ({"bootstrap": -1}, "resamples: expected a whole number from 0"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        (
            {"test": "williams", "statistic": "kendall"},
            "Williams' test is for Pearson, pooled or system",
        ),
        ({"test": "williams", "view": "by-source"}, "Williams' test is for Pearson, pooled or system"),
        ({"test": "documents"}, "by documents is for coefficients in the view 'system'; choose it"),
        ({"test": "bootstrap", "bootstrap": 0}, "the bootstrap test needs resamples"),
        ({"draws": 0}, "draws: expected a whole number from 1"),
        ({"exchange": "systems"}, "unknown unit of exchange 'systems'"),
    ],
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(SettingError, match=message):
        CorrelationSettings(**settings)


def test_data_that_cannot_be(grouped, twin):
    with pytest.raises(InputError, match="expected at least one metric to correlate, found none"):
        correlate(dataclasses.replace(grouped, scores={}), "overall")
    with pytest.raises(
        SettingError, match="Williams' test is for data without groups; choose one group"
    ):
        correlate(grouped, "overall", LABELS, CorrelationSettings(test="williams", bootstrap=0))
    with pytest.raises(KeyError):
        correlate(grouped, "overall", LABELS, CorrelationSettings(test="none", bootstrap=0))["bleu"]
    few = twin.evalset(twin.facts(1, systems="abc"))
    with pytest.raises(InputError, match="Williams' test needs at least 4 items, found 3"):
        correlate(
            few, "overall", LABELS, CorrelationSettings(view="system", test="williams", bootstrap=0)
        )


def test_every_statistic_is_tested_here():
    assert {name for name, _ in KNOWN} == set(STATISTICS)
    assert {view for _, view in KNOWN} == set(VIEWS)


@pytest.mark.parametrize(
    ("year", "bleu", "chrf"), [("newstest2015", 0.520, 0.585), ("newstest2016", 0.488, 0.542)]
)
def test_direct_assessment_of_wmt(benchmark_data, year, bleu, chrf):
    """Mean Pearson over language pairs of sentence BLEU and chrF with direct assessment."""
    judged = read_evalset(benchmark_data / "wmt_da" / f"{year}.tsv.gz")
    judged = judged.score_with(Metric.from_specs(["bleu,chrf"]))
    correlations = correlate(judged, "human", None, CorrelationSettings(test="none", bootstrap=0))
    assert correlations["bleu"].value == pytest.approx(bleu, abs=0.005)
    assert correlations["chrf"].value == pytest.approx(chrf, abs=0.005)
