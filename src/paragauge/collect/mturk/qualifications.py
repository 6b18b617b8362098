"""Qualification types of Mechanical Turk for the tiers of a campaign.

Tier 2 is for workers who hold a type of ours; workers who are blocked here hold another, whose holders
see no HIT of the campaign. Workers are not blocked at MTurk itself, where it would count against
them with all requesters. A worker's qualifications follow their standing here.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.mturk.client import Mturk
from paragauge.collect.mturk.records import SOURCE
from paragauge.collect.people import workers
from paragauge.collect.store.schema_mturk import (
    mturk_hits,
    mturk_holders,
    mturk_qualifications,
    mturk_tasks,
)
from paragauge.collect.store.store import Store

ROLES = {
    "tier-2": "Qualified for better-paid tasks by the requester, after good work.",
    "blocked": "Work on these tasks has ended.",
}


def ensure_qualification(
    store: Store, mturk: Mturk, campaign: Campaign, role: str, actor: str
) -> tuple[int, str]:
    """Our number and MTurk's id of a qualification type, which is found by name or created."""
    own = (
        (mturk_qualifications.c.campaign_id == campaign.id)
        & (mturk_qualifications.c.environment == mturk.environment)
        & (mturk_qualifications.c.role == role)
    )
    query = sa.select(mturk_qualifications.c.id, mturk_qualifications.c.external_id).where(own)
    with store.read() as connection:
        row = connection.execute(query).first()
    if row is not None:
        return int(row[0]), str(row[1])
    # The public id makes the name unique; a run that was interrupted after the call finds it again.
    name = f"paragauge {campaign.slug} {role} {campaign.public_id}"
    known = mturk.pages(
        "list_qualification_types",
        "QualificationTypes",
        Query=name,
        MustBeRequestable=False,
        MustBeOwnedByCaller=True,
    )
    external = next((type_["QualificationTypeId"] for type_ in known if type_["Name"] == name), None)
    if external is None:
        created = mturk.call(
            "create_qualification_type",
            Name=name,
            Description=ROLES[role],
            QualificationTypeStatus="Active",
        )
        external = created["QualificationType"]["QualificationTypeId"]
    with store.write(actor) as transaction:
        values = {"campaign_id": campaign.id, "environment": mturk.environment, "role": role}
        insert = sa.insert(mturk_qualifications).returning(mturk_qualifications.c.id)
        number = transaction.connection.execute(insert, values | {"external_id": external}).scalar_one()
        transaction.log("mturk.qualification", campaign.slug, role=role, environment=mturk.environment)
    return int(number), str(external)


def list_requirements(
    store: Store, mturk: Mturk, campaign: Campaign, tier: int, actor: str
) -> list[dict[str, Any]]:
    """What a worker must hold, and must not, to see the HITs of a tier."""
    blocked = ensure_qualification(store, mturk, campaign, "blocked", actor)[1]
    hidden = {"ActionsGuarded": "DiscoverPreviewAndAccept"}
    needed = [{"QualificationTypeId": blocked, "Comparator": "DoesNotExist", **hidden}]
    if tier == 2:
        held = ensure_qualification(store, mturk, campaign, "tier-2", actor)[1]
        needed.append({"QualificationTypeId": held, "Comparator": "Exists", **hidden})
    return needed


def sync_qualifications(store: Store, mturk: Mturk, campaign: Campaign, actor: str) -> int:
    """Make qualifications match the standing of workers; returns the number of changes."""
    changed = 0
    roles = {role: ensure_qualification(store, mturk, campaign, role, actor) for role in ROLES}
    for worker in _list_workers(store, mturk, campaign):
        external = (workers.get_person(store, worker) or workers.Person()).external_id
        if external is None:
            continue
        standing = memberships.get_standing(store, campaign, worker)
        should_hold = {"tier-2": standing.tier >= 2, "blocked": standing.state == "blocked"}
        for role, (number, type_id) in roles.items():
            row = {"mturk_qualification_id": number, "worker_id": worker.id}
            mine = (mturk_holders.c.mturk_qualification_id == number) & (
                mturk_holders.c.worker_id == worker.id
            )
            with store.read() as connection:
                held = connection.execute(sa.select(mturk_holders).where(mine)).first() is not None
            if held == should_hold[role]:
                continue
            parameters = {
                "QualificationTypeId": type_id,
                "WorkerId": external.removeprefix(f"{SOURCE}:"),
            }
            if should_hold[role]:
                operation = "associate_qualification_with_worker"
                mturk.call(operation, **parameters, IntegerValue=1, SendNotification=role == "tier-2")
            else:
                mturk.call("disassociate_qualification_from_worker", **parameters)
            with store.write(actor) as transaction:
                change = (
                    sa.insert(mturk_holders).values(row)
                    if should_hold[role]
                    else sa.delete(mturk_holders).where(mine)
                )
                transaction.connection.execute(change)
                transaction.log("mturk.qualify", worker.public_id, role=role, holds=should_hold[role])
            changed += 1
    return changed


def _list_workers(store: Store, mturk: Mturk, campaign: Campaign) -> list[workers.Worker]:
    query = (
        sa.select(mturk_tasks.c.worker_id)
        .join(mturk_hits)
        .where(mturk_hits.c.campaign_id == campaign.id, mturk_hits.c.environment == mturk.environment)
        .distinct()
        .order_by(mturk_tasks.c.worker_id)
    )
    with store.read() as connection:
        known = [
            workers.get_by_id(store, number) for number in connection.execute(query).scalars().all()
        ]
    return [worker for worker in known if worker is not None]
