"""`paragauge collect mturk approve`: approve or reject assignments."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import COLLECTION, actor
from paragauge.cli.collect.mturk.mturk_options import MturkCampaign, with_campaign
from paragauge.cli.command import Command, option


@click.command(
    cls=Command,
    examples=(
        "paragauge collect mturk approve birds.db",
        "paragauge collect mturk approve birds.db --pending",
    ),
)
@with_campaign
@option(
    "--pending",
    is_flag=True,
    heading=COLLECTION,
    help="Also approve answers that nobody has reviewed.",
)
def approve(source: MturkCampaign, pending: bool) -> None:
    """Approve assignments whose answers were accepted at the desk; reject those rejected there."""
    from paragauge.collect.mturk.sync import settle

    with source.open() as (store, campaign, connection):
        counts = settle(store, connection, campaign, actor(), pending=pending)
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {counts.approved:,} approved, "
        f"{counts.rejected:,} rejected, {counts.waiting:,} waiting for a review\n"
    )
