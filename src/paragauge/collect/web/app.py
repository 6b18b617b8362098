"""The web application: `create_app` builds it from a store.

>>> create_app.__name__
'create_app'

Pages are routers; `create_app` includes those of workers, those of requesters and the JSON API, and
wraps all of them in the limits, headers and log of `middleware`. Every page that changes something
is guarded against forged forms (`forms.refuse_forged`); the API takes no cookie and is not.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import anyio.to_thread
from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paragauge.collect.campaigns import campaigns
from paragauge.collect.store.store import Store
from paragauge.collect.tasks import reviews
from paragauge.collect.web.api import routes
from paragauge.collect.web.http import forms, identity, media_files, page_templates
from paragauge.collect.web.http.middleware import SiteMiddleware
from paragauge.collect.web.http.rate_limit import Gate, Limits
from paragauge.collect.web.http.site_address import check_address
from paragauge.collect.web.requester import campaign_pages, requester_pages, review_pages
from paragauge.collect.web.worker import mturk_pages, worker_pages
from paragauge.errors import StoreError
from paragauge.version import __version__

# Requests handled at once. Each mostly waits for the database; more would wait for each other in the
# interpreter.
THREADS = 8
# Seconds between two looks for answers that nobody reviewed in time.
ACCEPT_EVERY = 600


def create_app(
    store: Store,
    *,
    https: bool = False,
    address: str = "",
    limits: Limits | None = None,
    proxies: Iterable[str] = (),
    most_bytes: int = 16_000_000,
    media_folder: Path | None = None,
    mturk: bool = False,
    first_code: str = "",
) -> FastAPI:
    """The application that serves `store`.

    `https`: visitors come over https (even if a proxy terminates it): cookies are `Secure`.
    `address`: what visitors open, such as https://clips.example.org. Links that are given away start
    with it, and requests for another host name are refused. Without it, both follow the request.
    `proxies`: addresses of trusted proxies, whose `X-Forwarded-For` is trusted.
    `media_folder`: clips and pictures of items, served under `/media/`.
    `mturk`: Mechanical Turk may show the pages under `/mturk/` in a frame.
    `first_code`: while the store has no account, `/desk/first/CODE` makes the first one.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        async with anyio.create_task_group() as group:
            group.start_soon(_accept_in_time, store)
            yield
            group.cancel_scope.cancel()

    app = FastAPI(
        lifespan=lifespan,
        title="paragauge collect",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        # They would redirect to the host of the request, which a visitor or a proxy may have changed.
        redirect_slashes=False,
    )
    https = https or check_address(address).startswith("https://")
    app.state.store = store
    app.state.https = https
    app.state.address = check_address(address)
    app.state.gate = Gate(limits or Limits())
    app.state.most_bytes = most_bytes
    app.state.media_folder = media_folder
    app.state.mturk = mturk
    app.state.first_code = first_code
    guarded = [Depends(forms.refuse_forged)]
    app.include_router(media_files.router)
    app.include_router(worker_pages.router, dependencies=guarded, include_in_schema=False)
    if mturk:
        app.include_router(mturk_pages.router, include_in_schema=False)
    for router in (requester_pages.router, campaign_pages.router, review_pages.router):
        app.include_router(router, dependencies=guarded, include_in_schema=False)
    app.include_router(routes.router)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(identity.SignInNeededError, identity.answer_sign_in_needed)
    app.add_exception_handler(RequestValidationError, _answer_invalid_request)
    app.add_middleware(
        SiteMiddleware,
        gate=app.state.gate,
        answer=page_templates.error_page,
        https=https,
        address=app.state.address,
        most_bytes=most_bytes,
        proxies=frozenset(proxies),
    )
    return app


async def _accept_in_time(store: Store) -> None:
    """Accept answers after the days that their campaigns state, again and again."""
    while True:
        await anyio.to_thread.run_sync(_accept_overdue, store)
        await anyio.sleep(ACCEPT_EVERY)


def _accept_overdue(store: Store) -> None:
    # A database that is unavailable for now is asked again later.
    with contextlib.suppress(StoreError):
        for campaign in campaigns.all_campaigns(store):
            reviews.accept_overdue(store, campaign)


def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - Starlette hands over what was registered
    path = request.url.path
    if error.status_code == 404 and request.method == "GET" and path.strip("/") and path.endswith("/"):
        return page_templates.redirect_to("/" + path.strip("/"))
    return page_templates.error_page(request, error)


def _answer_invalid_request(request: Request, error: Exception) -> Response:
    """The API names the wrong field, without repeating what was sent, which may not even be JSON."""
    if request.url.path.startswith("/api/") and isinstance(error, RequestValidationError):
        problems = [{key: problem[key] for key in ("loc", "msg", "type")} for problem in error.errors()]
        return JSONResponse({"detail": problems}, 422)
    return page_templates.error_page(request, HTTPException(400))
