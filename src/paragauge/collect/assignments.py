"""Assignments: which worker has which item, until when, at what pay.

A task is given in one transaction: the place in the item's quota, the money and the row of the
assignment are taken together or not at all. A worker has one open task in a campaign at a time; asking
again returns it. Tasks whose time is over free their place and money when somebody asks next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from paragauge.collect import money
from paragauge.collect.campaigns import Campaign
from paragauge.collect.items import Item
from paragauge.collect.memberships import join, standing
from paragauge.collect.ordering import order_seed, rank, shuffled
from paragauge.collect.schema import assignments, campaigns, item_tiers, items, memberships
from paragauge.collect.store import Store, Writing, public_id
from paragauge.collect.workers import Worker
from paragauge.errors import RefusedError


@dataclass(frozen=True)
class Assignment:
    """An item in the hands of a worker."""

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


@dataclass(frozen=True)
class Refusal:
    """Why there is no task: blocked, check, paused, closed, budget, nothing-left or tier."""

    reason: str


def next_assignment(
    store: Store, campaign: Campaign, worker: Worker, tier: int | None = None
) -> Assignment | Refusal:
    """The worker's open task, or the next one; without `tier` the best-paid that the worker may do."""
    result = _give(store, campaign, worker, tier)
    if isinstance(result, Refusal) and result.reason in ("nothing-left", "budget") and expire(store):
        result = _give(store, campaign, worker, tier)
    return result


def get(store: Store, assignment_public_id: str, worker: Worker) -> Assignment | None:
    """The assignment, if it is this worker's."""
    if not assignment_public_id.isascii() or "\0" in assignment_public_id:
        return None
    mine = (assignments.c.public_id == assignment_public_id) & (assignments.c.worker_id == worker.id)
    with store.read() as connection:
        row = connection.execute(_select().where(mine)).first()
    return None if row is None else _assignment(row)


def of_worker(store: Store, campaign: Campaign, worker: Worker) -> list[Assignment]:
    """All that the worker was given in the campaign, in order."""
    mine = (assignments.c.campaign_id == campaign.id) & (assignments.c.worker_id == worker.id)
    with store.read() as connection:
        rows = connection.execute(_select().where(mine).order_by(assignments.c.position))
        return [_assignment(row) for row in rows]


def skip(store: Store, assignment: Assignment, worker: Worker) -> None:
    """Give the task back for somebody else; twice is as once."""
    if assignment.worker_id != worker.id:
        raise RefusedError("owner", "this task is another worker's")
    with store.write(f"worker:{worker.public_id}") as writing:
        if _end(writing, assignment.id, "skipped"):
            writing.log("assignment.skip", assignment.public_id, item=assignment.item.key)


def expire(store: Store) -> int:
    """Take back open tasks whose time is over; the number of them."""
    late = (assignments.c.state == "open") & (assignments.c.expires_at <= store.clock())
    with store.read() as connection:
        found = connection.execute(
            sa.select(assignments.c.id, assignments.c.public_id).where(late)
        ).all()
    ended = 0
    for number, name in found:
        with store.write("store") as writing:
            if _end(writing, number, "expired"):
                writing.log("assignment.expire", name)
                ended += 1
    return ended


def reassign(store: Store, assignment: Assignment, actor: str, reason: str = "") -> bool:
    """Take an open task back for somebody else before its time; False where it is not open."""
    with store.write(actor) as writing:
        if not _end(writing, assignment.id, "expired"):
            return False
        writing.log("assignment.reassign", assignment.public_id, reason=reason)
    return True


def free_place(writing: Writing, item_id: int, tier: int) -> None:
    """One fewer taken of the item's quota."""
    place = (item_tiers.c.item_id == item_id) & (item_tiers.c.tier == tier)
    update = sa.update(item_tiers).where(place).values(taken=item_tiers.c.taken - 1)
    writing.connection.execute(update)


def _give(store: Store, campaign: Campaign, worker: Worker, tier: int | None) -> Assignment | Refusal:
    with store.read() as connection:
        found = _open(connection, campaign, worker)
    if found is not None and found.expires_at > store.clock():
        return found
    try:
        with store.write(f"worker:{worker.public_id}") as writing:
            row = join(writing, campaign.id, worker.id)
            found = _open(writing.connection, campaign, worker)
            if found is not None and found.expires_at > writing.at:
                return found
            if found is not None and _end(writing, found.id, "expired"):
                writing.log("assignment.expire", found.public_id)
            return _take(writing, campaign, worker, tier, row.given)
    except _OverBudget:
        return Refusal("budget")


class _OverBudget(Exception):
    """The budget does not allow the task: all of the transaction is undone."""


def _take(
    writing: Writing, campaign: Campaign, worker: Worker, tier: int | None, given: int
) -> Assignment | Refusal:
    state, settings = writing.connection.execute(
        sa.select(campaigns.c.state, campaigns.c.settings).where(campaigns.c.id == campaign.id)
    ).one()
    stands = standing(writing.connection, campaign, worker)
    if stands.state == "blocked":
        return Refusal("blocked")
    if state != "active":
        return Refusal(state)
    if not stands.passed_check:
        return Refusal("check")
    if tier is not None and (tier > stands.tier or str(tier) not in settings["tiers"]):
        return Refusal("tier")
    tiers = [each for each in (2, 1) if each <= stands.tier and str(each) in settings["tiers"]]
    seed = order_seed(settings["seed"], worker.public_id)
    done = _done(writing.connection, campaign, worker)
    for each in tiers if tier is None else [tier]:
        for item_id in _candidates(writing.connection, campaign, each, settings, seed, done, given):
            place = (item_tiers.c.item_id == item_id) & (item_tiers.c.tier == each)
            update = sa.update(item_tiers).where(place, item_tiers.c.taken < item_tiers.c.wanted)
            if writing.connection.execute(update.values(taken=item_tiers.c.taken + 1)).rowcount:
                return _insert(writing, campaign, worker, item_id, each, settings, seed, given)
    return Refusal("nothing-left")


