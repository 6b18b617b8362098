"""Which item a worker gets next: one with room that they have not had, in their own order.

Where the campaign has controls, one is due at every so many tasks; a control that repeats an item comes
only after the worker has answered that item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaign_settings import CampaignSettings
from paragauge.collect.ordering import coefficients, place_column
from paragauge.collect.places import take_place
from paragauge.collect.schema import assignments, item_tiers, items
from paragauge.collect.store import Writing

# Few workers want the same item at the same moment: of so many, one has room.
AT_ONCE = 8


def pick(
    writing: Writing,
    settings: CampaignSettings,
    campaign_id: int,
    worker_id: int,
    tier: int,
    seed: str,
    given: int,
) -> int | None:
    """An item for the worker, with a place in its quota taken; None where nothing is left."""
    room = _with_room(settings, campaign_id, worker_id, tier, seed)
    ordinary = room.where(items.c.control.is_(None)).limit(AT_ONCE)
    # An item without room at the second look is not found at the third: this ends.
    while found := writing.connection.execute(ordinary).all():
        due = settings.controls is not None and (given + 1) % settings.controls.every == 0
        if due:
            for item in _controls(writing.connection, room, worker_id):
                if take_place(writing, item, tier):
                    return item
        for row in found:
            if take_place(writing, row.id, tier):
                return int(row.id)
    return None


def _with_room(
    settings: CampaignSettings, campaign_id: int, worker_id: int, tier: int, seed: str
) -> sa.Select[Any]:
    """Items with room that the worker has not had, in the worker's order; expired ones come again."""
    had = sa.select(assignments.c.item_id).where(
        assignments.c.worker_id == worker_id,
        assignments.c.campaign_id == campaign_id,
        assignments.c.state != "expired",
    )
    if settings.both_tiers:
        had = had.where(assignments.c.tier == tier)
    return (
        sa.select(items.c.id, items.c.control, items.c.expected)
        .join(item_tiers)
        .where(
            items.c.campaign_id == campaign_id,
            items.c.state == "active",
            item_tiers.c.tier == tier,
            item_tiers.c.taken < item_tiers.c.wanted,
            items.c.id.not_in(had),
        )
        .order_by(place_column(coefficients(seed), items.c.id), items.c.id)
    )


def _controls(connection: sa.Connection, room: sa.Select[Any], worker_id: int) -> Iterator[int]:
    """Controls that the worker may have now."""
    answered = (
        sa.select(items.c.key)
        .join(assignments)
        .where(assignments.c.worker_id == worker_id, assignments.c.state == "submitted")
    )
    known = set(connection.execute(answered).scalars())
    for row in connection.execute(room.where(items.c.control.is_not(None))).all():
        if row.control != "repeated" or row.expected["of"] in known:
            yield int(row.id)
