"""The five kinds of task: how their pages are filled, and how an answer is read and stored.

Each kind has a module (`task_describe`, `task_suggest` and so on) with

    values(assignment, settings) -> what its template needs beyond the guide
    read(form, assignment, settings) -> the answer, and what is wrong with it by field of the form

The rest is the same for every kind. An answer without problems is checked once more by the store,
which has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.memberships import Standing
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.control_enforcement import check_controls
from paragauge.collect.quality.language_grants import grant_for_language
from paragauge.collect.statistics.worker_record import (
    StoredAnswer,
    find_last_language,
    find_latest_warning,
)
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import submissions
from paragauge.collect.tasks.answers import Answer, check_answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.submissions import Receipt
from paragauge.collect.tasks.tasks_left import TaskCount, count_tasks
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.http.page_templates import render_page
from paragauge.collect.web.worker import (
    media_player,
    task_describe,
    task_judge,
    task_paraphrase,
    task_suggest,
    task_survey,
)
from paragauge.collect.web.worker.task_guides import choose_guide
from paragauge.errors import AnswerError, CollectError

Problems = dict[str, str]


@dataclass(frozen=True)
class TaskKind:
    """One kind of task: the parts that differ."""

    template: str
    values: Callable[[Assignment, CampaignSettings], dict[str, Any]]
    read: Callable[[Form, Assignment, CampaignSettings], tuple[Answer, Problems]]


TASK_KINDS = {
    "describe": TaskKind("worker/task_describe.html", task_describe.values, task_describe.read),
    "suggest": TaskKind("worker/task_suggest.html", task_suggest.values, task_suggest.read),
    "paraphrase": TaskKind("worker/task_paraphrase.html", task_paraphrase.values, task_paraphrase.read),
    "judge": TaskKind("worker/task_judge.html", task_judge.values, task_judge.read),
    "survey": TaskKind("worker/task_survey.html", task_survey.values, task_survey.read),
}


def read_form(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[Answer, Problems]:
    """The answer in a form, and what is wrong with it by field."""
    answer, problems = TASK_KINDS[settings.kind].read(form, assignment, settings)
    if not problems:
        try:
            check_answer(settings, assignment.item.content, answer)
        except AnswerError as error:
            problems[error.field] = as_sentence(error)
    return answer, problems


def read_answer(
    store: Store, form: Form, assignment: Assignment, campaign: Campaign
) -> tuple[Answer, Problems]:
    """The answer in a form with the time it took, and what is wrong with it by field."""
    answer, problems = read_form(form, assignment, campaign.settings)
    spent = (store.clock() - assignment.given_at).total_seconds()
    return replace(answer, seconds=max(0.0, spent)), problems


def store_answer(
    store: Store, assignment: Assignment, campaign: Campaign, worker: Worker, answer: Answer
) -> Receipt:
    """Store the answer; if the task had a control, the worker may be warned or blocked now, and one
    who writes in another language may be granted tier 2.
    """
    receipt = submissions.submit(store, assignment, worker, answer)
    if receipt.first:
        grant_for_language(store, campaign, worker, answer)
    check_controls(store, campaign, worker, assignment.item)
    return receipt


def show_task(
    request: Request,
    store: Store,
    assignment: Assignment,
    campaign: Campaign,
    worker: Worker,
    previous: StoredAnswer | None,
    form: Form | None = None,
    problems: Problems | None = None,
) -> Response:
    """The page of an open task, with the receipt of the previous one."""
    standing = memberships.get_standing(store, campaign, worker)
    return render_task(
        request,
        assignment,
        campaign,
        standing,
        form=form,
        problems=problems,
        warned=find_latest_warning(store, campaign, worker) if standing.state == "warned" else "",
        last_language=find_last_language(store, worker),
        previous=previous,
        action=f"/task/{assignment.public_id}",
        count=count_tasks(store, standing, assignment.item.control is not None),
    )


def render_task(
    request: Request,
    assignment: Assignment,
    campaign: Campaign,
    standing: Standing,
    *,
    action: str,
    count: TaskCount,
    form: Form | None = None,
    problems: Problems | None = None,
    warned: str = "",
    last_language: str = "",
    previous: StoredAnswer | None = None,
    preview: str = "",
    tried: bool = False,
    correcting: bool = False,
) -> Response:
    """The page of a task whose form is sent to `action`.

    `preview` is the requester's page that a preview leads back to; `tried` says that the answer in a
    preview was right.
    """
    kind = TASK_KINDS[campaign.settings.kind]
    left = (assignment.expires_at - get_store(request).clock()).total_seconds()
    response = render_page(
        request,
        kind.template,
        400 if problems else 200,
        worker=None if preview else standing.worker,
        campaign=campaign,
        assignment=assignment,
        **kind.values(assignment, campaign.settings),
        guide=choose_guide(campaign.settings, assignment.item.kind),
        standing=standing,
        warned=warned,
        typed=form.typed_values() if form else {},
        problems=problems or {},
        last_language=last_language,
        minutes=max(1, round(left / 60)),
        seconds_left=max(1, round(left)),
        previous=previous,
        action=action,
        count=count,
        preview=preview,
        tried=tried,
        correcting=correcting,
    )
    if assignment.item.kind in ("video", "image"):
        media_player.permit_media(
            response, media_player.view_media(assignment.item.kind, assignment.item.content)
        )
    return response


def fill_fields(answer: Answer, campaign: Campaign) -> dict[str, str]:
    """A stored answer as the fields of its form."""
    fields = {"text": answer.text, "language": answer.language, "comment": answer.comment}
    if answer.text:
        fields["one"] = "yes"
    if campaign.settings.kind == "suggest":
        fields |= {name: f"{answer.data[name]:g}" for name in ("start", "end") if name in answer.data}
        fields["url"] = str(answer.data.get("url", ""))
    answers = answer.data.get("answers", {})
    for number, question in enumerate(campaign.settings.survey):
        fields[f"q{number}"] = str(answers.get(question.name, ""))
    return fields


def as_sentence(error: CollectError) -> str:
    """A message as a sentence."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
