"""How many tasks a worker has before them, for "task 3 of 5".

The count is of items with room in the worker's tiers that they have not had. Controls come in between,
and workers must not recognize them: if the number of all tasks grew by one with each control, they
could. So where there are controls, one in every `every` tasks is added for all of the items, those that
were answered or skipped included, and the number depends on ordinary items alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from paragauge.collect.campaigns import budget
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.memberships import Standing
from paragauge.collect.store.schema import assignments, item_tiers, items
from paragauge.collect.store.store import Store

# More are not counted: "task 3".
MOST = 100


@dataclass(frozen=True)
class TaskCount:
    """The number of the present task, and of all tasks; 0 if there are more than are counted."""

    number: int
    total: int


_MINE = sa.select(assignments).where(
    assignments.c.worker_id == sa.bindparam("worker"),
    assignments.c.campaign_id == sa.bindparam("campaign"),
)
_HAD = _MINE.with_only_columns(assignments.c.item_id).where(
    (assignments.c.state != "expired") | (assignments.c.ended_at < assignments.c.expires_at)
)
_DONE = (
    sa.select(sa.func.count(), sa.func.count(items.c.control))
    .select_from(assignments.join(items))
    .where(
        assignments.c.worker_id == sa.bindparam("worker"),
        assignments.c.campaign_id == sa.bindparam("campaign"),
        assignments.c.state.in_(("submitted", "skipped")),
    )
)
_ROOM = (
    sa.select(items.c.id)
    .join(item_tiers)
    .where(
        items.c.campaign_id == sa.bindparam("campaign"),
        items.c.state == "active",
        items.c.control.is_(None),
        item_tiers.c.taken < item_tiers.c.wanted,
    )
    .limit(MOST + 1)
)


def count_tasks(store: Store, standing: Standing, control: bool = False) -> TaskCount:
    """The number of the worker's open task; `control` says that it is one.

    >>> from paragauge.collect.campaigns import campaigns, items, memberships
    >>> from paragauge.collect.campaigns.campaign_settings import CampaignSettings
    >>> from paragauge.collect.people import workers
    >>> from paragauge.collect.store.store import temporary_store
    >>> from paragauge.collect.tasks import assignments
    >>> with temporary_store() as store:
    ...     settings = CampaignSettings(kind="paraphrase", title="Say it differently")
    ...     campaign = campaigns.create(store, settings, "differently", "ada")
    ...     rows = [{"key": key, "content": {"text": "A dog runs."}} for key in "abc"]
    ...     _ = items.add(store, campaign, rows, "ada")
    ...     worker, _ = workers.register(store, "link")
    ...     _ = assignments.next_assignment(store, campaign, worker)
    ...     count_tasks(store, memberships.get_standing(store, campaign, worker))
    TaskCount(number=1, total=3)
    """
    settings = standing.campaign.settings
    values = _name_values(standing)
    tiers = [tier for tier in settings.tiers if tier <= standing.tier]
    with store.read() as connection:
        done, controls = connection.execute(_DONE, values).one()
        rooms = _select_rooms(settings, tiers)
        left = sum(
            connection.execute(sa.select(sa.func.count()).select_from(room.subquery()), values).scalar()
            or 0
            for room in rooms
        )
    number = done + 1
    if left > MOST:
        return TaskCount(number, 0)
    ordinary = done - controls + left + (not control)
    every = settings.controls.every if settings.controls else 0
    total = ordinary + -(-ordinary // (every - 1)) if every else ordinary
    return TaskCount(number, max(number, total))


def has_more(store: Store, standing: Standing) -> bool:
    """Whether the worker has a task open, or would get one now."""
    settings, campaign = standing.campaign.settings, standing.campaign
    if standing.state == "blocked" or campaign.state != "active":
        return False
    tiers = [tier for tier in settings.tiers if tier <= standing.tier]
    mine = _MINE.where(assignments.c.state == "open", assignments.c.expires_at > store.clock())
    with store.read() as connection:
        if connection.execute(mine, _name_values(standing)).first() is not None:
            return True
    costs = budget.compute_costs(store, campaign)
    cheapest = min(settings.tiers[tier].pay_cents for tier in tiers)
    if costs.spent + costs.reserved + cheapest + settings.fee(cheapest) > costs.budget:
        return False
    with store.read() as connection:
        return any(
            connection.execute(room.limit(1), _name_values(standing)).first() is not None
            for room in _select_rooms(settings, tiers)
        )


def _select_rooms(settings: CampaignSettings, tiers: list[int]) -> list[sa.Select[tuple[int]]]:
    """Queries for the items with room that the worker has not had, one for each tier or one for all."""
    if not settings.both_tiers:
        open_to_me = item_tiers.c.tier.in_(tiers)
        return [_ROOM.where(open_to_me, items.c.id.not_in(_HAD)).distinct()]
    rooms = []
    for tier in tiers:
        had = _HAD.where(assignments.c.tier == tier)
        rooms.append(_ROOM.where(item_tiers.c.tier == tier, items.c.id.not_in(had)))
    return rooms


def count_answers(store: Store, standing: Standing) -> int:
    """The answers that the worker has given in the campaign."""
    mine = assignments.c.state == "submitted"
    mine &= assignments.c.worker_id == standing.worker.id
    mine &= assignments.c.campaign_id == standing.campaign.id
    with store.read() as connection:
        return connection.execute(sa.select(sa.func.count()).where(mine)).scalar_one()


def explain_useless_grant(store: Store, standing: Standing) -> str:
    """Why the worker would find no task in tier 2; empty if there is one.

    >>> from paragauge.collect.campaigns import campaigns, memberships
    >>> from paragauge.collect.campaigns.campaign_settings import CampaignSettings
    >>> from paragauge.collect.people import workers
    >>> from paragauge.collect.store.store import temporary_store
    >>> with temporary_store() as store:
    ...     settings = CampaignSettings(kind="describe", title="Birds")
    ...     campaign = campaigns.create(store, settings, "birds", "ada")
    ...     worker, _ = workers.register(store, "link")
    ...     explain_useless_grant(store, memberships.get_standing(store, campaign, worker))
    'This campaign has no tier 2. Add it under Settings.'
    """
    settings, values = standing.campaign.settings, _name_values(standing)
    if 2 not in settings.tiers:
        return "This campaign has no tier 2. Add it under Settings."
    room = _ROOM.where(item_tiers.c.tier == 2).limit(1)
    had = _HAD.where(assignments.c.tier == 2) if settings.both_tiers else _HAD
    with store.read() as connection:
        if connection.execute(room, values).first() is None:
            return "No item wants more answers in tier 2. Ask for more under Settings, or add items."
        if connection.execute(room.where(items.c.id.not_in(had)), values).first() is not None:
            return ""
    if settings.both_tiers:
        return "This worker has had every item that wants answers in tier 2. Add items."
    return (
        "This worker has had every item that wants answers in tier 2, and a worker may not do the same "
        "item in both tiers. Allow it under Settings, or add items."
    )


def _name_values(standing: Standing) -> dict[str, int]:
    return {"worker": standing.worker.id, "campaign": standing.campaign.id}
