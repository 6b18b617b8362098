"""`paragauge tagger`: tag text, train a tagger, test one."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.tagger.run import run
from paragauge.cli.tagger.test import test
from paragauge.cli.tagger.train import train


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        'echo "Dogs don\'t bark." | paragauge tagger run',
        "paragauge tagger train corpus.conllu --output my.bin",
        "paragauge tagger test held-out.conllu --model my.bin",
    ),
)
@click.pass_context
def tagger(context: click.Context) -> None:
    """Tag text with Penn tags; train and test taggers."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (run, train, test):
    tagger.add_command(command)
