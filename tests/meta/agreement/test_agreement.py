"""Agreement of a whole set: against independent implementations, and where it is undefined."""

from __future__ import annotations

import dataclasses

import krippendorff
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from paragauge.errors import InputError, SettingError
from paragauge.meta.agreement import agreement
from paragauge.meta.agreement.agreement import AgreementSettings, agree, criterion_agreement
from paragauge.meta.agreement.judges import z_normalize
from paragauge.meta.correlation.coefficients import COEFFICIENTS
from paragauge.meta.measure import Bootstrap
from paragauge.meta.sets.evalset_builder import Builder, build
from paragauge.meta.sets.evalset_files import read_evalset

FAST = AgreementSettings(bootstrap=Bootstrap(0))
SYSTEMS = ("human1", "human2", "machine1", "machine2")


def table(judges=3, segments=30, *, missing=0.0, seed=1):
    """Ratings of four systems on a five-point scale, [judges, segments, systems]; NaN is missing."""
    random = np.random.default_rng(seed)
    quality = random.normal(np.array([4, 3.5, 2.5, 2]), 0.8, (segments, 4))
    noise = random.normal(0, 0.9, (judges, segments, 4))
    values = np.clip(np.round(quality + noise), 1, 5)
    values[random.random(values.shape) < missing] = np.nan
    return values


def evalset(values, criterion="overall"):
    rows = []
    for segment in range(values.shape[1]):
        for system in range(values.shape[2]):
            for judge in range(values.shape[0]):
                value = float(values[judge, segment, system])
                name = SYSTEMS[system]
                rows.append((str(segment), name, f"Judge {'ABCDEF'[judge]}", {criterion: value}))
    return build(rows)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_pairs_equal_scipy_and_scikit_learn(missing):
    values = table(missing=missing)
    agreement = criterion_agreement(evalset(values), "overall", FAST)
    assert [(pair.judge, pair.other) for pair in agreement.pairs] == [
        ("Judge A", "Judge B"),
        ("Judge A", "Judge C"),
        ("Judge B", "Judge C"),
    ]
    for pair, (a, b) in zip(agreement.pairs, [(0, 1), (0, 2), (1, 2)], strict=True):
        both = ~np.isnan(values[a]) & ~np.isnan(values[b])
        x, y = values[a][both], values[b][both]
        assert pair.sentence.n == both.sum()
        assert pair.sentence.value == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-9)
        means = [[v[both[:, s], s].mean() for s in range(4)] for v in (values[a], values[b])]
        expected = scipy.stats.pearsonr(*means).statistic
        assert (pair.system.value, pair.system.n) == (pytest.approx(expected, abs=1e-9), 4)
        assert pair.agreement.value == pytest.approx(np.mean(x == y))
        for weights, one in pair.kappa.items():
            name = None if weights == "none" else weights
            expected = cohen_kappa_score(x.astype(int), y.astype(int), weights=name, labels=range(1, 6))
            assert one.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("missing", [0.0, 0.5, 0.95])
def test_many_judges_have_the_same_values(monkeypatch, missing, coefficient, own):
    values = table(6, 12, missing=missing)
    values[2] = np.where(np.isnan(values[2]), np.nan, 3.0)
    options = AgreementSettings(coefficient, "own" if own else "common", bootstrap=Bootstrap(0))
    for judged in (evalset(values), evalset(values + np.arange(12.0)[None, :, None])):
        few = criterion_agreement(judged, "overall", options)
        with monkeypatch.context() as patch:
            patch.setattr(agreement, "MOST_JUDGES", 2)
            many = criterion_agreement(judged, "overall", options)
        assert many.apart == few.apart
        assert len(many.pairs) == len(few.pairs) - few.apart
        together = [pair for pair in few.pairs if pair.sentence.n]
        for one, other in zip(many.pairs, together, strict=True):
            assert (one.judge, one.other) == (other.judge, other.other)
            for mine, theirs in zip(measures(one), measures(other), strict=True):
                assert (mine.n, mine.reason) == (theirs.n, theirs.reason)
                assert mine.value == (None if mine.reason else pytest.approx(theirs.value, abs=1e-9))


def measures(pair):
    return [pair.sentence, pair.system, pair.agreement, *pair.kappa.values()]


