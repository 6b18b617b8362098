"""`paragauge collect mturk sync`: fetch submitted assignments."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import actor
from paragauge.cli.collect.mturk.mturk_options import MturkCampaign, with_campaign
from paragauge.cli.command import Command
from paragauge.text.wording import pluralize


@click.command("sync", cls=Command, examples=("paragauge collect mturk sync birds.db",))
@with_campaign
def sync_command(source: MturkCampaign) -> None:
    """Fetch the assignments that workers have submitted, and update their qualifications.

    An assignment counts if it has the receipt of an answer by the same worker; others are listed.
    """
    from paragauge.collect.mturk.qualifications import sync_qualifications
    from paragauge.collect.mturk.sync import sync

    with source.open() as (store, campaign, connection):
        assignments = sync(store, connection, campaign, actor())
        changed = sync_qualifications(store, connection, campaign, actor())
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {pluralize(assignments.new, 'new assignment')}, "
        f"{assignments.all:,} in all; {pluralize(changed, 'qualification')} changed\n"
    )
    if assignments.strays:
        sys.stdout.write(f"without a matching answer: {', '.join(assignments.strays)}\n")
