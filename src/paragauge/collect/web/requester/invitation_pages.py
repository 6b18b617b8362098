"""Invitations to a campaign: links with a limit and an expiry, and their withdrawal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from paragauge.collect.campaigns import invitations
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.campaigns.invitations import MOST_USES, Invitation
from paragauge.collect.people.accounts import Account
from paragauge.collect.web.http.forms import Form, PostedForm, clean
from paragauge.collect.web.http.identity import get_store
from paragauge.collect.web.http.site_address import site_address
from paragauge.collect.web.requester.desk_frame import (
    DeskCampaign,
    Requester,
    redirect_with_notice,
    render_desk,
)
from paragauge.errors import ParagaugeError, SettingError

router = APIRouter()
MOST_DAYS = 3650
MOST_PEOPLE = 500
MOST_NOTE = 200


@dataclass(frozen=True)
class InvitationRow:
    """An invitation in the list."""

    invitation: Invitation
    state: str


@router.get("/desk/c/{slug}/invitations")
def invitation_list(request: Request, me: Requester, campaign: DeskCampaign) -> Response:
    """The invitations there are."""
    return _show_list(request, me, campaign)


@router.post("/desk/c/{slug}/invitations")
def invite(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Create a link, which is shown on this page only."""
    try:
        _, token = invitations.create(
            get_store(request),
            campaign,
            me.name,
            most_uses=_limit(form, "limit", MOST_USES) or MOST_USES,
            days=_limit(form, "days", MOST_DAYS),
            tier=2 if form.text("tier") == "2" else 1,
            note=form.text("note")[:200],
            key=form.key,
        )
    except ParagaugeError as error:
        return _show_list(request, me, campaign, problem=str(error))
    return _show_list(request, me, campaign, link=f"{site_address(request)}/join/{token}")


@router.post("/desk/c/{slug}/invitations/many")
def invite_many(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """One link for each person in a list, for one use each; shown on this page only."""
    people = [line for line in map(clean, form.raw("people").split("\n")) if line]
    try:
        if not 1 <= len(people) <= MOST_PEOPLE:
            raise SettingError(f"expected 1 to {MOST_PEOPLE} people, one a line, found {len(people)}")
        long = next((line for line in people if len(line) > MOST_NOTE), "")
        if long:
            raise SettingError(
                f"expected at most {MOST_NOTE} characters a line, found {len(long)}: {long[:40]}"
            )
        days = _limit(form, "days", MOST_DAYS)
    except ParagaugeError as error:
        return _show_list(request, me, campaign, problem=str(error), people=form.raw("people"))
    links = []
    for number, person in enumerate(people):
        # Each link has a key of its own that follows from the form's, so that a reload repeats it.
        key = f"{form.key} {number}" if form.key else ""
        _, token = invitations.create(
            get_store(request),
            campaign,
            me.name,
            most_uses=1,
            days=days,
            tier=2 if form.text("tier") == "2" else 1,
            note=person,
            key=key,
        )
        links.append((person, f"{site_address(request)}/join/{token}"))
    return _show_list(request, me, campaign, links=links)


@router.post("/desk/c/{slug}/invitations/revoke")
def revoke(request: Request, me: Requester, campaign: DeskCampaign, form: PostedForm) -> Response:
    """Withdraw a link."""
    public_id = form.text("invitation")
    for invitation in _list_invitations(request, campaign):
        if invitation.public_id == public_id:
            invitations.withdraw(get_store(request), invitation, me.name)
            return redirect_with_notice(f"/desk/c/{campaign.slug}/invitations", "revoked")
    raise HTTPException(404)


def _list_invitations(request: Request, campaign: Campaign) -> list[Invitation]:
    every = invitations.all_invitations(get_store(request))
    return [entry for entry in every if entry.campaign_id == campaign.id]


def _limit(form: Form, name: str, most: int) -> int | None:
    text = form.text(name)
    if not text:
        return None
    value = form.whole(name)
    if value is None or not 1 <= value <= most:
        raise SettingError(f"expected a whole number from 1 to {most:,}, found {text[:20]!r}")
    return value


def _show_list(
    request: Request,
    me: Account,
    campaign: Campaign,
    *,
    problem: str = "",
    link: str = "",
    links: Sequence[tuple[str, str]] = (),
    people: str = "",
) -> Response:
    now = get_store(request).clock()
    rows = [
        InvitationRow(invitation, _state(invitation, now))
        for invitation in _list_invitations(request, campaign)
    ][::-1]
    return render_desk(
        request,
        me,
        "invitations.html",
        400 if problem else 200,
        campaign=campaign,
        tab="invitations",
        problem=problem,
        link=link,
        links=links,
        people=people,
        rows=rows,
        most=MOST_USES,
    )


def _state(invitation: Invitation, now: datetime) -> str:
    if invitation.withdrawn_at is not None:
        return "revoked"
    if invitation.expires_at is not None and invitation.expires_at <= now:
        return "expired"
    return "used-up" if invitation.uses >= invitation.most_uses else "open"