def test_many_judges_and_rankings(monkeypatch):
    builder = Builder()
    random = np.random.default_rng(4)
    for segment in range(8):
        number = builder.segment(str(segment))
        for judge in "ABCD":
            for name in random.permutation(SYSTEMS)[:3]:
                item = builder.item(number, [str(name)])
                rank = float(random.integers(1, 4))
                builder.rating(item, judge, {"rank": rank}, (f"{segment}{judge}",))
    judged = builder.done()
    few = criterion_agreement(judged, "rank", FAST)
    monkeypatch.setattr(agreement, "MOST_JUDGES", 2)
    many = criterion_agreement(judged, "rank", FAST)
    for one, other in zip(many.pairs, few.pairs, strict=True):
        for mine, theirs in zip(measures(one), measures(other), strict=True):
            assert (mine.n, mine.reason) == (theirs.n, theirs.reason)
            assert mine.value == (None if mine.reason else pytest.approx(theirs.value, abs=1e-9))


def test_more_judges_than_pairs_can_be_looked_at():
    # 1500 judges with 20 ratings each; every item has two or three of them.
    random = np.random.default_rng(2)
    judged = build([("1", "mine", "A", {"overall": 1.0})])
    ratings, items = 30_000, 12_000
    judged = dataclasses.replace(
        judged,
        segments=tuple(map(str, range(items))),
        item_segment=np.arange(items),
        output_item=np.arange(items),
        output_system=np.zeros(items, np.int64),
        judges=tuple(f"J{i}" for i in range(1500)),
        rating_item=random.integers(0, items, ratings),
        rating_judge=np.arange(ratings) % 1500,
        rating_task=np.full(ratings, -1),
        ratings={"overall": random.integers(1, 6, ratings).astype(float)},
    )
    agreement = criterion_agreement(judged, "overall", FAST)
    assert agreement.apart + len(agreement.pairs) == 1500 * 1499 // 2
    assert len(agreement.pairs) < 40_000


def criteria_of(**extra):
    rows = []
    for place in range(4):
        for judge in "AB":
            values = {"empty": np.nan, "overall": float(place), "one": np.nan}
            if judge == "A":
                values["one"] = float(place)
            rows.append((str(place), "mine", judge, {**values, **extra}))
    return build(rows)


def test_criteria_that_judges_cannot_agree_on_are_left_out():
    sheet = agree(criteria_of(), settings=FAST)
    assert [one.criterion for one in sheet.criteria] == ["overall"]
    assert sheet.left_out == {
        "empty": "criterion 'empty' has no ratings; every value is missing",
        "one": "criterion 'one': expected at least two judges, found only 'A'; agreement needs a "
        'column that says who rated: --column judge=NAME (in Python columns={"judge": NAME})',
    }
    for name in ("empty", "one"):
        with pytest.raises(InputError, match=f"criterion '{name}'"):
            agree(criteria_of(), [name, "overall"], settings=FAST)
    with pytest.raises(InputError, match="criterion 'empty' has no ratings"):
        agree(criteria_of(overall=np.nan, one=np.nan, empty=np.nan), settings=FAST)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_each_judge_against_the_others(missing):
    values = table(missing=missing)
    for number, one in enumerate(criterion_agreement(evalset(values), "overall", FAST).others):
        rest = np.delete(values, number, axis=0)
        counts = (~np.isnan(rest)).sum(axis=0)
        both = ~np.isnan(values[number]) & (counts > 0)
        theirs = np.nansum(rest, axis=0) / np.maximum(counts, 1)
        x, y = values[number][both], theirs[both]
        assert one.sentence.value == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-9)
        means = [[v[both[:, s], s].mean() for s in range(4)] for v in (values[number], theirs)]
        assert one.system.value == pytest.approx(scipy.stats.pearsonr(*means).statistic, abs=1e-9)
        assert one.ratings == (~np.isnan(values[number])).sum()
        assert one.mean == pytest.approx(np.nanmean(values[number]))


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_alpha_of_all(missing):
    values = table(missing=missing)
    agreement = criterion_agreement(evalset(values), "overall", FAST)
    for level, one in agreement.alpha.items():
        expected = krippendorff.alpha(values.reshape(3, -1), level_of_measurement=level)
        assert one.value == pytest.approx(expected, abs=1e-9)


def test_counts():
    values = table(missing=0.4)
    agreement = criterion_agreement(evalset(values), "overall", FAST)
    known = (~np.isnan(values)).sum(axis=0)
    assert (agreement.ratings, agreement.missing) == (known.sum(), values.size - known.sum())
    assert (agreement.items, agreement.shared) == ((known > 0).sum(), (known > 1).sum())
    assert agreement.systems == SYSTEMS
    assert agreement.categories == 5


