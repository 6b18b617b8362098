"""The standing of a worker in a campaign: tier, warned or blocked, comprehension check passed or not.

A grant, warning or block holds in one campaign, or in all if no campaign is named. The higher tier and
the worse state count, but a worker who was refused in a campaign stays in its tier 1. A grant or
refusal in all campaigns replaces earlier ones in single campaigns; a warning never lifts a block. Every
decision is kept with its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.unanswered_tasks import end_tasks_of_worker
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.idempotency import claim, insert_statement
from paragauge.collect.store.schema import campaigns, checks, decisions, memberships, workers
from paragauge.collect.store.store import Store, Transaction

STATES = ("active", "warned", "blocked")


@dataclass(frozen=True)
class Standing:
    """The standing of a worker in a campaign."""

    worker: Worker
    campaign: Campaign
    tier: int
    state: str
    refused: bool
    passed_check: bool
    check_tries: int
    given: int


@dataclass(frozen=True)
class Decision:
    """A decision about a worker, in one campaign or (None) in all."""

    at: Any
    campaign_id: int | None
    decision: str
    tier: int | None
    reason: str
    actor: str


_STANDING = (
    sa.select(
        workers.c.tier.label("everywhere"),
        workers.c.state.label("general"),
        *memberships.c[("tier", "state", "refused", "passed_check", "check_tries", "given")],
        campaigns.c.state.label("campaign_state"),
        campaigns.c.settings,
    )
    .select_from(workers)
    .join(campaigns, campaigns.c.id == sa.bindparam("campaign"))
    .outerjoin(
        memberships,
        (memberships.c.worker_id == workers.c.id)
        & (memberships.c.campaign_id == sa.bindparam("campaign")),
    )
    .where(workers.c.id == sa.bindparam("worker"))
)
_OWN_ROW = (
    sa.select(memberships)
    .where(
        memberships.c.campaign_id == sa.bindparam("campaign"),
        memberships.c.worker_id == sa.bindparam("worker"),
    )
    .with_for_update()
)


def get_standing(store: Store, campaign: Campaign, worker: Worker) -> Standing:
    """The standing of a worker; one who has not begun is in tier 1."""
    with store.read() as connection:
        return read_standing(connection, campaign, worker)


def read_standing(connection: sa.Connection, campaign: Campaign, worker: Worker) -> Standing:
    """Like `get_standing`, on an open connection; reads the campaign's state and settings afresh."""
    row = connection.execute(_STANDING, {"campaign": campaign.id, "worker": worker.id}).one()
    now = replace(campaign, state=row.campaign_state, settings=CampaignSettings.from_json(row.settings))
    general, own = STATES.index(row.general), STATES.index(row.state or "active")
    return Standing(
        worker,
        now,
        (row.tier or 1) if row.refused else max(row.everywhere, row.tier or 1),
        STATES[max(general, own)],
        bool(row.refused),
        bool(row.passed_check) or not now.settings.comprehension,
        row.check_tries or 0,
        row.given or 0,
    )


def grant(
    store: Store,
    campaign: Campaign | None,
    worker: Worker,
    actor: str,
    reason: str = "",
    tier: int = 2,
    *,
    key: str = "",
    unless_decided: bool = False,
) -> None:
    """Let the worker do the tasks of a higher tier; a decision that repeats a `key` does nothing.

    With `unless_decided`, it does nothing either if somebody has granted or refused a tier before.
    """
    _decide(
        store,
        campaign,
        worker,
        "grant",
        actor,
        reason,
        tier=tier,
        key=key,
        unless_decided=unless_decided,
    )


def refuse(
    store: Store,
    campaign: Campaign | None,
    worker: Worker,
    actor: str,
    reason: str = "",
    *,
    key: str = "",
) -> None:
    """Refuse the worker a higher tier; they may go on in tier 1."""
    _decide(store, campaign, worker, "refuse", actor, reason, key=key)


def warn(
    store: Store,
    campaign: Campaign | None,
    worker: Worker,
    actor: str,
    reason: str = "",
    *,
    key: str = "",
) -> None:
    """Warn the worker."""
    _decide(store, campaign, worker, "warn", actor, reason, key=key)


def block(
    store: Store,
    campaign: Campaign | None,
    worker: Worker,
    actor: str,
    reason: str = "",
    *,
    key: str = "",
) -> None:
    """Block the worker: no more tasks, and open ones are taken back."""
    _decide(store, campaign, worker, "block", actor, reason, key=key)


def unblock(
    store: Store,
    campaign: Campaign | None,
    worker: Worker,
    actor: str,
    reason: str = "",
    *,
    key: str = "",
) -> None:
    """Take back a warning or a block."""
    _decide(store, campaign, worker, "unblock", actor, reason, key=key)


DECISIONS: dict[str, Callable[..., None]] = {
    "grant": grant,
    "refuse": refuse,
    "warn": warn,
    "block": block,
    "unblock": unblock,
}


