"""Payments: what workers earned, bonuses, and what was paid by other means."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import ledger
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import workers
from paragauge.collect.people.accounts import Account
from paragauge.collect.people.workers import Worker
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import reviews
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


@router.get("/desk/c/{slug}/payments")
def payment_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """Who earned what."""
    return _show_list(request, me, campaign)


@router.post("/desk/c/{slug}/payments")
def pay(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Mark what workers are owed as paid, or give each a bonus."""
    store, chosen = get_store(request), []
    for public_id in dict.fromkeys(form.all("worker")):
        worker = workers.get(store, public_id)
        if worker is not None:
            chosen.append(worker)
    if not chosen:
        return _show_list(request, me, campaign, "Choose at least one worker first.")
    giving = form.text("do") == "bonus"
    cents = form.whole("cents")
    if giving and (cents is None or cents <= 0):
        return _show_list(request, me, campaign, "The bonus is not a whole number of cents above 0.")
    changed = 0
    try:
        for worker in chosen:
            if giving:
                reason = form.text("reason")[:1000]
                ledger.give_bonus(store, campaign, worker, cents or 0, me.name, reason, key=form.key)
                changed += 1
            else:
                changed += _pay_all(store, campaign, worker, me, form.key)
    except ParagaugeError as error:
        return _show_list(request, me, campaign, f"{changed} of {len(chosen)} done, then: {error}")
    return redirect_with_notice(
        f"/desk/c/{campaign.slug}/payments", "bonus" if giving else "paid", changed
    )


def _pay_all(store: Store, campaign: Campaign, worker: Worker, me: Account, key: str) -> bool:
    owed = ledger.get_balance(store, campaign, worker).owed
    if owed <= 0:
        return False
    return ledger.pay(store, campaign, worker, owed, me.name, "marked as paid", key=key)


def _show_list(request: Request, me: Account, campaign: Campaign, problem: str = "") -> Response:
    store, page = get_store(request), ListPage.from_request(request)
    reviews.accept_overdue(store, campaign)
    rows, total = paged_lists.list_earnings(store, campaign, page.part)
    return render_desk(
        request,
        me,
        "payments.html",
        400 if problem else 200,
        campaign=campaign,
        tab="payments",
        problem=problem,
        rows=rows,
        page=page.with_total(total),
    )
