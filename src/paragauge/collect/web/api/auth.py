"""Who asks the JSON API: the account of a Bearer token. Cookies are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Depends, Path, Query
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.requests import Request

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people import accounts
from paragauge.collect.people.accounts import Account
from paragauge.collect.store.paging import PageRange
from paragauge.collect.web.api.models import Problem
from paragauge.collect.web.http.identity import count_request, get_store
from paragauge.collect.web.http.roles import check_role
from paragauge.errors import ParagaugeError, RefusedError

_bearer = HTTPBearer(auto_error=False, description="A token made by `paragauge collect`.")
# What every operation may answer beside its result.
PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request cannot be read"},
    401: {"model": Problem, "description": "No token, or one that does not count"},
    403: {"model": Problem, "description": "The account or token has a role that may not do this"},
    404: {"model": Problem, "description": "There is no such thing"},
    405: {"model": Problem, "description": "This address does not take this method"},
    409: {
        "model": Problem,
        "description": "Not allowed now: the budget, a closed campaign, a taken name",
    },
    413: {"model": Problem, "description": "The request is too large"},
    422: {"model": Problem, "description": "A field is wrong"},
    429: {"model": Problem, "description": "Too many requests"},
}


def _caller(
    request: Request, held: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Account:
    token = held.credentials if held else ""
    account = accounts.find_by_token(get_store(request), token) if token else None
    if account is None:
        message = "Send a token: Authorization: Bearer ..."
        raise HTTPException(401, message, {"WWW-Authenticate": "Bearer"})
    count_request(request, f"account {account.id}")
    check_role(request, account)
    return account


Caller = Annotated[Account, Depends(_caller)]
Slug = Annotated[
    str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$", description="The campaign's short name")
]
Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A public id")]


def find_campaign(request: Request, caller: Caller, slug: Slug) -> Campaign:
    """The campaign that a path names; who asks is checked first."""
    del caller
    campaign = campaigns.get(get_store(request), slug)
    if campaign is None:
        raise HTTPException(404, "There is no such campaign.")
    return campaign


ApiCampaign = Annotated[Campaign, Depends(find_campaign)]


def _part(
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> PageRange:
    return PageRange(offset, limit)


ApiPage = Annotated[PageRange, Depends(_part)]


@contextmanager
def api_errors() -> Iterator[None]:
    """Turn our errors into responses: 409 if something is not allowed now, 422 if a value is wrong."""
    try:
        yield
    except RefusedError as error:
        raise HTTPException(409, str(error)) from None
    except ParagaugeError as error:
        raise HTTPException(422, str(error)) from None
