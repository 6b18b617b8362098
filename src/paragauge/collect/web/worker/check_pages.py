"""The comprehension check before the first task: questions, feedback on each answer, another try."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import access, campaigns, memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.comprehension import MISSING, check_answers
from paragauge.collect.campaigns.consent import has_agreed
from paragauge.collect.campaigns.memberships import Standing
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.store import Store
from paragauge.collect.web.http.forms import Form, PostedForm
from paragauge.collect.web.http.identity import SignedInWorker, TheStore
from paragauge.collect.web.http.page_templates import redirect_to, render_page

router = APIRouter()


@dataclass(frozen=True)
class CheckAttempt:
    """A worker's attempt at the check: by question, what was chosen, what is missing, and the remark,
    empty if the answer was right.
    """

    standing: Standing
    chosen: dict[int, int | None] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)
    remarks: dict[int, str] = field(default_factory=dict)


@router.get("/c/{slug}/check")
def check_page(request: Request, slug: str, store: TheStore, worker: SignedInWorker) -> Response:
    """The questions, or the result when the tries are used up."""
    campaign = _find_campaign(store, slug, worker)
    if not has_agreed(store, campaign, worker):
        return redirect_to(f"/c/{slug}")
    return _show_result(request, campaign, _mark(store, campaign, worker, None))


@router.post("/c/{slug}/check")
def check(
    request: Request, slug: str, store: TheStore, worker: SignedInWorker, form: PostedForm
) -> Response:
    """Take one try; on a wrong answer show what was wrong, and the questions again."""
    campaign = _find_campaign(store, slug, worker)
    if not has_agreed(store, campaign, worker):
        return redirect_to(f"/c/{slug}")
    return _show_result(request, campaign, _mark(store, campaign, worker, form))


def _mark(store: Store, campaign: Campaign, worker: Worker, form: Form | None) -> CheckAttempt:
    """Mark and record one try; without a form or with no tries left, only read the standing."""
    standing = memberships.get_standing(store, campaign, worker)
    settings = campaign.settings
    over = standing.passed_check or standing.check_tries >= settings.comprehension_tries
    if form is None or over:
        return CheckAttempt(standing)
    questions = dict(enumerate(settings.comprehension))
    chosen = {number: form.whole(f"q{number}") for number in questions}
    options = {number: range(len(question.options)) for number, question in questions.items()}
    missing = {number: MISSING for number in questions if chosen[number] not in options[number]}
    if missing:
        return CheckAttempt(standing, chosen, missing)
    answered = {number: value for number, value in chosen.items() if value is not None}
    tries = settings.comprehension_tries
    checked = check_answers(settings.comprehension, answered, standing.check_tries, tries)
    answers = {str(number): value for number, value in answered.items()}
    standing = memberships.record_check(store, campaign, worker, answers, checked.passed)
    remarks = {number: checked.feedback.get(number, "") for number in questions}
    return CheckAttempt(standing, chosen, {}, remarks)


def _show_result(request: Request, campaign: Campaign, tried: CheckAttempt) -> Response:
    """Go on if the check is passed; otherwise show the questions with the choices and remarks."""
    worker = tried.standing.worker
    if tried.standing.passed_check and tried.remarks:
        return render_page(request, "worker/check_passed.html", worker=worker, campaign=campaign)
    if tried.standing.passed_check:
        return redirect_to(f"/c/{campaign.slug}")
    return render_page(
        request,
        "worker/check.html",
        400 if tried.missing else 200,
        worker=worker,
        campaign=campaign,
        questions=list(enumerate(campaign.settings.comprehension)),
        left=campaign.settings.comprehension_tries - tried.standing.check_tries,
        chosen=tried.chosen,
        missing=tried.missing,
        remarks=tried.remarks,
    )


def _find_campaign(store: Store, slug: str, worker: Worker) -> Campaign:
    campaign = campaigns.get(store, slug) if slug.isascii() and slug.isprintable() else None
    if campaign is None or not access.may_enter(store, campaign, worker):
        raise HTTPException(404)
    return campaign
