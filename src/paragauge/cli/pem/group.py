"""`paragauge pem`: train, fit and inspect models of PEM."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.pem.fit import fit_command
from paragauge.cli.pem.info import info
from paragauge.cli.pem.train import train_command


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge pem train --bitext fra=eng-fra.tsv.gz --ratings rated.tsv --output model",
        "paragauge score -s sources.txt -c system.txt --metrics pem:model=model",
        "paragauge pem info",
    ),
)
@click.pass_context
def pem(context: click.Context) -> None:
    """Train, fit and inspect models of PEM."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (train_command, fit_command, info):
    pem.add_command(command)
