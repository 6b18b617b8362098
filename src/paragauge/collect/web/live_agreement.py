"""How far judges agree so far, for the dashboard."""

from __future__ import annotations

from paragauge.collect.campaigns import Campaign
from paragauge.collect.store import Store


def table(store: Store, campaign: Campaign) -> None:
    """Agreement by criterion; None for campaigns that do not judge."""
    del store, campaign
