"""A new campaign, from a form with the usual settings or from a campaign file with all of them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import campaigns
from paragauge.collect.campaigns.amounts import parse_cents
from paragauge.collect.campaigns.campaign_settings import CampaignSettings
from paragauge.collect.campaigns.start_campaigns import check_files, start_campaign
from paragauge.collect.people.accounts import Account
from paragauge.collect.web.http.forms import Form, PostedForm
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.http.uploads import read_campaign_upload
from paragauge.collect.web.requester.desk_frame import Requester, redirect_with_notice, render_desk
from paragauge.errors import ParagaugeError, SettingError
from paragauge.text.wording import pluralize

router = APIRouter()
KINDS = (
    ("describe", "Watch and describe: videos or pictures"),
    ("suggest", "Suggest a video: a link with start and end"),
    ("paraphrase", "Say a sentence in other words"),
    ("judge", "Judge candidates against a source"),
    ("survey", "Answer a survey"),
)
# The tasks of Chen and Dolan (2011): 1 and 5 cents.
USUAL = {"kind": "describe", "pay1": "1", "wanted1": "5", "pay2": "5", "wanted2": "5", "budget": "100"}
USUAL |= {"fee": "0"}
# Judging on the scales of Liu, Dahlmeier and Ng (2010); others by a campaign file.
SCALES = [
    {"name": "adequacy", "question": "Does the candidate mean the same as the source?"},
    {"name": "fluency", "question": "Is the candidate fluent?"},
    {"name": "dissimilarity", "question": "How much does its wording differ from the source?"},
    {"name": "overall", "question": "How good a paraphrase is it, all in all?"},
]
SURVEY = [{"name": "comments", "question": "What should we know about these tasks?", "required": True}]


@router.get("/desk/new")
def new_campaign(request: Request, me: Requester) -> Response:
    """The form."""
    return _show_form(request, me, USUAL)


@router.post("/desk/new")
def create_campaign(request: Request, me: Requester, form: PostedForm) -> Response:
    """A campaign from the fields of the form."""
    try:
        campaign = campaigns.create(get_store(request), read_settings(form), form.text("slug"), me.name)
    except ParagaugeError as error:
        return _show_form(request, me, form.typed_values(), str(error))
    return redirect_with_notice(f"/desk/c/{campaign.slug}", "created")


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
            return _show_form(request, me, USUAL, notice=message)
        campaign = start_campaign(store, file, me.name)
    except ParagaugeError as error:
        return _show_form(request, me, USUAL, str(error))
    return redirect_with_notice(f"/desk/c/{campaign.slug}", "created")


def read_settings(form: Form) -> CampaignSettings:
    """The settings that the form has.

    >>> fields = {"kind": ["describe"], "title": ["Birds"], "pay1": ["1"], "wanted1": ["5"]}
    >>> fields |= {"pay2": ["5"], "wanted2": ["0"], "budget": ["10"], "fee": ["0"]}
    >>> read_settings(Form(fields)).tiers
    {1: TierSettings(pay_cents=1, per_item=5)}
    """
    budget = parse_cents(form.text("budget"))
    if budget is None:
        raise SettingError("the budget is not an amount such as 250 or 250.50")
    tiers = {}
    for tier in ("1", "2"):
        settings_of_tier = {
            "pay_cents": _read_whole(form, f"pay{tier}"),
            "per_item": _read_whole(form, f"wanted{tier}"),
        }
        if tier == "1" or settings_of_tier["per_item"]:
            tiers[tier] = settings_of_tier
    settings: dict[str, Any] = {
        "kind": form.text("kind"),
        "title": form.text("title"),
        "instructions": form.text("instructions"),
        "tiers": tiers,
        "budget_cents": budget,
        "fee_percent": _read_whole(form, "fee"),
        "open_registration": form.text("open_registration") == "yes",
    }
    if settings["kind"] == "judge":
        settings["criteria"] = SCALES
    if settings["kind"] == "survey":
        settings["survey"] = SURVEY
    return CampaignSettings.from_json(settings)


def _read_whole(form: Form, name: str) -> int:
    value = form.whole(name)
    if value is None:
        names = {"pay": "pay in cents", "wan": "answers per item", "fee": "the fee in percent"}
        raise SettingError(f"{names[name[:3]]} is not a whole number: {form.text(name)[:20]!r}")
    return value


def _show_form(
    request: Request, me: Account, values: dict[str, str], problem: str = "", notice: str = ""
) -> Response:
    status = 400 if problem else 200
    return render_desk(
        request,
        me,
        "new_campaign.html",
        status,
        problem=problem,
        notice=notice,
        values=values,
        kinds=KINDS,
    )
