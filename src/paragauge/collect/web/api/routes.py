"""The JSON API under /api/v1: the same as the requester's pages, for programs.

Each request carries a Bearer token. `/api/v1/openapi.json` describes all of it.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request

from paragauge.collect.campaigns import budget, campaigns, item_listings, items
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.media_check import check_media
from paragauge.collect.statistics.campaign_statistics import compute_statistics, measure_progress
from paragauge.collect.web.api import (
    export_routes,
    models,
    statistics_json,
    submission_routes,
    worker_routes,
)
from paragauge.collect.web.api.auth import PROBLEMS, ApiCampaign, ApiPage, Caller, Id, api_errors
from paragauge.collect.web.http.identity import TheStore
from paragauge.version import __version__

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


@router.get("/status", tags=["status"])
def status(store: TheStore, caller: Caller) -> models.Status:
    """The server, and the account of the token."""
    number = len(campaigns.all_campaigns(store))
    return models.Status(version=__version__, account=caller.name, at=store.clock(), campaigns=number)


@router.get("/campaigns", tags=["campaigns"])
def list_campaigns(store: TheStore, caller: Caller, part: ApiPage) -> list[models.Campaign]:
    """Campaigns, in the order in which they were made."""
    del caller
    listed = campaigns.all_campaigns(store)[part.offset : part.offset + part.limit]
    return [models.Campaign(**_record(campaign)) for campaign in listed]


@router.post("/campaigns", status_code=201, tags=["campaigns"])
def create_campaign(store: TheStore, caller: Caller, new: models.NewCampaign) -> models.CampaignDetail:
    """Make a campaign; its settings are checked as those of a campaign file."""
    with api_errors():
        settings = CampaignSettings.from_json(new.settings)
        campaign = campaigns.create(store, settings, new.slug, caller.name)
    return _detail(store, campaign)


@router.get("/campaigns/{slug}", tags=["campaigns"])
def read_campaign(store: TheStore, campaign: ApiCampaign) -> models.CampaignDetail:
    """A campaign with its progress and costs."""
    return _detail(store, campaign)


@router.patch("/campaigns/{slug}", tags=["campaigns"])
def change_campaign(
    store: TheStore, caller: Caller, campaign: ApiCampaign, change: models.CampaignChange
) -> models.CampaignDetail:
    """Pause, resume or close a campaign; change its budget, never below what is spent and reserved."""
    with api_errors():
        campaign = campaigns.change(
            store, campaign, caller.name, state=change.state, budget_cents=change.budget_cents
        )
    return _detail(store, campaign)


@router.get("/campaigns/{slug}/statistics", tags=["campaigns"])
def read_statistics(
    store: TheStore,
    campaign: ApiCampaign,
    language: Annotated[str, Query(max_length=100, pattern=r"^[^\x00]*$")] = "English",
) -> statistics_json.Statistics:
    """All figures of a campaign: table 1 and section 3.3 of Chen and Dolan (2011), days, coverage."""
    return statistics_json.Statistics.model_validate(compute_statistics(store, campaign, language))


@router.get("/campaigns/{slug}/items", tags=["items"])
def list_items(store: TheStore, campaign: ApiCampaign, part: ApiPage) -> models.Items:
    """Active items, in the order of adding."""
    rows, total = item_listings.list_items(store, campaign, part)
    return models.Items.model_validate({"total": total, "rows": rows})


@router.post("/campaigns/{slug}/items", status_code=201, tags=["items"])
def add_items(
    request: Request,
    store: TheStore,
    caller: Caller,
    campaign: ApiCampaign,
    new: Annotated[list[models.NewItem], Body(min_length=1, max_length=10_000)],
) -> list[models.Item]:
    """Add items, all of them or none."""
    rows = [item.model_dump(exclude_none=True) for item in new]
    with api_errors():
        if campaign.state == "closed":
            raise HTTPException(409, "The campaign is closed.")
        check_media(rows, request.app.state.media_folder)
        added = items.add(store, campaign, rows, caller.name)
    return [models.Item.model_validate(item) for item in added]


@router.post("/campaigns/{slug}/items/{public_id}/retire", tags=["items"])
def retire_item(store: TheStore, caller: Caller, campaign: ApiCampaign, public_id: Id) -> models.Item:
    """Retire an item: nobody gets it any more; submitted answers stay."""
    item = items.get(store, public_id)
    if item is None or item.campaign_id != campaign.id:
        raise HTTPException(404, "There is no such item in this campaign.")
    items.retire(store, item, caller.name)
    return models.Item.model_validate(items.get(store, public_id))


router.include_router(submission_routes.router)
router.include_router(worker_routes.router)
router.include_router(export_routes.router)


def _record(campaign: Campaign) -> dict[str, Any]:
    names = ("slug", "state", "created_at")
    return {name: getattr(campaign, name) for name in names} | {"settings": campaign.settings.to_json()}


def _detail(store: TheStore, campaign: Campaign) -> models.CampaignDetail:
    with store.read() as connection:
        progress = measure_progress(connection, campaign)
    return models.CampaignDetail.model_validate(
        _record(campaign) | {"progress": progress, "costs": budget.compute_costs(store, campaign)}
    )
