"""Campaigns for trying things out, one of each kind, and the starting of any campaign from its file.

The files of the demo are in `demo_campaigns/`; its clips are drawn by `tools/collect_media.py` and
served by the application itself.
"""

from __future__ import annotations

from pathlib import Path

from paragauge.collect import campaigns, items
from paragauge.collect.campaign_file import CampaignFile, read_campaign
from paragauge.collect.campaigns import Campaign
from paragauge.collect.store import Store, temporary_store

FOLDER = Path(__file__).with_name("demo_campaigns")
NAMES = ("describe", "suggest", "paraphrase", "judge", "survey")


def demo_campaigns() -> list[CampaignFile]:
    """The campaigns of the demo.

    >>> [file.settings.kind for file in demo_campaigns()]
    ['describe', 'suggest', 'paraphrase', 'judge', 'survey']
    """
    return [read_campaign(FOLDER / f"{name}.toml") for name in NAMES]


def start_campaign(store: Store, file: CampaignFile, actor: str) -> Campaign:
    """Make the campaign that a file describes, with its items, or nothing of it.

    >>> with temporary_store() as store:
    ...     campaign = start_campaign(store, demo_campaigns()[0], "ada")
    ...     len(items.all_items(store, campaign))
    5
    """
    with temporary_store() as trial:
        _start(trial, file, actor)  # an item that is wrong is found here, before anything is kept
    return _start(store, file, actor)


def _start(store: Store, file: CampaignFile, actor: str) -> Campaign:
    campaign = campaigns.create(store, file.settings, file.slug, actor)
    if file.items:
        items.add(store, campaign, file.items, actor)
    return campaign
