"""Assignments: which worker has which item, until when, at what pay.

A task is assigned in one transaction: the place in the item's quota, the money and the assignment are
taken together or not at all. A worker has one open task per campaign at a time; asking again returns
it. Expired tasks free their place and money when somebody next asks for a task.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import budget, ledger
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.campaigns import from_row as campaign_from_row
from paragauge.collect.campaigns.items import Item, from_row
from paragauge.collect.campaigns.memberships import Standing, join, read_standing
from paragauge.collect.campaigns.unanswered_tasks import end_task
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.columns import is_id
from paragauge.collect.store.schema import assignments, campaigns, items, memberships
from paragauge.collect.store.store import LATER, Store, Transaction
from paragauge.collect.tasks.item_choice import ItemSearch, find_likely_items, pick_item
from paragauge.collect.tasks.task_order import order_seed, shuffle
from paragauge.errors import RefusedError


@dataclass(frozen=True)
class Assignment:
    """An item assigned to a worker; `order` has the indices of candidates as the page shows them."""

    id: int
    public_id: str
    campaign_id: int
    item: Item
    worker_id: int
    tier: int
    pay_cents: int
    fee_cents: int
    state: str
    position: int
    order: tuple[int, ...]
    seed: str
    given_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None

    @property
    def released(self) -> bool:
        """Whether a requester took the task back early, for somebody else."""
        early = self.ended_at is not None and self.ended_at < self.expires_at
        return self.state == "expired" and early


@dataclass(frozen=True)
class Refusal:
    """Why there is no task: blocked, check, paused, closed, budget, nothing-left or tier."""

    reason: str


_TASKS = sa.select(assignments, items).join(items, assignments.c.item_id == items.c.id)
_ONE = _TASKS.where(
    assignments.c.public_id == sa.bindparam("name"), assignments.c.worker_id == sa.bindparam("worker")
)
_WITH_CAMPAIGN = _ONE.join(campaigns, assignments.c.campaign_id == campaigns.c.id).add_columns(
    campaigns
)
_OPEN = _TASKS.where(
    assignments.c.campaign_id == sa.bindparam("campaign"),
    assignments.c.worker_id == sa.bindparam("worker"),
    assignments.c.state == "open",
)
_INSERT = sa.insert(assignments).returning(assignments.c.id)
_COUNT = (
    sa.update(memberships)
    .where(
        memberships.c.campaign_id == sa.bindparam("campaign"),
        memberships.c.worker_id == sa.bindparam("worker"),
    )
    .values(given=memberships.c.given + 1)
    .execution_options(**LATER)
)


Tries = dict[int, list[int]]


def next_assignment(
    store: Store, campaign: Campaign, worker: Worker, tier: int | None = None
) -> Assignment | Refusal:
    """The worker's open task, or the next one; without `tier`, from the best-paid tier allowed."""
    tries: Tries = {}
    if store.one_writer:
        with store.read() as connection:
            current = _find_open(connection, campaign, worker)
            if current is not None and current.expires_at > store.clock():
                return current
            tries = _find_likely_items(connection, campaign, worker, tier)
    result = _assign(store, campaign, worker, tier, tries)
    if isinstance(result, Refusal) and result.reason in ("nothing-left", "budget") and expire(store):
        result = _assign(store, campaign, worker, tier)
    return result


def get(store: Store, assignment_public_id: str, worker: Worker) -> Assignment | None:
    """The assignment, if it is this worker's."""
    if not is_id(assignment_public_id):
        return None
    with store.read() as connection:
        row = connection.execute(_ONE, {"name": assignment_public_id, "worker": worker.id}).first()
    return None if row is None else _assignment(row)


def get_with_campaign(
    store: Store, assignment_public_id: str, worker: Worker
) -> tuple[Assignment, Campaign] | None:
    """Like `get`, with the campaign of the assignment."""
    if not is_id(assignment_public_id):
        return None
    with store.read() as connection:
        values = {"name": assignment_public_id, "worker": worker.id}
        row = connection.execute(_WITH_CAMPAIGN, values).first()
    if row is None:
        return None
    return _assignment(row), campaign_from_row(row[-len(campaigns.c) :])


def list_of_worker(store: Store, campaign: Campaign, worker: Worker) -> list[Assignment]:
    """All assignments of the worker in the campaign, in order."""
    mine = (assignments.c.campaign_id == campaign.id) & (assignments.c.worker_id == worker.id)
    with store.read() as connection:
        rows = connection.execute(_TASKS.where(mine).order_by(assignments.c.position))
        return [_assignment(row) for row in rows]


def list_open(store: Store, campaign: Campaign) -> list[Assignment]:
    """The open assignments of a campaign, oldest first."""
    here = (assignments.c.campaign_id == campaign.id) & (assignments.c.state == "open")
    with store.read() as connection:
        rows = connection.execute(_TASKS.where(here).order_by(assignments.c.id))
        return [_assignment(row) for row in rows]


def skip(store: Store, assignment: Assignment, worker: Worker) -> None:
    """Give the task back for somebody else; calling it twice has the same effect as once."""
    if assignment.worker_id != worker.id:
        raise RefusedError("owner", "this task belongs to another worker")
    with store.write(f"worker:{worker.public_id}") as transaction:
        end_task(transaction, assignment.id, "skipped")


