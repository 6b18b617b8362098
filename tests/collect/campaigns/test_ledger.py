"""Reviews, the ledger and the budget."""

from __future__ import annotations

import pytest

from paragauge.collect.campaigns import budget, campaigns, items, ledger
from paragauge.collect.campaigns.campaign_settings import CampaignSettings, ControlRules, TierSettings
from paragauge.collect.campaigns.store_audit import find_problems
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.change_log import read_changes
from paragauge.collect.store.paging import PageRange
from paragauge.collect.tasks import assignments, reviews, submissions
from paragauge.collect.tasks.assignments import Assignment, Refusal
from paragauge.collect.tasks.submissions import Answer
from paragauge.errors import RefusedError, SettingError


def answer_task(store, campaign, worker) -> submissions.Submission:
    task = assignments.next_assignment(store, campaign, worker)
    assert isinstance(task, Assignment)
    receipt = submissions.submit(store, task, worker, Answer("A dog.", "English"))
    row = submissions.get(store, receipt.public_id)
    assert row is not None
    return row


def test_rejection_takes_back_and_acceptance_restores(store, describe, worker_in) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(10, 1)}, fee_percent=20, budget_cents=12)
    worker = worker_in(store)
    row = answer_task(store, campaign, worker)
    for decision, spent, owed, taken in [
        ("reject", 0, 0, 0),
        ("reject", 0, 0, 0),
        ("accept", 12, 10, 1),
        ("accept", 12, 10, 1),
        ("reject", 0, 0, 0),
    ]:
        reviews.decide(store, row, decision, "ada", "looked again")
        assert budget.compute_costs(store, campaign).spent == spent
        assert ledger.get_balance(store, campaign, worker).owed == owed
        assert [coverage.taken for coverage in items.read_coverage(store, campaign)] == [taken]
        stored = submissions.get(store, row.public_id)
        assert stored is not None
        assert stored.decision == decision
    kinds = [entry.kind for entry in ledger.read_entries(store, campaign)]
    assert kinds == ["reserve", "earn", "revoke", "restore", "revoke"]
    assert [review.decision for review in reviews.list_reviews(store, row)] == [
        "reject", "reject", "accept", "accept", "reject",
    ]  # fmt: skip


def test_what_was_paid_stays_spent(store, describe, worker_in) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(10, 1)}, fee_percent=20, budget_cents=12)
    worker = worker_in(store)
    row = answer_task(store, campaign, worker)
    with pytest.raises(RefusedError, match="at most the 0 cents owed, found 10; 10 wait for review"):
        ledger.pay(store, campaign, worker, 10, "ada")
    reviews.decide(store, row, "accept", "ada")
    ledger.pay(store, campaign, worker, 10, "ada")
    assert reviews.decide(store, row, "reject", "ada", "too late") == 10
    assert (
        budget.compute_costs(store, campaign).spent,
        budget.compute_costs(store, campaign).paid,
    ) == (
        12,
        10,
    )
    assert ledger.get_balance(store, campaign, worker).owed == 0
    assert assignments.next_assignment(store, campaign, worker_in(store)) == Refusal("budget")
    assert reviews.decide(store, row, "accept", "ada") == 0
    assert budget.compute_costs(store, campaign).spent == 12
    assert find_problems(store) == []


def test_a_rejection_takes_back_what_is_still_owed(store, describe, worker_in) -> None:
    campaign = describe(store, 2, tiers={1: TierSettings(10, 1)}, fee_percent=20, budget_cents=24)
    worker = worker_in(store)
    rows = [answer_task(store, campaign, worker) for _ in range(2)]
    for row in rows:
        reviews.decide(store, row, "accept", "ada")
    ledger.pay(store, campaign, worker, 15, "ada")
    assert reviews.decide(store, rows[0], "reject", "ada", "wrong") == 5
    assert budget.compute_costs(store, campaign).spent == 18
    assert ledger.get_balance(store, campaign, worker).owed == 0
    assert reviews.decide(store, rows[1], "reject", "ada", "wrong") == 10
    assert find_problems(store) == []
    for row in rows:
        reviews.decide(store, row, "accept", "ada")
    assert budget.compute_costs(store, campaign).spent == 24
    assert find_problems(store) == []


def test_state_and_budget_change_together_or_not_at_all(store, describe) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(10, 1)}, budget_cents=12)
    changed = campaigns.change(store, campaign, "ada", state="paused", budget_cents=24)
    assert (changed.state, changed.settings.budget_cents) == ("paused", 24)
    campaigns.close(store, campaign, "ada")
    with pytest.raises(RefusedError, match="is closed"):
        campaigns.change(store, campaign, "ada", state="active", budget_cents=777)
    assert budget.compute_costs(store, campaign).budget == 24


def test_accepting_what_was_replaced_needs_budget_and_widens_the_quota(
    store, describe, worker_in
) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(10, 1)}, budget_cents=10)
    row = answer_task(store, campaign, worker_in(store))
    reviews.decide(store, row, "reject", "ada")
    answer_task(store, campaign, worker_in(store))
    with pytest.raises(RefusedError, match="the budget does not allow this acceptance"):
        reviews.decide(store, row, "accept", "ada")
    assert len(reviews.list_reviews(store, row)) == 1
    more = CampaignSettings.from_json(campaign.settings.to_json() | {"budget_cents": 20})
    campaigns.change_settings(store, campaign, more, "ada")
    reviews.decide(store, row, "accept", "ada")
    [place] = items.read_coverage(store, campaign)
    assert (place.taken, place.wanted) == (2, 2)
    assert budget.compute_costs(store, campaign).spent == 20


