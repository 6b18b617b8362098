"""`paragauge parser`: train a constituency parser, test one."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.parser.test import test
from paragauge.cli.parser.train import train


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge parser train corpus.trees --output my.bin",
        "paragauge parser test held-out.trees --model my.bin",
    ),
)
@click.pass_context
def parser(context: click.Context) -> None:
    """Train and test constituency parsers."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (train, test):
    parser.add_command(command)
