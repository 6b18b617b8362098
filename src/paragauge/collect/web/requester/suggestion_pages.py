"""Videos that workers suggest: approval adds an item to a campaign, refusal needs a reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.idempotency import claim, is_claimed
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import reviews, submissions
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    ListPage,
    Requester,
    redirect_with_notice,
    render_desk,
)
from paragauge.errors import ParagaugeError

router = APIRouter()


@dataclass(frozen=True)
class SuggestionRow:
    """A suggestion that waits."""

    public_id: str
    url: str
    start: float
    end: float
    worker: str
    comment: str
    submitted_at: datetime


@router.get("/desk/c/{slug}/suggestions")
def suggestion_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """What was suggested and not decided."""
    return _show_list(request, me, campaign)


@router.post("/desk/c/{slug}/suggestions")
def decide(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Approve a suggestion into a campaign, or refuse it."""
    store, here = get_store(request), f"/desk/c/{campaign.slug}/suggestions"
    suggestion = submissions.get(store, form.text("submission"))
    if suggestion is None or suggestion.campaign_id != campaign.id or "url" not in suggestion.data:
        raise HTTPException(404)
    reason = form.text("reason")[:1000]
    purpose, approving = f"suggestion {suggestion.public_id}", form.text("do") == "approve"
    if is_claimed(store, purpose, form.key):  # The same form, sent twice.
        return redirect_with_notice(here, "approved" if approving else "turned-down")
    try:
        if approving:
            target = campaigns.get(store, form.text("target"))
            if target is None or target not in _targets(store):
                return _show_list(request, me, campaign, "Choose the campaign that gets the segment.")
            content = {name: suggestion.data[name] for name in ("url", "start", "end")}
            row = {"key": f"suggested-{suggestion.public_id}", "content": content}
            with store.write(me.name) as transaction:
                if not claim(transaction, purpose, form.key):
                    return redirect_with_notice(here, "approved")
                why = reason or f"item of {target.slug}"
                reviews.decide_in(transaction, suggestion, "accept", why, once=True)
                items.add_in(transaction, target, [row])
            return redirect_with_notice(here, "approved")
        if not reason:
            return _show_list(request, me, campaign, "Give a reason: the worker sees it.")
        with store.write(me.name) as transaction:
            if claim(transaction, purpose, form.key):
                reviews.decide_in(transaction, suggestion, "reject", reason, once=True)
    except ParagaugeError as error:
        return _show_list(request, me, campaign, str(error))
    return redirect_with_notice(here, "turned-down")


def _targets(store: Store) -> list[Campaign]:
    return [
        campaign
        for campaign in campaigns.all_campaigns(store)
        if campaign.settings.kind == "describe" and campaign.state != "closed"
    ]


def _show_list(request: Request, me: Account, campaign: Campaign, problem: str = "") -> Response:
    if campaign.settings.kind != "suggest":
        raise HTTPException(404)
    store, page = get_store(request), ListPage.from_request(request)
    answers, total = paged_lists.list_answers(store, campaign, page.part, decision="pending")
    rows = [
        SuggestionRow(
            answer.public_id,
            answer.data["url"],
            answer.data["start"],
            answer.data["end"],
            answer.worker,
            answer.comment,
            answer.submitted_at,
        )
        for answer in answers
        if "url" in answer.data
    ]
    return render_desk(
        request,
        me,
        "suggestions.html",
        400 if problem else 200,
        campaign=campaign,
        tab="suggestions",
        problem=problem,
        rows=rows,
        page=page.with_total(total),
        targets=_targets(store),
    )
