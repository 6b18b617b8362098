"""The requester's home page, the log, and erasing a worker's data."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import budget, campaigns
from paragauge.collect.campaigns.budget import Costs
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import erasure, workers
from paragauge.collect.statistics import paged_lists
from paragauge.collect.statistics.campaign_statistics import Progress, measure_progress
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester import account_pages, login_pages
from paragauge.collect.web.requester.desk_frame import (
    ListPage,
    Requester,
    redirect_with_notice,
    render_desk,
)

router = APIRouter()
router.include_router(login_pages.router)
router.include_router(account_pages.router)


@dataclass(frozen=True)
class Summary:
    """A campaign in the list."""

    campaign: Campaign
    progress: Progress
    costs: Costs


@router.get("/desk")
def home(request: Request, me: Requester) -> Response:
    """All campaigns."""
    store = get_store(request)
    listed = campaigns.all_campaigns(store)
    with store.read() as connection:
        progress = [measure_progress(connection, campaign) for campaign in listed]
    rows = [
        Summary(campaign, done, budget.compute_costs(store, campaign))
        for campaign, done in zip(listed, progress, strict=True)
    ]
    return render_desk(request, me, "campaigns.html", rows=rows[::-1])


@router.get("/desk/log")
def log(request: Request, me: Requester) -> Response:
    """The log of changes."""
    store, page = get_store(request), ListPage.from_request(request)
    action, actor = (
        request.query_params.get(name, "").replace("\0", "") for name in ("action", "actor")
    )
    rows, total = paged_lists.list_changes(store, page.part, action=action, actor=actor)
    known = ["", *paged_lists.list_actions(store)]
    return render_desk(
        request,
        me,
        "log.html",
        rows=rows,
        page=page.with_total(total),
        actions=known,
        action=action,
        actor=actor,
    )


@router.post("/desk/workers/{public_id}/erase")
def erase(request: Request, me: Requester, public_id: str, form: PostedForm) -> Response:
    """Erase a worker's personal data, and their answers if asked, after a typed confirmation."""
    store = get_store(request)
    worker = workers.get(store, public_id)
    if worker is None:
        raise HTTPException(404)
    if form.text("confirm").lower() != "erase":
        raise HTTPException(400, "Nothing was erased: write the word erase to confirm.")
    erasure.erase(store, worker, me.name, answers=form.text("answers") == "yes")
    return redirect_with_notice("/desk/log", "erased")