def test_own_system_means():
    values = table(missing=0.4)
    agreement = criterion_agreement(
        evalset(values), "overall", AgreementSettings(system_means="own", bootstrap=Bootstrap(20))
    )
    expected = scipy.stats.pearsonr(*(np.nanmean(values[j], axis=0) for j in (0, 1))).statistic
    assert agreement.pairs[0].system.value == pytest.approx(expected, abs=1e-9)
    assert agreement.pairs[0].system.low is not None
    common = criterion_agreement(evalset(values), "overall", FAST).pairs[0].system.value
    assert agreement.pairs[0].system.value != common
    complete = evalset(table())
    same = [
        criterion_agreement(
            complete, "overall", AgreementSettings(system_means=means, bootstrap=Bootstrap(0))
        )
        .pairs[0]
        .system
        for means in ("common", "own")
    ]
    assert same[0] == same[1]


def test_intervals_hold_the_value():
    agreement = criterion_agreement(
        evalset(table()), "overall", AgreementSettings(bootstrap=Bootstrap(200))
    )
    for one in [
        *(p.sentence for p in agreement.pairs),
        *(o.sentence for o in agreement.others),
        *agreement.alpha.values(),
    ]:
        assert one.low < one.value < one.high


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_threads_do_not_matter(coefficient):
    agreements = [
        criterion_agreement(
            evalset(table(segments=8)),
            "overall",
            AgreementSettings(coefficient=coefficient, bootstrap=Bootstrap(50, threads=threads)),
        )
        for threads in (1, 2)
    ]
    assert agreements[0] == agreements[1]


def test_z_normalized_serves_correlations_and_interval_alpha():
    values = table()
    values[0] = values[0] / 2 + 2  # another use of the scale
    judged = evalset(values)
    plain = criterion_agreement(judged, "overall", FAST)
    agreement = criterion_agreement(
        judged, "overall", AgreementSettings(z_normalize=True, bootstrap=Bootstrap(0))
    )
    assert agreement.pairs[0].sentence.value == pytest.approx(plain.pairs[0].sentence.value)
    assert agreement.pairs[0].kappa == plain.pairs[0].kappa
    assert agreement.alpha["ordinal"] == plain.alpha["ordinal"]
    scaled = z_normalize(judged, "overall").ratings["overall"].reshape(-1, 3).T
    expected = krippendorff.alpha(scaled, level_of_measurement="interval")
    assert agreement.alpha["interval"].value == pytest.approx(expected, abs=1e-9)
    assert agreement.alpha["interval"].value > plain.alpha["interval"].value
    assert agreement.others[0].mean == pytest.approx(values[0].mean())


def test_z_normalization_leaves_constant_judges_out():
    values = table()
    values[1] = 3
    agreement = criterion_agreement(
        evalset(values), "overall", AgreementSettings(z_normalize=True, bootstrap=Bootstrap(0))
    )
    assert agreement.constant == {"Judge B": 120}
    assert agreement.pairs[0].sentence.reason == "no common items"
    assert agreement.judges == ("Judge A", "Judge B", "Judge C")


def test_fine_scales_need_bins():
    random = np.random.default_rng(2)
    values = table() * 20 - random.integers(0, 20, (3, 30, 4))
    agreement = criterion_agreement(evalset(values), "overall", FAST)
    reason = f"{agreement.categories} different ratings are no categories; cut them into bins"
    for one in (
        agreement.fleiss,
        agreement.agreement,
        agreement.alpha["nominal"],
        *agreement.pairs[0].kappa.values(),
    ):
        assert (one.value, one.reason) == (None, reason)
    assert agreement.alpha["interval"].value is not None
    cut = criterion_agreement(
        evalset(values), "overall", AgreementSettings(bins=4, bootstrap=Bootstrap(0))
    )
    assert cut.categories == 4
    low, high = values.min(), values.max()
    bins = np.minimum(np.floor((values - low) / (high - low) * 4), 3).astype(int)
    expected = cohen_kappa_score(bins[0].ravel(), bins[1].ravel())
    assert cut.pairs[0].kappa["none"].value == pytest.approx(expected, abs=1e-9)
    assert cut.alpha["interval"] == agreement.alpha["interval"]


