"""Direct paraphrase: a sentence is shown, and another with the same meaning is written."""

from __future__ import annotations

from typing import Any

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.worker import task_describe

SAME = "This is the sentence itself. Please say it in other words, or skip this task."


def values(assignment: Assignment, settings: CampaignSettings) -> dict[str, Any]:
    """The sentence, its language if the item tells, and the languages to choose from."""
    content = assignment.item.content
    return {
        "sentence": content["text"],
        "known": str(content.get("language") or ""),
        "choices": settings.languages,
        "suggestions": task_describe.LANGUAGES,
    }


def read(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[Answer, dict[str, str]]:
    """The paraphrase, which may not be the sentence itself."""
    answer, problems = task_describe.read(form, assignment, settings)
    if answer.text and _plain(answer.text) == _plain(str(assignment.item.content["text"])):
        problems["text"] = SAME
    return answer, problems


def _plain(text: str) -> str:
    """Letters and digits without case: a copy may differ in spaces and punctuation."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())
