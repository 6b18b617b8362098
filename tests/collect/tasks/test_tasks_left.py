"""The number of the present task and of all tasks, from which nobody can tell a control."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns import items, memberships
from paragauge.collect.campaigns.campaign_settings import ControlRules, TierSettings
from paragauge.collect.tasks import assignments, submissions, tasks_left
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Answer
from paragauge.collect.tasks.tasks_left import TaskCount, count_tasks


@pytest.fixture
def go(store, worker_in):
    """Take the next task, count, and end it: the count and whether the task was a control."""
    worker = worker_in(store)

    def step(campaign, end="submit"):
        task = assignments.next_assignment(store, campaign, worker)
        if not isinstance(task, Assignment):
            return None
        control = task.item.control is not None
        counted = count_tasks(store, memberships.get_standing(store, campaign, worker), control)
        if end == "submit":
            submissions.submit(store, task, worker, Answer("A dog runs.", "English"))
        else:
            assignments.skip(store, task, worker)
        return counted, control

    step.worker = worker
    return step


def test_tasks_are_numbered_up_to_the_last_one(store, describe, go):
    campaign = describe(store, 3, both_tiers=False)
    steps = [go(campaign, end) for end in ("submit", "skip", "submit")]
    assert [counted for counted, _ in steps] == [TaskCount(n, 3) for n in (1, 2, 3)]
    assert go(campaign) is None


def test_both_tiers_count_twice_where_a_worker_may_do_both(store, describe, go):
    tiers = {1: TierSettings(1, 2), 2: TierSettings(5, 1)}
    once = describe(store, 2, "once", tiers=tiers, both_tiers=False)
    twice = describe(store, 2, "twice", tiers=tiers, both_tiers=True)
    for campaign, total in ((once, 2), (twice, 4)):
        memberships.grant(store, campaign, go.worker, "ada")
        counts = [go(campaign)[0] for _ in range(total)]
        assert counts == [TaskCount(n + 1, total) for n in range(total)]
        assert go(campaign) is None


def test_items_without_room_do_not_count(store, describe, go, worker_in):
    campaign = describe(store, 3, tiers={1: TierSettings(1, 1)})
    other = worker_in(store)
    assignments.next_assignment(store, campaign, other)
    assert go(campaign)[0] == TaskCount(1, 2)


def test_many_tasks_are_not_counted(store, describe, go, monkeypatch):
    campaign = describe(store, 4)
    monkeypatch.setattr(tasks_left, "MOST", 2)
    monkeypatch.setattr(tasks_left, "_ROOM", tasks_left._ROOM.limit(3))
    assert go(campaign)[0] == TaskCount(1, 0)
    assert go(campaign)[0] == TaskCount(2, 4)


@pytest.mark.parametrize(
    "ends", [["submit"] * 8, ["submit", "skip", "skip", "submit", "skip", "submit"]]
)
def test_controls_do_not_change_the_number(store, describe, go, ends):
    rules = ControlRules(every=3, warn_after=9, block_after=9)
    campaign = describe(store, 6, controls=rules)
    clip = items.all_items(store, campaign)[0].content
    gold = {"content": clip, "control": "gold", "expected": {"words": ["dog"]}}
    items.add(store, campaign, [gold | {"key": f"gold{n}"} for n in range(5)], "ada")
    steps = [go(campaign, end) for end in ends]
    assert any(control for _, control in steps)
    assert [counted.number for counted, _ in steps] == list(range(1, len(ends) + 1))
    assert {counted.total for counted, _ in steps} == {9}
