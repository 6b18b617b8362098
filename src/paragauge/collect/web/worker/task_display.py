"""What is the same for every task: its page is filled, the answer read, and stored."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.quality_control import after_submission
from paragauge.collect.statistics.worker_record import Kept, last_language, warning
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Receipt
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.http.page_templates import page
from paragauge.collect.web.worker import player
from paragauge.collect.web.worker.task_kinds import TASKS, Problems, read
from paragauge.collect.web.worker.task_texts import guide


def answered(
    store: Store, form: Form, assignment: Assignment, campaign: Campaign
) -> tuple[Answer, Problems]:
    """The answer in a form with the time it took, and what is wrong with it by field."""
    answer, problems = read(form, assignment, campaign.settings)
    spent = (store.clock() - assignment.given_at).total_seconds()
    return replace(answer, seconds=max(0.0, spent)), problems


def take(
    store: Store, assignment: Assignment, campaign: Campaign, worker: Worker, answer: Answer
) -> Receipt:
    """Store the answer; if the task was a control or had one, what follows from it happens now."""
    receipt = submissions.submit(store, assignment, worker, answer)
    after_submission(store, campaign, worker, assignment.item)
    return receipt


def show_task(
    request: Request,
    store: Store,
    assignment: Assignment,
    campaign: Campaign,
    worker: Worker,
    previous: Kept | None,
    form: Form | None = None,
    problems: Problems | None = None,
) -> Response:
    """The page of an open task, with the receipt of the previous one."""
    kind = TASKS[campaign.settings.kind]
    standing = memberships.of(store, campaign, worker)
    left = (assignment.expires_at - store.clock()).total_seconds()
    response = page(
        request,
        kind.template,
        400 if problems else 200,
        worker=worker,
        campaign=campaign,
        assignment=assignment,
        **kind.values(assignment, campaign.settings),
        guide=guide(campaign.settings, assignment.item.kind),
        standing=standing,
        warned=warning(store, campaign, worker) if standing.state == "warned" else "",
        typed=form.shown() if form else {},
        problems=problems or {},
        last_language=last_language(store, worker),
        minutes=max(1, round(left / 60)),
        previous=previous,
    )
    if assignment.item.kind in ("video", "image"):
        player.permit(response, player.shown(assignment.item.kind, assignment.item.content))
    return response
