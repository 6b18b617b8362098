"""Controls, rules, the comprehension check, aggregation and agreement: pure functions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.collect.campaigns.campaign_settings import Question
from paragauge.collect.campaigns.comprehension import GENERIC, MISSING, check_answers
from paragauge.collect.campaigns.controls import degrade, is_control, make_artificial
from paragauge.collect.quality.control_marking import (
    ControlMark,
    mark_degraded,
    mark_gold,
    mark_repeated,
    mark_words,
    rule_on_history,
)
from paragauge.collect.quality.judgment_aggregates import (
    Judgment,
    aggregate_judgments,
    estimate_dawid_skene,
    measure_reliability,
)
from paragauge.collect.quality.judgment_agreement import measure_agreement, measure_item_agreement
from paragauge.errors import InputError, SettingError

QUICK = settings(max_examples=80, deadline=None)
GOOD, BAD = ControlMark("gold", True), ControlMark("gold", False, "expected 1, found 5")


@QUICK
@given(st.text(min_size=1, max_size=60), st.integers(0, 1000))
def test_degraded_is_another_text_of_the_same_words(text: str, seed: int) -> None:
    degraded = degrade(text, seed=seed)
    assert degraded == degrade(text, seed=seed)
    parts = text.split()
    if parts:
        assert degraded != " ".join(parts)
    if len(parts) > 1:
        assert len(degraded.split()) < len(parts)
        assert set(degraded.split()) <= set(parts)


def test_degraded_text_without_blanks() -> None:
    degraded = degrade("女人在切西红柿", seed=1)
    assert len(degraded) == 5
    assert set(degraded) <= set("女人在切西红柿")
    with pytest.raises(SettingError, match="share: expected a number between 0 and 1"):
        degrade("a b", seed=1, share=1.5)


def test_artificial_controls_are_those_of_the_paper() -> None:
    scales = {"semantic": (1, 4), "Dissimilarity": (0, 100), "style": (1, 5)}
    candidates = make_artificial("a b c", ["a b c", "d e f"], scales)
    assert [candidate["system"] for candidate in candidates] == ["copy", "random", "unigram"]
    assert candidates[0]["text"] == "a b c"
    assert candidates[0]["expected"] == {"semantic": 4, "Dissimilarity": 0}
    assert candidates[1]["expected"] == {"semantic": 1, "Dissimilarity": 100}
    assert all(is_control(candidate) for candidate in candidates)


def test_marks() -> None:
    assert mark_gold({"0": {"a": 3}}, {"0": {"a": 4}}).passed
    assert mark_gold({"0": {"a": 3}}, {}, 0).reason == "a of candidate 1: expected 3, found nothing"
    assert not mark_repeated({"1": {"a": 1}}, {"1": {"a": 3}}).passed
    both = {"0": {"x": 2, "y": 3}, "1": {"x": 2, "y": 4}}
    assert mark_degraded(both, "0", "1", ["x", "y"]).passed
    assert not mark_degraded(both, "1", "0", ["x", "y"]).passed
    assert not mark_degraded(both, "0", "1", ["x"]).passed
    assert not mark_degraded({}, "0", "1", ["x"]).passed
    assert mark_degraded(
        {"0": {"rank": 5}, "1": {"rank": 1}}, "0", "1", ["rank"], lower_is_better=True
    ).passed
    assert mark_words([], "anything").passed
    assert not mark_words(["Pferd"], "Ein Hund").passed


@QUICK
@given(st.lists(st.booleans(), max_size=20), st.integers(1, 5), st.integers(0, 5), st.integers(0, 4))
def test_rules_only_get_worse_without_forgiveness(
    passes: list[bool], warn: int, more: int, forgive: int
) -> None:
    history = [GOOD if passed else BAD for passed in passes]
    order = ["ok", "warn", "block"]
    limits = {"warn_after": warn, "block_after": warn + more}
    states = [
        order.index(rule_on_history(history[:n], **limits).state) for n in range(len(history) + 1)
    ]
    assert states == sorted(states)
    failures = passes.count(False)
    expected = "block" if failures >= warn + more else "warn" if failures >= warn else "ok"
    assert rule_on_history(history, **limits).state == expected
    kinder = rule_on_history(history, **limits, forgive=forgive).state
    assert order.index(kinder) <= states[-1]


def test_rules_tell_reasons_and_refuse_nonsense() -> None:
    ruling = rule_on_history([BAD, GOOD, BAD])
    assert (ruling.state, ruling.seen, ruling.failed) == ("warn", 3, 2)
    assert ruling.reasons == ("gold: expected 1, found 5",) * 2
    # A block stays, whatever comes after.
    assert (
        rule_on_history([BAD] * 4 + [GOOD] * 9, forgive=1, warn_after=1, block_after=1).state == "block"
    )
    with pytest.raises(SettingError, match="warn_after <= block_after"):
        rule_on_history([], warn_after=3, block_after=2)


ASKED = (
    Question("One sentence?", ("yes", "no"), 0, "Read again: ONE SENTENCE."),
    Question("Sound?", ("on", "off"), 1),
)


def test_comprehension_check() -> None:
    first = check_answers(ASKED, {0: 1})
    assert not first.passed
    assert first.tries_left == 1
    assert first.feedback == {0: "Read again: ONE SENTENCE.", 1: MISSING}
    second = check_answers(ASKED, {0: 0, 1: 0}, tried=1)
    assert second.failed
    assert second.feedback == {1: GENERIC}
    assert check_answers(ASKED, {0: 0, 1: 1}, tried=1).passed
    late = check_answers(ASKED, {0: 0, 1: 1}, tried=2)
    assert late.failed
    assert check_answers((), {}).passed
    with pytest.raises(SettingError, match="tries from 1"):
        check_answers(ASKED, {}, tries=0)


def make_judgments(rows: dict[str, dict[str, float]], criterion: str = "overall") -> list[Judgment]:
    return [
        Judgment(item, "s", worker, criterion, value)
        for worker, values in rows.items()
        for item, value in values.items()
    ]


def test_means_and_reliability() -> None:
    rows = make_judgments({"x": {"1": 5, "2": 1}, "y": {"1": 4, "2": 2}, "z": {"1": 1, "2": 5}})
    first, second = aggregate_judgments(rows)
    assert (first.mean, first.median, first.counts) == (10 / 3, 4, {1: 1, 4: 1, 5: 1})
    assert second.deviation == pytest.approx(2.0817, abs=1e-4)
    judges = {judge.worker: judge for judge in measure_reliability(rows)}
    # x against (4+1)/2 and (2+5)/2.
    assert judges["x"].distance == pytest.approx(2.5)
    assert judges["x"].bias == pytest.approx(0)
    assert judges["z"].correlation == pytest.approx(-1)
    alone = measure_reliability(make_judgments({"x": {"1": 3}}))[0]
    assert (alone.compared, alone.distance, alone.correlation) == (0, None, None)


def test_dawid_and_skene_outvote_a_careless_judge() -> None:
    truth = {str(i): float(1 + i % 5) for i in range(30)}
    rows = make_judgments({"x": truth, "y": truth, "z": dict.fromkeys(truth, 3.0)})
    estimates = estimate_dawid_skene(rows)
    assert {estimate.item: estimate.likeliest for estimate in estimates} == truth
    assert all(sum(estimate.probabilities.values()) == pytest.approx(1) for estimate in estimates)
    agrees = {judge.worker: judge.agrees for judge in measure_reliability(rows, estimates)}
    assert agrees["x"] == 1
    assert agrees["z"] == pytest.approx(0.2)
    plain = {aggregate.item: aggregate.mean for aggregate in aggregate_judgments(rows)}
    assert plain["0"] == pytest.approx(5 / 3)


def test_dawid_and_skene_say_whether_they_converged() -> None:
    rows = make_judgments({"x": {"1": 5, "2": 1}, "y": {"1": 5, "2": 1}, "z": {"1": 1, "2": 5}})
    settled = make_judgments({"x": {"1": 3}}, "style")
    assert all(estimate.converged for estimate in estimate_dawid_skene(rows + settled))
    estimates = estimate_dawid_skene(rows + settled, iterations=1)
    assert [(estimate.criterion, estimate.converged) for estimate in estimates] == [
        *[("overall", False)] * 2,
        ("style", True),
    ]


def test_dawid_and_skene_refuse() -> None:
    with pytest.raises(InputError, match="ranks of candidates"):
        estimate_dawid_skene(make_judgments({"x": {"1": 1}}, "rank"))
    with pytest.raises(SettingError, match="iterations"):
        estimate_dawid_skene([], iterations=0)
    assert estimate_dawid_skene([]) == []


def test_dawid_and_skene_take_the_first_judgment_and_each_criterion_by_itself() -> None:
    rows = make_judgments({"x": {"1": 5, "2": 1}, "y": {"1": 5, "2": 1}})
    other = make_judgments({"x": {"2": 2, "1": 3}}, "style")
    again = [Judgment("1", "s", "x", "overall", 1)]
    alone = estimate_dawid_skene(rows) + estimate_dawid_skene(other)
    assert estimate_dawid_skene(rows + other + again) == alone
    assert [estimate.likeliest for estimate in alone] == [5, 1, 2, 3]


def test_agreement() -> None:
    rows = make_judgments({"x": {"1": 5, "2": 1}, "y": {"1": 5, "2": 1}, "z": {"3": 2}})
    rows.append(Judgment("1", "s", "x", "overall", 1))  # again: the first one counts
    overall = measure_agreement(rows)[0]
    assert (overall.candidates, overall.shared, overall.workers, overall.judgments) == (3, 2, 3, 5)
    assert overall.alpha.value == 1
    assert overall.equal.value == 1
    assert measure_agreement([]) == []
    alone = measure_agreement(make_judgments({"x": {"1": 5}}))[0]
    assert alone.alpha.value is None or alone.alpha.value != alone.alpha.value
    assert alone.alpha.reason
    disputed = measure_item_agreement(
        make_judgments({"x": {"1": 3, "2": 1}, "y": {"1": 3, "2": 4}, "z": {"3": 1}})
    )
    assert [(agreement.item, agreement.equal, agreement.widest) for agreement in disputed] == [
        ("2", 0, 3),
        ("1", 1, 0),
        ("3", None, 0),
    ]
