"""A worker takes a task, answers it and is paid: the store's functions together."""

from __future__ import annotations

from paragauge.collect.campaigns import budget, ledger
from paragauge.collect.tasks import assignments, submissions
from paragauge.collect.tasks.submissions import Answer


def test_a_task_from_giving_to_earnings(store, describe, worker_in) -> None:
    campaign = describe(store, fee_percent=20)
    worker = worker_in(store)
    task = assignments.next_assignment(store, campaign, worker)
    assert isinstance(task, assignments.Assignment)
    assert (task.tier, task.pay_cents, task.fee_cents, task.position) == (1, 1, 1, 0)
    assert assignments.next_assignment(store, campaign, worker) == task
    assert budget.compute_costs(store, campaign).reserved == 2

    receipt = submissions.submit(store, task, worker, Answer("A dog catches a ball.", "English"))
    again = submissions.submit(store, task, worker, Answer("Another.", "English"))
    assert receipt.first
    assert not again.first
    assert again.public_id == receipt.public_id
    [row] = submissions.stream(store, campaign)
    assert (row.text, row.decision, row.item_key) == ("A dog catches a ball.", "pending", task.item.key)
    costs = budget.compute_costs(store, campaign)
    # 3 items × (2 × (1 + 1) + 1 × (5 + 1)) cents.
    assert (costs.spent, costs.reserved, costs.at_completion) == (2, 0, 30)
    assert ledger.get_balance(store, campaign, worker).pending == 1
