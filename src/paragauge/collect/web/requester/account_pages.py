"""Accounts and their tokens for the JSON API: owners list, create, change and close them."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.people import accounts
from paragauge.collect.people.accounts import ROLES, Account
from paragauge.collect.web.http.forms import Form, PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester.desk_frame import Requester, redirect_with_notice, render_desk
from paragauge.errors import ParagaugeError, SettingError

router = APIRouter()
PATH = "/desk/accounts"
OWNERS = "Accounts are for owners. Ask an owner of this site."


@router.get(PATH)
def account_list(request: Request, me: Requester) -> Response:
    """The accounts and tokens."""
    if not me.may("owner"):
        raise HTTPException(403, OWNERS)
    return _show_list(request, me)


@router.post(PATH)
def create_account(request: Request, me: Requester, form: PostedForm) -> Response:
    """A new account, with a password that its owner may change later."""
    name = form.text("name")
    try:
        accounts.create(
            get_store(request),
            name,
            form.raw("password"),
            me.name,
            form.text("role"),
            key=form.key,
        )
    except ParagaugeError as error:
        return _show_list(request, me, str(error), name=name)
    return redirect_with_notice(PATH, "account")


@router.post(f"{PATH}/role")
def change_role(request: Request, me: Requester, form: PostedForm) -> Response:
    """Another role for an account."""
    account = _find_account(request, form)
    try:
        accounts.change_role(get_store(request), account, form.text("role"), me.name)
    except ParagaugeError as error:
        return _show_list(request, me, str(error))
    return redirect_with_notice(PATH, "role")


@router.post(f"{PATH}/close")
def close_account(request: Request, me: Requester, form: PostedForm) -> Response:
    """Close an account for good, after its name was typed."""
    account = _find_account(request, form)
    if form.text("confirm") != account.name:
        return _show_list(request, me, f"Nothing was closed: write the name {account.name} to confirm.")
    try:
        accounts.close(get_store(request), account, me.name)
    except ParagaugeError as error:
        return _show_list(request, me, str(error))
    return redirect_with_notice(PATH, "account-closed")


@router.post(f"{PATH}/tokens")
def create_token(request: Request, me: Requester, form: PostedForm) -> Response:
    """A token for one's own account; it is shown on this page only."""
    days = form.whole("days")
    try:
        if form.text("days") and days is None:
            raise SettingError("days: expected a whole number, or nothing for no limit")
        _, token = accounts.create_token(
            get_store(request),
            me,
            form.text("name")[:200],
            me.name,
            days,
            form.text("scope"),
            key=form.key,
        )
    except ParagaugeError as error:
        return _show_list(request, me, str(error))
    return _show_list(request, me, token=token)


@router.post(f"{PATH}/tokens/withdraw")
def withdraw_token(request: Request, me: Requester, form: PostedForm) -> Response:
    """A token stops working."""
    if not accounts.withdraw_token(get_store(request), form.text("token"), me.name):
        raise HTTPException(404, "There is no such token, or it was withdrawn before.")
    return redirect_with_notice(PATH, "token-withdrawn")


def _find_account(request: Request, form: Form) -> Account:
    account = accounts.get(get_store(request), form.text("account"))
    if account is None or account.state != "active":
        raise HTTPException(404)
    return account


def _show_list(
    request: Request, me: Account, problem: str = "", *, name: str = "", token: str = ""
) -> Response:
    store = get_store(request)
    return render_desk(
        request,
        me,
        "accounts.html",
        400 if problem else 200,
        problem=problem,
        rows=accounts.all_accounts(store),
        tokens=accounts.list_tokens(store),
        roles=ROLES,
        typed_name=name,
        token=token,
    )
