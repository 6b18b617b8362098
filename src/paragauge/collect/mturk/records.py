"""Records of Mechanical Turk in the store: HITs, accepted assignments, and their answers.

A HIT is a number of tasks of a tier, not of an item: the store decides which item a worker sees, in the
worker's own order, as for everybody else. An answer belongs to the first assignment of its worker that
needs one. MTurk does not sign what it tells our page, so anybody could pretend to be a
worker there; but only an assignment that MTurk itself reports, by the same worker, with the receipt of
an answer of that worker, is ever paid.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.mturk.client import Mturk
from paragauge.collect.people.workers import (
    Person,
    Worker,
    find_by_external_id,
    get_by_id,
    hash_secret,
    register,
)
from paragauge.collect.store.schema_answers import submissions
from paragauge.collect.store.schema_mturk import mturk_hits, mturk_tasks
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import RefusedError

SOURCE = "mturk"
_ID = re.compile(r"[A-Za-z0-9]{1,64}")


@dataclass(frozen=True)
class Hit:
    """One HIT; `external_id` is MTurk's, None until it is known to exist."""

    id: int
    campaign_id: int
    environment: str
    tier: int
    key: str
    external_id: str | None
    places: int
    reward_cents: int


@dataclass(frozen=True)
class MturkAssignment:
    """An assignment that a worker accepted at MTurk."""

    id: int
    hit_id: int
    external_id: str
    worker_id: int
    submission_id: int | None
    state: str


def is_of_campaign(mturk: Mturk, campaign: Campaign) -> sa.ColumnElement[bool]:
    """The condition that a HIT is of the campaign, in this environment."""
    return (mturk_hits.c.campaign_id == campaign.id) & (mturk_hits.c.environment == mturk.environment)


def find_hit(store: Store, key: str) -> Hit | None:
    """The HIT whose page has this key in its URL."""
    matches = read_hits(store, mturk_hits.c.key == key) if key.isascii() and "\0" not in key else []
    return matches[0] if matches else None


def read_hits(store: Store, *conditions: Any) -> list[Hit]:
    """HITs that meet conditions on their table, in order."""
    columns = [column for column in mturk_hits.c if not column.name.endswith("_at")]
    query = sa.select(*columns).where(*conditions).order_by(mturk_hits.c.id)
    with store.read() as connection:
        return [Hit(*row) for row in connection.execute(query)]


def read_assignments(store: Store, *conditions: Any) -> list[MturkAssignment]:
    """Assignments that meet conditions on their table or that of HITs, in order."""
    query = sa.select(*_task_columns()).join(mturk_hits).where(*conditions).order_by(mturk_tasks.c.id)
    with store.read() as connection:
        return [MturkAssignment(*row) for row in connection.execute(query)]


def record_arrival(
    store: Store, hit: Hit, assignment: str, worker: str
) -> tuple[MturkAssignment, Worker, str]:
    """Record that a worker accepted the HIT: the assignment, the worker, and a token for a link.

    The token can be used once; each call creates a new one. An assignment stays with its first worker.
    """
    if not _ID.fullmatch(assignment) or not _ID.fullmatch(worker):
        raise RefusedError("mturk", "this page must be opened from Mechanical Turk")
    name = f"{SOURCE}:{worker}"
    known = find_by_external_id(store, name) or register(store, SOURCE, Person(external_id=name))[0]
    with store.write(f"worker:{known.public_id}") as transaction:
        token = transaction.token(24)
        mine = mturk_tasks.c.external_id == assignment
        row = transaction.connection.execute(sa.select(*_task_columns()).where(mine)).first()
        if row is None:
            values = {"mturk_hit_id": hit.id, "external_id": assignment, "worker_id": known.id}
            values |= {"state": "given", "created_at": transaction.at}
            transaction.connection.execute(sa.insert(mturk_tasks), values)
            transaction.log("mturk.arrive", known.public_id, assignment=assignment)
        elif row.worker_id != known.id or row.mturk_hit_id != hit.id:
            raise RefusedError("mturk", "this assignment was accepted by somebody else")
        update = sa.update(mturk_tasks).where(mine).values(entry_hash=hash_secret(token))
        transaction.connection.execute(update)
        _claim(transaction, hit, assignment)
        row = transaction.connection.execute(sa.select(*_task_columns()).where(mine)).one()
    return MturkAssignment(*row), known, token


def use_entry_link(store: Store, token: str) -> tuple[Hit, Worker] | None:
    """Use the one-time link to a task: its HIT and worker, or None."""
    with store.write("mturk") as transaction:
        mine = mturk_tasks.c.entry_hash == hash_secret(token)
        update = sa.update(mturk_tasks).where(mine).values(entry_hash=None)
        row = transaction.connection.execute(
            update.returning(mturk_tasks.c.mturk_hit_id, mturk_tasks.c.worker_id)
        ).first()
        if row is None:
            return None
        transaction.log("mturk.enter", str(row.mturk_hit_id), worker=row.worker_id)
    worker = get_by_id(store, row.worker_id)
    matches = read_hits(store, mturk_hits.c.id == row.mturk_hit_id)
    return None if worker is None else (matches[0], worker)


def get_receipt(store: Store, task: MturkAssignment) -> str | None:
    """The public id of the answer that belongs to an assignment."""
    if task.submission_id is None:
        return None
    query = sa.select(submissions.c.public_id).where(submissions.c.id == task.submission_id)
    with store.read() as connection:
        return str(connection.execute(query).scalar_one())


def _claim(transaction: Transaction, hit: Hit, assignment: str) -> None:
    """Give the assignment the worker's first answer of the tier that no other assignment has."""
    mine = mturk_tasks.c.external_id == assignment
    task = transaction.connection.execute(sa.select(*_task_columns()).where(mine)).one()
    if task.submission_id is not None:
        return
    claimed = sa.select(mturk_tasks.c.submission_id).where(mturk_tasks.c.submission_id.is_not(None))
    free = (
        sa.select(submissions.c.id)
        .where(
            submissions.c.worker_id == task.worker_id,
            submissions.c.campaign_id == hit.campaign_id,
            submissions.c.tier == hit.tier,
            submissions.c.id.not_in(claimed),
        )
        .order_by(submissions.c.id)
        .limit(1)
    )
    submission_id = transaction.connection.execute(free).scalar()
    if submission_id is not None:
        values = {"submission_id": submission_id, "state": "claimed"}
        transaction.connection.execute(sa.update(mturk_tasks).where(mine).values(values))
        transaction.log("mturk.claim", assignment, submission=submission_id)


def _task_columns() -> list[Any]:
    names = ("id", "mturk_hit_id", "external_id", "worker_id", "submission_id", "state")
    return [mturk_tasks.c[name] for name in names]
