"""Campaigns: settings, items and their quotas, members, budgets and ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.collect.campaigns.campaign_file import read_campaign
    from paragauge.collect.campaigns.campaigns import Campaign, all_campaigns
    from paragauge.collect.campaigns.item_tables import read_items
    from paragauge.collect.campaigns.start_campaigns import start_all
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "Campaign",
    "all_campaigns",
    "read_campaign",
    "read_items",
    "start_all",
]
