"""The quota of an item: how many tasks may be open or answered in a tier, enforced place by place.

`tasks/item_choice.py` decides which items are tried for a worker, and takes a place here; a place is
freed when a task ends without an answer (`unanswered_tasks.py`) or its answer is rejected
(`tasks/reviews.py`).
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from paragauge.collect.store.schema import item_tiers
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


def _place(item_id: int, tier: int) -> Any:
    return (item_tiers.c.item_id == item_id) & (item_tiers.c.tier == tier)
