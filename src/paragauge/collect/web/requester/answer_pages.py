"""All answers of a campaign, filtered, with accepting and rejecting."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics import paged_lists
from paragauge.collect.tasks import reviews, submissions
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester.answers_view import answer_rows
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    ListPage,
    Requester,
    redirect_with_notice,
    render_desk,
    safe_path,
)
from paragauge.errors import ParagaugeError

router = APIRouter()
DECISIONS = (("", "all"), ("pending", "to review"), ("accept", "accepted"), ("reject", "rejected"))
TIERS = (("", "both"), ("1", "1"), ("2", "2"))


@router.get("/desk/c/{slug}/answers")
def answer_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The answers."""
    return _show_list(request, me, campaign)


@router.post("/desk/c/{slug}/answers")
def decide(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Accept or reject those that are chosen, or accept all that the page showed."""
    todo = form.text("do")
    if todo not in ("accept", "reject", "accept-page"):
        raise HTTPException(400)
    chosen = form.all("shown" if todo == "accept-page" else "submission")
    reason = form.text("reason")[:1000]
    if not chosen:
        return _show_list(request, me, campaign, "Choose at least one answer first.")
    if todo == "reject" and not reason:
        return _show_list(request, me, campaign, "Give a reason: the worker sees it.")
    store, changed, paid = get_store(request), 0, 0
    decision = "reject" if todo == "reject" else "accept"
    selected = []
    for public_id in dict.fromkeys(chosen):
        submission = submissions.get(store, public_id)
        if submission is None or submission.campaign_id != campaign.id:
            raise HTTPException(404)
        selected.append(submission)
    try:
        for submission in selected:
            if submission.decision != decision:
                paid += reviews.decide(store, submission, decision, me.name, reason)
                changed += 1
    except ParagaugeError as error:
        return _show_list(request, me, campaign, f"{changed} of {len(chosen)} done, then: {error}")
    back = safe_path(form.text("back"), f"/desk/c/{campaign.slug}/answers")
    return redirect_with_notice(back, "rejected-paid" if paid else f"{decision}ed", changed)


def _show_list(request: Request, me: Account, campaign: Campaign, problem: str = "") -> Response:
    store, page = get_store(request), ListPage.from_request(request)
    chosen = {name: request.query_params.get(name, "") for name in ("decision", "tier")}
    decision = chosen["decision"] if chosen["decision"] in dict(DECISIONS) else ""
    tier = int(chosen["tier"]) if chosen["tier"] in ("1", "2") else None
    answers, total = paged_lists.list_answers(store, campaign, page.part, tier=tier, decision=decision)
    page = page.with_total(total)
    return render_desk(
        request,
        me,
        "submissions.html",
        400 if problem else 200,
        campaign=campaign,
        tab="answers",
        problem=problem,
        submissions=answer_rows(store, campaign, answers),
        page=page,
        worker=None,
        filters=(("decision", "Decision", DECISIONS), ("tier", "Tier", TIERS)),
        chosen=chosen,
        back=page.link(page.number),
    )
