"""A worker's record for their own pages: stored answers, last language, warning."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.items import KINDS
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.control_enforcement import ACTOR
from paragauge.collect.store.columns import is_id
from paragauge.collect.store.schema import assignments, items
from paragauge.collect.store.schema_answers import submissions
from paragauge.collect.store.store import Store
from paragauge.collect.tasks.assignments import Assignment


@dataclass(frozen=True)
class StoredAnswer:
    """What was stored for an assignment, as its worker may see it."""

    public_id: str
    submitted_at: datetime
    text: str
    pay_cents: int
    task: str
    data: dict[str, Any]


_STORED = sa.select(
    *submissions.c[("public_id", "submitted_at", "text")],
    assignments.c.pay_cents,
    assignments.c.public_id,
    submissions.c.data,
).join(assignments, submissions.c.assignment_id == assignments.c.id)
_OF_TASK = _STORED.where(assignments.c.id == sa.bindparam("task"))
_OF_WORKER = _STORED.where(
    assignments.c.public_id == sa.bindparam("name"), assignments.c.worker_id == sa.bindparam("worker")
)
_LANGUAGE = (
    sa.select(submissions.c.language)
    .where(submissions.c.worker_id == sa.bindparam("worker"), submissions.c.language != "")
    .order_by(submissions.c.id.desc())
    .limit(1)
)


def get_stored_answer(store: Store, assignment: Assignment) -> StoredAnswer | None:
    """The answer to an assignment; None if there is none."""
    with store.read() as connection:
        row = connection.execute(_OF_TASK, {"task": assignment.id}).first()
    return None if row is None else StoredAnswer(*tuple(row))


def find_stored_answer(store: Store, assignment_public_id: str, worker: Worker) -> StoredAnswer | None:
    """The answer to an assignment, if it is this worker's."""
    if not is_id(assignment_public_id):
        return None
    with store.read() as connection:
        values = {"name": assignment_public_id, "worker": worker.id}
        row = connection.execute(_OF_WORKER, values).first()
    return None if row is None else StoredAnswer(*tuple(row))


def find_first_item_kind(store: Store, campaign: Campaign) -> str:
    """The kind of the campaign's first item, clip or picture; the usual one if there is none yet."""
    query = sa.select(items.c.kind).where(items.c.campaign_id == campaign.id).order_by(items.c.id)
    with store.read() as connection:
        return connection.execute(query.limit(1)).scalar() or KINDS[campaign.settings.kind][0]


def find_last_language(store: Store, worker: Worker) -> str:
    """The language the worker last wrote in; empty if they never did."""
    with store.read() as connection:
        return connection.execute(_LANGUAGE, {"worker": worker.id}).scalar() or ""


def find_latest_warning(store: Store, campaign: Campaign, worker: Worker) -> str:
    """The reason of the requester's latest warning in the campaign; empty if there is none.

    Warnings by controls name what was expected, which workers must not see.
    """
    for decision in reversed(memberships.list_decisions(store, worker)):
        if decision.campaign_id in (None, campaign.id) and decision.decision in ("warn", "unblock"):
            by_requester = decision.decision == "warn" and decision.actor != ACTOR
            return decision.reason if by_requester else ""
    return ""