def expire(store: Store) -> int:
    """Take back expired tasks and return how many there were."""
    late = (assignments.c.state == "open") & (assignments.c.expires_at <= store.clock())
    with store.read() as connection:
        query = sa.select(assignments.c.id).where(late).order_by(assignments.c.id)
        late_ids = connection.execute(query).scalars().all()
    ended = 0
    for number in late_ids:
        with store.write("store") as transaction:
            ended += end_task(transaction, number, "expired")
    return ended


def reassign(store: Store, assignment: Assignment, actor: str, reason: str = "") -> bool:
    """Take an open task back early, for somebody else; False if it is not open.

    The worker who had it does not get it again.
    """
    with store.write(actor) as transaction:
        if not end_task(transaction, assignment.id, "expired"):
            return False
        transaction.log("assignment.reassign", assignment.public_id, reason=reason)
    return True


class _OverBudgetError(Exception):
    """The budget does not allow a task of this tier: the whole transaction is undone."""

    def __init__(self, tier: int) -> None:
        self.tier = tier


def _find_likely_items(
    connection: sa.Connection, campaign: Campaign, worker: Worker, tier: int | None
) -> Tries:
    """Likely items from the best tier that has any, found before the write lock is taken."""
    standing = read_standing(connection, campaign, worker)
    seed = order_seed(campaign.settings.seed, worker.public_id)
    for chosen_tier in sorted(campaign.settings.tiers, reverse=True) if tier is None else [tier]:
        search = ItemSearch(campaign.settings, campaign.id, worker.id, chosen_tier, seed)
        if chosen_tier <= standing.tier and (item_ids := find_likely_items(connection, search)):
            return {chosen_tier: item_ids}
    return {}


def _assign(
    store: Store, campaign: Campaign, worker: Worker, tier: int | None, tries: Tries | None = None
) -> Assignment | Refusal:
    try:
        with store.write(f"worker:{worker.public_id}") as transaction:
            row = join(transaction, campaign.id, worker.id)
            current = _find_open(transaction.connection, campaign, worker)
            if current is not None and current.expires_at > transaction.at:
                return current
            if current is not None:
                end_task(transaction, current.id, "expired")
            return _assign_in(transaction, campaign, worker, tier, row.given, tries or {})
    except _OverBudgetError as error:
        # A cheaper tier may still be within the budget.
        lower = error.tier - 1 if tier is None else 0
        return _assign(store, campaign, worker, lower) if lower else Refusal("budget")


def _assign_in(
    transaction: Transaction,
    campaign: Campaign,
    worker: Worker,
    tier: int | None,
    position: int,
    tries: Tries,
) -> Assignment | Refusal:
    standing = read_standing(transaction.connection, campaign, worker)
    settings = standing.campaign.settings
    reason = _refusal(standing, tier)
    if reason is not None:
        return Refusal(reason)
    seed = order_seed(settings.seed, worker.public_id)
    for chosen_tier in sorted(settings.tiers, reverse=True) if tier is None else [tier]:
        if chosen_tier <= standing.tier:
            search = ItemSearch(settings, campaign.id, worker.id, chosen_tier, seed)
            item = pick_item(transaction, search, tries.get(chosen_tier, ()))
            if item is not None:
                return _insert(
                    transaction, settings, campaign.id, worker, item, chosen_tier, seed, position
                )
    return Refusal("nothing-left")


def _refusal(standing: Standing, tier: int | None) -> str | None:
    state, settings = standing.campaign.state, standing.campaign.settings
    if standing.state == "blocked":
        return "blocked"
    if state != "active":
        return state
    if not standing.passed_check:
        return "check"
    if tier is not None and (tier > standing.tier or tier not in settings.tiers):
        return "tier"
    return None


def _insert(
    transaction: Transaction,
    settings: CampaignSettings,
    campaign_id: int,
    worker: Worker,
    item: Item,
    tier: int,
    seed: str,
    position: int,
) -> Assignment:
    pay = settings.tiers[tier].pay_cents
    fee = settings.fee(pay)
    row: dict[str, Any] = {
        "public_id": transaction.public_id(),
        "campaign_id": campaign_id,
        "tier": tier,
    }
    row |= {"worker_id": worker.id, "pay_cents": pay, "fee_cents": fee, "state": "open", "seed": seed}
    row |= {"position": position, "given_at": transaction.at}
    row["order"] = shuffle(f"{seed}:{item.key}", len(item.content.get("candidates", ())))
    row["expires_at"] = transaction.at + timedelta(minutes=settings.expires_minutes)
    assignment_id = transaction.connection.execute(_INSERT, row | {"item_id": item.id}).scalar_one()
    transaction.connection.execute(_COUNT, {"campaign": campaign_id, "worker": worker.id})
    transaction.log(
        "assignment.give", row["public_id"], item=item.key, worker=worker.public_id, tier=tier
    )
    ledger.add_entry(transaction, "reserve", campaign_id, worker.id, assignment_id, reserved=pay + fee)
    if not budget.commit_cents(transaction, campaign_id, pay + fee):
        raise _OverBudgetError(tier)
    return Assignment(id=assignment_id, item=item, **row)


def _find_open(connection: sa.Connection, campaign: Campaign, worker: Worker) -> Assignment | None:
    row = connection.execute(_OPEN, {"campaign": campaign.id, "worker": worker.id}).first()
    return None if row is None else _assignment(row)


def _assignment(row: Any) -> Assignment:
    ours, theirs = row[: len(assignments.c)], row[len(assignments.c) :]
    named: dict[str, Any] = dict(zip(assignments.c.keys(), ours, strict=True))
    del named["item_id"]
    named["order"] = tuple(named["order"])
    return Assignment(item=from_row(theirs), **named)
