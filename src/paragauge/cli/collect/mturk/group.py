"""`paragauge collect mturk`: recruit workers on Mechanical Turk."""

from __future__ import annotations

import click

from paragauge.cli.collect.mturk.approve import approve
from paragauge.cli.collect.mturk.balance import balance
from paragauge.cli.collect.mturk.bonus import bonus
from paragauge.cli.collect.mturk.create import create
from paragauge.cli.collect.mturk.expire import expire
from paragauge.cli.collect.mturk.sync import sync_command
from paragauge.cli.command import CommandGroup


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
    can be repeated: nothing is created, approved or paid twice.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (create, sync_command, approve, bonus, expire, balance):
    mturk.add_command(command)
