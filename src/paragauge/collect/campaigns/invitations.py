"""Invitations: links that let people register, with a limit of uses and an expiry.

>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     invitation, token = create(store, None, "ada", most_uses=1)
...     worker, key = accept(store, token)
...     worker.source
'invitation'
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.memberships import join
from paragauge.collect.people.workers import (
    Person,
    Worker,
    find_registered,
    hash_secret,
    register_in,
)
from paragauge.collect.store.idempotency import claim, derive_secret
from paragauge.collect.store.schema import decisions, memberships, workers
from paragauge.collect.store.schema_answers import changes, invitations
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import RefusedError

MOST_USES = 1_000_000


@dataclass(frozen=True)
class Invitation:
    """An invitation; the token of its link is known only when it is created."""

    id: int
    public_id: str
    campaign_id: int | None
    tier: int
    most_uses: int
    uses: int
    note: str
    created_at: datetime
    expires_at: datetime | None
    withdrawn_at: datetime | None


def create(
    store: Store,
    campaign: Campaign | None,
    actor: str,
    *,
    most_uses: int = MOST_USES,
    tier: int = 1,
    days: float | None = None,
    note: str = "",
    key: str = "",
) -> tuple[Invitation, str]:
    """Create an invitation to a campaign or (None) to the store; also returns the token of its link.

    Calling it again with the same `key` returns the same invitation and token.
    """
    if not 1 <= most_uses <= MOST_USES:
        raise RefusedError("uses", f"expected 1 to {MOST_USES} uses, found {most_uses}")
    row: dict[str, Any] = {
        "note": note,
        "campaign_id": None if campaign is None else campaign.id,
        "tier": tier,
        "most_uses": most_uses,
        "uses": 0,
    }
    with store.write(actor) as transaction:
        token = derive_secret("invitation", key) if key else transaction.token(24)
        if not claim(transaction, "invitation", key):
            mine = invitations.c.hash == hash_secret(token)
            made = transaction.connection.execute(sa.select(invitations).where(mine)).one()
            return _invitation(made), token
        row |= {
            "public_id": transaction.public_id(),
            "hash": hash_secret(token),
            "created_at": transaction.at,
        }
        row["expires_at"] = None if days is None else transaction.at + timedelta(days=days)
        created = transaction.connection.execute(
            sa.insert(invitations).returning(invitations), row
        ).one()
        where = campaign.slug if campaign else None
        transaction.log(
            "invitation.create", created.public_id, campaign=where, uses=most_uses, tier=tier
        )
    return _invitation(created), token


def find(store: Store, token: str) -> Invitation | None:
    """The invitation with this token, if it can be used now."""
    with store.read() as connection:
        query = sa.select(invitations).where(_usable(token, store.clock()))
        row = connection.execute(query).first()
    return None if row is None else _invitation(row)


def all_invitations(store: Store) -> list[Invitation]:
    """All invitations, in order."""
    with store.read() as connection:
        rows = connection.execute(sa.select(invitations).order_by(invitations.c.id))
        return [_invitation(row) for row in rows]


def accept(
    store: Store, token: str, person: Person | None = None, *, key: str = ""
) -> tuple[Worker, str]:
    """Register a worker by an invitation; also returns their key.

    Calling it again with the same `key` returns the same worker.
    """
    with store.write("worker") as transaction:
        if not claim(transaction, "accept", key):
            return find_registered(transaction, key)
        row = _use(transaction, token)
        worker, secret = register_in(transaction, "invitation", person, key)
        transaction.log("invitation.accept", row.public_id, worker=worker.public_id)
        if row.tier > 1:
            _grant(transaction, row, worker)
    return worker, secret


def accept_as(store: Store, token: str, worker: Worker) -> None:
    """Accept an invitation as a registered worker; calling it twice has the same effect as once."""
    with store.write(f"worker:{worker.public_id}") as transaction:
        if _has_accepted(transaction, token, worker):
            return
        row = _use(transaction, token)
        transaction.log("invitation.accept", row.public_id, worker=worker.public_id)
        if row.tier > 1:
            _grant(transaction, row, worker)


def withdraw(store: Store, invitation: Invitation, actor: str) -> None:
    """Withdraw the invitation, so that nobody can use it any more."""
    with store.write(actor) as transaction:
        mine = (invitations.c.id == invitation.id) & invitations.c.withdrawn_at.is_(None)
        update = sa.update(invitations).where(mine).values(withdrawn_at=transaction.at)
        if transaction.connection.execute(update).rowcount:
            transaction.log("invitation.withdraw", invitation.public_id)


def _has_accepted(transaction: Transaction, token: str, worker: Worker) -> bool:
    """Whether the worker has accepted the invitation before; locks it until the transaction ends."""
    named = sa.select(invitations.c.public_id).where(invitations.c.hash == hash_secret(token))
    public = transaction.connection.execute(named.with_for_update()).scalar()
    before = sa.select(changes.c.id).where(
        changes.c.action == "invitation.accept",
        changes.c.subject == public,
        changes.c.details["worker"].as_string() == worker.public_id,
    )
    return transaction.connection.execute(before.limit(1)).first() is not None


def _use(transaction: Transaction, token: str) -> sa.Row[Any]:
    update = sa.update(invitations).where(_usable(token, transaction.at))
    update = update.values(uses=invitations.c.uses + 1)
    row = transaction.connection.execute(update.returning(invitations)).first()
    if row is None:
        raise RefusedError(
            "invitation", "this invitation is used up, expired or withdrawn; ask for another"
        )
    return row


def _grant(transaction: Transaction, row: sa.Row[Any], worker: Worker) -> None:
    """Grant the tier of the invitation, unless it was refused to the worker since."""
    refused = sa.select(decisions.c.id).where(
        decisions.c.worker_id == worker.id,
        decisions.c.decision == "refuse",
        decisions.c.at >= row.created_at,
        decisions.c.campaign_id.is_(None) | (decisions.c.campaign_id == row.campaign_id),
    )
    if transaction.connection.execute(refused.limit(1)).first() is not None:
        return
    decision = {
        "at": transaction.at,
        "campaign_id": row.campaign_id,
        "worker_id": worker.id,
        "tier": row.tier,
    }
    decision |= {"decision": "grant", "reason": "invitation", "actor": transaction.actor}
    transaction.connection.execute(sa.insert(decisions), decision)
    if row.campaign_id is None:
        update = sa.update(workers).where(workers.c.id == worker.id)
    else:
        join(transaction, row.campaign_id, worker.id)
        mine = memberships.c.worker_id == worker.id
        update = sa.update(memberships).where(mine & (memberships.c.campaign_id == row.campaign_id))
        update = update.values(refused=False)
    transaction.connection.execute(update.values(tier=row.tier))
    transaction.log("worker.grant", worker.public_id, tier=row.tier, reason="invitation")


def _usable(token: str, at: datetime) -> Any:
    return (
        (invitations.c.hash == hash_secret(token))
        & (invitations.c.uses < invitations.c.most_uses)
        & invitations.c.withdrawn_at.is_(None)
        & (invitations.c.expires_at.is_(None) | (invitations.c.expires_at > at))
    )


def _invitation(row: sa.Row[Any]) -> Invitation:
    values = dict(row._mapping)
    del values["hash"]
    return Invitation(**values)
