"""External questions of Mechanical Turk: the page that its site shows in a frame.

Browsers block cookies in frames of other sites, so the task itself opens in its own window, by a
one-time link that signs the worker in. Once the answer is stored, the page in the frame has the form
that submits the assignment with the receipt of the answer; it is sent to MTurk and nowhere else.
"""

from __future__ import annotations

import contextlib
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import access, campaigns
from paragauge.collect.campaigns.consent import has_agreed, record_consent
from paragauge.collect.mturk import records
from paragauge.collect.mturk.external_question import RECEIPT
from paragauge.collect.tasks import assignments
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.identity import TheStore, sign_in
from paragauge.collect.web.http.page_templates import redirect_to, render_page
from paragauge.collect.web.http.security import MTURK_FRAMES, frame_in_mturk
from paragauge.collect.web.worker.consent_view import view_consent
from paragauge.errors import AnswerError, RefusedError

router = APIRouter()
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@router.get("/mturk/enter/{token}")
def enter(request: Request, token: str, store: TheStore, consent: str = "") -> Response:
    """Sign the worker of a link in, and give a task of the HIT's tier.

    The page in the frame has the text that one agrees to by opening the link, which has its version.
    """
    entry = records.use_entry_link(store, token)
    if entry is None:
        raise HTTPException(
            410, "This link was already used. Please reload the page at Mechanical Turk."
        )
    hit, worker = entry
    campaign = campaigns.get_by_id(store, hit.campaign_id)
    access.admit(store, [campaign], worker)
    with contextlib.suppress(AnswerError):  # the text has changed since: the worker is asked again
        record_consent(store, campaign, worker, consent)
    if not has_agreed(store, campaign, worker):
        response: Response = redirect_to(f"/c/{campaign.slug}")
        sign_in(request, response, worker)
        return response
    assignment = assignments.next_assignment(store, campaign, worker, hit.tier)
    if isinstance(assignment, Assignment):
        response = redirect_to(f"/task/{assignment.public_id}")
    elif assignment.reason == "check":
        response = redirect_to(f"/c/{campaign.slug}/check")
    else:
        response = redirect_to(f"/c/{campaign.slug}/no-task?why={assignment.reason}")
    sign_in(request, response, worker)
    return response


@router.get("/mturk/{key}")
def question(
    request: Request,
    key: str,
    store: TheStore,
    assignmentId: str = PREVIEW,  # noqa: N803  # as MTurk names them
    workerId: str = "",  # noqa: N803
    turkSubmitTo: str = "",  # noqa: N803
) -> Response:
    """The page in the frame: a preview, the way to the task, or the form that submits it."""
    hit = records.find_hit(store, key)
    if hit is None:
        raise HTTPException(404)
    campaign = campaigns.get_by_id(store, hit.campaign_id)
    values = {"campaign": campaign, "pay_cents": hit.reward_cents, "state": "preview"}
    values |= {"consent": view_consent(store, campaign)}
    if assignmentId != PREVIEW:
        if _site(turkSubmitTo) not in MTURK_FRAMES:
            raise HTTPException(400, "This page must be opened from Mechanical Turk.")
        try:
            task, _, token = records.record_arrival(store, hit, assignmentId, workerId)
        except RefusedError as error:
            raise HTTPException(403, str(error)) from None
        receipt = records.get_receipt(store, task)
        values |= {"state": "open" if receipt is None else "done", "token": token}
        values |= {"assignment_id": assignmentId, "receipt": receipt, "receipt_field": RECEIPT}
        values |= {"submit_to": f"{_site(turkSubmitTo)}/mturk/externalSubmit", "here": str(request.url)}
    response = render_page(request, "worker/mturk.html", **values)
    frame_in_mturk(response)
    return response


def _site(address: str) -> str | None:
    """Scheme and host of an address.

    >>> _site("https://workersandbox.mturk.com/x?y")
    'https://workersandbox.mturk.com'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc}"
