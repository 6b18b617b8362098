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

from paragauge.collect.people import accounts
from paragauge.collect.web.http.forms import Posted
from paragauge.collect.web.http.identity import count_attempt, sign_in, sign_out, the_store
from paragauge.collect.web.http.middleware import too_often
from paragauge.collect.web.http.page_templates import go
from paragauge.collect.web.requester.desk import inside, shown

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
    count_attempt(request)
    # One name, tried from many addresses, is limited too.
    wait = request.app.state.gate.sign_in(f"name {name}")
    if wait > 0:
        raise too_often(wait)
    account = accounts.log_in(the_store(request), name, form.raw("password"))
    if account is None:
        return shown(request, None, "login.html", 401, problem=WRONG, next=wanted, name=name)
    response = go(wanted)
    sign_in(request, response, account)
    return response


@router.post("/desk/logout")
def logout(request: Request) -> Response:
    """End the session."""
    response = go("/desk/login")
    sign_out(request, response, "requester")
    return response
