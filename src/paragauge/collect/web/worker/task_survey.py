"""A short survey: questions from the campaign, with answers to choose from or to write."""

from __future__ import annotations

from typing import Any

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.forms import Form
from paragauge.text.wording import pluralize


def values(assignment: Assignment, settings: CampaignSettings) -> dict[str, Any]:
    """The questions."""
    del assignment
    questions = [(f"q{number}", question) for number, question in enumerate(settings.survey)]
    return {"questions": questions}


def read(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[Answer, dict[str, str]]:
    """One answer per question."""
    del assignment
    problems = {}
    answers = {}
    for number, question in enumerate(settings.survey):
        name = f"q{number}"
        value = form.text(name)
        if question.required and not value:
            problems[name] = "Please answer this question."
        elif value and question.options and value not in question.options:
            problems[name] = "Please choose one of the answers."
        elif len(value) > settings.max_length:
            problems[name] = f"Please write at most {pluralize(settings.max_length, 'character')}."
        elif value:
            answers[question.name] = value
    return Answer(comment=form.text("comment"), data={"answers": answers}), problems