def test_an_automatic_acceptance_yields_to_a_decision(store, describe, worker_in) -> None:
    campaign = describe(store, auto_accept=True)
    row = answer_task(store, campaign, worker_in(store))
    assert row.decision == "accept"
    reviews.decide(store, row, "reject", "ada")
    assert [submission.decision for submission in submissions.stream(store)] == ["reject"]
    with pytest.raises(SettingError, match="unknown decision 'acept'; did you mean 'accept'"):
        reviews.decide(store, row, "acept", "ada")


def test_bonus_and_payment(store, describe, worker_in) -> None:
    campaign = describe(store, fee_percent=20, budget_cents=100)
    worker = worker_in(store)
    reviews.decide(store, answer_task(store, campaign, worker), "accept", "ada")
    ledger.give_bonus(store, campaign, worker, 50, "ada", "thank you")
    with pytest.raises(RefusedError, match="exceeds the budget"):
        ledger.give_bonus(store, campaign, worker, 50, "ada")
    for cents in (0, -5):
        with pytest.raises(RefusedError, match="above 0 cents"):
            ledger.give_bonus(store, campaign, worker, cents, "ada")
        with pytest.raises(RefusedError, match="above 0 cents"):
            ledger.pay(store, campaign, worker, cents, "ada")
    ledger.pay(store, campaign, worker, 50, "ada", "transfer 17")
    with pytest.raises(RefusedError, match="expected at most the 1 cents owed, found 2"):
        ledger.pay(store, campaign, worker, 2, "ada")
    costs = budget.compute_costs(store, campaign)
    # 1 + fee 1, and 50 + fee 10.
    assert (costs.spent, costs.earned, costs.fees, costs.paid) == (62, 51, 11, 50)
    assert [change.action for change in read_changes(store)][-2:] == ["money.bonus", "money.paid"]


def test_those_who_are_owed_the_same_come_in_the_order_of_registration(
    store, describe, worker_in
) -> None:
    campaign = describe(store, 1, tiers={1: TierSettings(2, 9)})
    people = [worker_in(store) for _ in range(6)]
    for worker in (*people[3:], *people[:3]):
        answer_task(store, campaign, worker)
    ledger.give_bonus(store, campaign, people[4], 1, "ada", "well done")
    rows, _ = paged_lists.list_earnings(store, campaign, PageRange(0, 10))
    expected = [people[n].public_id for n in (4, 0, 1, 2, 3, 5)]
    assert [row.worker for row in rows] == expected


def test_a_budget_cannot_go_below_what_is_committed(store, describe, worker_in) -> None:
    campaign = describe(store, budget_cents=5)
    assert isinstance(assignments.next_assignment(store, campaign, worker_in(store)), Assignment)
    less = CampaignSettings.from_json(campaign.settings.to_json() | {"budget_cents": 0})
    with pytest.raises(RefusedError, match="1 cents are spent or reserved already"):
        campaigns.change_settings(store, campaign, less, "ada")
    one = CampaignSettings.from_json(campaign.settings.to_json() | {"budget_cents": 1})
    changed = campaigns.change_settings(store, campaign, one, "ada")
    assert assignments.next_assignment(store, changed, worker_in(store)) == Refusal("budget")
    [logged] = [change for change in read_changes(store) if change.action == "campaign.settings"]
    assert (logged.details["old"]["budget_cents"], logged.details["new"]["budget_cents"]) == (5, 1)


def test_new_pay_counts_at_once_and_for_new_tasks_only(store, describe, worker_in) -> None:
    campaign, worker = describe(store), worker_in(store)
    before = assignments.next_assignment(store, campaign, worker)
    tiers = {"1": {"pay_cents": 9, "per_item": 2}}
    new = CampaignSettings.from_json(campaign.settings.to_json() | {"tiers": tiers, "fee_percent": 100})
    campaigns.change_settings(store, campaign, new, "ada")
    # The caller's campaign is the old one: what the store says counts.
    after = assignments.next_assignment(store, campaign, worker_in(store))
    assert isinstance(before, Assignment)
    assert isinstance(after, Assignment)
    assert [(task.pay_cents, task.fee_cents) for task in (before, after)] == [(1, 0), (9, 9)]


@pytest.mark.parametrize(
    ("pay", "percent", "fee"), [(1, 20, 1), (5, 20, 1), (6, 20, 2), (9, 0, 0), (0, 20, 0)]
)
def test_fees_are_rounded_up(pay, percent, fee) -> None:
    assert CampaignSettings(kind="describe", title="t", fee_percent=percent).fee(pay) == fee


def test_the_cost_at_completion_has_the_controls_that_are_still_to_come(store, describe) -> None:
    rules = ControlRules(every=3)
    campaign = describe(store, 4, tiers={1: TierSettings(10, 1)}, controls=rules, fee_percent=20)
    assert budget.compute_costs(store, campaign).at_completion == 4 * 12
    gold = {"key": "gold", "control": "gold", "expected": {"words": ["dog"]}, "wanted": {1: 1}}
    clip = {"url": "https://example.org/gold.webm", "start": 0, "end": 2}
    items.add(store, campaign, [gold | {"content": clip}], "ada")
    assert budget.compute_costs(store, campaign).at_completion == 5 * 12, "two are due, one has room"