def list_decisions(store: Store, worker: Worker) -> list[Decision]:
    """The decisions about a worker, in order."""
    columns = decisions.c[("at", "campaign_id", "decision", "tier", "reason", "actor")]
    query = sa.select(*columns).where(decisions.c.worker_id == worker.id).order_by(decisions.c.id)
    with store.read() as connection:
        return [Decision(*row) for row in connection.execute(query)]


def record_check(
    store: Store, campaign: Campaign, worker: Worker, answers: dict[str, Any], passed: bool
) -> Standing:
    """Record one try at the comprehension check; tries beyond the limit are ignored."""
    with store.write(f"worker:{worker.public_id}") as transaction:
        row = join(transaction, campaign.id, worker.id)
        if row.passed_check or row.check_tries >= campaign.settings.comprehension_tries:
            return read_standing(transaction.connection, campaign, worker)
        attempt = row.check_tries + 1
        check = {"at": transaction.at, "campaign_id": campaign.id, "worker_id": worker.id}
        check |= {"attempt": attempt, "answers": answers, "passed": passed}
        transaction.connection.execute(sa.insert(checks), check)
        values = {"check_tries": attempt, "passed_check": row.passed_check or passed}
        transaction.connection.execute(
            sa.update(memberships).where(_row(campaign.id, worker.id)).values(values)
        )
        transaction.log(
            "check", worker.public_id, campaign=campaign.slug, attempt=attempt, passed=passed
        )
        return read_standing(transaction.connection, campaign, worker)


def join(transaction: Transaction, campaign_id: int, worker_id: int) -> sa.Row[Any]:
    """The worker's row in the campaign, created if missing, and locked until the transaction ends."""
    mine = {"campaign": campaign_id, "worker": worker_id}
    row = transaction.connection.execute(_OWN_ROW, mine).first()
    if row is not None:
        return row
    insert: Any = insert_statement(transaction.connection)(memberships)
    values = {"campaign_id": campaign_id, "worker_id": worker_id, "tier": 1, "state": "active"}
    values |= {"refused": False, "passed_check": False, "check_tries": 0, "given": 0}
    values["joined_at"] = transaction.at
    transaction.connection.execute(insert.values(values).on_conflict_do_nothing())
    return transaction.connection.execute(_OWN_ROW, mine).one()


def _row(campaign_id: int, worker_id: int) -> Any:
    return (memberships.c.campaign_id == campaign_id) & (memberships.c.worker_id == worker_id)


def _decide(
    store: Store,
    campaign: Campaign | None,
    worker: Worker,
    decision: str,
    actor: str,
    reason: str,
    tier: int | None = None,
    *,
    key: str,
    unless_decided: bool = False,
) -> None:
    state = {"warn": "warned", "block": "blocked", "unblock": "active"}.get(decision)
    new: dict[str, Any] = {"tier": tier or 1} if state is None else {"state": state}
    here = new | ({"refused": decision == "refuse"} if state is None else {})
    with store.write(actor) as transaction:
        if not claim(transaction, f"decision {worker.public_id}", key):
            return
        if unless_decided and _has_tier_decision(transaction, campaign, worker):
            return
        row: dict[str, Any] = {
            "at": transaction.at,
            "campaign_id": None if campaign is None else campaign.id,
            "worker_id": worker.id,
        }
        row |= {"decision": decision, "tier": tier, "reason": reason, "actor": actor}
        transaction.connection.execute(sa.insert(decisions), row)
        if campaign is None:
            updates = [sa.update(workers).where(workers.c.id == worker.id).values(new)]
            if state is None:
                mine = memberships.c.worker_id == worker.id
                updates.append(sa.update(memberships).where(mine).values(here))
        else:
            join(transaction, campaign.id, worker.id)
            updates = [sa.update(memberships).where(_row(campaign.id, worker.id)).values(here)]
        for update in updates:
            allowed = update.table.c.state != "blocked" if decision == "warn" else sa.true()
            transaction.connection.execute(update.where(allowed))
        if decision == "block":
            end_tasks_of_worker(transaction, worker.id, None if campaign is None else campaign.id)
        where = campaign.slug if campaign else None
        transaction.log(f"worker.{decision}", worker.public_id, campaign=where, reason=reason, **new)


def _has_tier_decision(transaction: Transaction, campaign: Campaign | None, worker: Worker) -> bool:
    """Whether a tier was granted or refused to the worker, here or in all campaigns.

    The worker's row is locked first, so that nobody decides at the same moment.
    """
    here: sa.ColumnElement[bool] = decisions.c.campaign_id.is_(None)
    if campaign is not None:
        join(transaction, campaign.id, worker.id)
        here |= decisions.c.campaign_id == campaign.id
    about = (decisions.c.worker_id == worker.id) & decisions.c.decision.in_(("grant", "refuse"))
    query = sa.select(decisions.c.id).where(about & here).limit(1)
    return transaction.connection.execute(query).first() is not None
