"""Money: a budget that cannot be exceeded, and a ledger whose rows are only ever added.

A task reserves its pay and fee when it is given. Skipping or expiry releases that; submitting turns it
into earnings; rejection revokes them, unless they were paid already, and acceptance after a rejection
restores what was revoked. What was paid out stays committed. The campaign's `committed_cents` is always
the sum over its ledger of reserved, earned and fees, and grows only by

    UPDATE campaigns SET committed_cents = committed_cents + cost
    WHERE committed_cents + cost <= budget_cents

so that concurrent workers can never exceed the budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.schema import campaigns, item_tiers, items
from paragauge.collect.store.schema_answers import ledger
from paragauge.collect.store.store import LATER, Store, Transaction
from paragauge.errors import RefusedError


@dataclass(frozen=True)
class LedgerEntry:
    """One row of the ledger: how much each sum changes."""

    id: int
    at: datetime
    campaign_id: int
    worker_id: int
    assignment_id: int | None
    kind: str
    reserved_cents: int
    earned_cents: int
    fee_cents: int
    paid_cents: int
    note: str
    actor: str


@dataclass(frozen=True)
class Costs:
    """Money of a campaign in cents, fees included except in `earned` and `paid`."""

    spent: int
    reserved: int
    at_completion: int
    budget: int
    earned: int
    fees: int
    paid: int


@dataclass(frozen=True)
class Balance:
    """What a worker has earned, been paid, and is owed, in cents."""

    earned: int
    paid: int

    @property
    def owed(self) -> int:
        """Earned and not yet paid."""
        return self.earned - self.paid


_TOTAL = campaigns.c.committed_cents + sa.bindparam("cents", type_=sa.Integer)
_RELEASE = (
    sa.update(campaigns)
    .where(campaigns.c.id == sa.bindparam("campaign"))
    .values(committed_cents=_TOTAL)
)
_COMMIT = _RELEASE.where(campaigns.c.budget_cents >= _TOTAL)
_ENTER = sa.insert(ledger).inline().execution_options(**LATER)
_SUMS = sa.select(
    *(sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in ("earned_cents", "fee_cents"))
).where(ledger.c.assignment_id == sa.bindparam("task"))
SANDBOX = "(sandbox: nothing was paid)"


def commit(transaction: Transaction, campaign_id: int, cents: int) -> bool:
    """Add to the committed money of the campaign; False if the budget does not allow it."""
    update = _COMMIT if cents > 0 else _RELEASE
    return (
        transaction.connection.execute(update, {"campaign": campaign_id, "cents": cents}).rowcount == 1
    )


def enter(
    transaction: Transaction,
    kind: str,
    campaign_id: int,
    worker_id: int,
    assignment_id: int | None = None,
    *,
    reserved: int = 0,
    earned: int = 0,
    fee: int = 0,
    paid: int = 0,
    note: str = "",
) -> None:
    """Add a row to the ledger."""
    row = {"at": transaction.at, "campaign_id": campaign_id, "worker_id": worker_id, "kind": kind}
    row |= {"assignment_id": assignment_id, "reserved_cents": reserved, "earned_cents": earned}
    row |= {"fee_cents": fee, "paid_cents": paid, "note": note, "actor": transaction.actor}
    transaction.connection.execute(_ENTER, row)


def revoke(
    transaction: Transaction, campaign_id: int, worker_id: int, assignment_id: int, note: str = ""
) -> int:
    """Take back what a task has earned, as far as it is still owed; returns the cents already paid.

    A task whose earnings were taken back before, as in Mechanical Turk's sandbox, has none.
    """
    _lock(transaction, campaign_id)
    earned, fee = _sums(transaction, _SUMS, assignment_id)
    back = min(earned, max(0, _balance(transaction.connection, campaign_id, worker_id).owed))
    fee_back = fee if back == earned else fee * back // earned
    if back or fee_back:
        sums = {"earned": -back, "fee": -fee_back}
        enter(transaction, "revoke", campaign_id, worker_id, assignment_id, **sums, note=note)
        commit(transaction, campaign_id, -back - fee_back)
    return earned - back


def restore(transaction: Transaction, campaign_id: int, worker_id: int, assignment_id: int) -> bool:
    """Give back what rejections took from a task; False if the budget does not allow it."""
    by_review = ledger.c.kind.in_(("revoke", "restore")) & ~ledger.c.note.contains(SANDBOX)
    earned, fee = (-cents for cents in _sums(transaction, _SUMS.where(by_review), assignment_id))
    if earned or fee:
        enter(transaction, "restore", campaign_id, worker_id, assignment_id, earned=earned, fee=fee)
    return commit(transaction, campaign_id, earned + fee)


def give_bonus(
    store: Store, campaign: Campaign, worker: Worker, cents: int, actor: str, note: str = ""
) -> None:
    """Give the worker a bonus from the campaign's budget."""
    if cents <= 0:
        raise RefusedError("amount", f"expected a bonus above 0 cents, found {cents}")
    fee = campaign.settings.fee(cents)
    with store.write(actor) as transaction:
        enter(transaction, "bonus", campaign.id, worker.id, earned=cents, fee=fee, note=note)
        if not commit(transaction, campaign.id, cents + fee):
            raise RefusedError("budget", f"a bonus of {cents} cents with its fee exceeds the budget")
        transaction.log("money.bonus", worker.public_id, campaign=campaign.slug, cents=cents, fee=fee)


