"""The task pages: one task after the other, each on its own page.

Asking for a task changes something and needs a form; the task's page can be loaded any number of
times. An answer is stored before it is acknowledged; a second copy gets the first receipt. These pages
are requested all the time: they look up the worker themselves, which spares each request a switch to
another thread and back.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import access, campaigns, memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.consent import has_agreed
from paragauge.collect.people.workers import Worker
from paragauge.collect.statistics.worker_record import (
    StoredAnswer,
    find_stored_answer,
    get_stored_answer,
)
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import assignments, corrections
from paragauge.collect.tasks.answers import Answer, check_answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.tasks_left import TaskCount, count_answers
from paragauge.collect.web.http.forms import Form, PostedForm
from paragauge.collect.web.http.identity import SignedInWorker, TheStore, require_worker
from paragauge.collect.web.http.page_templates import redirect_to, render_page
from paragauge.collect.web.http.security import drop_cookie
from paragauge.collect.web.worker.task_kinds import (
    Problems,
    as_sentence,
    fill_fields,
    read_answer,
    read_form,
    render_task,
    show_task,
    store_answer,
)
from paragauge.errors import AnswerError, RefusedError

router = APIRouter()
# The browser keeps a new key until the worker has noted it, so that its page can be loaded again.
KEY_COOKIE = "key"
# The source of workers whom a panel sent.
PANEL = "panel"
BLOCKED = (
    "Your answers to some tasks were not as good as this campaign needs, so it has no more tasks for "
    "you. What you earned stays yours. If you think this is a mistake, write to those who invited you."
)
REFUSALS = {
    "blocked": ("No more tasks here", BLOCKED),
    "paused": ("A break", "This campaign is taking a break. Please come back later."),
    "closed": ("It is done", "This campaign has ended. Thank you for your help."),
    "budget": (
        "A break",
        "All tasks that can be paid for now are taken. Some may come back: please try again later.",
    ),
    "nothing-left": (
        "All done",
        "There is no task left for you in this campaign at the moment. Thank you for your help.",
    ),
    "maybe": ("Have another look", "There may be tasks for you here again."),
    "tier": ("Not yet", "These tasks are for workers who have qualified for them."),
}


@router.post("/c/{slug}/work")
def work(request: Request, slug: str, store: TheStore, form: PostedForm) -> Response:
    """Ask for a task."""
    worker = require_worker(request)
    response = go_to_next(store, _find_campaign(store, slug, worker), worker)
    if form.text("kept"):
        drop_cookie(request, response, KEY_COOKIE)
    return response


@router.get("/c/{slug}/no-task")
def no_task(
    request: Request, slug: str, store: TheStore, worker: SignedInWorker, why: str = "", done: str = ""
) -> Response:
    """Why there is no task now."""
    campaign = _find_campaign(store, slug, worker)
    why = _find_reason(store, campaign, worker, why)
    heading, text = REFUSALS[why]
    values = {"worker": worker, "campaign": campaign, "heading": heading, "text": text, "why": why}
    return render_page(
        request, "worker/no_task.html", **values, previous=_find_previous(store, done, worker)
    )


@router.get("/task/{name}")
def task(request: Request, name: str, store: TheStore, done: str = "") -> Response:
    """The task, or its outcome."""
    worker = require_worker(request)
    assignment, campaign = _find_own(store, name, worker)
    return _show(request, store, assignment, campaign, worker, done=done)


@router.post("/task/{name}")
def submit(request: Request, name: str, store: TheStore, form: PostedForm) -> Response:
    """Store the answer, and go to the next task."""
    worker = require_worker(request)
    assignment, campaign = _find_own(store, name, worker)
    answer, problems = read_answer(store, form, assignment, campaign)
    if assignment.state == "open" and problems:
        return _show(request, store, assignment, campaign, worker, form=form, problems=problems)
    try:
        receipt = store_answer(store, assignment, campaign, worker, answer)
        if not receipt.first and not _is_stored(store, assignment, campaign, answer):
            # Sent from another tab before: the first answer counts, and the page says so.
            return _show(request, store, _find_own(store, name, worker)[0], campaign, worker, form=form)
    except AnswerError as error:
        wrong = {error.field: as_sentence(error)}
        return _show(request, store, assignment, campaign, worker, form=form, problems=wrong)
    except RefusedError:
        return _show(request, store, _find_own(store, name, worker)[0], campaign, worker, form=form)
    # One HIT is one task: whoever comes from Mechanical Turk goes back there first.
    if form.text("then") == "stop" or worker.source == "mturk":
        return redirect_to(f"/task/{name}")
    return go_to_next(store, campaign, worker, done=name)


@router.get("/task/{name}/correct")
def correction_page(request: Request, name: str, store: TheStore) -> Response:
    """The task again, with the answer that was sent, for as long as it may be corrected."""
    worker = require_worker(request)
    assignment, campaign = _find_own(store, name, worker)
    return _show_correction(request, store, assignment, campaign, worker)


@router.post("/task/{name}/correct")
def correct(request: Request, name: str, store: TheStore, form: PostedForm) -> Response:
    """Replace the answer that was sent."""
    worker = require_worker(request)
    assignment, campaign = _find_own(store, name, worker)
    answer, problems = read_form(form, assignment, campaign.settings)
    try:
        if problems:
            return _show_correction(request, store, assignment, campaign, worker, form, problems)
        corrections.correct(store, assignment, worker, answer)
    except AnswerError as error:
        wrong = {error.field: as_sentence(error)}
        return _show_correction(request, store, assignment, campaign, worker, form, wrong)
    except RefusedError as error:
        raise HTTPException(409, as_sentence(error)) from None
    if form.text("then") == "stop" or worker.source == "mturk":
        return redirect_to(f"/task/{name}")
    return go_to_next(store, campaign, worker, done=name)


@router.post("/task/{name}/skip")
def skip(request: Request, name: str, store: TheStore) -> Response:
    """Skip the task, and go to the next one."""
    worker = require_worker(request)
    assignment, campaign = _find_own(store, name, worker)
    assignments.skip(store, assignment, worker)
    return go_to_next(store, campaign, worker)


def _find_reason(store: Store, campaign: Campaign, worker: Worker, why: str) -> str:
    """Why there is no task now, also when the page is loaded again later."""
    standing = memberships.get_standing(store, campaign, worker)
    if standing.state == "blocked":
        return "blocked"
    if standing.campaign.state != "active":
        return standing.campaign.state
    return why if why in ("budget", "nothing-left", "tier") else "maybe"


def _find_campaign(store: Store, slug: str, worker: Worker) -> Campaign:
    campaign = campaigns.get(store, slug) if slug.isascii() and slug.isprintable() else None
    if campaign is None or not access.may_enter(store, campaign, worker):
        raise HTTPException(404)
    return campaign


def _find_own(store: Store, name: str, worker: Worker) -> tuple[Assignment, Campaign]:
    """The worker's assignment; another worker's assignment looks like one that does not exist."""
    mine = assignments.get_with_campaign(store, name, worker)
    if mine is None:
        raise HTTPException(404)
    return mine


def go_to_next(store: Store, campaign: Campaign, worker: Worker, done: str = "") -> Response:
    """The next task, or why there is none; first the text to agree to, if it is new to the worker."""
    if not has_agreed(store, campaign, worker):
        return redirect_to(f"/c/{campaign.slug}")
    panel = campaign.settings.panel if worker.source == PANEL else None
    end = f"/c/{campaign.slug}/panel/end"
    if panel:
        standing = memberships.get_standing(store, campaign, worker)
        if count_answers(store, standing) >= panel.tasks:
            return redirect_to(end)
    assignment = assignments.next_assignment(store, campaign, worker)
    if isinstance(assignment, Assignment):
        return redirect_to(f"/task/{assignment.public_id}" + (f"?done={done}" if done else ""))
    if assignment.reason == "check":
        return redirect_to(f"/c/{campaign.slug}/check")
    if panel:
        return redirect_to(end)
    return redirect_to(
        f"/c/{campaign.slug}/no-task?why={assignment.reason}" + (f"&done={done}" if done else "")
    )


def _is_stored(store: Store, assignment: Assignment, campaign: Campaign, answer: Answer) -> bool:
    """Whether what was sent is what is stored, as after a double click."""
    stored = get_stored_answer(store, assignment)
    try:
        sent = check_answer(campaign.settings, assignment.item.content, answer)
    except AnswerError:
        return False
    return stored is not None and (stored.text, stored.data) == (sent.text, sent.data)


def _find_previous(store: Store, done: str, worker: Worker) -> StoredAnswer | None:
    """The answer that was sent just before, if it is this worker's."""
    return find_stored_answer(store, done, worker) if done else None