def test_degenerate_judges():
    values = table()
    values[1] = 3  # B always says the same
    values[2, :, :] = np.nan
    values[2, 0, 0] = 2  # C rated one item
    agreement = criterion_agreement(
        evalset(values), "overall", AgreementSettings(bootstrap=Bootstrap(20))
    )
    a_b, a_c, _ = agreement.pairs
    assert a_b.sentence.reason == "Judge B: the same value for all items"
    assert a_b.system.reason == "Judge B: the same value for all systems"
    assert a_b.kappa["none"].value == pytest.approx(0)
    assert a_c.sentence.reason == "fewer than 3 common items"
    assert a_c.system.reason == "fewer than 3 common systems"


def test_no_common_items():
    values = table(judges=2)
    values[0, :15], values[1, 15:] = np.nan, np.nan
    agreement = criterion_agreement(evalset(values), "overall")
    (pair,) = agreement.pairs
    everything = [pair.sentence, pair.agreement, *pair.kappa.values()]
    assert {one.reason for one in everything} == {"no common items"}
    assert pair.system.reason == "no common systems"
    assert agreement.fleiss.reason == agreement.alpha["interval"].reason == "no item has two ratings"
    assert (agreement.shared, agreement.items) == (0, 120)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            table(judges=1),
            "criterion 'overall': expected at least two judges, found only 'Judge A'",
        ),
        (np.full((2, 3, 4), np.nan), "criterion 'overall' has no ratings; every value is missing"),
    ],
)
def test_nothing_to_agree_on(values, message):
    with pytest.raises(InputError) as caught:
        criterion_agreement(evalset(values), "overall")
    assert str(caught.value).startswith(message)


def test_ratings_without_a_judge():
    rows = [(str(i), "s", "", {"overall": 1.0}) for i in range(3)]
    with pytest.raises(InputError) as caught:
        criterion_agreement(build(rows), "overall")
    assert "expected at least two judges, found ratings without a judge" in str(caught.value)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from("xyz"),
            st.sampled_from("ABC"),
            st.sampled_from([1.0, 2.0, 3.0, np.nan]),
        ),
        max_size=40,
    )
)
@settings(max_examples=60)
def test_any_ratings_give_numbers_or_reasons(rows):
    judged = build([(str(seg), sys, judge, {"overall": value}) for seg, sys, judge, value in rows])
    if "overall" not in judged.ratings:
        return
    try:
        agreement = criterion_agreement(judged, "overall", AgreementSettings(bootstrap=Bootstrap(10)))
    except InputError:
        assert len({judge for *_, judge, value in rows if not np.isnan(value)}) < 2
        return
    every = [agreement.agreement, agreement.fleiss, *agreement.alpha.values()]
    for pair in agreement.pairs:
        every += [pair.sentence, pair.system, pair.agreement, *pair.kappa.values()]
    for other in agreement.others:
        every += [other.sentence, other.system]
    for again in agreement.consistency:
        every += [again.pearson, again.kappa]
    for one in every:
        assert (one.value is None) == bool(one.reason)
        for number in (one.value, one.low, one.high):
            assert number is None or np.isfinite(number)


