"""The quota of an item: an open task holds a place in it and money of the budget, and frees both.

Rows are always locked in the same order (membership, assignment, place, campaign), so that no two
transactions can wait for each other.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import money
from paragauge.collect.store.schema import assignments, item_tiers
from paragauge.collect.store.store import Transaction

_TAKE = (
    sa.update(item_tiers)
    .where(
        item_tiers.c.item_id == sa.bindparam("item"),
        item_tiers.c.tier == sa.bindparam("in_tier"),
        item_tiers.c.taken < item_tiers.c.wanted,
    )
    .values(taken=item_tiers.c.taken + 1)
)


def take_place(transaction: Transaction, item_id: int, tier: int) -> bool:
    """Take a place in the item's quota; False if it is full."""
    return transaction.connection.execute(_TAKE, {"item": item_id, "in_tier": tier}).rowcount == 1


def add_place(transaction: Transaction, item_id: int, tier: int) -> None:
    """Take a place in the item's quota, which grows if it is full."""
    more = item_tiers.c.taken + 1
    wanted = sa.case((item_tiers.c.wanted < more, more), else_=item_tiers.c.wanted)
    update = sa.update(item_tiers).where(_place(item_id, tier)).values(taken=more, wanted=wanted)
    transaction.connection.execute(update)


def free_place(transaction: Transaction, item_id: int, tier: int) -> None:
    """Free a place in the item's quota."""
    update = sa.update(item_tiers).where(_place(item_id, tier)).values(taken=item_tiers.c.taken - 1)
    transaction.connection.execute(update)


def end_task(transaction: Transaction, assignment_id: int, state: str) -> bool:
    """Close an open assignment without an answer and free what it held; False if it is not open."""
    mine = (assignments.c.id == assignment_id) & (assignments.c.state == "open")
    update = sa.update(assignments).where(mine).values(state=state, ended_at=transaction.at)
    row = transaction.connection.execute(update.returning(assignments)).first()
    if row is None:
        return False
    free_place(transaction, row.item_id, row.tier)
    cost = row.pay_cents + row.fee_cents
    money.enter(transaction, "release", row.campaign_id, row.worker_id, row.id, reserved=-cost)
    money.commit(transaction, row.campaign_id, -cost)
    transaction.log(f"assignment.{state}", row.public_id)
    return True


def end_tasks(transaction: Transaction, worker_id: int, campaign_id: int | None) -> None:
    """Close all open tasks of a worker, in one campaign or in all."""
    mine = (assignments.c.worker_id == worker_id) & (assignments.c.state == "open")
    if campaign_id is not None:
        mine &= assignments.c.campaign_id == campaign_id
    query = sa.select(assignments.c.id).where(mine).order_by(assignments.c.campaign_id)
    for number in transaction.connection.execute(query).scalars().all():
        end_task(transaction, number, "expired")


def _place(item_id: int, tier: int) -> Any:
    return (item_tiers.c.item_id == item_id) & (item_tiers.c.tier == tier)
