"""Suggest a video: a link with start and end, which this server never opens."""

from __future__ import annotations

from typing import Any

from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.items import check_link
from paragauge.collect.tasks.answers import Answer
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.web.http.forms import Form
from paragauge.errors import InputError

LINK = "Please give the link of the video; it starts with http:// or https://."
TIME = "Please give a time in seconds, as 25 or 7.5, or as 1:05."
BACKWARD = "The segment must end after it starts."


def values(assignment: Assignment, settings: CampaignSettings) -> dict[str, Any]:
    """What to look for, if the item says."""
    del settings
    return {"prompt": str(assignment.item.content.get("prompt") or "")}


def read(
    form: Form, assignment: Assignment, settings: CampaignSettings
) -> tuple[Answer, dict[str, str]]:
    """Link, start and end."""
    del assignment, settings
    url, start, end = form.text("url"), form.number("start"), form.number("end")
    problems = {}
    try:
        url = check_link(url)
    except InputError:
        problems["url"] = LINK
    if start is None:
        problems["start"] = TIME
    if end is None:
        problems["end"] = TIME
    elif start is not None and end <= start:
        problems["end"] = BACKWARD
    data = {"url": url, "start": start, "end": end}
    return Answer(text=form.text("text"), comment=form.text("comment"), data=data), problems
