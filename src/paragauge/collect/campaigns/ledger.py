"""The ledger of a campaign: reserved pay, earnings, bonuses and payments, in rows that are only added.

A task reserves its pay and fee when it is assigned. Skipping or expiry releases them; submitting turns
them into earnings; rejection revokes the earnings, unless they were paid already, and acceptance after
a rejection restores what was revoked. What was paid out stays committed. Owed is what accepted answers
and bonuses earned and was not paid; answers that wait for review are not owed yet. An entry that
changes the sum of reserved, earned and fees goes with `budget.commit_cents`, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.budget import commit_cents
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.idempotency import claim, is_claimed
from paragauge.collect.store.schema import campaigns
from paragauge.collect.store.schema_answers import REVIEW_COUNTS, ledger, reviews, submissions
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
class Balance:
    """What a worker has earned by answers and bonuses, and what was paid of it, in cents.

    Of what was earned, `pending` is for answers that are not reviewed yet, and `rejected` for answers
    that were rejected after they had been paid.

    >>> Balance(earned=30, paid=10, pending=5, rejected=0).owed
    15
    """

    earned: int
    paid: int
    pending: int = 0
    rejected: int = 0

    @property
    def accepted(self) -> int:
        """Earned by accepted answers and bonuses."""
        return self.earned - self.pending - self.rejected

    @property
    def owed(self) -> int:
        """Accepted and not yet paid."""
        return max(0, self.accepted - self.paid)


_ADD = sa.insert(ledger).inline().execution_options(**LATER)
_SUMS = sa.select(
    *(sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in ("earned_cents", "fee_cents"))
).where(ledger.c.assignment_id == sa.bindparam("task"))
# What was earned in a campaign by answers that were not reviewed, and by rejected ones. The latest
# review counts; without one, an answer is what the campaign's settings say.
_LATEST = (
    sa.select(reviews.c.decision)
    .join(submissions, reviews.c.submission_id == submissions.c.id)
    .where(submissions.c.assignment_id == ledger.c.assignment_id, REVIEW_COUNTS)
    .order_by(reviews.c.id.desc())
    .limit(1)
    .correlate(ledger)
    .scalar_subquery()
)
SANDBOX = "(sandbox: nothing was paid)"


def add_entry(
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
    transaction.connection.execute(_ADD, row)


def revoke(
    transaction: Transaction, campaign_id: int, worker_id: int, assignment_id: int, note: str = ""
) -> int:
    """Take back what a task has earned, as far as it is still owed; returns the cents already paid.

    A task whose earnings were taken back before, as in Mechanical Turk's sandbox, has none.
    """
    _lock(transaction, campaign_id)
    earned, fee = _read_sums(transaction, _SUMS, assignment_id)
    back = min(earned, max(0, _read_unpaid(transaction.connection, campaign_id, worker_id)))
    fee_back = fee if back == earned else fee * back // earned
    if back or fee_back:
        sums = {"earned": -back, "fee": -fee_back}
        add_entry(transaction, "revoke", campaign_id, worker_id, assignment_id, **sums, note=note)
        commit_cents(transaction, campaign_id, -back - fee_back)
    return earned - back


def restore(transaction: Transaction, campaign_id: int, worker_id: int, assignment_id: int) -> bool:
    """Give back what rejections took from a task; False if the budget does not allow it."""
    by_review = ledger.c.kind.in_(("revoke", "restore")) & ~ledger.c.note.contains(SANDBOX)
    earned, fee = (-cents for cents in _read_sums(transaction, _SUMS.where(by_review), assignment_id))
    if earned or fee:
        add_entry(transaction, "restore", campaign_id, worker_id, assignment_id, earned=earned, fee=fee)
    return commit_cents(transaction, campaign_id, earned + fee)


def give_bonus(
    store: Store,
    campaign: Campaign,
    worker: Worker,
    cents: int,
    actor: str,
    note: str = "",
    *,
    key: str = "",
) -> bool:
    """Give the worker a bonus from the campaign's budget; False if this `key` has done so before."""
    if cents <= 0:
        raise RefusedError("amount", f"expected a bonus above 0 cents, found {cents}")
    fee = campaign.settings.fee(cents)
    with store.write(actor) as transaction:
        if not claim(transaction, f"bonus {campaign.public_id} {worker.public_id}", key):
            return False
        add_entry(transaction, "bonus", campaign.id, worker.id, earned=cents, fee=fee, note=note)
        if not commit_cents(transaction, campaign.id, cents + fee):
            raise RefusedError("budget", f"a bonus of {cents} cents with its fee exceeds the budget")
        transaction.log("money.bonus", worker.public_id, campaign=campaign.slug, cents=cents, fee=fee)
    return True


