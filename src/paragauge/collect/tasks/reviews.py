"""Reviews: a requester accepts or rejects a submission; the latest decision counts, all are kept.

A rejection takes back the earnings that have not been paid yet and frees the place in the item's quota,
so that somebody else may answer. Acceptance after a rejection restores what was taken back (within the
budget) and takes a place again; if the quota is full by then, it grows by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from paragauge.collect.campaigns import ledger
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.quota import add_place, free_place
from paragauge.collect.store.schema import assignments
from paragauge.collect.store.schema_answers import reviews, submissions
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


def decide(store: Store, submission: Submission, decision: str, actor: str, reason: str = "") -> int:
    """Accept or reject; repeating a decision records it and changes nothing else.

    Returns the cents that a rejection could not take back, because they were already paid.
    """
    with store.write(actor) as transaction:
        return decide_in(transaction, submission, decision, reason)


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
    mine = reviews.c.submission_id == submission.id
    last = sa.select(reviews.c.decision).where(mine).order_by(reviews.c.id.desc()).limit(1)
    before = connection.execute(last).scalar()
    if once and before is not None:
        word = {"accept": "accepted", "reject": "rejected"}[before]
        raise RefusedError("decided", f"this answer is already {word}")
    row = {"at": transaction.at, "submission_id": submission.id, "decision": decision}
    connection.execute(sa.insert(reviews), row | {"reason": reason, "actor": transaction.actor})
    where, paid = (task.campaign_id, task.worker_id, task.id), 0
    if decision == "reject" and before != "reject":
        free_place(transaction, task.item_id, task.tier)
        paid = ledger.revoke(transaction, *where)
    elif decision == "accept" and before == "reject":
        add_place(transaction, task.item_id, task.tier)
        if not ledger.restore(transaction, *where):
            raise RefusedError("budget", "the budget does not allow this acceptance; raise it first")
    details = {"paid_already": paid} if paid else {}
    transaction.log(f"review.{decision}", submission.public_id, before=before, reason=reason, **details)
    return paid


def accept_overdue(store: Store, campaign: Campaign) -> int:
    """Accept the answers that nobody reviewed in the days that the campaign states; how many."""
    days = campaign.settings.accept_after_days
    if not days or campaign.settings.auto_accept:
        return 0
    reviewed = sa.exists().where(reviews.c.submission_id == submissions.c.id)
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
