"""Tier 2 for everybody who writes in another language than the campaign's main one, where it is set.

Chen and Dolan (2011), footnote 3: "Everyone who submitted descriptions in a foreign language was
granted access to the Tier-2 tasks", to encourage other languages, and since nobody could verify them.
The grant comes with the first such answer, in the name of `languages`. An answer that looks like the
main language under another name (`language_guess`) grants nothing, and neither does any answer after
somebody has decided about the worker's tier.
"""

from __future__ import annotations

from paragauge.collect.campaigns import memberships
from paragauge.collect.campaigns.campaign_settings import WRITTEN, CampaignSettings
from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Worker
from paragauge.collect.quality.language_guess import guess_language
from paragauge.collect.store.store import Store
from paragauge.collect.tasks.answers import Answer
from paragauge.lexicon.language_names import name_language, normalize_language

ACTOR = "languages"


def earns_tier_2(settings: CampaignSettings, answer: Answer) -> bool:
    """Whether an answer is in another language than the main one.

    >>> settings = CampaignSettings(kind="describe", title="Birds", main_language="English")
    >>> earns_tier_2(settings, Answer("Ein Vogel singt.", "Deutsch"))
    True
    >>> earns_tier_2(settings, Answer("The bird is in a tree.", "Deutsch"))
    False
    """
    main = normalize_language(settings.main_language)
    if not main or settings.kind not in WRITTEN or not answer.language:
        return False
    return normalize_language(answer.language) != main and guess_language(answer.text) != main


def grant_for_language(store: Store, campaign: Campaign, worker: Worker, answer: Answer) -> bool:
    """Grant tier 2 to a worker for a stored answer in another language; whether it was granted now."""
    if 2 not in campaign.settings.tiers or not earns_tier_2(campaign.settings, answer):
        return False
    if memberships.get_standing(store, campaign, worker).tier >= 2:
        return False
    reason = f"writes in {name_language(answer.language)}"
    memberships.grant(store, campaign, worker, ACTOR, reason, unless_decided=True)
    return memberships.get_standing(store, campaign, worker).tier >= 2
