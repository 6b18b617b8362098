"""The review desk: the most active unqualified workers, their answers with hints, and decisions.

Chen and Dolan (2011, section 3.1) looked at those who had submitted the most tier-1 tasks and
granted tier 2 to those who wrote well; the others went on in tier 1. Hints come from rules
(`quality.hint_rules`).
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import ledger, memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.consent import list_consents
from paragauge.collect.people import workers
from paragauge.collect.people.accounts import Account
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.control_enforcement import mark_history
from paragauge.collect.quality.hint_rules import Hint
from paragauge.collect.statistics import paged_lists
from paragauge.collect.statistics.paged_lists import ActiveWorker
from paragauge.collect.store.paging import PageRange
from paragauge.collect.tasks.tasks_left import explain_useless_grant
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester import answer_pages, suggestion_pages
from paragauge.collect.web.requester.answers_view import AnswerRow, answer_line, answer_rows
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    ListPage,
    Requester,
    redirect_with_notice,
    render_desk,
)
from paragauge.collect.web.requester.hints_view import read_worker_hints
from paragauge.errors import ParagaugeError

router = APIRouter()
router.include_router(answer_pages.router)
router.include_router(suggestion_pages.router)
SHOWS = (
    ("unqualified", "not qualified yet"),
    ("refused", "refused"),
    ("qualified", "qualified"),
    ("blocked", "blocked"),
    ("all", "everybody"),
)
LATEST = 3
# What the page says after a decision (a name in `desk_frame.NOTICES`).
NOTICES = {
    "grant": "granted",
    "refuse": "refused",
    "warn": "warned",
    "block": "blocked",
    "unblock": "unblocked",
}


@dataclass(frozen=True)
class WorkerRow:
    """A worker at the desk."""

    who: ActiveWorker
    hints: tuple[Hint, ...]
    latest: list[str]


@router.get("/desk/c/{slug}/review")
def review(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The workers who might be qualified."""
    store, page = get_store(request), ListPage.from_request(request, 20)
    asked = request.query_params.get("show", "unqualified")
    show = asked if asked in dict(SHOWS) else "unqualified"
    people, total = paged_lists.list_workers(store, campaign, page.part, show)
    rows = []
    for who in people:
        answers, _ = paged_lists.list_answers(store, campaign, PageRange(0, LATEST), worker=who.worker)
        latest = [answer_line(answer) for answer in answers]
        rows.append(WorkerRow(who, read_worker_hints(store, campaign, who.worker), latest))
    return render_desk(
        request,
        me,
        "review.html",
        campaign=campaign,
        tab="review",
        rows=rows,
        page=page.with_total(total),
        shows=SHOWS,
        show=show,
    )


@router.get("/desk/c/{slug}/workers/{public_id}")
def worker_page(request: Request, me: Requester, campaign: DeskCampaign, public_id: str) -> Response:
    """A worker: standing, hints, answers."""
    return _show_worker(request, me, campaign, _find_worker(request, public_id))


@router.post("/desk/c/{slug}/workers/{public_id}")
def decide_worker(
    request: Request, me: Requester, campaign: DeskCampaign, public_id: str, form: PostedForm
) -> Response:
    """Grant, refuse, warn, block or unblock, with a reason."""
    worker = _find_worker(request, public_id)
    decision, reason = form.text("do"), form.text("reason")[:1000]
    if decision not in memberships.DECISIONS:
        raise HTTPException(400)
    if not reason:
        return _show_worker(request, me, campaign, worker, "Give a reason: it is kept in the log.")
    decide, notice = memberships.DECISIONS[decision], NOTICES[decision]
    where = None if form.text("everywhere") == "yes" else campaign
    try:
        decide(get_store(request), where, worker, me.name, reason, key=form.key)
    except ParagaugeError as error:
        return _show_worker(request, me, campaign, worker, str(error))
    if (
        notice == "unblocked"
        and memberships.get_standing(get_store(request), campaign, worker).state == "blocked"
    ):
        notice = "still-blocked"
    return redirect_with_notice(f"/desk/c/{campaign.slug}/workers/{public_id}", notice)


@router.post("/desk/c/{slug}/workers/{public_id}/key")
def replace_key(
    request: Request, me: Requester, campaign: DeskCampaign, public_id: str, form: PostedForm
) -> Response:
    """Make a new key for a worker who lost theirs; it is shown on this page only."""
    worker = _find_worker(request, public_id)
    try:
        key = workers.replace_key(get_store(request), worker, me.name, key=form.key)
    except ParagaugeError as error:
        return _show_worker(request, me, campaign, worker, str(error))
    return _show_worker(request, me, campaign, worker, new_key=key)


def _find_worker(request: Request, public_id: str) -> Worker:
    worker = workers.get(get_store(request), public_id)
    if worker is None:
        raise HTTPException(404)
    return worker


def _show_worker(
    request: Request,
    me: Account,
    campaign: Campaign,
    worker: Worker,
    problem: str = "",
    new_key: str = "",
) -> Response:
    store, page = get_store(request), ListPage.from_request(request)
    answers, total = paged_lists.list_answers(store, campaign, page.part, worker=worker.public_id)
    rows: list[AnswerRow] = answer_rows(store, campaign, answers)
    standing = memberships.get_standing(store, campaign, worker)
    return render_desk(
        request,
        me,
        "worker.html",
        400 if problem else 200,
        campaign=campaign,
        tab="review",
        problem=problem,
        worker=worker,
        new_key=new_key,
        person=workers.get_person(store, worker),
        standing=standing,
        useless=explain_useless_grant(store, standing),
        history=[
            decision
            for decision in memberships.list_decisions(store, worker)[::-1]
            if decision.campaign_id in (None, campaign.id)
        ],
        consents=list_consents(store, campaign, worker),
        marked=mark_history(store, campaign, worker),
        hints=read_worker_hints(store, campaign, worker.public_id, compare=True),
        submissions=rows,
        page=page.with_total(total),
        balance=ledger.get_balance(store, campaign, worker),
        back=f"/desk/c/{campaign.slug}/workers/{worker.public_id}",
    )
