"""The comprehension check before the first task: questions, feedback on each answer, another try."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect import access, campaigns, memberships
from paragauge.collect.campaigns import Campaign
from paragauge.collect.comprehension import check_answers
from paragauge.collect.memberships import Standing
from paragauge.collect.store import Store
from paragauge.collect.web.forms import Posted
from paragauge.collect.web.identity import Signed, TheStore
from paragauge.collect.web.pages import go, page
from paragauge.collect.workers import Worker

router = APIRouter()


@router.get("/c/{slug}/check")
def check_page(request: Request, slug: str, store: TheStore, worker: Signed) -> Response:
    """The questions, or, when the tries are used up, the news."""
    campaign, standing = _place(store, slug, worker)
    if standing.passed_check:
        return go(f"/c/{slug}")
    return _show(request, campaign, standing, {}, {})


@router.post("/c/{slug}/check")
def check(request: Request, slug: str, store: TheStore, worker: Signed, form: Posted) -> Response:
    """Take one try; on a wrong answer show what was wrong, and the questions again."""
    campaign, standing = _place(store, slug, worker)
    if standing.passed_check:
        return go(f"/c/{slug}")
    questions = campaign.settings.comprehension
    chosen = {number: form.whole(f"q{number}") for number in range(len(questions))}
    missing = {
        number: "Please choose an answer."
        for number, question in enumerate(questions)
        if chosen[number] not in range(len(question.options))
    }
    if missing or standing.check_tries >= campaign.settings.comprehension_tries:
        return _show(request, campaign, standing, chosen, missing)
    tries = campaign.settings.comprehension_tries
    checked = check_answers(questions, chosen, standing.check_tries, tries)
    right = {number: number not in checked.feedback for number in range(len(questions))}
    answers = {str(number): value for number, value in chosen.items()}
    standing = memberships.record_check(store, campaign, worker, answers, checked.passed)
    if standing.passed_check:
        return page(request, "worker/check_passed.html", worker=worker, campaign=campaign)
    return _show(request, campaign, standing, chosen, {}, right)


def _place(store: Store, slug: str, worker: Worker) -> tuple[Campaign, Standing]:
    campaign = campaigns.get(store, slug) if slug.isascii() and slug.isprintable() else None
    if campaign is None or not access.may_enter(store, campaign, worker):
        raise HTTPException(404)
    return campaign, memberships.of(store, campaign, worker)


def _show(
    request: Request,
    campaign: Campaign,
    standing: Standing,
    chosen: dict[int, int | None],
    missing: dict[int, str],
    right: dict[int, bool] | None = None,
) -> Response:
    left = campaign.settings.comprehension_tries - standing.check_tries
    return page(
        request,
        "worker/check.html",
        400 if missing else 200,
        worker=standing.worker,
        campaign=campaign,
        questions=list(enumerate(campaign.settings.comprehension)),
        left=left,
        chosen=chosen,
        missing=missing,
        right=right or {},
    )
