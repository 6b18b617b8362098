"""Campaigns from a form: new, cloned or edited; or from a campaign file.

A new campaign begins with the kind of its task, so that its form has only the settings of that kind.
An edit is refused if somebody else changed the settings since the form was opened, and what stored
answers refer to (scales, survey questions) is fixed once there are answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import campaigns, items
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.start_campaigns import check_files, start_campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.statistics import paged_lists
from paragauge.collect.store.idempotency import claim, is_claimed
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.store import Store, Transaction
from paragauge.collect.web.http.forms import PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.http.uploads import read_campaign_upload
from paragauge.collect.web.requester.campaign_form import (
    KINDS,
    NAMES,
    count_rows,
    is_fixed,
    new_values,
    read_settings,
    settings_as_fields,
    settings_version,
)
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    Requester,
    redirect_with_notice,
    render_desk,
)
from paragauge.collect.web.worker.task_guides import GUIDES
from paragauge.errors import ParagaugeError, RefusedError, unknown_name
from paragauge.text.wording import pluralize

router = APIRouter()
CHANGED = (
    "Somebody changed the settings since you opened this page. Nothing was saved: open the page again, "
    "and copy your changes from here."
)
# Words of messages, and the fields they are about.
PLACES = {"title": "title", "fee_percent": "fee", "short": "slug", "budget": "budget"}


@router.get("/desk/new")
def new_campaign(request: Request, me: Requester) -> Response:
    """The kinds of task to choose from, or the form of one kind, or of a copy."""
    original = request.query_params.get("from", "")
    if original:
        campaign = _find_original(get_store(request), original)
        values = settings_as_fields(campaign.settings)
        values["title"] += " (copy)"
        return _show_new(request, me, values, kind=campaign.settings.kind, original=campaign)
    kind = request.query_params.get("kind", "")
    if kind in {name for name, _, _ in KINDS}:
        return _show_new(request, me, new_values(kind), kind=kind)
    return _show_kinds(request, me)


@router.post("/desk/new")
def create_campaign(request: Request, me: Requester, form: PostedForm) -> Response:
    """A campaign from the fields of the form."""
    store, kind, original = get_store(request), form.text("kind"), None
    if form.text("from"):
        original = _find_original(store, form.text("from"))
        kind = original.settings.kind
    known = [name for name, _, _ in KINDS]
    if kind not in known:
        return _show_kinds(request, me, str(unknown_name("kind of task", kind[:40], known)))
    values = form.typed_values()
    if form.text("do") == "more":
        return _show_new(request, me, values, kind=kind, original=original, more=True)
    try:
        base = None if original is None else original.settings
        settings = read_settings(form, base)
        slug = form.text("slug") or make_slug(settings.title)
        draft, copied = form.text("do") == "draft", 0
        with store.write(me.name) as transaction:
            # Sent twice, the form leads to the campaign that it made.
            if claim(transaction, "campaign", form.key):
                campaign = campaigns.create_in(transaction, settings, slug, paused=draft)
                if original is not None and form.text("items") == "yes":
                    copied = _copy_items(transaction, store, original, campaign)
    except ParagaugeError as error:
        return _show_new(request, me, values, str(error), kind=kind, original=original)
    notice = "created" if not draft else "drafted"
    if copied:
        return redirect_with_notice(f"/desk/c/{slug}", "copied", copied)
    return redirect_with_notice(f"/desk/c/{slug}", notice)


@router.post("/desk/new/file")
def upload_campaign(request: Request, me: Requester, form: PostedForm) -> Response:
    """A campaign from a file, or only a check of the file."""
    store = get_store(request)
    try:
        file = read_campaign_upload(form.files.get("file", b""))
        check_files([file])
        if form.text("do") == "check":
            many = pluralize(len(file.items), "item")
            message = f"{file.settings.title}: the file is valid, with {many}. Nothing was created yet."
            return _show_kinds(request, me, notice=message)
        start_campaign(store, file, me.name, key=form.key)
    except ParagaugeError as error:
        return _show_kinds(request, me, str(error))
    return redirect_with_notice(f"/desk/c/{file.slug}", "created")


@router.get("/desk/c/{slug}/settings")
def settings_page(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The settings of a campaign."""
    return _show_settings(request, me, campaign, settings_as_fields(campaign.settings))


