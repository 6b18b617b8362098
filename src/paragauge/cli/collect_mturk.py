"""`paragauge collect mturk`: workers from Mechanical Turk."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup


@click.group(cls=CommandGroup, invoke_without_command=True, examples=("paragauge collect mturk",))
@click.pass_context
def mturk(context: click.Context) -> None:
    """Recruit workers on Mechanical Turk."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
