"""Log-in and log-out of requesters.

`accounts` checks passwords, and takes as long for names that do not exist. Attempts are limited by
address and by name (`Gate.sign_in`). Logging in starts a new session with new form tokens, so that a
session or form planted before is worthless; an older session of the same browser ends.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.people import accounts
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import count_attempt, get_store, sign_in, sign_out
from paragauge.collect.web.http.middleware import too_many_requests
from paragauge.collect.web.http.page_templates import redirect_to
from paragauge.collect.web.requester.desk_frame import render_desk, safe_path

router = APIRouter()
WRONG = "Wrong name or password."


@router.get("/desk/login")
def login_form(request: Request) -> Response:
    """The form."""
    next_path = safe_path(request.query_params.get("next", ""), "/desk")
    return render_desk(request, None, "login.html", next=next_path, name="")


@router.post("/desk/login")
def login(request: Request, form: PostedForm) -> Response:
    """Check name and password, and begin a session."""
    name, next_path = form.text("name")[:100], safe_path(form.text("next"), "/desk")
    count_attempt(request)
    # One name, tried from many addresses, is limited too.
    wait = request.app.state.gate.sign_in(f"name {name}")
    if wait > 0:
        raise too_many_requests(wait)
    account = accounts.log_in(get_store(request), name, form.raw("password"))
    if account is None:
        return render_desk(request, None, "login.html", 401, problem=WRONG, next=next_path, name=name)
    response = redirect_to(next_path)
    sign_in(request, response, account)
    return response


@router.post("/desk/logout")
def logout(request: Request) -> Response:
    """End the session."""
    response = redirect_to("/desk/login")
    sign_out(request, response, "requester")
    return response
