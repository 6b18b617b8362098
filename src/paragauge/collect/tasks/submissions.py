"""Submissions: the answers of workers, added once and never changed.

Submitting is idempotent: a second submission of the same assignment, from a double click, a repeated
request or an attacker, returns the first receipt and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import ledger
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.columns import is_id
from paragauge.collect.store.schema import assignments, campaigns, items, workers
from paragauge.collect.store.schema_answers import REVIEW_COUNTS, judgments, reviews, submissions
from paragauge.collect.store.store import LATER, Store
from paragauge.collect.tasks.answers import Answer, check_answer, list_ratings
from paragauge.collect.tasks.assignments import Assignment
from paragauge.errors import RefusedError, unknown_name
from paragauge.lexicon.language_names import normalize_language

DECISIONS = ("accept", "reject", "pending")

__all__ = [
    "Answer",
    "Receipt",
    "StoredJudgment",
    "Submission",
    "get",
    "stream",
    "stream_judgments",
    "submit",
]


@dataclass(frozen=True)
class Receipt:
    """A receipt for an answer; `first` is False if the answer was there already."""

    public_id: str
    submitted_at: datetime
    first: bool


@dataclass(frozen=True)
class Submission:
    """An answer with its item, worker and latest decision ("accept", "reject" or "pending")."""

    id: int
    public_id: str
    campaign_id: int
    assignment_id: int
    item_id: int
    item_key: str
    control: str | None
    worker_id: int
    worker_public_id: str
    tier: int
    pay_cents: int
    position: int
    order: tuple[int, ...]
    text: str
    language: str
    comment: str
    data: dict[str, Any]
    seconds: float | None
    given_at: datetime
    submitted_at: datetime
    decision: str


@dataclass(frozen=True)
class StoredJudgment:
    """One value that a worker gave a candidate (its index in the item's content) for a criterion."""

    submission_id: int
    item_id: int
    worker_id: int
    candidate: int
    criterion: str
    value: int
    decision: str


_TASK = (
    sa.select(assignments, campaigns.c.settings)
    .join(campaigns, assignments.c.campaign_id == campaigns.c.id)
    .where(assignments.c.id == sa.bindparam("task"))
    .with_for_update(of=assignments)
)
_END = (
    sa.update(assignments)
    .where(assignments.c.id == sa.bindparam("task"))
    .values(state="submitted", ended_at=sa.bindparam("at"))
    .execution_options(**LATER)
)
_INSERT = sa.insert(submissions).returning(submissions.c.id)


def submit(store: Store, assignment: Assignment, worker: Worker, answer: Answer) -> Receipt:
    """Store the worker's answer; it is on disk when the receipt is returned.

    Refused if the task has expired, was given back, or belongs to another worker. An answer that breaks
    the rules raises AnswerError, and the task stays open.
    """
    if assignment.worker_id != worker.id:
        raise RefusedError("owner", "this task belongs to another worker")
    with store.write(f"worker:{worker.public_id}") as transaction:
        connection = transaction.connection
        task = connection.execute(_TASK, {"task": assignment.id}).one()
        if task.state == "submitted":
            mine = submissions.c.assignment_id == task.id
            stored = connection.execute(sa.select(submissions).where(mine)).one()
            return Receipt(stored.public_id, stored.submitted_at, first=False)
        if task.state != "open" or task.expires_at <= transaction.at:
            word = "skipped" if task.state == "skipped" else "expired"
            message = {
                "skipped": "you gave this task back",
                "expired": "the time for this task is over",
            }
            raise RefusedError(word, f"{message[word]}; please take another")
        settings = CampaignSettings.from_json(task.settings)
        answer = check_answer(settings, assignment.item.content, answer)
        connection.execute(_END, {"task": task.id, "at": transaction.at})
        row: dict[str, Any] = {
            "public_id": transaction.public_id(),
            "assignment_id": task.id,
            "campaign_id": task.campaign_id,
        }
        row |= {"item_id": task.item_id, "worker_id": task.worker_id, "tier": task.tier}
        row |= {"text": answer.text, "language": answer.language, "comment": answer.comment}
        row |= {"data": answer.data, "seconds": answer.seconds, "submitted_at": transaction.at}
        number = connection.execute(_INSERT, row).scalar_one()
        values = [
            {"submission_id": number, "candidate": candidate, "criterion": criterion, "value": value}
            for candidate, criterion, value in list_ratings(answer.data)
        ]
        if values:
            connection.execute(sa.insert(judgments), values)
        cost = task.pay_cents + task.fee_cents
        sums = {"reserved": -cost, "earned": task.pay_cents, "fee": task.fee_cents}
        ledger.add_entry(transaction, "earn", task.campaign_id, task.worker_id, task.id, **sums)
        transaction.log("submission", row["public_id"], assignment=task.public_id)
    return Receipt(row["public_id"], transaction.at, first=True)


def get(store: Store, submission_public_id: str) -> Submission | None:
    """The submission with that public id."""
    if not is_id(submission_public_id):
        return None
    query = _select().where(submissions.c.public_id == submission_public_id)
    with store.read() as connection:
        row = connection.execute(query).first()
    return None if row is None else _submission(row)


def stream(
    store: Store,
    campaign: Campaign | None = None,
    *,
    tier: int | None = None,
    language: str | None = None,
    decision: str | None = None,
    worker: Worker | None = None,
    item_id: int | None = None,
    controls: bool = True,
    by_item: bool = False,
    after: int = 0,
    most: int | None = None,
) -> Iterator[Submission]:
    """Stream submissions in order, filtered; `after` is the id of the last one seen, for paging.

    A `language` may have any of its names.

    With `by_item`, they are grouped by item, in the order the items were added.
    """
    order = (submissions.c.item_id, submissions.c.id) if by_item else (submissions.c.id,)
    query = _select().where(submissions.c.id > after).order_by(*order).limit(most)
    if decision is not None:
        if decision not in DECISIONS:
            raise unknown_name("decision", decision, DECISIONS)
        query = query.where(_DECISION.is_not_distinct_from(decision))
    conditions: dict[str, Any] = {
        "campaign_id": None if campaign is None else campaign.id,
        "tier": tier,
    }
    conditions |= {"worker_id": None if worker is None else worker.id, "item_id": item_id}
    for name, value in conditions.items():
        if value is not None:
            query = query.where(submissions.c[name] == value)
    if language is not None:
        tag = normalize_language(language)
        with store.read() as connection:
            stated = connection.scalars(sa.select(submissions.c.language).distinct()).all()
        same = [name for name in stated if normalize_language(name) == tag]
        query = query.where(submissions.c.language.in_(same))
    if not controls:
        query = query.where(items.c.control.is_(None))
    for row in _stream_rows(store, query):
        yield _submission(row)


def stream_judgments(store: Store, campaign: Campaign) -> Iterator[StoredJudgment]:
    """The judgments of a campaign, in order, with item, worker and decision of each submission."""
    query = (
        sa.select(
            judgments.c.submission_id,
            submissions.c.item_id,
            submissions.c.worker_id,
            *judgments.c[("candidate", "criterion", "value")],
            _DECISION,
        )
        .join(submissions, judgments.c.submission_id == submissions.c.id)
        .join(campaigns, submissions.c.campaign_id == campaigns.c.id)
        .where(submissions.c.campaign_id == campaign.id)
        .order_by(judgments.c.id)
    )
    for row in _stream_rows(store, query):
        yield StoredJudgment(*tuple(row))


def _stream_rows(store: Store, query: sa.Select[Any]) -> Iterator[sa.Row[Any]]:
    """Rows on demand; the database connection is released after the last one."""
    with (
        store.stream() as connection,
        connection.execution_options(yield_per=1000).execute(query) as result,
    ):
        yield from result


_LATEST = (
    sa.select(reviews.c.decision)
    .where(reviews.c.submission_id == submissions.c.id, REVIEW_COUNTS)
    .order_by(reviews.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_AUTO = sa.case(
    (campaigns.c.settings["auto_accept"].as_boolean(), "accept"),
    else_="pending",
)
_DECISION = sa.func.coalesce(_LATEST, _AUTO)


def _select() -> sa.Select[Any]:
    return (
        sa.select(
            *submissions.c[("id", "public_id", "campaign_id", "assignment_id", "item_id")],
            items.c.key.label("item_key"),
            items.c.control,
            submissions.c.worker_id,
            workers.c.public_id.label("worker_public_id"),
            submissions.c.tier,
            *assignments.c[("pay_cents", "position", "order")],
            *submissions.c[("text", "language", "comment", "data", "seconds")],
            assignments.c.given_at,
            submissions.c.submitted_at,
            _DECISION.label("decision"),
        )
        .join(items, submissions.c.item_id == items.c.id)
        .join(workers, submissions.c.worker_id == workers.c.id)
        .join(assignments, submissions.c.assignment_id == assignments.c.id)
        .join(campaigns, submissions.c.campaign_id == campaigns.c.id)
    )


def _submission(row: sa.Row[Any]) -> Submission:
    values = dict(row._mapping)
    values["order"] = tuple(values["order"])
    return Submission(**values)