@router.post("/desk/c/{slug}/settings")
def change_settings(
    request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm
) -> Response:
    """Save changed settings, and on request the number of answers of all items."""
    store, values = get_store(request), form.typed_values()
    if form.text("do") == "more":
        return _show_settings(request, me, campaign, values, more=True)
    here, purpose = f"/desk/c/{campaign.slug}/settings", f"settings {campaign.public_id}"
    if is_claimed(store, purpose, form.key):
        return redirect_with_notice(here, "saved")  # The same form, sent twice.
    if form.text("version") != settings_version(campaign.settings):
        return _show_settings(request, me, campaign, values, CHANGED)
    try:
        settings = read_settings(form, campaign.settings, fixed=_has_answers(store, campaign))
        with store.write(me.name) as transaction:
            if not claim(transaction, purpose, form.key):
                return redirect_with_notice(here, "saved")
            # Stricter checks for new campaigns hold for changed ones too.
            settings.check_new()
            campaigns.change_settings_in(transaction, campaign, settings)
            old, new = (
                {tier: each.per_item for tier, each in one.tiers.items()}
                for one in (campaign.settings, settings)
            )
            if old != new and form.text("all_items") == "yes":
                items.change_all_quotas(transaction, campaign, new)
    except RefusedError as error:
        message = CHANGED if error.reason == "changed" else str(error)
        return _show_settings(request, me, campaign, values, message)
    except ParagaugeError as error:
        return _show_settings(request, me, campaign, values, str(error))
    return redirect_with_notice(here, "saved")


def make_slug(title: str) -> str:
    """A name for URLs from a title.

    >>> make_slug("Vögel im Garten, Teil 2!"), make_slug("鳥")
    ('vogel-im-garten-teil-2', 'campaign')
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))[:60].strip("-") or "campaign"


def _find_original(store: Store, slug: str) -> Campaign:
    campaign = campaigns.get(store, slug) if slug.isascii() and slug.isprintable() else None
    if campaign is None:
        raise HTTPException(404)
    return campaign


def _copy_items(transaction: Transaction, store: Store, original: Campaign, campaign: Campaign) -> int:
    """Copy the active items, controls too; returns how many."""
    rows = [
        {
            "key": item.key,
            "kind": item.kind,
            "content": item.content,
            "control": item.control,
            "expected": item.expected,
        }
        for item in items.all_items(store, original)
        if item.state == "active"
    ]
    return len(items.add_in(transaction, campaign, rows)) if rows else 0


def _has_answers(store: Store, campaign: Campaign) -> bool:
    return paged_lists.list_answers(store, campaign, PageRange(0, 1))[1] > 0


def _show_kinds(request: Request, me: Account, problem: str = "", notice: str = "") -> Response:
    listed = campaigns.all_campaigns(get_store(request))[::-1]
    return render_desk(
        request,
        me,
        "new_campaign.html",
        400 if problem else 200,
        problem=problem,
        notice=notice,
        kinds=KINDS,
        others=listed,
    )


def _show_new(
    request: Request,
    me: Account,
    values: Mapping[str, str],
    problem: str = "",
    *,
    kind: str,
    original: Campaign | None = None,
    more: bool = False,
) -> Response:
    return render_desk(
        request,
        me,
        "campaign_form.html",
        400 if problem else 200,
        problem=problem,
        place=_find_place(problem),
        values=values,
        rows=count_rows(values, more),
        kind=kind,
        kind_title={name: title for name, title, _ in KINDS}[kind],
        campaign_to_edit=None,
        original=original,
        version="",
        fixed=False,
        guide=GUIDES[GUIDE_OF[kind]],
    )


def _show_settings(
    request: Request,
    me: Account,
    campaign: Campaign,
    values: Mapping[str, str],
    problem: str = "",
    *,
    more: bool = False,
) -> Response:
    store = get_store(request)
    kind, fixed = campaign.settings.kind, _has_answers(store, campaign)
    if fixed:  # Disabled fields are not sent.
        stored = settings_as_fields(campaign.settings)
        values = {**values, **{name: text for name, text in stored.items() if is_fixed(name)}}
    return render_desk(
        request,
        me,
        "campaign_settings.html",
        400 if problem else 200,
        campaign=campaign,
        tab="settings",
        problem=problem,
        place=_find_place(problem),
        values=values,
        rows=count_rows(values, more),
        kind=kind,
        kind_title={name: title for name, title, _ in KINDS}[kind],
        campaign_to_edit=campaign,
        original=None,
        # What was typed is compared with what the form was opened with.
        version=values.get("version") or settings_version(campaign.settings),
        fixed=fixed,
        guide=GUIDES[GUIDE_OF[kind]],
    )


GUIDE_OF = {
    "describe": "video",
    "suggest": "suggestion",
    "paraphrase": "sentence",
    "judge": "judgment",
    "survey": "survey",
}


def _find_place(problem: str) -> str:
    """The field that a message is about, by its first words; empty if it is about several."""
    for name, label in NAMES.items():
        if problem.startswith((f"{name}:", label)):
            return name
    for word, field in PLACES.items():
        if problem.startswith(f"{word}:") or f"needs a {word}" in problem:
            return field
    return "slug" if "choose another name" in problem or "lowercase letters" in problem else ""
