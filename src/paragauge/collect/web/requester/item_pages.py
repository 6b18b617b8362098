"""Items of a campaign: coverage, adding, retiring, one more answer; and open tasks."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import item_listings, items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.items import Item
from paragauge.collect.campaigns.media_check import check_media
from paragauge.collect.people import workers
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics import paged_lists
from paragauge.collect.tasks import assignments
from paragauge.collect.web.http.forms import PostedForm, clean
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.http.uploads import HINTS, read_item_upload
from paragauge.collect.web.requester.answers_view import answer_rows
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    ListPage,
    Requester,
    redirect_with_notice,
    render_desk,
)
from paragauge.collect.web.worker import media_player
from paragauge.errors import ParagaugeError

router = APIRouter()
SHOWS = (
    ("active", "active items"),
    ("uncovered", "items that still want answers"),
    ("retired", "retired items"),
    ("controls", "controls"),
)


@router.get("/desk/c/{slug}/items")
def item_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The items with their coverage."""
    return _show_items(request, me, campaign)


@router.post("/desk/c/{slug}/items")
def add_items(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """More items, all of them or none."""
    lines = form.raw("lines")
    try:
        text = form.files.get("file", b"") or lines.encode("utf-8", "replace")
        rows = read_item_upload(text, campaign.settings.kind)
        check_media(rows, request.app.state.media_folder)
        items.add(get_store(request), campaign, rows, me.name, key=form.key)
    except ParagaugeError as error:
        return _show_items(request, me, campaign, str(error), lines)
    return redirect_with_notice(f"/desk/c/{campaign.slug}/items", "added", len(rows))


@router.post("/desk/c/{slug}/items/retire")
def retire(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Retire an item: nobody gets it any more. The form is on the item's page, which says so first."""
    item = _find_item(request, campaign, form.text("item"))
    items.retire(get_store(request), item, me.name)
    return redirect_with_notice(f"/desk/c/{campaign.slug}/items/{item.public_id}", "retired")


@router.post("/desk/c/{slug}/items/bring-back")
def bring_back(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Hand out a retired item again."""
    item = _find_item(request, campaign, form.text("item"))
    items.bring_back(get_store(request), item, me.name)
    return redirect_with_notice(f"/desk/c/{campaign.slug}/items/{item.public_id}", "back")


@router.post("/desk/c/{slug}/items/reopen")
def reopen(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Ask for one more answer in every tier."""
    store, item = get_store(request), _find_item(request, campaign, form.text("item"))
    try:
        items.want_more(store, item, me.name, form.key)
    except ParagaugeError as error:
        return _show_items(request, me, campaign, str(error))
    return redirect_with_notice(f"/desk/c/{campaign.slug}/items", "reopened")


@router.get("/desk/c/{slug}/items/{public_id}")
def item_page(request: Request, me: Requester, campaign: DeskCampaign, public_id: str) -> Response:
    """An item as workers see it, its progress, and all answers to it."""
    store, page = get_store(request), ListPage.from_request(request)
    item = _find_item(request, campaign, public_id)
    answers, total = paged_lists.list_answers(store, campaign, page.part, items_of=[public_id])
    shown = item.kind in ("video", "image")
    media = media_player.view_media(item.kind, item.content) if shown else None
    response = render_desk(
        request,
        me,
        "item.html",
        campaign=campaign,
        tab="items",
        item=item,
        media=media,
        places=item_listings.read_tier_progress(store, [item.id]).get(item.id, {}),
        submissions=answer_rows(store, campaign, answers),
        page=page.with_total(total),
        worker=None,
        back=f"/desk/c/{campaign.slug}/items/{public_id}",
        of_item=item.key,
    )
    if media is not None:
        media_player.permit_media(response, media)
    return response


@router.get("/desk/c/{slug}/tasks")
def open_tasks(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """What workers have open."""
    page = ListPage.from_request(request)
    rows, total = item_listings.list_open_tasks(get_store(request), campaign, page.part)
    return render_desk(
        request,
        me,
        "assignments.html",
        campaign=campaign,
        tab="tasks",
        rows=rows,
        page=page.with_total(total),
    )


@router.post("/desk/c/{slug}/tasks/release")
def release(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Take an open task back for somebody else."""
    store = get_store(request)
    worker = workers.get(store, form.text("worker"))
    task = worker and assignments.get(store, form.text("assignment"), worker)
    if not task or task.campaign_id != campaign.id:
        raise HTTPException(404)
    # Sent twice, the form finds what it did before.
    if not task.released and not assignments.reassign(store, task, me.name, "released at the desk"):
        raise HTTPException(
            409, "This task is no longer open: it was submitted, skipped or has expired."
        )
    return redirect_with_notice(f"/desk/c/{campaign.slug}/tasks", "released")


@dataclass(frozen=True)
class ItemRow:
    """An item in the list."""

    item: Item
    tiers: dict[int, item_listings.TierProgress] = field(default_factory=dict)

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


def _show_items(
    request: Request, me: Account, campaign: Campaign, problem: str = "", lines: str = ""
) -> Response:
    store, page = get_store(request), ListPage.from_request(request)
    asked = request.query_params.get("show", "active")
    show = asked if asked in dict(SHOWS) else "active"
    words = clean(request.query_params.get("words", ""))[:200]
    rows, total = item_listings.list_items(store, campaign, page.part, show, words)
    places = item_listings.read_tier_progress(store, [item.id for item in rows])
    return render_desk(
        request,
        me,
        "items.html",
        400 if problem else 200,
        campaign=campaign,
        tab="items",
        problem=problem,
        rows=[ItemRow(item, places.get(item.id, {})) for item in rows],
        page=page.with_total(total),
        tiers=sorted(campaign.settings.tiers),
        shows=SHOWS,
        show=show,
        words=words,
        item_hint=HINTS[campaign.settings.kind],
        lines=lines,
    )


def _find_item(request: Request, campaign: Campaign, public_id: str) -> Item:
    item = items.get(get_store(request), public_id)
    if item is None or item.campaign_id != campaign.id:
        raise HTTPException(404)
    return item