def _show_correction(
    request: Request,
    store: Store,
    assignment: Assignment,
    campaign: Campaign,
    worker: Worker,
    form: Form | None = None,
    problems: Problems | None = None,
) -> Response:
    """The page of a task whose answer may be corrected; for any other, its outcome."""
    stored = corrections.read_correctable(store, assignment, worker)
    if stored is None:
        return redirect_to(f"/task/{assignment.public_id}")
    typed = form or Form({name: [text] for name, text in fill_fields(stored, campaign).items()})
    return render_task(
        request,
        assignment,
        campaign,
        memberships.get_standing(store, campaign, worker),
        form=typed,
        problems=problems,
        action=f"/task/{assignment.public_id}/correct",
        count=TaskCount(assignment.position + 1, 0),
        correcting=True,
    )


def _show(
    request: Request,
    store: Store,
    assignment: Assignment,
    campaign: Campaign,
    worker: Worker,
    *,
    done: str = "",
    form: Form | None = None,
    problems: Problems | None = None,
) -> Response:
    """The page of an open task; for any other, its outcome, with what was typed."""
    late = assignment.state == "open" and assignment.expires_at <= store.clock()
    state = "expired" if late else "released" if assignment.released else assignment.state
    if state == "open":
        previous = _find_previous(store, done, worker)
        return show_task(request, store, assignment, campaign, worker, previous, form, problems)
    standing = memberships.get_standing(store, campaign, worker)
    if state != "submitted" and standing.state == "blocked":
        state = "blocked"
    answer, typed = get_stored_answer(store, assignment), form.text("text") if form else ""
    return render_page(
        request,
        "worker/outcome.html",
        409 if state == "submitted" and form else 200 if state == "submitted" else 410,
        worker=worker,
        campaign=campaign,
        assignment=assignment,
        state=state,
        blocked=BLOCKED,
        # Whether there can be another task.
        more=standing.state != "blocked" and standing.campaign.state == "active",
        answer=answer,
        correctable=state == "submitted"
        and corrections.read_correctable(store, assignment, worker) is not None,
        refused=state == "submitted" and form is not None,
        typed=typed,
    )
