"""The five kinds of task: what their page needs, and how an answer is read from its form.

Each kind has a module (`task_describe`, `task_suggest` and so on) with

    values(assignment, settings) -> what its template needs beyond the guide
    read(form, assignment, settings) -> the answer, and what is wrong with it by field of the form

An answer without problems is checked once more by the store, whose word is final.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.tasks.answers import Answer, check
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.worker import (
    task_describe,
    task_judge,
    task_paraphrase,
    task_suggest,
    task_survey,
)
from paragauge.errors import AnswerError, CollectError

Problems = dict[str, str]


@dataclass(frozen=True)
class Task:
    """One kind of task: the parts that differ."""

    template: str
    values: Callable[[Assignment, CampaignSettings], dict[str, Any]]
    read: Callable[[Form, Assignment, CampaignSettings], tuple[Answer, Problems]]


TASKS = {
    "describe": Task("worker/task_describe.html", task_describe.values, task_describe.read),
    "suggest": Task("worker/task_suggest.html", task_suggest.values, task_suggest.read),
    "paraphrase": Task("worker/task_paraphrase.html", task_paraphrase.values, task_paraphrase.read),
    "judge": Task("worker/task_judge.html", task_judge.values, task_judge.read),
    "survey": Task("worker/task_survey.html", task_survey.values, task_survey.read),
}


def read(form: Form, assignment: Assignment, settings: CampaignSettings) -> tuple[Answer, Problems]:
    """The answer in a form, and what is wrong with it by field."""
    answer, problems = TASKS[settings.kind].read(form, assignment, settings)
    if not problems:
        try:
            check(settings, assignment.item.content, answer)
        except AnswerError as error:
            problems[error.field] = said(error)
    return answer, problems


def said(error: CollectError) -> str:
    """A message as a sentence."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
