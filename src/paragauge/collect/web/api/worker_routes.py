"""Workers in the JSON API: who is active, and grants, refusals, warnings and blocks."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException

from paragauge.collect.campaigns import memberships
from paragauge.collect.people import workers
from paragauge.collect.statistics import paged_lists
from paragauge.collect.web.api import models
from paragauge.collect.web.api.auth import ApiCampaign, ApiPage, Caller, Id, api_errors
from paragauge.collect.web.http.identity import TheStore

router = APIRouter()
Show = Literal["unqualified", "refused", "qualified", "blocked", "all"]


@router.get("/campaigns/{slug}/workers", tags=["workers"])
def list_workers(
    store: TheStore, campaign: ApiCampaign, part: ApiPage, show: Annotated[Show, Query()] = "all"
) -> models.Workers:
    """Workers of the campaign, the most active first."""
    rows, total = paged_lists.list_workers(store, campaign, part, show)
    return models.Workers.model_validate({"total": total, "rows": rows})


@router.post("/campaigns/{slug}/workers/{public_id}/decisions", status_code=201, tags=["grants"])
def decide_worker(
    store: TheStore, caller: Caller, campaign: ApiCampaign, public_id: Id, new: models.NewDecision
) -> models.Standing:
    """Grant tier 2, refuse, warn, block or unblock, with a reason."""
    worker = workers.get(store, public_id)
    if worker is None:
        raise HTTPException(404, "There is no such worker.")
    decide = memberships.DECISIONS[new.decision]
    with api_errors():
        decide(store, None if new.everywhere else campaign, worker, caller.name, new.reason)
    stands = memberships.get_standing(store, campaign, worker)
    return models.Standing(
        worker=worker.public_id, tier=stands.tier, state=stands.state, refused=stands.refused
    )
