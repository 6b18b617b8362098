"""What a worker is asked to agree to before the first task of a campaign."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.collect.campaigns import consent
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.store.store import Store
from paragauge.collect.web.http.forms import Form
from paragauge.collect.web.worker.task_guides import split_blocks
from paragauge.errors import AnswerError

UNTICKED = "Please tick the box if you agree. Without it you cannot take part."


@dataclass(frozen=True)
class ConsentView:
    """The text in paragraphs and lists, its version, and the sites that clips are loaded from."""

    blocks: tuple[str | tuple[str, ...], ...]
    version: str
    sites: list[str]


def view_consent(store: Store, campaign: Campaign) -> ConsentView:
    """The text of a campaign as a page shows it."""
    text = consent.consent_text(campaign.settings)
    sites = consent.find_media_sites(store, campaign)
    return ConsentView(split_blocks(text), consent.text_version(text), sites)


def find_missing_consent(store: Store, campaign: Campaign, worker: Worker | None) -> ConsentView | None:
    """What the worker must still agree to; None if they have agreed."""
    if worker is not None and consent.has_agreed(store, campaign, worker):
        return None
    return view_consent(store, campaign)


def read_version(form: Form, campaign: Campaign) -> str:
    """The version that a form agrees to, if it is the one that the campaign has now."""
    if form.text("consent") != "yes":
        raise AnswerError("consent", UNTICKED)
    version = form.text("version")
    if version != consent.text_version(consent.consent_text(campaign.settings)):
        raise AnswerError("consent", consent.CHANGED)
    return version
