"""The worker or requester behind a request, from its session cookie.

Only the cookie counts. The session is looked up in the store by the hash of its token; signing in
starts a new session, so that a token planted before is worthless. A browser may hold a worker's and a
requester's session at once: they have separate cookies.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from paragauge.collect.people import sessions
from paragauge.collect.people.accounts import Account
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.store import Store
from paragauge.collect.web.http.form_recovery import recover_texts
from paragauge.collect.web.http.middleware import too_many_requests
from paragauge.collect.web.http.page_templates import error_page
from paragauge.collect.web.http.rate_limit import Gate
from paragauge.collect.web.http.security import drop_cookie, get_cookie, new_form_secret, set_cookie

DAY = 24 * 3600
# Workers who have their earnings and their messages where they were recruited.
ELSEWHERE = {
    "mturk": "Your earnings are on your page at Mechanical Turk. To have what is known about you "
    "erased, write to the requester there.",
    "panel": "Your earnings are on your page at the panel that sent you. To have what is known about "
    "you erased, write to the researcher there.",
}


class SignInNeededError(Exception):
    """The page is for people who have signed in; `path` is where they can."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


def answer_sign_in_needed(request: Request, error: Exception) -> Response:
    """The response to `SignInNeededError`; whoever sent an answer sees its text again first."""
    if recover_texts(request):
        return error_page(request, HTTPException(401))
    return RedirectResponse(error.path if isinstance(error, SignInNeededError) else "/", 303)


def get_store(request: Request) -> Store:
    """The store that this application serves."""
    store: Store = request.app.state.store
    return store


def current_worker(request: Request) -> Worker | None:
    """The worker who asks, if they have signed in."""
    token = get_cookie(request, "worker")
    session = sessions.find(get_store(request), token) if token else None
    if session is None or session.worker is None:
        return None
    count_request(request, f"worker {session.worker.id}")
    return session.worker


def current_requester(request: Request) -> Account | None:
    """The requester who asks, if they have logged in."""
    token = get_cookie(request, "requester")
    session = sessions.find(get_store(request), token) if token else None
    if session is None or session.account is None:
        return None
    count_request(request, f"account {session.account.id}")
    return session.account


def count_request(request: Request, name: str) -> None:
    """Refuse a worker, account or token with too many requests; each request counts once."""
    if getattr(request.state, "counted", "") != name:
        request.state.counted = name
        gate: Gate = request.app.state.gate
        _refuse(gate.account(name))


def require_worker(request: Request) -> Worker:
    """The worker who asks; anybody else is sent to the sign-in page."""
    worker = current_worker(request)
    if worker is None:
        raise SignInNeededError("/sign-in")
    return worker


def require_proven_worker(request: Request) -> Worker:
    """The worker who asks, for pages with personal data.

    Not for workers from Mechanical Turk or a panel: these do not sign whom they send, so that anybody
    who knows a worker's id could pretend to be them.
    """
    worker = require_worker(request)
    if worker.source in ELSEWHERE:
        raise HTTPException(403, ELSEWHERE[worker.source])
    return worker


def count_attempt(request: Request) -> None:
    """Refuse to check a key or password from an address that has tried too often."""
    gate: Gate = request.app.state.gate
    _refuse(gate.sign_in(_address(request)))


def count_joining(request: Request) -> None:
    """Refuse to register somebody from an address with too many recent registrations."""
    gate: Gate = request.app.state.gate
    _refuse(gate.join(_address(request)))


def sign_in(request: Request, response: Response, who: Worker | Account) -> None:
    """Start a session in this browser; an earlier one in the same role ends."""
    role = "worker" if isinstance(who, Worker) else "requester"
    store = get_store(request)
    old = get_cookie(request, role)
    if old:
        sessions.end(store, old)
    lasts = sessions.WORKER_DAYS * DAY if role == "worker" else sessions.ACCOUNT_HOURS * 3600
    set_cookie(request, response, role, sessions.start(store, who), lasts)
    new_form_secret(request)


def sign_out(request: Request, response: Response, role: str) -> None:
    """End the session of this role, "worker" or "requester", in this browser."""
    token = get_cookie(request, role)
    if token:
        sessions.end(get_store(request), token)
    drop_cookie(request, response, role)
    new_form_secret(request)


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"


def _refuse(wait: float) -> None:
    if wait > 0:
        raise too_many_requests(wait)


async def _store(request: Request) -> Store:
    """Like `get_store`, but async, so that it does not wait for a thread."""
    return get_store(request)


TheStore = Annotated[Store, Depends(_store)]
Visitor = Annotated[Worker | None, Depends(current_worker)]
SignedInWorker = Annotated[Worker, Depends(require_worker)]
ProvenWorker = Annotated[Worker, Depends(require_proven_worker)]