def test_rankings_are_compared_as_preferences():
    builder = Builder()
    tasks = [("A", (1, 2, 3)), ("B", (1, 3, 2)), ("A", (1, 2, 2)), ("B", (2, 1, 1))]
    for number, (judge, ranks) in enumerate(tasks):
        segment = builder.segment(str(number // 2))
        for system, rank in zip("xyz", ranks, strict=True):
            builder.rating(builder.item(segment, [system]), judge, {"rank": float(rank)}, (number,))
    agreement = criterion_agreement(builder.done(), "rank", FAST)
    assert agreement.preferences
    assert agreement.categories == 3
    # x-y, x-z, y-z: A says 1 1 1 and then 1 1 0; B says 1 1 -1 and then -1 -1 0.
    first, second = [1, 1, 1, 1, 1, 0], [1, 1, -1, -1, -1, 0]
    assert agreement.pairs[0].kappa["none"].value == pytest.approx(cohen_kappa_score(first, second))
    assert agreement.agreement.value == pytest.approx(3 / 6)
    expected = scipy.stats.pearsonr([1, 2, 3, 1, 2, 2], [1, 3, 2, 2, 1, 1]).statistic
    assert agreement.pairs[0].sentence.value == pytest.approx(expected)


def test_rankings_of_one_candidate_have_no_preferences():
    builder = Builder()
    for number, judge in enumerate("AB"):
        item = builder.item(builder.segment("1"), ["x"])
        builder.rating(item, judge, {"rank": 1.0}, (number,))
    agreement = criterion_agreement(builder.done(), "rank", FAST)
    assert agreement.fleiss.reason == agreement.alpha["nominal"].reason == "no item has two ratings"
    assert agreement.pairs[0].kappa["none"].reason == "no common items"


def controlled():
    """Three judges, of whom C cannot tell the controls apart."""
    values = table(segments=10)
    rows = []
    for judge, name in enumerate("ABC"):
        for segment in range(10):
            for system in range(4):
                rating = {"overall": values[judge, segment, system], "other": 1.0 + system}
                rows.append((str(segment), SYSTEMS[system], name, rating))
            good, bad = (5.0, 1.0) if name != "C" else (2.0, 2.0)
            rows.append((str(segment), "good", name, {"overall": good, "other": good}))
            rows.append((str(segment), "bad", name, {"overall": bad, "other": bad}))
    return build(rows), values


def test_sheet_leaves_out_controls_and_failed_judges():
    judged, values = controlled()
    sheet = agree(judged, settings=FAST, positive=["good"], negative=["bad"])
    assert [one.criterion for one in sheet.criteria] == ["overall", "other"]
    assert sheet.controls.excluded == ("C",)
    for one in sheet.criteria:
        assert one.judges == ("A", "B")
        assert one.systems == SYSTEMS
    expected = scipy.stats.pearsonr(values[0].ravel(), values[1].ravel()).statistic
    assert sheet.criteria[0].pairs[0].sentence.value == pytest.approx(expected, abs=1e-9)


def test_sheet_without_systems():
    judged, _ = controlled()
    sheet = agree(judged, ["overall"], settings=FAST, exclude_systems=["good", "bad"])
    assert sheet.criteria[0].judges == ("A", "B", "C")
    assert sheet.criteria[0].systems == SYSTEMS
    both = agree(
        judged,
        ["overall"],
        settings=FAST,
        exclude_systems=["bad", "machine2"],
        positive=["good"],
        negative=["bad"],
    )
    assert both.criteria[0].systems == SYSTEMS[:3]


def test_sheet_errors():
    judged, _ = controlled()
    with pytest.raises(InputError) as caught:
        agree(judged, positive=["bad"], negative=["good"])
    assert str(caught.value) == (
        "the controls leave 0 of 3 judges, and agreement needs two; "
        "lower the threshold, or look at the controls"
    )
    for wrong, message in (
        ({"criteria": ["overal"]}, "unknown criterion 'overal'; did you mean 'overall'?"),
        ({"exclude_systems": ["bda"]}, "unknown system 'bda'; did you mean 'bad'?"),
        ({"settings": AgreementSettings(coefficient="r")}, "unknown coefficient 'r'"),
        ({"settings": AgreementSettings(system_means="al")}, "unknown kind of system means 'al'"),
        ({"settings": AgreementSettings(bins=1)}, "bins: expected a whole number from 2, found 1"),
        (
            {"settings": AgreementSettings(bootstrap=Bootstrap(level=95))},
            "expected a level between 0 and 1",
        ),
        ({"control_criterion": "other"}, "a criterion for the controls needs positive and negative"),
    ):
        with pytest.raises(SettingError) as setting:
            agree(judged, **wrong)
        assert message in str(setting.value)
    with pytest.raises(InputError) as nothing:
        agree(build([("1", "s", "A", {})]))
    assert str(nothing.value) == "expected at least one criterion with ratings, found none"


def test_crowd_ratings(benchmark_data):
    judged = read_evalset(benchmark_data / "parabank" / "ratings.tsv.gz", separator=" ")
    agreement = criterion_agreement(judged, "grammaticality_0_2", FAST)
    assert len(agreement.judges) == 44
    values = np.full((44, judged.items), np.nan)
    judges = {name: number for number, name in enumerate(agreement.judges)}
    for item, judge, value in zip(
        judged.rating_item, judged.rating_judge, judged.ratings["grammaticality_0_2"], strict=True
    ):
        row = judges[judged.judges[judge]]
        if np.isnan(values[row, item]):
            values[row, item] = value
    for level, one in agreement.alpha.items():
        expected = krippendorff.alpha(values, level_of_measurement=level)
        assert one.value == pytest.approx(expected, abs=1e-9)
