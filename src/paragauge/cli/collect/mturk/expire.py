"""`paragauge collect mturk expire`: close HITs."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import actor
from paragauge.cli.collect.mturk.mturk_options import MturkCampaign, with_campaign
from paragauge.cli.command import Command
from paragauge.text.wording import pluralize


@click.command(cls=Command, examples=("paragauge collect mturk expire birds.db",))
@with_campaign
def expire(source: MturkCampaign) -> None:
    """Close the campaign's HITs: nobody else can accept one, but accepted ones can be finished."""
    from paragauge.collect.mturk.hits import expire_hits

    with source.open() as (store, campaign, connection):
        expired = expire_hits(store, connection, campaign, actor())
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {pluralize(expired, 'HIT')} expired\n"
    )
