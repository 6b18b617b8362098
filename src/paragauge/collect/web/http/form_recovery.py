"""What a worker typed, given back on the page that says why it was not taken.

A form may be refused because the session has ended, or because its token is stale (the browser signed
in or out elsewhere meanwhile). The words in it are the worker's, and are shown again to be copied.
Nothing is given back of a form that another site sent: its words are not the worker's.
"""

from __future__ import annotations

import re

from starlette.requests import Request

from paragauge.collect.web.http.forms import Form, clean

_TASK = re.compile(r"/task/[\w-]+", re.ASCII)
_SURVEY = re.compile(r"q\d{1,4}", re.ASCII)
# Choices and numbers are quickly made again; these are typed.
TITLES = {"text": "Your text", "comment": "Your comment", "url": "Your link"}
MOST = 20_000


def recover_texts(request: Request) -> list[tuple[str, str]]:
    """Titles and texts that came with the form of a task, if `forms.guard` has read one."""
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
