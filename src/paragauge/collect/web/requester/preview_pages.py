"""A campaign as workers see it: its first page, the questions before the first task, and a task.

The task shows the first item, or an example while there is none. An answer can be tried: the page says
what a worker would be told, and stores nothing.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import item_listings
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.items import Item
from paragauge.collect.campaigns.memberships import Standing
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.store import Store
from paragauge.collect.tasks.assignments import Assignment
from paragauge.collect.tasks.tasks_left import TaskCount
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.requester.desk_frame import DeskCampaign, Requester, render_desk
from paragauge.collect.web.worker.task_kinds import Problems, read_form, render_task
from paragauge.collect.web.worker.worker_pages import render_campaign

router = APIRouter()
EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "describe": ("video", {"url": "/static/demo/ball.webm", "start": 1.5, "end": 5}),
    "paraphrase": ("sentence", {"text": "A woman is slicing some tomatoes."}),
    "suggest": ("suggestion", {}),
    "survey": ("survey", {}),
    "judge": (
        "judgment",
        {
            "source": "A woman is slicing some tomatoes.",
            "candidates": [
                {"system": "1", "text": "Somebody cuts tomatoes into thin slices."},
                {"system": "2", "text": "A lady is chopping some vegetables."},
            ],
        },
    ),
}


@router.get("/desk/c/{slug}/preview")
def preview(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """What can be previewed."""
    _, example = _find_item(get_store(request), campaign)
    return render_desk(request, me, "preview.html", campaign=campaign, tab="settings", example=example)


@router.get("/desk/c/{slug}/preview/start")
def preview_start(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The first page of the campaign, as somebody new sees it."""
    del me
    action = f"/desk/c/{campaign.slug}/preview/task"
    return render_campaign(request, campaign, None, action, preview=f"/desk/c/{campaign.slug}")


@router.get("/desk/c/{slug}/preview/task")
def preview_task(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """A task."""
    del me
    return _show_task(request, campaign)


@router.post("/desk/c/{slug}/preview/task")
def try_task(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """What a worker would be told about an answer; nothing is stored."""
    del me
    if form.raw("consent"):  # The form of the first page leads here too.
        return _show_task(request, campaign)
    assignment = _make_assignment(get_store(request), campaign)
    _, problems = read_form(form, assignment, campaign.settings)
    return _show_task(request, campaign, form, problems, tried=not problems)


def _show_task(
    request: Request,
    campaign: Campaign,
    form: Any = None,
    problems: Problems | None = None,
    *,
    tried: bool = False,
) -> Response:
    store = get_store(request)
    assignment = _make_assignment(store, campaign)
    settings = campaign.settings
    nobody = Worker(0, "preview", "preview", store.clock())
    standing = Standing(nobody, campaign, 1, "active", False, True, 0, 0)
    return render_task(
        request,
        assignment,
        campaign,
        standing,
        form=form,
        problems=problems,
        last_language=settings.languages[0] if len(settings.languages) == 1 else "",
        action=f"/desk/c/{campaign.slug}/preview/task",
        count=TaskCount(1, 0),
        preview=f"/desk/c/{campaign.slug}",
        tried=tried,
    )


def _find_item(store: Store, campaign: Campaign) -> tuple[Item, bool]:
    """The first item, or an example; whether it is one."""
    listed, _ = item_listings.list_items(store, campaign, PageRange(0, 1))
    if listed:
        return listed[0], False
    kind, content = EXAMPLES[campaign.settings.kind]
    return Item(0, "example", campaign.id, "example", kind, content, None, None, "active"), True


def _make_assignment(store: Store, campaign: Campaign) -> Assignment:
    """A task that is not in the store."""
    item, _ = _find_item(store, campaign)
    settings: CampaignSettings = campaign.settings
    now = store.clock()
    task = Assignment(
        id=0,
        public_id="preview",
        campaign_id=campaign.id,
        item=item,
        worker_id=0,
        tier=1,
        pay_cents=settings.tiers[min(settings.tiers)].pay_cents,
        fee_cents=0,
        state="open",
        position=0,
        order=tuple(range(len(item.content.get("candidates", ())))),
        seed="preview",
        given_at=now,
        expires_at=now,
    )
    return replace(task, expires_at=now + timedelta(minutes=settings.expires_minutes))
