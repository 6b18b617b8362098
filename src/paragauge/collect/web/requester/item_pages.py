"""Items of a campaign: their coverage, more of them, fewer of them, one more answer; and open tasks."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import item_listings, items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.items import Item
from paragauge.collect.people import workers
from paragauge.collect.people.accounts import Account
from paragauge.collect.tasks import assignments
from paragauge.collect.web.http.forms import Posted
from paragauge.collect.web.http.identity import the_store
from paragauge.collect.web.http.uploads import HINTS, item_table
from paragauge.collect.web.requester.desk import Chosen, Pages, Requester, done, shown
from paragauge.errors import ParagaugeError

router = APIRouter()
SHOWS = (
    ("active", "active items"),
    ("uncovered", "items that still want answers"),
    ("retired", "retired items"),
    ("controls", "controls"),
)


@router.get("/desk/c/{slug}/items")
def item_list(request: Request, me: Requester, campaign: Chosen) -> Response:
    """The items with their coverage."""
    return _items(request, me, campaign)


@router.post("/desk/c/{slug}/items")
def add_items(request: Request, me: Requester, campaign: Chosen, form: Posted) -> Response:
    """More items, all of them or none."""
    lines = form.raw("lines")
    try:
        text = form.files.get("file", b"") or lines.encode("utf-8", "replace")
        added = items.add(
            the_store(request), campaign, item_table(text, campaign.settings.kind), me.name
        )
    except ParagaugeError as error:
        return _items(request, me, campaign, str(error), lines)
    return done(f"/desk/c/{campaign.slug}/items", "added", len(added))


@router.post("/desk/c/{slug}/items/retire")
def retire(request: Request, me: Requester, campaign: Chosen, form: Posted) -> Response:
    """Give an item to nobody any more."""
    items.retire(the_store(request), _item(request, campaign, form.text("item")), me.name)
    return done(f"/desk/c/{campaign.slug}/items", "retired")


@router.post("/desk/c/{slug}/items/reopen")
def reopen(request: Request, me: Requester, campaign: Chosen, form: Posted) -> Response:
    """Ask for one more answer in every tier."""
    store, item = the_store(request), _item(request, campaign, form.text("item"))
    try:
        for tier, place in item_listings.places(store, [item.id]).get(item.id, {}).items():
            items.want(store, item, tier, place.wanted + 1, me.name)
    except ParagaugeError as error:
        return _items(request, me, campaign, str(error))
    return done(f"/desk/c/{campaign.slug}/items", "reopened")


@router.get("/desk/c/{slug}/tasks")
def open_tasks(request: Request, me: Requester, campaign: Chosen) -> Response:
    """What workers have open."""
    page = Pages.asked(request)
    rows, total = item_listings.open_tasks(the_store(request), campaign, page.part)
    return shown(
        request, me, "assignments.html", campaign=campaign, tab="tasks", rows=rows, page=page.of(total)
    )


@router.post("/desk/c/{slug}/tasks/release")
def release(request: Request, me: Requester, campaign: Chosen, form: Posted) -> Response:
    """Take an open task back for somebody else."""
    store = the_store(request)
    worker = workers.get(store, form.text("worker"))
    task = worker and assignments.get(store, form.text("assignment"), worker)
    if not task or task.campaign_id != campaign.id:
        raise HTTPException(404)
    if not assignments.reassign(store, task, me.name, "released at the desk"):
        raise HTTPException(409, "This task is not open any more: it was sent, skipped or has expired.")
    return done(f"/desk/c/{campaign.slug}/tasks", "released")


@dataclass(frozen=True)
class Row:
    """An item in the list."""

    item: Item
    tiers: dict[int, item_listings.Place] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """What the item shows, in a line."""
        content = self.item.content
        text = (
            content.get("text") or content.get("source") or content.get("url") or content.get("title")
        )
        if "start" in content:
            text = f"{text} ({content['start']:g} to {content['end']:g} s)"
        if "candidates" in content:
            text = f"{text} ({len(content['candidates'])} candidates)"
        return str(text or "")[:300]


def _items(
    request: Request, me: Account, campaign: Campaign, problem: str = "", lines: str = ""
) -> Response:
    store, page = the_store(request), Pages.asked(request)
    asked = request.query_params.get("show", "active")
    show = asked if asked in dict(SHOWS) else "active"
    rows, total = item_listings.items_page(store, campaign, page.part, show)
    places = item_listings.places(store, [item.id for item in rows])
    return shown(
        request,
        me,
        "items.html",
        400 if problem else 200,
        campaign=campaign,
        tab="items",
        problem=problem,
        rows=[Row(item, places.get(item.id, {})) for item in rows],
        page=page.of(total),
        tiers=sorted(campaign.settings.tiers),
        shows=SHOWS,
        show=show,
        item_hint=HINTS[campaign.settings.kind],
        lines=lines,
    )


def _item(request: Request, campaign: Campaign, public_id: str) -> Item:
    found = items.get(the_store(request), public_id)
    if found is None or found.campaign_id != campaign.id:
        raise HTTPException(404)
    return found
