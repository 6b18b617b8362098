"""Log-in and log-out of requesters.

Passwords are checked by `accounts`, which takes as long for names that do not exist. Attempts are
limited by address and by name (`Gate.sign_in`). Logging in makes a new session and new form tokens,
so that neither a session nor a form planted before is worth anything after; an older session of the
same browser ends.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect import accounts, sessions
from paragauge.collect.web.desk import inside, shown, store_of
from paragauge.collect.web.forms import Posted
from paragauge.collect.web.middleware import too_often
from paragauge.collect.web.pages import go
from paragauge.collect.web.security import drop_cookie, get_cookie, new_form_secret, set_cookie

router = APIRouter()
WRONG = "Name and password do not belong together."


@router.get("/desk/login")
def login_form(request: Request) -> Response:
    """The form."""
    wanted = inside(request.query_params.get("next", ""), "/desk")
    return shown(request, None, "login.html", next=wanted, name="")


@router.post("/desk/login")
def login(request: Request, form: Posted) -> Response:
    """Check name and password, and begin a session."""
    name, wanted = form.text("name")[:100], inside(form.text("next"), "/desk")
    address = request.client.host if request.client else "unknown"
    gate = request.app.state.gate
    wait = max(gate.sign_in(address), gate.sign_in(f"name {name}"))
    if wait > 0:
        raise too_often(wait)
    store = store_of(request)
    account = accounts.log_in(store, name, form.raw("password"))
    if account is None:
        return shown(request, None, "login.html", 401, problem=WRONG, next=wanted, name=name)
    old = get_cookie(request, "requester")
    if old:
        sessions.end(store, old)
    token = sessions.start(store, account)
    new_form_secret(request)
    response = go(wanted)
    set_cookie(request, response, "requester", token)
    return response


@router.post("/desk/logout")
def logout(request: Request) -> Response:
    """End the session."""
    token = get_cookie(request, "requester")
    if token:
        sessions.end(store_of(request), token)
    new_form_secret(request)
    response = go("/desk/login")
    drop_cookie(request, response, "requester")
    return response
