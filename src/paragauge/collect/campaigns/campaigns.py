"""Campaigns: each has one kind of task; several share a store and its workers.

>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     settings = CampaignSettings(kind="paraphrase", title="Say it differently")
...     campaign = create(store, settings, "differently", actor="ada")
...     pause(store, campaign, "ada").state
'paused'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaign_settings import CampaignSettings, check_slug
from paragauge.collect.store.columns import is_id
from paragauge.collect.store.schema import campaigns
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import RefusedError


@dataclass(frozen=True)
class Campaign:
    """A campaign as it is now."""

    id: int
    public_id: str
    slug: str
    state: str
    settings: CampaignSettings
    created_at: datetime


_ALL = sa.select(campaigns).order_by(campaigns.c.id)
_NAMED = sa.select(campaigns).where(campaigns.c.slug == sa.bindparam("name"))
_NUMBERED = sa.select(campaigns).where(campaigns.c.id == sa.bindparam("number"))


def create(store: Store, settings: CampaignSettings, slug: str, actor: str) -> Campaign:
    """Create a campaign; `slug` is its name in URLs: lowercase letters, digits and hyphens."""
    with store.write(actor) as transaction:
        return create_in(transaction, settings, slug)


def create_in(
    transaction: Transaction, settings: CampaignSettings, slug: str, *, paused: bool = False
) -> Campaign:
    """Create a campaign in an open transaction; with `paused`, nobody gets tasks until `resume`."""
    check_slug(slug)
    settings.check_new()
    row: dict[str, Any] = {
        "public_id": transaction.public_id(),
        "slug": slug,
        "state": "paused" if paused else "active",
        "settings": settings.to_json(),
    }
    row |= {"budget_cents": settings.budget_cents, "committed_cents": 0, "created_at": transaction.at}
    try:
        created = transaction.connection.execute(sa.insert(campaigns).returning(campaigns), row).one()
    except sa.exc.IntegrityError:
        raise RefusedError("exists", f"a campaign {slug} exists already; choose another name") from None
    transaction.log("campaign.create", slug, settings=row["settings"])
    return from_row(created)


def get(store: Store, slug: str) -> Campaign | None:
    """The campaign of that name."""
    if not is_id(slug):
        return None
    with store.read() as connection:
        row = connection.execute(_NAMED, {"name": slug}).first()
    return None if row is None else from_row(row)


def get_by_id(store: Store, campaign_id: int) -> Campaign:
    """The campaign with that serial number."""
    with store.read() as connection:
        return from_row(connection.execute(_NUMBERED, {"number": campaign_id}).one())


def all_campaigns(store: Store) -> list[Campaign]:
    """All campaigns, in the order of creation."""
    with store.read() as connection:
        return [from_row(row) for row in connection.execute(_ALL)]


def pause(store: Store, campaign: Campaign, actor: str) -> Campaign:
    """Hand out no tasks until `resume`; open ones may be finished."""
    return _set_state(store, campaign, "paused", actor)


def resume(store: Store, campaign: Campaign, actor: str) -> Campaign:
    """Hand out tasks again."""
    return _set_state(store, campaign, "active", actor)


def close(store: Store, campaign: Campaign, actor: str) -> Campaign:
    """Close the campaign for good: no more tasks."""
    return _set_state(store, campaign, "closed", actor)


def change_settings(
    store: Store, campaign: Campaign, settings: CampaignSettings, actor: str
) -> Campaign:
    """Change the settings; the log keeps the old ones.

    The kind cannot change, and the budget must cover what is committed.
    """
    if settings.kind != campaign.settings.kind:
        raise RefusedError("kind", "a campaign cannot change its kind of task; create another campaign")
    with store.write(actor) as transaction:
        return _set_settings(transaction, campaign, settings)


def change_settings_in(
    transaction: Transaction, campaign: Campaign, settings: CampaignSettings
) -> Campaign:
    """Like `change_settings`, in an open transaction, which the campaign stays locked for.

    Refused if the settings are no longer those of `campaign`: somebody else was faster.
    """
    stored = lock_campaign(transaction, campaign.id).settings
    if CampaignSettings.from_json(stored) != campaign.settings:
        raise RefusedError(
            "changed", "somebody changed the settings in the meantime; open the page again"
        )
    return _set_settings(transaction, campaign, settings)


def change(
    store: Store,
    campaign: Campaign,
    actor: str,
    *,
    state: str | None = None,
    budget_cents: int | None = None,
) -> Campaign:
    """Change the state (active, paused or closed), the budget, or both: all or nothing."""
    with store.write(actor) as transaction:
        if state is not None:
            campaign = _set_state_in(transaction, campaign, state)
        if budget_cents is not None:
            settings = replace(campaign.settings, budget_cents=budget_cents)
            campaign = _set_settings(transaction, campaign, settings)
    return campaign


def lock_campaign(transaction: Transaction, campaign_id: int) -> sa.Row[Any]:
    """The row of a campaign, locked until the transaction ends."""
    query = _NUMBERED.with_for_update()
    return transaction.connection.execute(query, {"number": campaign_id}).one()


def _set_state(store: Store, campaign: Campaign, state: str, actor: str) -> Campaign:
    with store.write(actor) as transaction:
        return _set_state_in(transaction, campaign, state)


def _set_state_in(transaction: Transaction, campaign: Campaign, state: str) -> Campaign:
    old = lock_campaign(transaction, campaign.id)
    if old.state == "closed" and state != "closed":
        raise RefusedError("closed", f"campaign {campaign.slug} is closed; create another campaign")
    row = _update(transaction, campaign.id, {"state": state})
    if old.state != state:
        transaction.log(f"campaign.{state}", campaign.slug, old=old.state, new=state)
    return from_row(row)


def _set_settings(transaction: Transaction, campaign: Campaign, settings: CampaignSettings) -> Campaign:
    old = lock_campaign(transaction, campaign.id)
    if settings.budget_cents < old.committed_cents:
        raise RefusedError(
            "budget",
            f"{old.committed_cents} cents are spent or reserved already; the budget cannot be "
            f"{settings.budget_cents}",
        )
    new = {"settings": settings.to_json(), "budget_cents": settings.budget_cents}
    row = _update(transaction, campaign.id, new)
    transaction.log("campaign.settings", campaign.slug, old=old.settings, new=new["settings"])
    return from_row(row)


def _update(transaction: Transaction, campaign_id: int, values: dict[str, Any]) -> sa.Row[Any]:
    update = sa.update(campaigns).where(campaigns.c.id == campaign_id).values(values)
    return transaction.connection.execute(update.returning(campaigns)).one()


def from_row(row: Sequence[Any]) -> Campaign:
    """A campaign from a row of its table."""
    number, public, slug, state, settings, _budget, _committed, created = row
    return Campaign(number, public, slug, state, CampaignSettings.from_json(settings), created)
