"""`paragauge collect mturk`: workers from Mechanical Turk."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.collect.collect_options import (
    COLLECTION,
    actor,
    campaign_option,
    find_campaign,
    open_store,
    store_argument,
)
from paragauge.cli.command import Command, CommandGroup, option, together
from paragauge.cli.progress import Steps
from paragauge.text.plain import counted

if TYPE_CHECKING:
    from paragauge.collect.campaigns.campaigns import Campaign
    from paragauge.collect.mturk.client import Mturk
    from paragauge.collect.store.store import Store

WHERE = "Mechanical Turk"
where = together(
    campaign_option,
    option(
        "--production",
        is_flag=True,
        heading=WHERE,
        help="Real workers and real money. Without it, the sandbox.",
    ),
    option(
        "--endpoint",
        metavar="URL",
        heading=WHERE,
        help="Another address of the API, for a stand-in in trials.",
    ),
)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge collect mturk create birds.db --address https://birds.example.org --tier 1",
        "paragauge collect mturk sync birds.db",
        "paragauge collect mturk approve birds.db --pending",
    ),
)
@click.pass_context
def mturk(context: click.Context) -> None:
    """Recruit workers on Mechanical Turk; the sandbox unless --production is given.

    Credentials come from where AWS's own tools look: environment, shared files, roles. Every command
    can be repeated: nothing is made, approved or paid twice.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@contextlib.contextmanager
def _connected(given: dict[str, Any]) -> Iterator[tuple[Store, Campaign, Mturk]]:
    from paragauge.collect.mturk.client import connect

    connection = connect(production=given["production"], endpoint=given["endpoint"])
    with open_store(given["location"]) as store:
        yield store, find_campaign(store, given["campaign_name"]), connection


@mturk.command(
    cls=Command,
    examples=(
        "paragauge collect mturk create birds.db --address https://birds.example.org --tier 1",
        "paragauge collect mturk create birds.db --address https://birds.example.org --tier 2",
    ),
)
@store_argument
@where
@option(
    "--address",
    required=True,
    metavar="URL",
    heading=COLLECTION,
    help="Where `collect serve --mturk` is reached from outside, over https.",
)
@option(
    "--tier",
    type=click.IntRange(1, 2),
    default=1,
    metavar="N",
    heading=COLLECTION,
    help="The tier of the tasks, which sets the reward.",
)
@option(
    "--tasks",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    heading=COLLECTION,
    help="How many tasks. Default: all that the campaign still wants.",
)
@option(
    "--days",
    type=click.FloatRange(0.01, 365),
    default=7.0,
    metavar="N",
    heading=COLLECTION,
    help="How long the HITs can be accepted.",
)
def create(**given: Any) -> None:
    """Make HITs for the tasks that a campaign wants, and those that an earlier run could not make."""
    from paragauge.collect.mturk.hits import create_hits

    with _connected(given) as (store, campaign, connection), Steps(None) as steps:
        made = create_hits(
            store,
            connection,
            campaign,
            given["address"].rstrip("/"),
            given["tier"],
            actor(),
            tasks=given["tasks"],
            days=given["days"],
            progress=steps,
        )
    places = sum(hit.places for hit in made)
    cost = sum(hit.places * hit.reward_cents for hit in made)
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {counted(len(made), 'HIT')}, "
        f"{counted(places, 'task')}, ${cost / 100:,.2f} and fees\n"
    )


@mturk.command(cls=Command, examples=("paragauge collect mturk sync birds.db",))
@store_argument
@where
def sync(**given: Any) -> None:
    """Ask what workers handed in, and bring their qualifications up to date.

    An assignment counts with the receipt of an answer of the same worker; others are listed.
    """
    from paragauge.collect.mturk.people import sync_people
    from paragauge.collect.mturk.sync import sync as synchronise

    with _connected(given) as (store, campaign, connection):
        found = synchronise(store, connection, campaign, actor())
        changed = sync_people(store, connection, campaign, actor())
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {counted(found.new, 'new assignment')}, "
        f"{found.all:,} in all; {counted(changed, 'qualification')} changed\n"
    )
    if found.strays:
        sys.stdout.write(f"without a matching answer: {', '.join(found.strays)}\n")


@mturk.command(
    cls=Command,
    examples=(
        "paragauge collect mturk approve birds.db",
        "paragauge collect mturk approve birds.db --pending",
    ),
)
@store_argument
@where
@option(
    "--pending", is_flag=True, heading=COLLECTION, help="Also approve answers that nobody reviewed."
)
def approve(**given: Any) -> None:
    """Approve assignments whose answers were accepted at the desk, and reject those rejected there."""
    from paragauge.collect.mturk.sync import settle

    with _connected(given) as (store, campaign, connection):
        done = settle(store, connection, campaign, actor(), pending=given["pending"])
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {done.approved:,} approved, "
        f"{done.rejected:,} rejected, {done.waiting:,} waiting for a review\n"
    )


@mturk.command(cls=Command, examples=("paragauge collect mturk bonus birds.db",))
@store_argument
@where
def bonus(**given: Any) -> None:
    """Send the bonuses that were given at the desk to workers of Mechanical Turk."""
    from paragauge.collect.mturk.bonuses import send_bonuses

    with _connected(given) as (store, campaign, connection):
        sent, cents = send_bonuses(store, connection, campaign, actor())
    sys.stdout.write(
        f"{campaign.slug} ({connection.environment}): {counted(sent, 'bonus', 'bonuses')}, "
        f"${cents / 100:,.2f}\n"
    )


@mturk.command(cls=Command, examples=("paragauge collect mturk expire birds.db",))
@store_argument
@where
def expire(**given: Any) -> None:
    """Let nobody accept the campaign's HITs any more; who has accepted one may finish."""
    from paragauge.collect.mturk.hits import expire_hits

    with _connected(given) as (store, campaign, connection):
        ended = expire_hits(store, connection, campaign, actor())
    sys.stdout.write(f"{campaign.slug} ({connection.environment}): {counted(ended, 'HIT')} ended\n")


@mturk.command(cls=Command, examples=("paragauge collect mturk balance --production",))
@option(
    "--production",
    is_flag=True,
    heading=WHERE,
    help="Real workers and real money. Without it, the sandbox.",
)
@option(
    "--endpoint",
    metavar="URL",
    heading=WHERE,
    help="Another address of the API, for a stand-in in trials.",
)
def balance(**given: Any) -> None:
    """Print what the account has left, which also tries the credentials."""
    from paragauge.collect.mturk.client import connect

    connection = connect(production=given["production"], endpoint=given["endpoint"])
    sys.stdout.write(f"{connection.environment}: ${connection.balance_cents() / 100:,.2f}\n")
