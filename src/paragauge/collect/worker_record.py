"""What a worker's own pages recall of their work: receipts, their language, their warning."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from paragauge.collect import memberships
from paragauge.collect.assignments import Assignment
from paragauge.collect.campaigns import Campaign
from paragauge.collect.items import KINDS
from paragauge.collect.quality_control import ACTOR
from paragauge.collect.schema import items
from paragauge.collect.schema_answers import submissions
from paragauge.collect.store import Store
from paragauge.collect.workers import Worker


@dataclass(frozen=True)
class Kept:
    """What was stored for an assignment, as its worker may see it."""

    public_id: str
    submitted_at: datetime
    text: str


def kept(store: Store, assignment: Assignment) -> Kept | None:
    """The answer to an assignment; None where there is none."""
    columns = (submissions.c.public_id, submissions.c.submitted_at, submissions.c.text)
    query = sa.select(*columns).where(submissions.c.assignment_id == assignment.id)
    with store.read() as connection:
        row = connection.execute(query).first()
    return None if row is None else Kept(*row)


def first_kind(store: Store, campaign: Campaign) -> str:
    """The kind of the campaign's first item, clip or picture; the usual one where there is none yet."""
    query = sa.select(items.c.kind).where(items.c.campaign_id == campaign.id).order_by(items.c.id)
    with store.read() as connection:
        return connection.execute(query.limit(1)).scalar() or KINDS[campaign.settings.kind][0]


def last_language(store: Store, worker: Worker) -> str:
    """The language the worker last wrote in; empty if they never did."""
    query = (
        sa.select(submissions.c.language)
        .where(submissions.c.worker_id == worker.id, submissions.c.language != "")
        .order_by(submissions.c.id.desc())
        .limit(1)
    )
    with store.read() as connection:
        return connection.execute(query).scalar() or ""


def warning(store: Store, campaign: Campaign, worker: Worker) -> str:
    """What a requester said with the latest warning that holds in the campaign, if they did.

    The reason of a warning by controls names what was expected, which workers are not told.
    """
    for decision in reversed(memberships.history(store, worker)):
        if decision.campaign_id in (None, campaign.id) and decision.decision in ("warn", "unblock"):
            told = decision.decision == "warn" and decision.actor != ACTOR
            return decision.reason if told else ""
    return ""
