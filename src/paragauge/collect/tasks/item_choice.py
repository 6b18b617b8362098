"""Which item a worker gets next: one with room that they have not had, in their own order.

In a campaign with controls, one in every `every` answers is to a control, at a position drawn by the
worker's seed. A control stays due until one is answered, so nobody can avoid them by skipping: skipped
ones come again when no others are left. A control that repeats an item comes only after the worker has
answered that item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.items import Item, from_row
from paragauge.collect.campaigns.quota import take_place
from paragauge.collect.store.schema import assignments, item_tiers, items
from paragauge.collect.store.store import Transaction
from paragauge.collect.tasks.task_order import coefficients, place_column, place_values

# Few workers want the same item at the same moment: of this many, at least one has room.
AT_ONCE = 8


_HAD = sa.select(assignments.c.item_id).where(
    assignments.c.worker_id == sa.bindparam("worker"),
    assignments.c.campaign_id == sa.bindparam("campaign"),
    # Tasks that were taken back early go to somebody else; expired ones may come again.
    (assignments.c.state != "expired") | (assignments.c.ended_at < assignments.c.expires_at),
    sa.or_(sa.bindparam("any_tier", type_=sa.Boolean), assignments.c.tier == sa.bindparam("in_tier")),
)
_WITH_ROOM = (
    items.c.campaign_id == sa.bindparam("campaign"),
    items.c.state == "active",
    item_tiers.c.tier == sa.bindparam("in_tier"),
    item_tiers.c.taken < item_tiers.c.wanted,
)
# Items with room that the worker has not had, in the worker's order.
_ORDINARY = (
    sa.select(items)
    .join(item_tiers)
    .where(*_WITH_ROOM, items.c.id.not_in(_HAD), items.c.control.is_(None))
    .order_by(place_column(items.c.id), items.c.id)
    .limit(AT_ONCE)
)
_LIKELY = _ORDINARY.where(items.c.id.in_(sa.bindparam("likely", expanding=True)))
_SKIPPED = sa.select(assignments.c.item_id).where(
    assignments.c.worker_id == sa.bindparam("worker"),
    assignments.c.campaign_id == sa.bindparam("campaign"),
    assignments.c.state == "skipped",
)
_CONTROLS = (
    sa.select(items)
    .join(item_tiers)
    .where(*_WITH_ROOM, items.c.id.not_in(_HAD.where(assignments.c.state != "skipped")))
    .where(items.c.control.is_not(None))
    .order_by(items.c.id.in_(_SKIPPED), place_column(items.c.id), items.c.id)
)
_ANSWERED = (
    sa.select(items.c.key, items.c.control)
    .join(assignments)
    .where(
        assignments.c.worker_id == sa.bindparam("worker"),
        assignments.c.campaign_id == sa.bindparam("campaign"),
        assignments.c.state == "submitted",
    )
)


@dataclass(frozen=True)
class ItemSearch:
    """A search for an item: campaign, worker, tier, and the seed of the worker's order."""

    settings: CampaignSettings
    campaign_id: int
    worker_id: int
    tier: int
    seed: str

    @property
    def values(self) -> dict[str, Any]:
        """Parameters for the statements above."""
        named = {"campaign": self.campaign_id, "worker": self.worker_id, "in_tier": self.tier}
        named["any_tier"] = not self.settings.both_tiers
        return named | place_values(coefficients(self.seed))


def find_likely_items(connection: sa.Connection, search: ItemSearch) -> list[int]:
    """Items that the worker may get if nobody is faster, found before a transaction begins."""
    return list(connection.execute(_ORDINARY, search.values).scalars())


def pick_item(transaction: Transaction, search: ItemSearch, tries: Sequence[int] = ()) -> Item | None:
    """An item for the worker, with a place in its quota taken; None if nothing is left.

    `tries` are likely items; they are tried first, which usually spares a search among all items.
    """
    rules, values = search.settings.controls, search.values
    query, more = (_LIKELY, {"likely": list(tries)}) if tries else (_ORDINARY, {})
    # An item that has no room in one round is not found in the next, so this ends.
    while (candidates := transaction.connection.execute(query, values | more).all()) or more:
        controls = (
            _list_due_controls(transaction.connection, search, rules.every)
            if candidates and rules
            else ()
        )
        for row in chain(controls, candidates):
            if take_place(transaction, row.id, search.tier):
                return from_row(row)
        query, more = _ORDINARY, {}
    return None


def count_due_controls(seed: str, every: int, answered: int) -> int:
    """How many controls a worker with `answered` answers should have answered before the next task.

    >>> [count_due_controls("7:w1", 4, answered) for answered in range(9)]
    [1, 1, 1, 1, 1, 1, 1, 2, 3]
    """
    block, within = divmod(answered, every)
    digest = blake2b(f"{seed}:control:{block}".encode(), digest_size=8).digest()
    return block + (within >= int.from_bytes(digest, "big") % every)


def _list_due_controls(
    connection: sa.Connection, search: ItemSearch, every: int
) -> Iterator[sa.Row[Any]]:
    """Controls that the worker may get now; none if none is due."""
    answered = connection.execute(_ANSWERED, search.values).all()
    controls = sum(row.control is not None for row in answered)
    if controls >= count_due_controls(search.seed, every, len(answered)):
        return
    known = {row.key for row in answered}
    for row in connection.execute(_CONTROLS, search.values).all():
        original = row.expected.get("of") if isinstance(row.expected, dict) else None
        if row.control != "repeated" or (isinstance(original, str) and original in known):
            yield row
