"""Controls are enforced, and left out of judgments and agreement, on both databases."""

from __future__ import annotations

from typing import Any

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
from paragauge.collect.quality.control_enforcement import check_controls, mark_history
from paragauge.collect.quality.stored_judgments import (
    read_agreement,
    read_item_agreement,
    read_judgments,
    read_reliability,
)
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.submissions import Answer

SCALE = Criterion("overall", "How good?", 1, 5)


def create_judging(store: Store, rows: list[dict[str, Any]], **more: Any) -> Campaign:
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
        indices = range(len(task.item.content["candidates"]))
        data = {"judgments": {str(i): {"overall": value} for i in indices}}
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
    campaign = create_judging(store, [*PLAIN, GOLD, BROKEN])
    worker, _ = workers.register(store, "link")
    states = []
    for _ in range(8):
        answer_all(store, campaign, worker, 5, most=1)
        clock.forward(seconds=10)
        states.append(memberships.get_standing(store, campaign, worker).state)
    assert list(dict.fromkeys(states))[-2:] == ["warned", "blocked"]
    decisions = memberships.list_decisions(store, worker)
    assert [decision.decision for decision in decisions] == ["warn", "block"]
    assert all(decision.actor == "controls" for decision in decisions)
    again = check_controls(store, campaign, worker)
    assert again is not None
    assert again.state == "block"
    assert len(memberships.list_decisions(store, worker)) == 2
    memberships.unblock(store, campaign, worker, "ada", "talked it over")
    assert mark_history(store, campaign, worker) == []
    pardoned = check_controls(store, campaign, worker)
    assert pardoned is not None
    assert pardoned.state == "ok"


def test_good_judges_are_left_alone(store: Store) -> None:
    campaign = create_judging(store, [*PLAIN, GOLD])
    worker, _ = workers.register(store, "link")
    assert answer_all(store, campaign, worker, 1) > 5
    assert memberships.get_standing(store, campaign, worker).state == "active"
    marks = mark_history(store, campaign, worker)
    assert marks
    assert all(mark.passed for mark in marks)


def test_controls_never_count_in_judgments(store: Store) -> None:
    mixed = candidates("real", "copy")
    mixed["candidates"][1] |= {"control": "gold", "expected": {"overall": 2}}
    campaign = create_judging(store, [{"key": "m", "content": mixed}, GOLD, *PLAIN])
    people = [workers.register(store, "link")[0] for _ in range(3)]
    for worker, value in zip(people, (1, 1, 2), strict=True):
        answer_all(store, campaign, worker, value)
    systems = {judgment.candidate for judgment in read_judgments(store, campaign)}
    assert systems == {"real", *(f"{s}{i}" for s in "xy" for i in range(6))}
    agreement = read_agreement(store, campaign)[0]
    assert (agreement.criterion, agreement.workers, agreement.candidates) == ("overall", 3, 13)
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
    campaign = create_judging(any_store, [{"key": "m", "content": mixed}])
    worker, _ = workers.register(any_store, "link")
    answer_all(any_store, campaign, worker, 4)
    marks = mark_history(any_store, campaign, worker)
    assert [(mark.control, mark.passed) for mark in marks] == [("degraded", False), ("gold", False)]


def test_repeated_items_are_compared_with_the_first_answer(any_store: Store) -> None:
    again = [
        {
            "key": f"again {item['key']}",
            "content": item["content"],
            "control": "repeated",
            "expected": {"of": item["key"]},
        }
        for item in PLAIN
    ]
    campaign = create_judging(any_store, [*PLAIN, *again])
    worker, _ = workers.register(any_store, "link")
    for value in (5, 1):
        answer_all(any_store, campaign, worker, value, most=1)
    marks = mark_history(any_store, campaign, worker)
    assert [(mark.control, mark.passed) for mark in marks] == [("repeated", False)]
    assert marks[0].reason.startswith("overall of candidate 1: before 5, found 1")


def test_campaigns_without_rules_block_nobody(any_store: Store) -> None:
    campaign = create_judging(any_store, [*PLAIN, GOLD], controls=None)
    worker, _ = workers.register(any_store, "link")
    answer_all(any_store, campaign, worker, 5)
    assert memberships.get_standing(any_store, campaign, worker).state == "active"
