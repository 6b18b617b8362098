"""Hints, controls, agreement and training on what is in a store, on both databases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paragauge.collect.campaigns import campaigns, items, memberships
from paragauge.collect.campaigns.campaign_settings import (
    CampaignSettings,
    ControlRules,
    Criterion,
    TierSettings,
)
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import workers
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.quality_control import (
    check_controls,
    control_history,
    read_agreement,
    read_item_agreement,
    read_judgments,
    read_reliability,
)
from paragauge.collect.quality.review_hints import review_worker, train_filter, write_verdicts
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import InputError, SettingError
from paragauge.text.table_in_memory import read_records

SCALE = Criterion("overall", "How good?", 1, 5)


def judging(store: Store, rows: list[dict[str, Any]], **more: Any) -> Campaign:
    settings = CampaignSettings(
        kind="judge",
        title="Judge",
        criteria=() if more.get("ranking") else (SCALE,),
        tiers={1: TierSettings(0, 10)},
        **({"controls": ControlRules(every=2, warn_after=1, block_after=2)} | more),
    )
    campaign = campaigns.create(store, settings, "judge", "ada")
    items.add(store, campaign, rows, "ada")
    return campaign


def candidates(*texts: str, **more: Any) -> dict[str, Any]:
    return {"source": "A dog runs.", "candidates": [{"system": t, "text": t} for t in texts], **more}


def answer_all(store: Store, campaign: Campaign, worker: Worker, value: int, most: int = 20) -> int:
    """Answer with one value until there is nothing left; how many."""
    for count in range(most):
        task = assignments.next_assignment(store, campaign, worker)
        if not isinstance(task, assignments.Assignment):
            return count
        shown = range(len(task.item.content["candidates"]))
        data = {"judgments": {str(i): {"overall": value} for i in shown}}
        submissions.submit(store, task, worker, Answer(data=data, seconds=9))
        check_controls(store, campaign, worker, task.item)
    return most


GOLD = {
    "key": "gold",
    "content": candidates("never seen in exports"),
    "control": "gold",
    "expected": {"judgments": {"0": {"overall": 1}}},
}
BROKEN = {
    "key": "broken",
    "content": candidates("dog A", "A dog runs."),
    "control": "degraded",
    "expected": {"below": [[0, 1]]},
}
PLAIN = [{"key": f"p{i}", "content": candidates(f"x{i}", f"y{i}")} for i in range(6)]


def test_failures_warn_then_block_and_a_pardon_counts(store: Store, clock: Any) -> None:
    campaign = judging(store, [*PLAIN, GOLD, BROKEN])
    worker, _ = workers.register(store, "link")
    states = []
    for _ in range(8):
        answer_all(store, campaign, worker, 5, most=1)
        clock.forward(seconds=10)
        states.append(memberships.get_standing(store, campaign, worker).state)
    assert list(dict.fromkeys(states))[-2:] == ["warned", "blocked"]
    made = [each.decision for each in memberships.history(store, worker)]
    assert made == ["warn", "block"]
    assert all(each.actor == "controls" for each in memberships.history(store, worker))
    again = check_controls(store, campaign, worker)
    assert again is not None
    assert again.state == "block"
    assert len(memberships.history(store, worker)) == 2
    memberships.unblock(store, campaign, worker, "ada", "talked it over")
    assert control_history(store, campaign, worker) == []
    pardoned = check_controls(store, campaign, worker)
    assert pardoned is not None
    assert pardoned.state == "ok"


def test_good_judges_are_left_alone(store: Store) -> None:
    campaign = judging(store, [*PLAIN, GOLD])
    worker, _ = workers.register(store, "link")
    assert answer_all(store, campaign, worker, 1) > 5
    assert memberships.get_standing(store, campaign, worker).state == "active"
    marked = control_history(store, campaign, worker)
    assert marked
    assert all(each.passed for each in marked)


def test_controls_never_count_in_judgments(store: Store) -> None:
    mixed = candidates("real", "copy")
    mixed["candidates"][1] |= {"control": "gold", "expected": {"overall": 2}}
    campaign = judging(store, [{"key": "m", "content": mixed}, GOLD, *PLAIN])
    people = [workers.register(store, "link")[0] for _ in range(3)]
    for worker, value in zip(people, (1, 1, 2), strict=True):
        answer_all(store, campaign, worker, value)
    systems = {each.candidate for each in read_judgments(store, campaign)}
    assert systems == {"real", *(f"{s}{i}" for s in "xy" for i in range(6))}
    found = read_agreement(store, campaign)[0]
    assert (found.criterion, found.workers, found.candidates) == ("overall", 3, 13)
    assert read_item_agreement(store, campaign)[0].widest == 1
    assert len(read_reliability(store, campaign)) == 3
    (reject,) = submissions.stream(store, campaign, worker=people[0], controls=False, most=1)
    before = len(read_judgments(store, campaign))
    reviews.decide(store, reject, "reject", "ada", "no")
    assert len(read_judgments(store, campaign)) < before


def test_control_candidates_are_marked(any_store: Store) -> None:
    mixed = candidates("whole", "broken", "copy")
    mixed["candidates"][1] |= {"control": "degraded", "of": 0}
    mixed["candidates"][2] |= {"control": "gold", "expected": {"overall": 2}}
    campaign = judging(any_store, [{"key": "m", "content": mixed}])
    worker, _ = workers.register(any_store, "link")
    answer_all(any_store, campaign, worker, 4)
    assert [(each.control, each.passed) for each in control_history(any_store, campaign, worker)] == [
        ("degraded", False),
        ("gold", False),
    ]


def test_repeated_items_are_compared_with_the_first_answer(any_store: Store) -> None:
    again = [
        {
            "key": f"again {each['key']}",
            "content": each["content"],
            "control": "repeated",
            "expected": {"of": each["key"]},
        }
        for each in PLAIN
    ]
    campaign = judging(any_store, [*PLAIN, *again])
    worker, _ = workers.register(any_store, "link")
    for value in (5, 1):
        answer_all(any_store, campaign, worker, value, most=1)
    marked = control_history(any_store, campaign, worker)
    assert [(each.control, each.passed) for each in marked] == [("repeated", False)]
    assert marked[0].reason.startswith("overall of candidate 1: before 5, got 1")


def test_campaigns_without_rules_block_nobody(any_store: Store) -> None:
    campaign = judging(any_store, [*PLAIN, GOLD], controls=None)
    worker, _ = workers.register(any_store, "link")
    answer_all(any_store, campaign, worker, 5)
    assert memberships.get_standing(any_store, campaign, worker).state == "active"


DOINGS = ["riding a brown horse", "baking some fresh bread", "singing a sad song", "washing a car"]


def describing(store: Store) -> tuple[Campaign, list[Worker]]:
    tiers = {1: TierSettings(1, 10), 2: TierSettings(5, 10)}
    settings = CampaignSettings(
        kind="paraphrase", title="Say it", tiers=tiers, budget_cents=10_000, seed=3
    )
    campaign = campaigns.create(store, settings, "say", "ada")
    rows = [{"key": f"i{i}", "content": {"text": f"He is {d}."}} for i, d in enumerate(DOINGS)]
    items.add(store, campaign, rows, "ada")
    people = []
    for who in ("a man", "the man", "a person", "someone", "a guy", "this fellow"):
        worker, _ = workers.register(store, "link")
        memberships.grant(store, campaign, worker, "ada")
        people.append(worker)
        write(store, campaign, worker, lambda item, who=who: f"{who} is {DOINGS[int(item[1:])]}")
    return campaign, people


def write(store: Store, campaign: Campaign, worker: Worker, text: Any, tier: int | None = None) -> None:
    while isinstance(
        task := assignments.next_assignment(store, campaign, worker, tier), assignments.Assignment
    ):
        answer = Answer(text=text(task.item.key), language="English", seconds=30)
        submissions.submit(store, task, worker, answer)


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_verdicts_of_a_campaign_s_own_filter(any_store: Store, tmp_path: Path, form: str) -> None:
    campaign, _ = describing(any_store)
    lazy, _ = workers.register(any_store, "link")
    write(any_store, campaign, lazy, lambda item: "very niec video")
    made = train_filter(any_store, campaign)
    table = tmp_path / f"v.{form}"
    judged, noisy = write_verdicts(any_store, campaign, made, table)
    columns = read_records(table).columns
    assert judged == len(columns["item"]) == 7 * len(DOINGS)
    assert noisy == columns["noisy"].count("yes") >= len(DOINGS)
    mine = [i for i, who in enumerate(columns["worker"]) if who == lazy.public_id]
    assert {columns["noisy"][i] for i in mine} == {"yes"}
    with pytest.raises(
        SettingError, match="is a task of kind 'judge'; expected describe or paraphrase"
    ):
        train_filter(any_store, judging(any_store, PLAIN))


def test_review_of_workers(store: Store) -> None:
    campaign, people = describing(store)
    lazy, _ = workers.register(store, "link")
    write(store, campaign, lazy, lambda item: "very niec video")
    found = review_worker(store, campaign, lazy)
    assert len(found.answers) == len(DOINGS)
    first = found.answers[0]
    assert {hint.kind for hint in first.hints} == {"spelling", "duplicate"}
    good = review_worker(store, campaign, people[0])
    assert good.hints == ()
    assert first.verdict is not None
    assert good.answers[0].verdict is not None
    assert first.verdict.noisy
    assert first.verdict.probability > good.answers[0].verdict.probability
    nobody, _ = workers.register(store, "link")
    assert review_worker(store, campaign, nobody).answers == ()


def test_a_filter_trained_on_the_campaign(any_store: Store) -> None:
    campaign, people = describing(any_store)
    lazy, _ = workers.register(any_store, "link")
    write(any_store, campaign, lazy, lambda item: "very niec video")
    for each in submissions.stream(any_store, campaign, worker=lazy):
        reviews.decide(any_store, each, "reject", "ada", "not about the item")
    made = train_filter(any_store, campaign)
    bad, good = (review_worker(any_store, campaign, who, made) for who in (lazy, people[0]))
    worst = min(each.verdict.probability for each in bad.answers if each.verdict)
    best = max(each.verdict.probability for each in good.answers if each.verdict)
    assert worst > best


def test_nothing_to_train_on(any_store: Store) -> None:
    settings = CampaignSettings(kind="describe", title="Clips")
    campaign = campaigns.create(any_store, settings, "clips", "ada")
    with pytest.raises(InputError, match="at least 20 trusted sentences"):
        train_filter(any_store, campaign)
