"""Who may take part in a campaign: everybody if registration is open, otherwise only invited people.

An invitation to a campaign admits to that campaign; an invitation to the store admits to all campaigns
that exist when it is accepted. Whoever is admitted gets a membership.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.invitations import Invitation
from paragauge.collect.campaigns.memberships import join
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.schema import memberships
from paragauge.collect.store.store import Store


def may_enter(store: Store, campaign: Campaign, worker: Worker | None) -> bool:
    """Whether this worker (None: a stranger) may take part."""
    return campaign.settings.open_registration or (
        worker is not None and campaign.id in find_joined_campaigns(store, worker)
    )


def find_joined_campaigns(store: Store, worker: Worker) -> frozenset[int]:
    """The campaigns (by id) that the worker was admitted to or has worked in."""
    query = sa.select(memberships.c.campaign_id).where(memberships.c.worker_id == worker.id)
    with store.read() as connection:
        return frozenset(connection.execute(query).scalars())


def find_invited_campaigns(store: Store, invitation: Invitation) -> list[Campaign]:
    """The campaigns that an invitation admits to, without closed ones."""
    return [
        campaign
        for campaign in campaigns.all_campaigns(store)
        if campaign.state != "closed" and invitation.campaign_id in (None, campaign.id)
    ]


def admit(store: Store, admitted_to: Iterable[Campaign], worker: Worker) -> None:
    """Let the worker take part in these campaigns."""
    with store.write(f"worker:{worker.public_id}") as transaction:
        for campaign in admitted_to:
            join(transaction, campaign.id, worker.id)
            transaction.log("worker.admit", worker.public_id, campaign=campaign.slug)
