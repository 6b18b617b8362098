"""Log-in and log-out of requesters.

`accounts` checks passwords, and takes as long for names that do not exist. Attempts are limited by
address and by name (`Gate.sign_in`). Logging in starts a new session with new form tokens, so that a
session or form planted before is worthless; an older session of the same browser ends.

A store without an account gets its first one by a link with a random code, which the server prints when
it starts and forgets when it ends: whoever sees the terminal is the owner.
"""

from __future__ import annotations

import hmac

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.people import accounts
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import (
    SignInNeededError,
    count_attempt,
    get_store,
    sign_in,
    sign_out,
)
from paragauge.collect.web.http.middleware import too_many_requests
from paragauge.collect.web.http.page_templates import redirect_to
from paragauge.collect.web.requester.desk_frame import render_desk, safe_path
from paragauge.errors import ParagaugeError

router = APIRouter()
WRONG = "Wrong name or password."


@router.get("/desk/login")
def login_form(request: Request) -> Response:
    """The form."""
    next_path = safe_path(request.query_params.get("next", ""), "/desk")
    empty = not accounts.has_accounts(get_store(request))
    return render_desk(request, None, "login.html", next=next_path, name="", empty=empty)


@router.get("/desk/first/{code}")
def first_account_form(request: Request, code: str) -> Response:
    """The form for the first account."""
    _check_code(request, code)
    return render_desk(request, None, "first_account.html", code=code, name="")


@router.post("/desk/first/{code}")
def create_first_account(request: Request, code: str, form: PostedForm) -> Response:
    """Create the first account, and log in with it."""
    _check_code(request, code)
    name, password = form.text("name"), form.raw("password")
    problem = "The two passwords differ." if password != form.raw("again") else ""
    if not problem:
        try:
            account = accounts.create_first(get_store(request), name, password, "first visit")
        except ParagaugeError as error:
            problem = str(error)
        else:
            response = redirect_to("/desk")
            sign_in(request, response, account)
            return response
    return render_desk(
        request, None, "first_account.html", 400, problem=problem, code=code, name=name[:100]
    )


def _check_code(request: Request, code: str) -> None:
    """Only the code that the server printed; once there is an account, its link leads to the desk."""
    count_attempt(request)
    expected: str = request.app.state.first_code
    if not expected or not hmac.compare_digest(code.encode("utf-8", "replace"), expected.encode()):
        raise HTTPException(404)
    if accounts.has_accounts(get_store(request)):
        raise SignInNeededError("/desk")


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
        return render_desk(
            request, None, "login.html", 401, problem=WRONG, next=next_path, name=name, empty=False
        )
    response = redirect_to(next_path)
    sign_in(request, response, account)
    return response


@router.post("/desk/logout")
def logout(request: Request) -> Response:
    """End the session."""
    response = redirect_to("/desk/login")
    sign_out(request, response, "requester")
    return response
