"""`paragauge collect mturk create`: create HITs."""

from __future__ import annotations

import sys

import click

from paragauge.cli.collect.collect_options import COLLECTION, actor
from paragauge.cli.collect.mturk.mturk_options import MturkCampaign, with_campaign
from paragauge.cli.command import Command, option
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.text.wording import pluralize


@click.command(
    cls=Command,
    examples=(
        "paragauge collect mturk create birds.db --address https://birds.example.org --tier 1",
        "paragauge collect mturk create birds.db --address https://birds.example.org --tier 2",
    ),
)
@with_campaign
@option(
    "--address",
    required=True,
    metavar="URL",
    heading=COLLECTION,
    help="The public https address of `collect serve --mturk`.",
)
@count_option(
    "--tier",
    least=1,
    most=2,
    default=1,
    heading=COLLECTION,
    help="The tier of the tasks, which sets the reward.",
)
@count_option(
    "--tasks",
    least=1,
    most=1_000_000,
    heading=COLLECTION,
    help="Number of tasks. Default: all that the campaign still needs.",
)
@option(
    "--days",
    type=click.FloatRange(0.01, 365),
    default=7.0,
    metavar="N",
    heading=COLLECTION,
    help="Days in which workers can accept the HITs.",
)
def create(source: MturkCampaign, address: str, tier: int, tasks: int | None, days: float) -> None:
    """Create HITs for the tasks that a campaign needs, and any that an earlier run failed to create."""
    from paragauge.collect.mturk.hits import create_hits

    with source.open() as (store, campaign, connection), Steps(None) as steps:
        hits = create_hits(
            store,
            connection,
            campaign,
            address.rstrip("/"),
            tier,
            actor(),
            tasks=tasks,
            days=days,
            progress=steps,
        )
    places = sum(hit.places for hit in hits)
    cost = sum(hit.places * hit.reward_cents for hit in hits)
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {pluralize(len(hits), 'HIT')}, "
        f"{pluralize(places, 'task')}, ${cost / 100:,.2f} plus fees\n"
    )
