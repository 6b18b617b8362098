"""Tasks as external questions of Mechanical Turk: pages that its sites show in a frame.

MTurk opens `/mturk/{slug}` with assignmentId, hitId, workerId and turkSubmitTo. Before a worker
accepts, assignmentId is ASSIGNMENT_ID_NOT_AVAILABLE, and the page is a preview. Browsers keep cookies
from framed pages, so the forms here carry a session's token instead of one; nobody else knows it,
hence no other site can forge such a form. The answer is stored here first; then a form with its receipt
goes to MTurk, where `paragauge collect mturk sync` finds it and compares. MTurk does not sign workerId:
an answer counts as that worker's only when MTurk's own list of assignments has its receipt.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect import access, assignments, campaigns, sessions, workers
from paragauge.collect.assignments import Assignment
from paragauge.collect.campaigns import Campaign
from paragauge.collect.store import Store
from paragauge.collect.web.check_pages import mark, show_check
from paragauge.collect.web.forms import Form, PostedAnyhow
from paragauge.collect.web.identity import TheStore, count_joining
from paragauge.collect.web.pages import page
from paragauge.collect.web.security import MTURK_FRAMES, frame_in_mturk
from paragauge.collect.web.task_pages import REFUSALS
from paragauge.collect.web.task_show import answered, show_task, take
from paragauge.collect.web.task_texts import guide
from paragauge.collect.web.tasks import said
from paragauge.collect.worker_record import first_kind
from paragauge.collect.workers import Person, Worker
from paragauge.errors import AnswerError, RefusedError

router = APIRouter()
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
NAMES = ("assignmentId", "hitId", "workerId", "turkSubmitTo")


@router.get("/mturk/{slug}")
def question(request: Request, slug: str, store: TheStore) -> Response:
    """The page MTurk opens: a preview, or the worker's task."""
    campaign = _campaign(request, store, slug)
    given = _given({name: request.query_params.get(name, "") for name in NAMES})
    if given["assignmentId"] in ("", PREVIEW) or not given["workerId"]:
        shown = guide(campaign.settings, first_kind(store, campaign))
        return _framed(
            page(request, "worker/mturk_preview.html", campaign=campaign, guide=shown, framed=True)
        )
    worker = workers.find_external(store, given["workerId"])
    if worker is None:
        count_joining(request)
        worker, _ = workers.register(store, "mturk", Person(external_id=given["workerId"]))
    access.admit(store, [campaign], worker)
    given["session"] = sessions.start(store, worker)
    return _work(request, store, campaign, worker, given)


@router.post("/mturk/{slug}/check")
def check(request: Request, slug: str, store: TheStore, form: PostedAnyhow) -> Response:
    """One try at the comprehension check."""
    campaign, worker, given = _posted(request, store, slug, form)
    tried = mark(store, campaign, worker, form)
    if tried.standing.passed_check:
        return _work(request, store, campaign, worker, given)
    values = {"framed": True, "action": f"/mturk/{slug}/check", "carried": given}
    return _framed(show_check(request, campaign, tried, values))


@router.post("/mturk/{slug}/task/{name}")
def submit(request: Request, slug: str, name: str, store: TheStore, form: PostedAnyhow) -> Response:
    """Store the answer, and show the form that tells MTurk."""
    campaign, worker, given = _posted(request, store, slug, form)
    assignment = assignments.get(store, name, worker)
    if assignment is None or assignment.campaign_id != campaign.id:
        raise HTTPException(404)
    answer, problems = answered(store, form, assignment, campaign)
    if not (assignment.state == "open" and problems):
        try:
            receipt = take(store, assignment, campaign, worker, answer)
        except AnswerError as error:
            problems = {error.field: said(error)}
        except RefusedError as error:
            return _framed(
                _news(request, campaign, "Too late", f"{said(error)} Please return the HIT.")
            )
        else:
            values: dict[str, Any] = {"given": given, "receipt": receipt.public_id, "framed": True}
            return _framed(page(request, "worker/mturk_done.html", campaign=campaign, **values))
    return _framed(_task(request, store, assignment, campaign, worker, given, form, problems))


def _work(
    request: Request, store: Store, campaign: Campaign, worker: Worker, given: dict[str, str]
) -> Response:
    found = assignments.next_assignment(store, campaign, worker)
    if isinstance(found, Assignment):
        return _framed(_task(request, store, found, campaign, worker, given))
    if found.reason == "check":
        values = {"framed": True, "action": f"/mturk/{campaign.slug}/check", "carried": given}
        return _framed(show_check(request, campaign, mark(store, campaign, worker, None), values))
    heading, text = REFUSALS[found.reason]
    return _framed(_news(request, campaign, heading, f"{text} Please return the HIT."))


def _task(
    request: Request,
    store: Store,
    assignment: Assignment,
    campaign: Campaign,
    worker: Worker,
    given: dict[str, str],
    form: Form | None = None,
    problems: dict[str, str] | None = None,
) -> Response:
    values: dict[str, Any] = {"framed": True, "previous": None, "carried": given}
    values["action"] = f"/mturk/{campaign.slug}/task/{assignment.public_id}"
    return show_task(request, store, assignment, campaign, worker, values, form, problems)


def _news(request: Request, campaign: Campaign, heading: str, text: str) -> Response:
    values = {"campaign": campaign, "heading": heading, "text": text, "framed": True}
    return page(request, "worker/mturk_news.html", **values)


def _framed(response: Response) -> Response:
    frame_in_mturk(response)
    return response


def _campaign(request: Request, store: Store, slug: str) -> Campaign:
    known = request.app.state.mturk and slug.isascii() and slug.isprintable()
    campaign = campaigns.get(store, slug) if known else None
    if campaign is None:
        raise HTTPException(404)
    return campaign


def _given(fields: dict[str, str]) -> dict[str, str]:
    """What MTurk told; its ids are short and plain, and its address is one of its own."""
    for name in ("assignmentId", "hitId", "workerId"):
        value = fields[name]
        if not re.fullmatch(r"[A-Za-z0-9_]{0,100}", value):
            raise HTTPException(400, f"{name}: expected letters and digits.")
    address = fields["turkSubmitTo"]
    try:
        parts = urlsplit(address)
    except ValueError:
        raise HTTPException(400, "turkSubmitTo: expected an address of Mechanical Turk.") from None
    if address and f"{parts.scheme}://{parts.netloc}" not in MTURK_FRAMES:
        raise HTTPException(400, "turkSubmitTo: expected an address of Mechanical Turk.")
    fields["turkSubmitTo"] = f"{parts.scheme}://{parts.netloc}" if address else MTURK_FRAMES[0]
    return fields


def _posted(
    request: Request, store: Store, slug: str, form: Form
) -> tuple[Campaign, Worker, dict[str, str]]:
    campaign = _campaign(request, store, slug)
    given = _given({name: form.text(name) for name in NAMES})
    given["session"] = form.text("session")
    found = sessions.find(store, given["session"])
    if found is None or found.worker is None:
        raise HTTPException(403, "This page was open for too long. Please reload it.")
    return campaign, found.worker, given