def _insert(
    writing: Writing,
    campaign: Campaign,
    worker: Worker,
    item_id: int,
    tier: int,
    settings: dict[str, Any],
    seed: str,
    given: int,
) -> Assignment:
    item = writing.connection.execute(sa.select(items).where(items.c.id == item_id)).one()
    pay = settings["tiers"][str(tier)]["pay_cents"]
    fee = campaign.settings.fee(pay)
    row = {"public_id": public_id(), "campaign_id": campaign.id, "item_id": item_id, "tier": tier}
    row |= {"worker_id": worker.id, "pay_cents": pay, "fee_cents": fee, "state": "open", "seed": seed}
    row |= {"position": given, "given_at": writing.at}
    row["order"] = shuffled(f"{seed}:{item.key}", len(item.content.get("candidates", ())))
    row["expires_at"] = writing.at + timedelta(minutes=settings["expires_minutes"])
    made = writing.connection.execute(
        sa.insert(assignments).returning(assignments.c.id), row
    ).scalar_one()
    mine = (memberships.c.campaign_id == campaign.id) & (memberships.c.worker_id == worker.id)
    writing.connection.execute(sa.update(memberships).where(mine).values(given=given + 1))
    writing.log("assignment.give", row["public_id"], item=item.key, worker=worker.public_id, tier=tier)
    money.enter(writing, "reserve", campaign.id, worker.id, made, reserved=pay + fee)
    if not money.commit(writing, campaign.id, pay + fee):
        raise _OverBudget
    del row["item_id"]
    return Assignment(id=made, item=Item(*item[:9]), **row)


def _done(connection: sa.Connection, campaign: Campaign, worker: Worker) -> dict[tuple[int, int], str]:
    """The state of each item and tier that the worker had, except expired ones: those may come again."""
    query = sa.select(assignments.c.item_id, assignments.c.tier, assignments.c.state).where(
        assignments.c.campaign_id == campaign.id,
        assignments.c.worker_id == worker.id,
        assignments.c.state != "expired",
    )
    return {(item, tier): state for item, tier, state in connection.execute(query)}


def _candidates(
    connection: sa.Connection,
    campaign: Campaign,
    tier: int,
    settings: dict[str, Any],
    seed: str,
    done: dict[tuple[int, int], str],
    given: int,
) -> Iterator[int]:
    """Items with room that the worker may have, in the worker's order; a control where one is due."""
    query = (
        sa.select(items.c.id, items.c.key, items.c.control, items.c.expected)
        .join(item_tiers)
        .where(
            items.c.campaign_id == campaign.id,
            items.c.state == "active",
            item_tiers.c.tier == tier,
            item_tiers.c.taken < item_tiers.c.wanted,
        )
    )
    seen = (
        {item for item, _ in done} if not settings["both_tiers"] else {i for i, t in done if t == tier}
    )
    rows = [row for row in connection.execute(query) if row.id not in seen]
    rows.sort(key=lambda row: rank(seed, row.key))
    ordinary = [row.id for row in rows if row.control is None]
    rules = settings["controls"]
    if ordinary and rules and given % rules["every"] == rules["every"] - 1:
        answered = {item for (item, _), state in done.items() if state == "submitted"}
        keys = sa.select(items.c.key).where(items.c.id.in_(answered))
        known = set(connection.execute(keys).scalars())
        for row in rows:
            if row.control and (row.control != "repeated" or row.expected["of"] in known):
                yield row.id
    yield from ordinary


def _open(connection: sa.Connection, campaign: Campaign, worker: Worker) -> Assignment | None:
    mine = (assignments.c.campaign_id == campaign.id) & (assignments.c.worker_id == worker.id)
    row = connection.execute(_select().where(mine, assignments.c.state == "open")).first()
    return None if row is None else _assignment(row)


def _end(writing: Writing, assignment_id: int, state: str) -> bool:
    """Close an open assignment without an answer and free what it held; False where it is not open."""
    mine = (assignments.c.id == assignment_id) & (assignments.c.state == "open")
    update = sa.update(assignments).where(mine).values(state=state, ended_at=writing.at)
    row = writing.connection.execute(update.returning(assignments)).first()
    if row is None:
        return False
    free_place(writing, row.item_id, row.tier)
    cost = row.pay_cents + row.fee_cents
    money.enter(writing, "release", row.campaign_id, row.worker_id, row.id, reserved=-cost)
    money.commit(writing, row.campaign_id, -cost)
    return True


def _select() -> sa.Select[Any]:
    return sa.select(assignments, items).join(items, assignments.c.item_id == items.c.id)


def _assignment(row: sa.Row[Any]) -> Assignment:
    ours, theirs = row[: len(assignments.c)], row[len(assignments.c) :]
    named: dict[str, Any] = dict(zip(assignments.c.keys(), ours, strict=True))
    del named["item_id"], named["ended_at"]
    named["order"] = tuple(named["order"])
    return Assignment(item=Item(*theirs[:9]), **named)