def pay(
    store: Store,
    campaign: Campaign,
    worker: Worker,
    cents: int,
    actor: str,
    note: str = "",
    *,
    key: str = "",
) -> bool:
    """Record a payment to the worker, at most what is owed; False if this `key` has done so before."""
    if cents <= 0:
        raise RefusedError("amount", f"expected a payment above 0 cents, found {cents}")
    with store.write(actor) as transaction:
        if not claim(transaction, f"pay {campaign.public_id} {worker.public_id}", key):
            return False
        _lock(transaction, campaign.id)
        balance = _read_balance(transaction.connection, campaign, worker.id)
        if cents > balance.owed:
            waiting = f"; {balance.pending} wait for review" if balance.pending else ""
            raise RefusedError(
                "amount", f"expected at most the {balance.owed} cents owed, found {cents}{waiting}"
            )
        add_entry(transaction, "paid", campaign.id, worker.id, paid=cents, note=note)
        transaction.log("money.paid", worker.public_id, campaign=campaign.slug, cents=cents, note=note)
    return True


def was_paid(store: Store, campaign: Campaign, worker: Worker, key: str) -> bool:
    """Whether the form with this `key` has recorded a payment to the worker."""
    return is_claimed(store, f"pay {campaign.public_id} {worker.public_id}", key)


def get_balance(store: Store, campaign: Campaign, worker: Worker) -> Balance:
    """What the worker earned and was paid in the campaign."""
    with store.read() as connection:
        return _read_balance(connection, campaign, worker.id)


def undecided_columns(campaign: Campaign) -> tuple[sa.ColumnElement[int], sa.ColumnElement[int]]:
    """Sums over the ledger: earned by answers that wait for review, and by rejected answers."""
    usual = "accept" if campaign.settings.auto_accept else "pending"
    decision = sa.case(
        (ledger.c.assignment_id.is_(None), "accept"), else_=sa.func.coalesce(_LATEST, usual)
    )
    pending, rejected = (
        sa.func.coalesce(sa.func.sum(sa.case((decision == name, ledger.c.earned_cents), else_=0)), 0)
        for name in ("pending", "reject")
    )
    return pending, rejected


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


def _lock(transaction: Transaction, campaign_id: int) -> None:
    """Lock the campaign, so that two concurrent transactions do not see the same debt."""
    held = sa.select(campaigns.c.id).where(campaigns.c.id == campaign_id).with_for_update()
    transaction.connection.execute(held)


def _read_sums(transaction: Transaction, query: sa.Select[Any], assignment_id: int) -> tuple[int, int]:
    earned, fee = transaction.connection.execute(query, {"task": assignment_id}).one()
    return int(earned), int(fee)


def _read_balance(connection: sa.Connection, campaign: Campaign, worker_id: int) -> Balance:
    sums = [sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in ("earned_cents", "paid_cents")]
    mine = (ledger.c.campaign_id == campaign.id) & (ledger.c.worker_id == worker_id)
    query = sa.select(*sums, *undecided_columns(campaign)).where(mine)
    return Balance(*map(int, connection.execute(query).one()))


def _read_unpaid(connection: sa.Connection, campaign_id: int, worker_id: int) -> int:
    """Earned, reviewed or not, and not yet paid."""
    unpaid = sa.func.coalesce(sa.func.sum(ledger.c.earned_cents - ledger.c.paid_cents), 0)
    mine = (ledger.c.campaign_id == campaign_id) & (ledger.c.worker_id == worker_id)
    return int(connection.execute(sa.select(unpaid).where(mine)).scalar_one())
