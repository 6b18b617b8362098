"""An audit: whether the counters, sums and rows of a store agree, as they must at every moment.

>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     find_problems(store)
[]
"""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.campaigns.ledger import SANDBOX
from paragauge.collect.store.schema import (
    IMPORT_SEED,
    assignments,
    campaigns,
    item_tiers,
    memberships,
)
from paragauge.collect.store.schema_answers import REVIEW_COUNTS, ledger, reviews, submissions
from paragauge.collect.store.store import Store


def find_problems(store: Store) -> list[str]:
    """What does not agree, one line each; empty for a consistent store.

    Places: an item's `taken` is the number of its tasks that are open, or submitted and not rejected,
    and at most `wanted`. Money: a campaign's `committed_cents` is what its ledger sums to, and at most
    its budget; an assignment's rows in the ledger sum to what its state says, but for what was paid
    before a rejection and what the sandbox took back; nobody was paid more than they earned. Answers:
    every submitted task has one submission, no other has any. Positions: a worker's tasks are
    counted; imported answers were no tasks.
    """
    with store.read() as connection:
        # All questions are asked of one state of the store.
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        messages = []
        for message, query in _QUESTIONS:
            messages += sorted(message.format(**row._mapping) for row in connection.execute(query))
    return messages


_LAST = (
    sa.select(reviews.c.decision)
    .where(reviews.c.submission_id == submissions.c.id, REVIEW_COUNTS)
    .order_by(reviews.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_REJECTED = (
    sa.exists()
    .where(submissions.c.assignment_id == assignments.c.id, _LAST == "reject")
    .correlate(assignments)
)
_HOLDS = sa.case(
    (assignments.c.state == "open", 1),
    ((assignments.c.state == "submitted") & ~_REJECTED, 1),
    else_=0,
)
_HELD = (
    sa.select(sa.func.coalesce(sa.func.sum(_HOLDS), 0))
    .where(assignments.c.item_id == item_tiers.c.item_id, assignments.c.tier == item_tiers.c.tier)
    .correlate(item_tiers)
    .scalar_subquery()
)
_SUM = ledger.c.reserved_cents + ledger.c.earned_cents + ledger.c.fee_cents
_COMMITTED = (
    sa.select(sa.func.coalesce(sa.func.sum(_SUM), 0))
    .where(ledger.c.campaign_id == campaigns.c.id)
    .correlate(campaigns)
    .scalar_subquery()
)
_TASK_SUM = (
    sa.select(sa.func.coalesce(sa.func.sum(_SUM), 0))
    .where(ledger.c.assignment_id == assignments.c.id)
    .correlate(assignments)
    .scalar_subquery()
)
_TASK_RESERVED = (
    sa.select(sa.func.coalesce(sa.func.sum(ledger.c.reserved_cents), 0))
    .where(ledger.c.assignment_id == assignments.c.id)
    .correlate(assignments)
    .scalar_subquery()
)
_SANDBOXED = (
    sa.exists()
    .where(ledger.c.assignment_id == assignments.c.id, ledger.c.note.contains(SANDBOX))
    .correlate(assignments)
)
_COST = assignments.c.pay_cents + assignments.c.fee_cents
_ANSWERS = (
    sa.select(sa.func.count())
    .select_from(submissions)
    .where(submissions.c.assignment_id == assignments.c.id)
    .correlate(assignments)
    .scalar_subquery()
)
_GIVEN = (
    sa.select(sa.func.count())
    .select_from(assignments)
    .where(
        assignments.c.campaign_id == memberships.c.campaign_id,
        assignments.c.worker_id == memberships.c.worker_id,
        assignments.c.seed != IMPORT_SEED,
    )
    .correlate(memberships)
    .scalar_subquery()
)
_QUESTIONS = (
    (
        "item {item_id} in tier {tier}: {taken} places taken, {held} held",
        sa.select(item_tiers, _HELD.label("held")).where(item_tiers.c.taken != _HELD),
    ),
    (
        "item {item_id} in tier {tier}: {taken} places taken of {wanted}",
        sa.select(item_tiers).where(item_tiers.c.taken > item_tiers.c.wanted),
    ),
    (
        "campaign {slug}: {committed_cents} cents committed, its ledger says {sum}",
        sa.select(campaigns, _COMMITTED.label("sum")).where(campaigns.c.committed_cents != _COMMITTED),
    ),
    (
        "campaign {slug}: {committed_cents} cents committed of a budget of {budget_cents}",
        sa.select(campaigns).where(campaigns.c.committed_cents > campaigns.c.budget_cents),
    ),
    (
        "assignment {id} is {state}: its ledger says {sum}",
        sa.select(assignments, _TASK_SUM.label("sum")).where(
            ~_TASK_SUM.between(
                sa.case((_SANDBOXED, 0), else_=_HOLDS * _COST),
                sa.case((assignments.c.state.in_(("open", "submitted")), _COST), else_=0),
            )
        ),
    ),
    (
        "worker {worker_id} in campaign {campaign_id}: {paid} cents paid, {earned} earned",
        sa.select(
            ledger.c.worker_id,
            ledger.c.campaign_id,
            sa.func.sum(ledger.c.paid_cents).label("paid"),
            sa.func.sum(ledger.c.earned_cents).label("earned"),
        )
        .group_by(ledger.c.worker_id, ledger.c.campaign_id)
        .having(sa.func.sum(ledger.c.paid_cents) > sa.func.sum(ledger.c.earned_cents)),
    ),
    (
        "assignment {id} is {state}: its ledger reserves {sum}",
        sa.select(assignments, _TASK_RESERVED.label("sum")).where(
            sa.case((assignments.c.state == "open", _COST), else_=0) != _TASK_RESERVED
        ),
    ),
    (
        "assignment {id} is {state}: it has {many} submissions",
        sa.select(assignments, _ANSWERS.label("many")).where(
            sa.case((assignments.c.state == "submitted", 1), else_=0) != _ANSWERS
        ),
    ),
    (
        "worker {worker_id} in campaign {campaign_id}: {given} tasks counted, {many} given",
        sa.select(memberships, _GIVEN.label("many")).where(memberships.c.given != _GIVEN),
    ),
)
