"""Pages from templates: every value is escaped, and an unknown name in a template is an error.

Pages answer with `render_page(request, "worker/landing.html", …)`; a template gets these values, and
`csrf` (the token each form must carry), `once` (the key that tells a repeated form), `here` (the path
of the page) and the helpers below.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from paragauge.collect.campaigns.amounts import format_money
from paragauge.collect.store.idempotency import KEY_BYTES
from paragauge.collect.store.store import Store
from paragauge.collect.web.http.form_recovery import recover_texts
from paragauge.collect.web.http.media_files import static_url
from paragauge.collect.web.http.security import form_token
from paragauge.text.wording import pluralize

ERRORS = {
    400: ("That did not work", "What arrived was not what this page sends."),
    401: (
        "You are signed out",
        "Sign in with your key, or open the task again from where you came; then send your answer.",
    ),
    403: ("Not allowed", "You may not see or do this."),
    404: ("Nothing here", "There is no such page, or it is not yours."),
    405: ("That did not work", "This page does not accept what was sent."),
    410: ("Too late", "This has expired."),
    413: ("Too large", "What you sent is larger than this server accepts."),
    421: ("Another address", "This site has another name. Please use the link you were given."),
    429: ("A little fast", "Please wait a moment, and try again."),
    503: (
        "A short break",
        "We cannot reach our data at the moment. Please try again in a few seconds.",
    ),
    500: ("Our mistake", "Something went wrong on our side. Nothing you had already sent is lost."),
}


KINDS = {
    "describe": "Describe clips and pictures",
    "suggest": "Suggest videos",
    "paraphrase": "Say sentences in other words",
    "judge": "Compare sentences",
    "survey": "Answer a few questions",
}


def format_moment(moment: datetime | None) -> str:
    """A moment to the minute, in UTC.

    >>> from datetime import timezone
    >>> format_moment(datetime(2011, 6, 19, 9, 5, tzinfo=timezone.utc)), format_moment(None)
    ('2011-06-19 09:05 UTC', '–')
    """
    return "–" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"


def format_seconds(value: float) -> str:
    """A time in a clip, without needless zeros.

    >>> format_seconds(25.0), format_seconds(7.5)
    ('25', '7.5')
    """
    return f"{value:.3f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates of this package."""
    environment = Environment(
        loader=PackageLoader("paragauge.collect.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # A running server keeps the templates it started with, as it keeps its code.
        auto_reload=False,
    )
    environment.globals.update(kinds=KINDS)
    environment.globals.update(
        money=format_money,
        counted=pluralize,
        when=format_moment,
        seconds=format_seconds,
        static=static_url,
    )
    return environment


def render_page(request: Request, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """A page from its template."""
    store: Store = request.app.state.store
    values = {"csrf": form_token(request), "once": store.randomness.token(KEY_BYTES), **values}
    values = {"here": request.url.path, **values}
    return HTMLResponse(templates().get_template(template).render(values), status)


def redirect_to(path: str) -> RedirectResponse:
    """Redirect after a form: the browser loads `path` next, and a reload sends nothing again."""
    return RedirectResponse(path, 303)


def error_page(request: Request, error: HTTPException) -> Response:
    """An error as a page, or as JSON for the API."""
    title, usual = ERRORS.get(error.status_code, ("That did not work", ""))
    message = error.detail
    if not message or message == HTTPStatus(error.status_code).phrase:
        message = usual
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": message}, error.status_code, error.headers)
    values = {
        "status": error.status_code,
        "heading": title,
        "said": message,
        "typed": recover_texts(request),
    }
    values["onward"] = ("/sign-in", "Sign in") if error.status_code == 401 else None
    if values["typed"] and error.status_code != 401:
        values["onward"] = (request.url.path, "Open the task again")
    response = render_page(request, "error.html", error.status_code, **values)
    response.headers.update(error.headers or {})
    return response
