"""Sending bonuses that were given here to workers of Mechanical Turk, each once.

A bonus at MTurk belongs to an assignment: the worker's last approved one. A bonus for a worker without
one waits. The request token is the ledger entry, so that a bonus whose response was lost is not sent
again. A bonus in the sandbox costs nothing.
"""

from __future__ import annotations

import re

import sqlalchemy as sa

from paragauge.collect.campaigns import budget, ledger
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.mturk.client import Mturk, MturkError, format_dollars
from paragauge.collect.mturk.records import SOURCE, is_of_campaign, read_assignments
from paragauge.collect.people import workers
from paragauge.collect.store.schema_mturk import mturk_bonuses, mturk_tasks
from paragauge.collect.store.store import Store

_SENT = re.compile("already been processed|used before|duplicate", re.IGNORECASE)


def send_bonuses(store: Store, mturk: Mturk, campaign: Campaign, actor: str) -> tuple[int, int]:
    """Send the bonuses that were given here to workers of MTurk: how many, and how many cents."""
    sent = total = 0
    for entry in ledger.read_entries(store, campaign):
        worker = workers.get_by_id(store, entry.worker_id)
        if entry.kind != "bonus" or worker is None or worker.source != SOURCE:
            continue
        with store.read() as connection:
            sent_before = sa.select(mturk_bonuses).where(mturk_bonuses.c.ledger_id == entry.id)
            if connection.execute(sent_before).first() is not None:
                continue
        approved = [
            task
            for task in read_assignments(
                store, mturk_tasks.c.worker_id == worker.id, is_of_campaign(mturk, campaign)
            )
            if task.state == "approved"
        ]
        external = (workers.get_person(store, worker) or workers.Person()).external_id
        if not approved or external is None:
            continue
        try:
            mturk.call(
                "send_bonus",
                WorkerId=external.removeprefix(f"{SOURCE}:"),
                AssignmentId=approved[-1].external_id,
                BonusAmount=format_dollars(entry.earned_cents),
                Reason=entry.note or "Thank you for your good work.",
                UniqueRequestToken=f"{campaign.public_id}-{entry.id}",
            )
        except MturkError as error:
            # An earlier request with this token arrived, though its answer did not.
            if not _SENT.search(error.detail):
                raise
        with store.write(actor) as transaction:
            row = {"ledger_id": entry.id, "environment": mturk.environment, "sent_at": transaction.at}
            transaction.connection.execute(sa.insert(mturk_bonuses), row)
            cents, fee = entry.earned_cents, entry.fee_cents
            where, note = (campaign.id, worker.id), "mturk bonus"
            if mturk.environment == "production":
                ledger.add_entry(transaction, "paid", *where, paid=cents, note=note)
            else:
                note = f"{note} {ledger.SANDBOX}"
                ledger.add_entry(transaction, "revoke", *where, earned=-cents, fee=-fee, note=note)
                budget.commit_cents(transaction, campaign.id, -cents - fee)
            transaction.log("mturk.bonus", worker.public_id, cents=cents, environment=mturk.environment)
        sent, total = sent + 1, total + entry.earned_cents
    return sent, total
