"""Reviews: a requester accepts or rejects a submission; the latest decision counts, all are kept.

A rejection takes back the earnings and frees the place in the item's quota, so that somebody else may
answer. Acceptance after a rejection restores the earnings (within the budget) and takes a place again;
where the quota is full by then, the item wants one more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from paragauge.collect import money
from paragauge.collect.places import add_place, free_place
from paragauge.collect.schema import assignments
from paragauge.collect.schema_answers import reviews
from paragauge.collect.store import Store
from paragauge.collect.submissions import Submission
from paragauge.errors import RefusedError, unknown_name


@dataclass(frozen=True)
class Review:
    """One decision on a submission."""

    at: datetime
    decision: str
    reason: str
    actor: str


def decide(store: Store, submission: Submission, decision: str, actor: str, reason: str = "") -> None:
    """Accept or reject; the same decision again is kept and changes nothing else."""
    if decision not in ("accept", "reject"):
        raise unknown_name("decision", decision, ("accept", "reject"))
    with store.write(actor) as writing:
        connection = writing.connection
        # Holds the assignment, so that two decisions at once come one after the other.
        task = connection.execute(
            sa.select(assignments).where(assignments.c.id == submission.assignment_id).with_for_update()
        ).one()
        mine = reviews.c.submission_id == submission.id
        last = sa.select(reviews.c.decision).where(mine).order_by(reviews.c.id.desc()).limit(1)
        before = connection.execute(last).scalar()
        row = {"at": writing.at, "submission_id": submission.id, "decision": decision}
        connection.execute(sa.insert(reviews), row | {"reason": reason, "actor": actor})
        writing.log(f"review.{decision}", submission.public_id, before=before, reason=reason)
        sums = {"earned": task.pay_cents, "fee": task.fee_cents}
        if decision == "reject" and before != "reject":
            free_place(writing, task.item_id, task.tier)
            sums = {name: -cents for name, cents in sums.items()}
            money.enter(writing, "revoke", task.campaign_id, task.worker_id, task.id, **sums)
            money.commit(writing, task.campaign_id, sum(sums.values()))
        elif decision == "accept" and before == "reject":
            add_place(writing, task.item_id, task.tier)
            money.enter(writing, "restore", task.campaign_id, task.worker_id, task.id, **sums)
            if not money.commit(writing, task.campaign_id, sum(sums.values())):
                raise RefusedError(
                    "budget", "the budget does not allow this acceptance; raise it first"
                )


def history(store: Store, submission: Submission) -> list[Review]:
    """All decisions on a submission, in order."""
    columns = reviews.c[("at", "decision", "reason", "actor")]
    query = sa.select(*columns).where(reviews.c.submission_id == submission.id).order_by(reviews.c.id)
    with store.read() as connection:
        return [Review(*row) for row in connection.execute(query)]