def pay(
    store: Store, campaign: Campaign, worker: Worker, cents: int, actor: str, note: str = ""
) -> None:
    """Record a payment to the worker, at most what is owed."""
    if cents <= 0:
        raise RefusedError("amount", f"expected a payment above 0 cents, found {cents}")
    with store.write(actor) as transaction:
        _lock(transaction, campaign.id)
        owed = _balance(transaction.connection, campaign.id, worker.id).owed
        if cents > owed:
            raise RefusedError("amount", f"expected at most the {owed} cents owed, found {cents}")
        enter(transaction, "paid", campaign.id, worker.id, paid=cents, note=note)
        transaction.log("money.paid", worker.public_id, campaign=campaign.slug, cents=cents, note=note)


def get_balance(store: Store, campaign: Campaign, worker: Worker) -> Balance:
    """What the worker earned and was paid in the campaign."""
    with store.read() as connection:
        return _balance(connection, campaign.id, worker.id)


def read_entries(
    store: Store, campaign: Campaign, worker: Worker | None = None
) -> Iterator[LedgerEntry]:
    """The ledger of a campaign, or of one worker in it, in order."""
    query = sa.select(ledger).where(ledger.c.campaign_id == campaign.id).order_by(ledger.c.id)
    if worker is not None:
        query = query.where(ledger.c.worker_id == worker.id)
    with store.read() as connection:
        for row in connection.execute(query):
            yield LedgerEntry(*row)


def compute_costs(store: Store, campaign: Campaign) -> Costs:
    """What a campaign has spent and reserved, and what it will cost when it is complete.

    Controls are paid too: they are counted at their rate among the remaining tasks, while they last.
    """
    names = ("reserved_cents", "earned_cents", "fee_cents", "paid_cents")
    sums = sa.select(*(sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in names))
    room = sa.func.sum(item_tiers.c.wanted - item_tiers.c.taken)
    ordinary = items.c.control.is_(None)
    left = (
        sa.select(
            item_tiers.c.tier,
            sa.func.coalesce(room.filter(ordinary), 0),
            sa.func.coalesce(room.filter(~ordinary), 0),
        )
        .join(items)
        .where(items.c.campaign_id == campaign.id, items.c.state == "active")
        .group_by(item_tiers.c.tier)
    )
    rules = campaign.settings.controls
    budget = sa.select(campaigns.c.budget_cents).where(campaigns.c.id == campaign.id)
    with store.read() as connection:
        row = connection.execute(sums.where(ledger.c.campaign_id == campaign.id)).one()
        reserved, earned, fees, paid = (int(value) for value in row)
        to_come = 0
        for tier, tasks, controls in connection.execute(left):
            cents = campaign.settings.tiers[tier].pay_cents if tier in campaign.settings.tiers else 0
            due = 0 if rules is None else min(int(controls), int(tasks) // (rules.every - 1))
            to_come += (int(tasks) + due) * (cents + campaign.settings.fee(cents))
        total = connection.execute(budget).scalar_one()
    spent = earned + fees
    return Costs(spent, reserved, spent + reserved + to_come, total, earned, fees, paid)


def _lock(transaction: Transaction, campaign_id: int) -> None:
    """Lock the campaign, so that two concurrent transactions do not see the same debt."""
    held = sa.select(campaigns.c.id).where(campaigns.c.id == campaign_id).with_for_update()
    transaction.connection.execute(held)


def _sums(transaction: Transaction, query: sa.Select[Any], assignment_id: int) -> tuple[int, int]:
    earned, fee = transaction.connection.execute(query, {"task": assignment_id}).one()
    return int(earned), int(fee)


def _balance(connection: sa.Connection, campaign_id: int, worker_id: int) -> Balance:
    sums = [sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in ("earned_cents", "paid_cents")]
    mine = (ledger.c.campaign_id == campaign_id) & (ledger.c.worker_id == worker_id)
    earned, paid = connection.execute(sa.select(*sums).where(mine)).one()
    return Balance(int(earned), int(paid))
