"""Reviews: a requester accepts or rejects a submission; the latest decision counts, all are kept.

A rejection takes back the earnings that have not been paid yet and frees the place in the item's quota,
so that somebody else may answer. Acceptance after a rejection restores what was taken back (within the
budget) and takes a place again; if the quota is full by then, it grows by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import ledger
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.quota import add_place, free_place
from paragauge.collect.store.idempotency import claim, is_claimed
from paragauge.collect.store.schema import assignments
from paragauge.collect.store.schema_answers import (
    REVIEW_COUNTS,
    reviews,
    submissions,
    undone_reviews,
)
from paragauge.collect.store.store import Store, Transaction
from paragauge.collect.tasks.submissions import Submission, get
from paragauge.errors import RefusedError, unknown_name


@dataclass(frozen=True)
class Review:
    """One decision on a submission."""

    at: datetime
    decision: str
    reason: str
    actor: str


def decide(
    store: Store,
    submission: Submission,
    decision: str,
    actor: str,
    reason: str = "",
    *,
    key: str = "",
) -> int:
    """Accept or reject; repeating a decision records it and changes nothing else.

    Returns the cents that a rejection could not take back, because they were already paid. Calling it
    again with the same `key`, that of a form, does nothing.
    """
    with store.write(actor) as transaction:
        if not claim(transaction, f"review {submission.public_id}", key):
            return 0
        return decide_in(transaction, submission, decision, reason)


def was_decided(store: Store, submission: Submission, key: str) -> bool:
    """Whether the form with this `key` has decided about the answer before, or undone a decision."""
    return is_claimed(store, f"review {submission.public_id}", key)


def decide_in(
    transaction: Transaction,
    submission: Submission,
    decision: str,
    reason: str = "",
    *,
    once: bool = False,
) -> int:
    """Like `decide`, in an open transaction; with `once`, a second decision is refused."""
    if decision not in ("accept", "reject"):
        raise unknown_name("decision", decision, ("accept", "reject"))
    connection = transaction.connection
    # Lock the assignment, so that concurrent decisions come one after the other.
    task = connection.execute(
        sa.select(assignments).where(assignments.c.id == submission.assignment_id).with_for_update()
    ).one()
    before = _read_last(connection, submission).decision
    if once and before is not None:
        word = {"accept": "accepted", "reject": "rejected"}[before]
        raise RefusedError("decided", f"this answer is already {word}")
    row = {"at": transaction.at, "submission_id": submission.id, "decision": decision}
    connection.execute(sa.insert(reviews), row | {"reason": reason, "actor": transaction.actor})
    paid = _move_money(transaction, task, before, decision)
    details = {"paid_already": paid} if paid else {}
    transaction.log(f"review.{decision}", submission.public_id, before=before, reason=reason, **details)
    return paid


def undo(store: Store, submission: Submission, actor: str, review_id: int, *, key: str = "") -> bool:
    """Undo the latest review of an answer: the one before it counts again, or none.

    False if another one is the latest now, if it was undone already, or if this `key`, that of a form,
    has undone one before.
    """
    with store.write(actor) as transaction:
        connection = transaction.connection
        if not claim(transaction, f"review {submission.public_id}", key):
            return False
        task = connection.execute(
            sa.select(assignments).where(assignments.c.id == submission.assignment_id).with_for_update()
        ).one()
        last = _read_last(connection, submission)
        if last.id != review_id:
            return False
        row = {"review_id": last.id, "at": transaction.at, "actor": actor}
        connection.execute(sa.insert(undone_reviews), row)
        now = _read_last(connection, submission).decision
        paid = _move_money(transaction, task, last.decision, now)
        details = {"paid_already": paid} if paid else {}
        transaction.log("review.undo", submission.public_id, undone=last.decision, now=now, **details)
    return True


def read_last_review(store: Store, submission: Submission) -> int | None:
    """The number of the latest review of an answer that was not undone."""
    with store.read() as connection:
        return _read_last(connection, submission).id


@dataclass(frozen=True)
class _LastReview:
    id: int | None = None
    decision: str | None = None


def _read_last(connection: sa.Connection, submission: Submission) -> _LastReview:
    """The latest review that was not undone."""
    query = (
        sa.select(reviews.c.id, reviews.c.decision)
        .where(reviews.c.submission_id == submission.id, REVIEW_COUNTS)
        .order_by(reviews.c.id.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return _LastReview() if row is None else _LastReview(row.id, row.decision)


def _move_money(
    transaction: Transaction, task: sa.Row[Any], before: str | None, now: str | None
) -> int:
    """Free or take the place of an answer, and its earnings; returns the cents already paid."""
    where = (task.campaign_id, task.worker_id, task.id)
    if now == "reject" and before != "reject":
        free_place(transaction, task.item_id, task.tier)
        return ledger.revoke(transaction, *where)
    if now != "reject" and before == "reject":
        add_place(transaction, task.item_id, task.tier)
        if not ledger.restore(transaction, *where):
            raise RefusedError("budget", "the budget does not allow this acceptance; raise it first")
    return 0


def accept_overdue(store: Store, campaign: Campaign) -> int:
    """Accept the answers that nobody reviewed in the days that the campaign states; how many."""
    days = campaign.settings.accept_after_days
    if not days or campaign.settings.auto_accept:
        return 0
    # An answer whose review was undone waits for a person, too.
    reviewed = sa.exists().where(reviews.c.submission_id == submissions.c.id, REVIEW_COUNTS)
    overdue = (
        sa.select(submissions.c.public_id)
        .where(
            submissions.c.campaign_id == campaign.id,
            submissions.c.submitted_at <= store.clock() - timedelta(days=days),
            ~reviewed,
        )
        .order_by(submissions.c.id)
    )
    with store.read() as connection:
        names = connection.execute(overdue).scalars().all()
    accepted = 0
    for name in names:
        submission = get(store, name)
        if submission is None:
            continue
        try:
            with store.write("store") as transaction:
                decide_in(transaction, submission, "accept", f"not reviewed in {days} days", once=True)
        except RefusedError:
            continue  # somebody has decided since
        accepted += 1
    return accepted


def list_reviews(store: Store, submission: Submission) -> list[Review]:
    """All decisions on a submission, in order."""
    columns = reviews.c[("at", "decision", "reason", "actor")]
    query = sa.select(*columns).where(reviews.c.submission_id == submission.id).order_by(reviews.c.id)
    with store.read() as connection:
        return [Review(*row) for row in connection.execute(query)]
