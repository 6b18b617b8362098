"""`paragauge encoder`: describe and convert encoders."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.encoder.convert import convert
from paragauge.cli.encoder.info import info


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge encoder info",
        "paragauge encoder convert bert-base-uncased --output my-encoder",
        "paragauge score -c mine.txt -r refs.txt -m bertscore --encoder my-encoder",
    ),
)
@click.pass_context
def encoder(context: click.Context) -> None:
    """Describe and convert encoders of contextual vectors."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (info, convert):
    encoder.add_command(command)
