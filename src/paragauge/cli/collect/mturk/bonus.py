"""`paragauge collect mturk bonus`: pay bonuses."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import actor
from paragauge.cli.collect.mturk.mturk_options import MturkCampaign, with_campaign
from paragauge.cli.command import Command
from paragauge.text.wording import pluralize


@click.command(cls=Command, examples=("paragauge collect mturk bonus birds.db",))
@with_campaign
def bonus(source: MturkCampaign) -> None:
    """Pay the bonuses granted at the desk to workers of Mechanical Turk."""
    from paragauge.collect.mturk.bonuses import send_bonuses

    with source.open() as (store, campaign, connection):
        sent, cents = send_bonuses(store, connection, campaign, actor())
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {pluralize(sent, 'bonus', 'bonuses')}, "
        f"${cents / 100:,.2f}\n"
    )
