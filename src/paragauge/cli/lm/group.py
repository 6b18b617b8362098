"""`paragauge lm`: n-gram language models."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.lm.convert import convert
from paragauge.cli.lm.info import info
from paragauge.cli.lm.score import score
from paragauge.cli.lm.train import train


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge lm train corpus.txt --order 4 --tokenize 13a --case lower --output lm.bin",
        "paragauge lm score lm.bin system.txt",
        "paragauge lm convert lm.arpa.gz lm.bin --bits 8",
    ),
)
@click.pass_context
def lm(context: click.Context) -> None:
    """Train n-gram language models; score text with them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (train, score, convert, info):
    lm.add_command(command)
