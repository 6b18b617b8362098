"""`paragauge generate train`: train paraphrasers."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.generate.train.grammar import grammar_command
from paragauge.cli.generate.train.phrase import phrase


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge generate train phrase source.txt target.txt --output model",
        "paragauge generate train grammar rules --lm-text corpus.txt --output model",
    ),
)
@click.pass_context
def train(context: click.Context) -> None:
    """Train a paraphraser on sentence pairs, or build one from a grammar."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


train.add_command(phrase)
train.add_command(grammar_command)
