"""`paragauge rewrite train`: train what rewriting needs."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.rewrite.train_clusters import brown_command, lsa_command
from paragauge.cli.rewrite.train_context import context_command


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge rewrite train context news.txt --output news.context",
        "paragauge rewrite train brown news.txt --output news.paths",
        "paragauge rewrite train lsa news.txt --output news.lsa",
    ),
)
@click.pass_context
def train(context: click.Context) -> None:
    """Train models for rewriting on plain text."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


train.add_command(context_command)
train.add_command(brown_command)
train.add_command(lsa_command)
