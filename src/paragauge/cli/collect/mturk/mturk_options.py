"""Options that the commands of `paragauge collect mturk` share."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.cli.collect.collect_options import (
    campaign_option,
    find_campaign,
    open_store,
    store_argument,
)
from paragauge.cli.command import gather_options, option

if TYPE_CHECKING:
    from paragauge.collect.campaigns.campaigns import Campaign
    from paragauge.collect.mturk.client import Mturk
    from paragauge.collect.store.store import Store

MECHANICAL_TURK = "Mechanical Turk"


@dataclass(frozen=True)
class MturkEndpoint:
    """Which Mechanical Turk to call: the sandbox, production, or a stand-in at an address."""

    production: bool
    endpoint: str | None

    def connect(self) -> Mturk:
        """A connection, made with the credentials that AWS's own tools use."""
        from paragauge.collect.mturk.client import connect

        return connect(production=self.production, endpoint=self.endpoint)


@dataclass(frozen=True)
class MturkCampaign:
    """A campaign of a store, and the Mechanical Turk that it recruits on."""

    location: str
    campaign_name: str | None
    mturk: MturkEndpoint

    @contextlib.contextmanager
    def open(self) -> Iterator[tuple[Store, Campaign, Mturk]]:
        """The open store, its campaign and the connection."""
        connection = self.mturk.connect()
        with open_store(self.location) as store:
            yield store, find_campaign(store, self.campaign_name), connection


with_endpoint = gather_options(
    "mturk",
    MturkEndpoint,
    option(
        "--production",
        is_flag=True,
        heading=MECHANICAL_TURK,
        help="Use real workers and real money. Without it, the sandbox.",
    ),
    option(
        "--endpoint",
        metavar="URL",
        heading=MECHANICAL_TURK,
        help="Another address of the API, such as a stand-in for trials.",
    ),
)
with_campaign = gather_options("source", MturkCampaign, store_argument, campaign_option, with_endpoint)
