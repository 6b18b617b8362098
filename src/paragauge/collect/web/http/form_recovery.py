"""Recovering what a worker typed into a form that was refused, on the page that says why.

A form may be refused because the session has ended, or because its token is stale (the browser has
signed in or out elsewhere since). The page then shows the worker's text again, so that it can be
copied. Nothing is shown of a form that another site sent: its text is not the worker's.
"""

from __future__ import annotations

import re

from starlette.requests import Request

from paragauge.collect.web.http.forms import Form, clean

_TASK = re.compile(r"/task/[\w-]+", re.ASCII)
_SURVEY = re.compile(r"q\d{1,4}", re.ASCII)
# Choices and numbers are quickly entered again; these are typed texts.
TITLES = {"text": "Your text", "comment": "Your comment", "url": "Your link"}
MOST = 20_000


def recover_texts(request: Request) -> list[tuple[str, str]]:
    """Titles and texts of a refused task form, if `forms.refuse_forged` has read one."""
    form: Form | None = getattr(request.state, "sent", None)
    if form is None or not _TASK.fullmatch(request.url.path):
        return []
    texts = []
    for name, values in form.fields.items():
        title = TITLES.get(name, "Your answer" if _SURVEY.fullmatch(name) else "")
        text = clean(values[0])[:MOST] if values else ""
        if title and text:
            texts.append((title, text))
    return texts
