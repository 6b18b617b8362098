"""Payments: what workers earned, bonuses, and what was paid by other means."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from paragauge.collect.campaigns import ledger
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import workers
from paragauge.collect.people.accounts import Account
from paragauge.collect.people.workers import Worker
from paragauge.collect.statistics import paged_lists
from paragauge.collect.statistics.payment_table import (
    read_people,
    write_panel_payments,
    write_payments,
)
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
from paragauge.text.table_writers import FormulaGuard

router = APIRouter()


@router.get("/desk/c/{slug}/payments")
def payment_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """Who earned what."""
    return _show_list(request, me, campaign)


@router.get("/desk/c/{slug}/payments/file")
def payment_file(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """A table of who earned what, with names where an owner asks, for those who pay."""
    store = get_store(request)
    reviews.accept_overdue(store, campaign)
    folder = tempfile.TemporaryDirectory()
    name = f"{campaign.slug}-payments.csv"
    try:
        with FormulaGuard():
            write_payments(store, campaign, Path(folder.name, name), names=me.may("owner"))
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        Path(folder.name, name),
        media_type="text/csv; charset=utf-8",
        filename=name,
        background=BackgroundTask(folder.cleanup),
    )


@router.get("/desk/c/{slug}/payments/panel")
def panel_file(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """Ids and amounts as the panel's form for bonuses takes them."""
    if not me.may("owner") or campaign.settings.panel is None:
        raise HTTPException(403 if campaign.settings.panel else 404)
    store = get_store(request)
    reviews.accept_overdue(store, campaign)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "payments.txt")
        write_panel_payments(store, campaign, path)
        content = path.read_bytes()
    name = f"{campaign.slug}-panel-payments.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


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
    changed, done = 0, []
    try:
        for worker in chosen:
            if giving:
                reason = form.text("reason")[:1000]
                ledger.give_bonus(store, campaign, worker, cents or 0, me.name, reason, key=form.key)
                changed += 1
            else:
                changed += _pay_all(store, campaign, worker, me, form.key)
            done.append(worker.public_id)
    except ParagaugeError as error:
        problem = f"{len(done)} of {len(chosen)} done, then: {error}"
        if done:  # Who is chosen again is given another bonus.
            problem += f"\nDone, and not to be chosen again: {', '.join(done)}"
        return _show_list(request, me, campaign, problem)
    return redirect_with_notice(
        f"/desk/c/{campaign.slug}/payments", "bonus" if giving else "paid", changed
    )


def _pay_all(store: Store, campaign: Campaign, worker: Worker, me: Account, key: str) -> bool:
    """Whether the worker was paid, by this form or by the same one sent before."""
    if ledger.was_paid(store, campaign, worker, key):
        return True
    owed = ledger.get_balance(store, campaign, worker).owed
    if owed <= 0:
        return False
    ledger.pay(store, campaign, worker, owed, me.name, "marked as paid", key=key)
    return True


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
        people=read_people(store, [row.worker for row in rows]) if me.may("owner") else {},
        page=page.with_total(total),
    )
