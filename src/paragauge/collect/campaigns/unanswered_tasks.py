"""Tasks that end without an answer: skipped, expired, reassigned, or taken back by a block.

An open task holds a place in its item's quota and cents of the budget; ending it frees both. Skips,
expiry and reassignment are called in `tasks/assignments.py`, blocks in `memberships.py`.

Rows are always locked in the same order (membership, assignment, place, campaign), so that no two
transactions can wait for each other.
"""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.campaigns import budget, ledger
from paragauge.collect.campaigns.quota import free_place
from paragauge.collect.store.schema import assignments
from paragauge.collect.store.store import Transaction


def end_task(transaction: Transaction, assignment_id: int, state: str) -> bool:
    """Close an open assignment without an answer and free what it held; False if it is not open."""
    mine = (assignments.c.id == assignment_id) & (assignments.c.state == "open")
    update = sa.update(assignments).where(mine).values(state=state, ended_at=transaction.at)
    row = transaction.connection.execute(update.returning(assignments)).first()
    if row is None:
        return False
    free_place(transaction, row.item_id, row.tier)
    cost = row.pay_cents + row.fee_cents
    ledger.add_entry(transaction, "release", row.campaign_id, row.worker_id, row.id, reserved=-cost)
    budget.commit_cents(transaction, row.campaign_id, -cost)
    transaction.log(f"assignment.{state}", row.public_id)
    return True


def end_tasks_of_worker(transaction: Transaction, worker_id: int, campaign_id: int | None) -> None:
    """Close all open tasks of a worker, in one campaign or in all."""
    mine = (assignments.c.worker_id == worker_id) & (assignments.c.state == "open")
    if campaign_id is not None:
        mine &= assignments.c.campaign_id == campaign_id
    query = sa.select(assignments.c.id).where(mine).order_by(assignments.c.campaign_id)
    for number in transaction.connection.execute(query).scalars().all():
        end_task(transaction, number, "expired")
