"""`paragauge phrases`: phrase tables."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.phrases.convert import convert
from paragauge.cli.phrases.extract import extract
from paragauge.cli.phrases.info import info
from paragauge.cli.phrases.query import query


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge phrases extract corpus.en corpus.fr --alignment links.txt --output en-fr",
        "paragauge phrases query en-fr 'thank you'",
        "paragauge phrases convert en-fr phrase-table.gz",
    ),
)
@click.pass_context
def phrases(context: click.Context) -> None:
    """Extract phrase tables from aligned text; query and convert them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (extract, info, query, convert):
    phrases.add_command(command)
