"""A worker's own page: their work and earnings, and erasing their data."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import access, campaigns, ledger, memberships
from paragauge.collect.people import erasure
from paragauge.collect.people.workers import Worker
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import ProvenWorker, TheStore, sign_out
from paragauge.collect.web.http.page_templates import render_page

router = APIRouter()
# The latest rejected answers that the page shows with their reasons.
REJECTED = 20
SURE = "Please tick the box if you are sure. This cannot be undone."


@router.get("/me")
def account(request: Request, store: TheStore, worker: ProvenWorker) -> Response:
    """Earnings and standing in each campaign."""
    return render_page(request, "worker/account.html", worker=worker, rows=_rows(store, worker))


@router.get("/me/erase")
def erase_page(request: Request, worker: ProvenWorker) -> Response:
    """The page that explains erasure before it happens."""
    return render_page(request, "worker/erase.html", worker=worker, problem="", answers=False)


@router.post("/me/erase")
def erase(request: Request, store: TheStore, worker: ProvenWorker, form: PostedForm) -> Response:
    """Erase the person's data and, if they want, their answers."""
    answers = form.text("answers") == "yes"
    if form.text("sure") != "yes":
        return render_page(
            request, "worker/erase.html", 400, worker=worker, problem=SURE, answers=answers
        )
    erasure.erase(store, worker, f"worker:{worker.public_id}", answers=answers)
    cookies = Response()
    sign_out(request, cookies, "worker")
    response = render_page(request, "worker/erased.html", worker=None, answers=answers)
    response.raw_headers.extend(item for item in cookies.raw_headers if item[0] == b"set-cookie")
    return response


def _rows(store: Store, worker: Worker) -> list[dict[str, object]]:
    mine = access.find_joined_campaigns(store, worker)
    rows = []
    for campaign in campaigns.all_campaigns(store):
        if campaign.id not in mine:
            continue
        counts = {"accept": 0, "reject": 0, "pending": 0}
        for submission in submissions.stream(store, campaign, worker=worker):
            counts[submission.decision] += 1
        rejected, _ = paged_lists.list_answers(
            store, campaign, PageRange(0, REJECTED), worker=worker.public_id, decision="reject"
        )
        rows.append(
            {
                "campaign": campaign,
                "standing": memberships.get_standing(store, campaign, worker),
                "sent": sum(counts.values()),
                "counts": counts,
                "rejected": rejected,
                "balance": ledger.get_balance(store, campaign, worker),
            }
        )
    return rows
