"""Paged lists for the requester's pages: answers, active workers, earnings, the log.

Each function returns the rows of one page and the number of all rows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.ledger import undecided_columns
from paragauge.collect.store.change_log import Change
from paragauge.collect.store.paging import PageRange, read_page
from paragauge.collect.store.schema import items, memberships, workers
from paragauge.collect.store.schema_answers import REVIEW_COUNTS, changes, ledger, reviews, submissions
from paragauge.collect.store.store import Store


@dataclass(frozen=True)
class ListedAnswer:
    """An answer with what a reviewer needs beside it."""

    id: int
    public_id: str
    worker: str
    item: str
    item_key: str
    content: dict[str, Any]
    control: str | None
    tier: int
    text: str
    language: str
    comment: str
    data: dict[str, Any]
    seconds: float | None
    submitted_at: datetime
    decision: str
    reason: str

    @property
    def source(self) -> str:
        """The sentence that was to be paraphrased; empty for other tasks."""
        return str(self.content.get("text", ""))


@dataclass(frozen=True)
class ActiveWorker:
    """A worker of a campaign and how many answers they gave there."""

    worker: str
    source: str
    answers: int
    tier: int
    state: str
    refused: bool


@dataclass(frozen=True)
class Earnings:
    """What a worker earned in a campaign by answers (`pending`: not reviewed yet; `rejected`: rejected
    after it was paid) and by bonuses, and what was paid of it.
    """

    worker: str
    earned: int
    bonus: int
    paid: int
    pending: int
    rejected: int

    @property
    def accepted(self) -> int:
        """Earned by accepted answers."""
        return self.earned - self.pending - self.rejected

    @property
    def owed(self) -> int:
        """Accepted, or a bonus, and not paid."""
        return max(0, self.accepted + self.bonus - self.paid)


def list_answers(
    store: Store,
    campaign: Campaign,
    part: PageRange,
    *,
    worker: str = "",
    tier: int | None = None,
    decision: str = "",
    item: str = "",
    words: str = "",
    decided_by: str = "",
    chosen: list[str] | None = None,
    items_of: list[str] | None = None,
) -> tuple[list[ListedAnswer], int]:
    """Answers, the latest first: of one worker, one tier, one decision, to an item (by key), with
    `words` in text, comment or data, decided by this account (`decided_by`: the latest decision first),
    with these public ids (`chosen`), or to these items (`items_of`).
    """
    latest = (
        sa.select(sa.func.max(reviews.c.id))
        .where(reviews.c.submission_id == submissions.c.id, REVIEW_COUNTS)
        .correlate(submissions)
        .scalar_subquery()
    )
    joined = (
        submissions.join(items, items.c.id == submissions.c.item_id)
        .join(workers, workers.c.id == submissions.c.worker_id)
        .outerjoin(reviews, reviews.c.id == latest)
    )
    unreviewed = "accept" if campaign.settings.auto_accept else "pending"
    decided = sa.func.coalesce(reviews.c.decision, unreviewed)
    conditions = [submissions.c.campaign_id == campaign.id]
    if worker:
        conditions.append(workers.c.public_id == worker)
    if tier is not None:
        conditions.append(submissions.c.tier == tier)
    if decision:
        conditions.append(decided == decision)
    if item:
        conditions.append(items.c.key == item)
    if words:
        coded = json.dumps(words, ensure_ascii=False)[1:-1]
        conditions.append(
            submissions.c.text.icontains(words, autoescape=True)
            | submissions.c.comment.icontains(words, autoescape=True)
            | sa.cast(submissions.c.data, sa.Text).icontains(coded, autoescape=True)
        )
    if decided_by:
        conditions.append(reviews.c.actor == decided_by)
    if chosen is not None:
        conditions.append(submissions.c.public_id.in_(chosen))
    if items_of is not None:
        conditions.append(items.c.public_id.in_(items_of))
    columns = sa.select(
        submissions.c.id,
        submissions.c.public_id,
        workers.c.public_id,
        items.c.public_id,
        items.c.key,
        items.c.content,
        items.c.control,
        submissions.c.tier,
        submissions.c.text,
        submissions.c.language,
        submissions.c.comment,
        submissions.c.data,
        submissions.c.seconds,
        submissions.c.submitted_at,
        decided,
        sa.func.coalesce(reviews.c.reason, ""),
    )
    order = (reviews if decided_by else submissions).c.id.desc()
    query = columns.select_from(joined).where(*conditions).order_by(order)
    rows, total = read_page(store, query, part)
    return [ListedAnswer(*row) for row in rows], total


def list_workers(
    store: Store, campaign: Campaign, part: PageRange, show: str = "unqualified"
) -> tuple[list[ActiveWorker], int]:
    """Workers by the number of their answers, the most first.

    `show`: unqualified (tier 1, neither refused nor blocked), refused, qualified, blocked or all.
    """
    higher = (workers.c.tier > memberships.c.tier) & ~memberships.c.refused
    tier = sa.case((higher, workers.c.tier), else_=memberships.c.tier)
    blocked = (memberships.c.state == "blocked") | (workers.c.state == "blocked")
    warned = (memberships.c.state == "warned") | (workers.c.state == "warned")
    state = sa.case((blocked, "blocked"), (warned, "warned"), else_="active")
    number = (
        sa.select(sa.func.count())
        .where(submissions.c.worker_id == workers.c.id, submissions.c.campaign_id == campaign.id)
        .correlate(workers)
        .scalar_subquery()
    )
    conditions = {
        "unqualified": (tier < 2) & ~blocked & ~memberships.c.refused,
        "refused": memberships.c.refused & ~blocked,
        "qualified": (tier >= 2) & ~blocked,
        "blocked": blocked,
    }
    query = (
        sa.select(
            workers.c.public_id, workers.c.source, number.label("n"), tier, state, memberships.c.refused
        )
        .select_from(memberships.join(workers, workers.c.id == memberships.c.worker_id))
        .where(memberships.c.campaign_id == campaign.id)
        .order_by(sa.desc("n"), workers.c.id)
    )
    if show in conditions:
        query = query.where(conditions[show])
    rows, total = read_page(store, query, part)
    return [ActiveWorker(*row) for row in rows], total


def list_earnings(
    store: Store, campaign: Campaign, part: PageRange, worker: str = ""
) -> tuple[list[Earnings], int]:
    """What workers earned and were paid, the most owed first, ties in the order of registration."""
    bonus = ledger.c.kind == "bonus"
    earned = sa.func.sum(sa.case((bonus, 0), else_=ledger.c.earned_cents))
    extra = sa.func.sum(sa.case((bonus, ledger.c.earned_cents), else_=0))
    paid = sa.func.sum(ledger.c.paid_cents)
    pending, rejected = undecided_columns(campaign)
    query = (
        sa.select(workers.c.public_id, earned, extra, paid, pending, rejected)
        .select_from(ledger.join(workers, workers.c.id == ledger.c.worker_id))
        .where(ledger.c.campaign_id == campaign.id)
        .group_by(workers.c.id, workers.c.public_id)
        .having((sa.func.sum(ledger.c.earned_cents) != 0) | (paid != 0))
        .order_by((earned + extra - paid - pending - rejected).desc(), workers.c.id)
    )
    if worker:
        query = query.where(workers.c.public_id == worker)
    rows, total = read_page(store, query, part)
    return [Earnings(row[0], *map(int, row[1:])) for row in rows], total


def list_changes(
    store: Store, part: PageRange, *, action: str = "", actor: str = ""
) -> tuple[list[Change], int]:
    """The changes, the latest first: of one kind, or by one person."""
    query = sa.select(changes).order_by(changes.c.id.desc())
    if action:
        query = query.where(changes.c.action == action)
    if actor:
        query = query.where(changes.c.actor == actor)
    rows, total = read_page(store, query, part)
    return [Change(*row) for row in rows], total


def list_actions(store: Store) -> list[str]:
    """The kinds of changes there are, in an order that does not depend on the database's language."""
    with store.read() as connection:
        return sorted(connection.scalars(sa.select(changes.c.action).distinct()))
