"""Creating HITs for the answers that a campaign still needs; a repeated run creates none twice.

A HIT is recorded before it is requested, with its own key: the token of the request, the annotation of
the HIT, and part of its page's URL. The next run continues an interrupted one: HITs that are recorded
but not known to exist are looked up at MTurk, then requested again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import sqlalchemy as sa

from paragauge.collect.campaigns import items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.mturk.client import Mturk, MturkError, format_dollars
from paragauge.collect.mturk.external_question import build_question
from paragauge.collect.mturk.qualifications import list_requirements
from paragauge.collect.mturk.records import Hit, is_of_campaign, read_hits
from paragauge.collect.store.schema_mturk import mturk_hits, mturk_tasks
from paragauge.collect.store.store import Store
from paragauge.errors import RefusedError, SettingError

# MTurk doubles its fee from ten assignments on.
MOST_DAYS = 365  # that Mechanical Turk keeps a HIT
MOST_PLACES = 9
DAY = 86_400


def count_needed_tasks(store: Store, mturk: Mturk, campaign: Campaign, tier: int) -> int:
    """Tasks of a tier that are still wanted and not offered by any live HIT."""
    left = sum(
        coverage.wanted - coverage.taken
        for coverage in items.read_coverage(store, campaign)
        if coverage.tier == tier
    )
    live = (
        is_of_campaign(mturk, campaign)
        & (mturk_hits.c.tier == tier)
        & (mturk_hits.c.expires_at > store.clock())
    )
    done = (
        sa.select(sa.func.count())
        .select_from(mturk_tasks.join(mturk_hits))
        .where(live, mturk_tasks.c.submission_id.is_not(None))
    )
    with store.read() as connection:
        answered = int(connection.execute(done).scalar_one())
    return max(0, left - (sum(hit.places for hit in read_hits(store, live)) - answered))


def create_hits(
    store: Store,
    mturk: Mturk,
    campaign: Campaign,
    address: str,
    tier: int,
    actor: str,
    *,
    tasks: int | None = None,
    days: float = 7,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Hit]:
    """Create HITs of a tier for all wanted tasks, or for `tasks` of them; `address` is our URL.

    Recorded HITs that are not yet at MTurk are created too. The reward is the pay of the tier.
    """
    settings = campaign.settings.tiers.get(tier)
    if settings is None:
        raise SettingError(f"campaign {campaign.slug} has no tier {tier}")
    if not 0 < days <= MOST_DAYS:
        raise SettingError(f"days: expected a number above 0 and at most {MOST_DAYS}, found {days}")
    if settings.pay_cents < 1:
        raise RefusedError("pay", f"tier {tier} pays nothing; MTurk requires at least 1 cent")
    build_question(f"{address}/mturk/x")
    many = count_needed_tasks(store, mturk, campaign, tier) if tasks is None else tasks
    with store.write(actor) as transaction:
        for first in range(0, many, MOST_PLACES):
            row = {"campaign_id": campaign.id, "environment": mturk.environment, "tier": tier}
            row |= {"key": transaction.token(24), "places": min(MOST_PLACES, many - first)}
            row |= {"reward_cents": settings.pay_cents, "created_at": transaction.at}
            row["expires_at"] = transaction.at + timedelta(days=days)
            transaction.connection.execute(sa.insert(mturk_hits), row)
        if many:
            transaction.log("mturk.plan", campaign.slug, tier=tier, tasks=many, env=mturk.environment)
    waiting = read_hits(store, is_of_campaign(mturk, campaign) & mturk_hits.c.external_id.is_(None))
    known = _list_existing(mturk) if waiting else {}
    types: dict[tuple[int, int], str] = {}
    created: list[Hit] = []
    for hit in waiting:
        progress(f"HIT {len(created) + 1} of {len(waiting)}")
        external = known.get(hit.key)
        if external is None:
            place = (hit.tier, hit.reward_cents)
            if place not in types:
                types[place] = _create_type(store, mturk, campaign, hit, actor)
            external = _create_hit(mturk, hit, types[place], address, days)
        with store.write(actor) as transaction:
            mine = mturk_hits.c.id == hit.id
            transaction.connection.execute(
                sa.update(mturk_hits).where(mine).values(external_id=external)
            )
            transaction.log(
                "mturk.hit", external, campaign=campaign.slug, tier=hit.tier, places=hit.places
            )
        created.append(hit)
    return created


def expire_hits(store: Store, mturk: Mturk, campaign: Campaign, actor: str) -> int:
    """Expire the campaign's HITs: nobody can accept them any more; accepted ones may be finished."""
    live = is_of_campaign(mturk, campaign) & (mturk_hits.c.expires_at > store.clock())
    live_hits = read_hits(store, live & mturk_hits.c.external_id.is_not(None))
    for hit in live_hits:
        mturk.call("update_expiration_for_hit", HITId=hit.external_id, ExpireAt=0)
        with store.write(actor) as transaction:
            update = sa.update(mturk_hits).where(mturk_hits.c.id == hit.id)
            transaction.connection.execute(update.values(expires_at=transaction.at))
            transaction.log("mturk.expire", str(hit.external_id), campaign=campaign.slug)
    return len(live_hits)


def _list_existing(mturk: Mturk) -> dict[str, str]:
    """HITs at MTurk by annotation, since MTurk forgets request tokens after a day."""
    return {
        hit["RequesterAnnotation"]: hit["HITId"]
        for hit in mturk.pages("list_hits", "HITs")
        if hit.get("RequesterAnnotation")
    }


def _create_type(store: Store, mturk: Mturk, campaign: Campaign, hit: Hit, actor: str) -> str:
    settings = campaign.settings
    description = " ".join(settings.instructions.split())[:2000] or settings.title
    answer = mturk.call(
        "create_hit_type",
        Title=settings.title[:128],
        Description=description,
        Keywords="language, writing",
        Reward=format_dollars(hit.reward_cents),
        AssignmentDurationInSeconds=max(30, settings.expires_minutes * 60),
        AutoApprovalDelayInSeconds=7 * DAY,
        QualificationRequirements=list_requirements(store, mturk, campaign, hit.tier, actor),
    )
    return str(answer["HITTypeId"])


def _create_hit(mturk: Mturk, hit: Hit, type_id: str, address: str, days: float) -> str:
    try:
        answer = mturk.call(
            "create_hit_with_hit_type",
            HITTypeId=type_id,
            MaxAssignments=hit.places,
            LifetimeInSeconds=round(days * DAY),
            Question=build_question(f"{address}/mturk/{hit.key}"),
            RequesterAnnotation=hit.key,
            UniqueRequestToken=hit.key,
        )
    except MturkError as error:
        # An earlier request with this token arrived, though its answer did not.
        if not re.search("already ?exists", error.detail, re.IGNORECASE):
            raise
        return _list_existing(mturk)[hit.key]
    return str(answer["HIT"]["HITId"])
