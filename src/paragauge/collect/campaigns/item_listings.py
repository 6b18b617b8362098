"""Paged lists for the requester's pages: items, their coverage, open tasks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.items import Item
from paragauge.collect.store.paging import PageRange, read_page
from paragauge.collect.store.schema import assignments, item_tiers, items, workers
from paragauge.collect.store.store import Store


@dataclass(frozen=True)
class TierProgress:
    """Progress of an item in one tier: answers wanted, kept (not rejected), and being written."""

    wanted: int
    kept: int
    open: int


@dataclass(frozen=True)
class OpenTask:
    """A task that a worker has open."""

    public_id: str
    item_key: str
    worker: str
    tier: int
    given_at: datetime
    expires_at: datetime


def list_items(
    store: Store, campaign: Campaign, part: PageRange, show: str = "active", words: str = ""
) -> tuple[list[Item], int]:
    """Items in the order of adding: active, uncovered (some tier has room), retired, or controls; with
    `words` in key or content.
    """
    room = (
        sa.select(item_tiers.c.item_id)
        .where(item_tiers.c.item_id == items.c.id, item_tiers.c.taken < item_tiers.c.wanted)
        .correlate(items)
        .exists()
    )
    active, proper = items.c.state == "active", items.c.control.is_(None)
    conditions = {
        "active": active & proper,
        "uncovered": active & proper & room,
        "retired": ~active,
        "controls": ~proper,
    }
    query = sa.select(items).where(items.c.campaign_id == campaign.id, conditions[show])
    if words:
        coded = json.dumps(words, ensure_ascii=False)[1:-1]
        content = sa.cast(items.c.content, sa.Text)
        query = query.where(
            items.c.key.icontains(words, autoescape=True) | content.icontains(coded, autoescape=True)
        )
    rows, total = read_page(store, query.order_by(items.c.id), part)
    return [Item(*row[:9]) for row in rows], total


def read_tier_progress(store: Store, item_ids: Sequence[int]) -> dict[int, dict[int, TierProgress]]:
    """The progress of items, by item and tier."""
    opened = (
        sa.select(sa.func.count())
        .where(
            assignments.c.item_id == item_tiers.c.item_id,
            assignments.c.tier == item_tiers.c.tier,
            assignments.c.state == "open",
        )
        .correlate(item_tiers)
        .scalar_subquery()
    )
    query = (
        sa.select(item_tiers, opened.label("open"))
        .where(item_tiers.c.item_id.in_(item_ids))
        .order_by(item_tiers.c.tier)
    )
    progress: dict[int, dict[int, TierProgress]] = {}
    with store.read() as connection:
        for row in connection.execute(query):
            place = TierProgress(row.wanted, row.taken - row.open, row.open)
            progress.setdefault(row.item_id, {})[row.tier] = place
    return progress


def list_open_tasks(store: Store, campaign: Campaign, part: PageRange) -> tuple[list[OpenTask], int]:
    """The tasks that workers have open, the oldest first."""
    query = (
        sa.select(
            assignments.c.public_id,
            items.c.key,
            workers.c.public_id,
            assignments.c.tier,
            assignments.c.given_at,
            assignments.c.expires_at,
        )
        .select_from(
            assignments.join(items, items.c.id == assignments.c.item_id).join(
                workers, workers.c.id == assignments.c.worker_id
            )
        )
        .where(assignments.c.campaign_id == campaign.id, assignments.c.state == "open")
        .order_by(assignments.c.given_at, assignments.c.id)
    )
    rows, total = read_page(store, query, part)
    return [OpenTask(*row) for row in rows], total
