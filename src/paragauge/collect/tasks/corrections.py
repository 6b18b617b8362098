"""Corrections: for some minutes after an answer was sent, its worker may replace it.

The former answer is kept beside the new one (`replaced_answers`) until the worker is erased. Pay, time
and place stay as they are. Judgments are numbers that others may have been compared with already, and
stay; so does an answer that was reviewed, since the review was of what it said.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.schema import assignments, campaigns
from paragauge.collect.store.schema_answers import (
    REVIEW_COUNTS,
    replaced_answers,
    reviews,
    submissions,
)
from paragauge.collect.store.store import Store
from paragauge.collect.tasks.answers import Answer, check_answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.errors import RefusedError

FIELDS = ("text", "language", "comment", "data")
_STORED = (
    sa.select(
        submissions.c.id,
        submissions.c.public_id,
        submissions.c.submitted_at,
        *submissions.c[FIELDS],
        campaigns.c.settings,
        campaigns.c.state,
    )
    .select_from(submissions)
    .join(campaigns, campaigns.c.id == submissions.c.campaign_id)
    .where(
        submissions.c.assignment_id == sa.bindparam("task"),
        submissions.c.worker_id == sa.bindparam("worker"),
    )
)
_REVIEWED = sa.select(
    sa.exists().where(reviews.c.submission_id == sa.bindparam("submission"), REVIEW_COUNTS)
)


def find_deadline(settings: CampaignSettings, submitted_at: datetime) -> datetime | None:
    """Until when an answer may be corrected; None if never.

    >>> settings = CampaignSettings(kind="describe", title="Birds", correct_minutes=10)
    >>> find_deadline(settings, datetime(2026, 3, 1, 12)).minute
    10
    """
    if settings.kind == "judge" or not settings.correct_minutes:
        return None
    return submitted_at + timedelta(minutes=settings.correct_minutes)


def read_correctable(store: Store, assignment: Assignment, worker: Worker) -> Answer | None:
    """The stored answer, if its worker may correct it now."""
    with store.read() as connection:
        row = connection.execute(_STORED, {"task": assignment.id, "worker": worker.id}).first()
        if row is None or _find_refusal(connection, row, store.clock()):
            return None
    return Answer(row.text, row.language, row.comment, row.data)


def correct(store: Store, assignment: Assignment, worker: Worker, answer: Answer) -> bool:
    """Replace the worker's answer; False if it says the same already.

    Refused if the time for it is over, if it was reviewed, or if the campaign has ended.
    """
    with store.write(f"worker:{worker.public_id}") as transaction:
        connection = transaction.connection
        # Reviews lock the assignment, too: one of the two comes first.
        lock = sa.select(assignments.c.id).where(assignments.c.id == assignment.id).with_for_update()
        connection.execute(lock)
        row = connection.execute(_STORED, {"task": assignment.id, "worker": worker.id}).first()
        if row is None:
            raise RefusedError("owner", "this answer is not yours")
        refusal = _find_refusal(connection, row, transaction.at)
        if refusal:
            raise RefusedError("late", refusal)
        settings = CampaignSettings.from_json(row.settings)
        new = check_answer(settings, assignment.item.content, replace(answer, seconds=None))
        values = {name: getattr(new, name) for name in FIELDS}
        before = {name: getattr(row, name) for name in FIELDS}
        if values == before:
            return False
        kept = {"at": transaction.at, "submission_id": row.id, **before}
        connection.execute(sa.insert(replaced_answers), kept)
        mine = submissions.c.id == row.id
        connection.execute(sa.update(submissions).where(mine).values(values))
        transaction.log("submission.correct", row.public_id, assignment=assignment.public_id)
    return True


def _find_refusal(connection: sa.Connection, row: Any, now: datetime) -> str:
    """Why an answer may not be corrected; empty if it may."""
    deadline = find_deadline(CampaignSettings.from_json(row.settings), row.submitted_at)
    if deadline is None:
        return "answers of this campaign cannot be corrected"
    if now >= deadline:
        return "the time to correct this answer is over"
    if row.state == "closed":
        return "this campaign has ended; its answers stay as they are"
    if connection.execute(_REVIEWED, {"submission": row.id}).scalar():
        return "this answer has been reviewed and stays as it is"
    return ""
