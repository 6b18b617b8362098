"""The frame of all requester pages: login, layout, notices, and paging of long lists."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics.statistics_view import format_percent
from paragauge.collect.store.paging import PageRange
from paragauge.collect.web.http.identity import SignInNeededError, current_requester, get_store
from paragauge.collect.web.http.page_templates import render_page
from paragauge.collect.web.http.roles import check_role
from paragauge.collect.web.requester.charts import draw_figure

SIZE = 50
TABS = (
    ("", "Overview"),
    ("review", "Review desk"),
    ("answers", "Answers"),
    ("suggestions", "Suggestions"),
    ("items", "Items"),
    ("tasks", "Open tasks"),
    ("invitations", "Invitations"),
    ("payments", "Payments"),
    ("export", "Export"),
    ("settings", "Settings"),
)
# What a page says after a form; the URL carries the name and at most one number.
NOTICES = {
    "created": "The campaign was created. Add items next, then invite people.",
    "drafted": "The campaign was created, paused: nobody gets tasks until you resume it.",
    "copied": "The campaign was created, with the items of the other one: {n}.",
    "saved": "Saved.",
    "checked": "The file is valid: it would create this campaign. Nothing was created yet.",
    "paused": "Paused: nobody gets a new task until you resume. Open tasks may be finished.",
    "resumed": "Resumed: workers get tasks again.",
    "closed": "Closed for good.",
    "budget": "The budget was changed.",
    "added": "{n} added.",
    "retired": "Retired: nobody gets this item any more. Its page has the way back.",
    "back": "Workers get this item again.",
    "undone": "{n} undone: the decision before counts again, or none.",
    "account": "The account was created.",
    "account-closed": "Closed: nobody can log in with this account, and its tokens stopped working.",
    "role": "The role was changed.",
    "token-withdrawn": "The token no longer works.",
    "reopened": "Each tier asks for one more answer to this item.",
    "released": "Released: the place is free for somebody else.",
    "granted": "Granted: this worker may do tier 2 from now on.",
    "refused": "Kept in tier 1.",
    "blocked": "Blocked: this worker gets no more tasks.",
    "unblocked": "Unblocked.",
    "still-blocked": "Unblocked, but another block holds, here or in all campaigns: lift it too.",
    "warned": "Warned: the worker sees it on their next page.",
    "accepted": "{n} accepted.",
    "rejected": "{n} rejected.",
    "rejected-paid": "{n} rejected. What was already paid for them stays spent.",
    "approved": "Approved: the segment is an item now.",
    "turned-down": "The suggestion was refused.",
    "revoked": "The link no longer works.",
    "paid": "{n} marked as paid.",
    "bonus": "{n} given a bonus.",
    "erased": "The personal data was erased.",
}


def _require_requester(request: Request) -> Account:
    account = current_requester(request)
    if account is None:
        path = request.url.path if request.method == "GET" else "/desk"
        raise SignInNeededError(f"/desk/login?next={quote(path)}")
    check_role(request, account)
    return account


def _campaign(request: Request, slug: str) -> Campaign:
    # Not every database accepts every character.
    campaign = (
        campaigns.get(get_store(request), slug) if slug.isascii() and slug.isprintable() else None
    )
    if campaign is None:
        raise HTTPException(404)
    return campaign


Requester = Annotated[Account, Depends(_require_requester)]
DeskCampaign = Annotated[Campaign, Depends(_campaign)]


@dataclass(frozen=True)
class ListPage:
    """One page of a long list, and the URLs of the others."""

    number: int
    total: int
    path: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    size: int = SIZE

    @classmethod
    def from_request(cls, request: Request, size: int = SIZE) -> ListPage:
        """The page that a request asks for."""
        return cls.from_query(request.url.path, dict(request.query_params), size)

    @classmethod
    def from_query(cls, path: str, query: Mapping[str, str], size: int = SIZE) -> ListPage:
        """The page that a URL with this path and query asks for.

        >>> ListPage.from_query("/desk/log", {"page": "2", "actor": "ada"}).link(3)
        '/desk/log?actor=ada&page=3'
        """
        text = query.get("page", "1")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
        own = {name: value for name, value in query.items() if name not in _OWN}
        return cls(max(1, number), 0, path, own, size)

    @property
    def part(self) -> PageRange:
        """Its rows.

        >>> ListPage(3, 0).part
        PageRange(offset=100, limit=50)
        """
        return PageRange((self.number - 1) * self.size, self.size)

    @property
    def last(self) -> int:
        """The number of pages.

        >>> ListPage(1, 101).last, ListPage(1, 0).last
        (3, 1)
        """
        return max(1, -(-self.total // self.size))

    def with_total(self, total: int) -> ListPage:
        """The same page of a list with so many rows."""
        return ListPage(self.number, total, self.path, self.query, self.size)

    def link(self, number: int) -> str:
        """The URL of another page.

        >>> ListPage(1, 99, "/desk/log", {"actor": "a b"}).link(2)
        '/desk/log?actor=a+b&page=2'
        """
        return f"{self.path}?{urlencode({**self.query, 'page': number})}"


_OWN = ("page", "done", "n", "mark")


def render_desk(
    request: Request,
    me: Account | None,
    template: str,
    status: int = 200,
    /,
    *,
    campaign: Campaign | None = None,
    tab: str = "",
    problem: str = "",
    **values: Any,
) -> HTMLResponse:
    """A page of the requester, with its frame."""
    if campaign is not None:
        kind = campaign.settings.kind
        values |= {
            "campaign": campaign,
            "base": f"/desk/c/{campaign.slug}",
            "tab": tab,
            "tabs": [entry for entry in TABS if entry[0] != "suggestions" or kind == "suggest"],
        }
    values |= {
        "me": me,
        "problem": problem,
        "percent": format_percent,
        "draw_figure": draw_figure,
        "plain_json": plain_json,
    }
    values.setdefault("notice", _notice(request))
    values["undo_link"] = _undo_link(request, campaign) if campaign is not None else ""
    return render_page(request, f"requester/{template}", status, **values)


def redirect_with_notice(path: str, what: str, number: int | None = None) -> RedirectResponse:
    """Redirect after a form to the page `path`, which then shows `what` (a name in `NOTICES`)."""
    sign = "&" if "?" in path else "?"
    more = "" if number is None else f"&n={number}"
    return RedirectResponse(f"{path}{sign}done={what}{more}", 303)


def _notice(request: Request) -> str:
    if request.method != "GET":
        return ""
    text = NOTICES.get(request.query_params.get("done", ""), "")
    number = request.query_params.get("n", "")
    known = number.isascii() and number.isdigit() and len(number) < 8
    return text.format(n=number if known else "Some") if text else ""


def _undo_link(request: Request, campaign: Campaign) -> str:
    """The list of what was just decided, ticked; empty if nothing was."""
    query = request.query_params
    number = query.get("n", "")
    decided = query.get("done") in ("accepted", "rejected", "rejected-paid")
    if request.method != "GET" or not decided or not re.fullmatch("[1-9][0-9]{0,3}", number):
        return ""
    return f"/desk/c/{campaign.slug}/answers?by=me&mark={number}"


def safe_path(path: str, fallback: str) -> str:
    """A path of our own from a form or URL; anything else gives `fallback`.

    >>> safe_path("/desk/c/birds?page=2", "/desk"), safe_path("//evil.example", "/desk")
    ('/desk/c/birds?page=2', '/desk')
    """
    good = path.startswith("/desk") and "\\" not in path and path.isascii() and path.isprintable()
    return path if good and len(path) < 500 else fallback


def plain_json(value: Any) -> str:
    """A record on one line, as the log shows it.

    >>> plain_json({"old": "é"})
    '{"old": "é"}'
    """
    return json.dumps(value, ensure_ascii=False)
