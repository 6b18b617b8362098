"""Reading what workers submitted at Mechanical Turk, and approving, rejecting and paying it.

An assignment counts if MTurk reports it for the worker who had it here, with the receipt of its answer.
Any other is a stray: it is counted and left for the requester to look at. Controls of workers who
submitted something new are marked, as after an answer on our pages.

The sandbox pays nobody. Earnings approved there are taken back in entries that say so, so that trials
use up no budget and nothing seems to be owed for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import ledger
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.mturk.client import Mturk, MturkError
from paragauge.collect.mturk.external_question import RECEIPT, read_answers
from paragauge.collect.mturk.records import (
    SOURCE,
    Hit,
    MturkAssignment,
    get_receipt,
    is_of_campaign,
    read_assignments,
    read_hits,
)
from paragauge.collect.people import workers
from paragauge.collect.quality.control_enforcement import check_controls
from paragauge.collect.store.schema_mturk import mturk_hits, mturk_tasks
from paragauge.collect.store.store import Store, Transaction
from paragauge.collect.tasks import submissions


@dataclass(frozen=True)
class SyncCounts:
    """Assignments that were submitted: new ones, all, and strays."""

    new: int
    all: int
    strays: tuple[str, ...]


@dataclass(frozen=True)
class SettlementCounts:
    """Assignments approved and rejected now, and those that wait for a review."""

    approved: int
    rejected: int
    waiting: int


def sync(store: Store, mturk: Mturk, campaign: Campaign, actor: str) -> SyncCounts:
    """Ask MTurk what was submitted, HIT by HIT."""
    count, strays = 0, []
    new: list[int] = []
    for hit in read_hits(store, is_of_campaign(mturk, campaign), mturk_hits.c.external_id.is_not(None)):
        known = {
            task.external_id: task
            for task in read_assignments(store, mturk_tasks.c.mturk_hit_id == hit.id)
        }
        if sum(task.state in ("approved", "rejected") for task in known.values()) == hit.places:
            continue
        for reported in mturk.pages("list_assignments_for_hit", "Assignments", HITId=hit.external_id):
            count += 1
            task = known.get(reported["AssignmentId"])
            if task is None or not _is_genuine(store, task, reported):
                strays.append(str(reported["AssignmentId"]))
            elif task.state == "claimed":
                _record_state(store, task, "submitted", actor)
                new.append(task.worker_id)
    for number in dict.fromkeys(new):
        worker = workers.get_by_id(store, number)
        if worker is not None:
            check_controls(store, campaign, worker)
    return SyncCounts(len(new), count, tuple(strays))


def settle(
    store: Store, mturk: Mturk, campaign: Campaign, actor: str, *, pending: bool = False
) -> SettlementCounts:
    """Approve what was accepted, reject what was rejected; with `pending`, approve the rest too."""
    approved = rejected = waiting = 0
    for hit, task in _list_submitted(store, mturk, campaign):
        submission = submissions.get(store, get_receipt(store, task) or "")
        if submission is None or (submission.decision == "pending" and not pending):
            waiting += 1
        elif submission.decision == "reject":
            why = _reason(store, submission)
            _decide(mturk, "reject_assignment", AssignmentId=task.external_id, RequesterFeedback=why)
            _record_state(store, task, "rejected", actor)
            rejected += 1
        else:
            _decide(mturk, "approve_assignment", AssignmentId=task.external_id)
            _record_approval(store, mturk, task, submission, hit.reward_cents, actor)
            approved += 1
    return SettlementCounts(approved, rejected, waiting)


def _list_submitted(
    store: Store, mturk: Mturk, campaign: Campaign
) -> list[tuple[Hit, MturkAssignment]]:
    hits_by_id = {hit.id: hit for hit in read_hits(store, is_of_campaign(mturk, campaign))}
    submitted = read_assignments(
        store, is_of_campaign(mturk, campaign), mturk_tasks.c.state == "submitted"
    )
    return [(hits_by_id[task.hit_id], task) for task in submitted]


def _is_genuine(store: Store, task: MturkAssignment, reported: dict[str, Any]) -> bool:
    worker = workers.get_by_id(store, task.worker_id)
    known = workers.get_person(store, worker) if worker else None
    reported_receipt = read_answers(reported.get("Answer", "")).get(RECEIPT)
    return (
        known is not None
        and known.external_id == f"{SOURCE}:{reported['WorkerId']}"
        and reported_receipt is not None
        and reported_receipt == get_receipt(store, task)
    )


def _decide(mturk: Mturk, operation: str, **parameters: Any) -> None:
    """Approve or reject; one that an interrupted run already decided stays as it is."""
    try:
        mturk.call(operation, **parameters)
    except MturkError as error:
        if "with a status of: Submitted" not in error.detail:
            raise


def _record_approval(
    store: Store,
    mturk: Mturk,
    task: MturkAssignment,
    answer: submissions.Submission,
    cents: int,
    actor: str,
) -> None:
    with store.write(actor) as transaction:
        _set_state(transaction, task, "approved")
        where, note = (answer.campaign_id, task.worker_id, answer.assignment_id), task.external_id
        if mturk.environment == "production":
            ledger.add_entry(transaction, "paid", *where, paid=cents, note=f"mturk {note}")
        else:
            ledger.revoke(transaction, *where, note=f"mturk {note} {ledger.SANDBOX}")


def _record_state(store: Store, task: MturkAssignment, state: str, actor: str) -> None:
    with store.write(actor) as transaction:
        _set_state(transaction, task, state)


def _set_state(transaction: Transaction, task: MturkAssignment, state: str) -> None:
    mine = mturk_tasks.c.id == task.id
    transaction.connection.execute(sa.update(mturk_tasks).where(mine).values(state=state))
    transaction.log(f"mturk.{state}", task.external_id)


def _reason(store: Store, submission: submissions.Submission) -> str:
    from paragauge.collect.tasks import reviews

    reasons = [
        review.reason
        for review in reviews.list_reviews(store, submission)
        if review.decision == "reject"
    ]
    return (reasons[-1] if reasons and reasons[-1] else "The answer does not follow the instructions.")[
        :1024
    ]
