"""`paragauge align`: align words, merge directions, compare with gold alignments."""

from __future__ import annotations

import click

from paragauge.cli.align.run import run
from paragauge.cli.align.score import score
from paragauge.cli.align.symmetrize import symmetrize_files
from paragauge.cli.command import CommandGroup


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge align run corpus.en corpus.fr --tokenize 13a --case lower --output links.txt",
        "paragauge align symmetrize forward.txt reverse.txt --heuristic union --output links.txt",
        "paragauge align score links.txt --gold gold.txt",
    ),
)
@click.pass_context
def align(context: click.Context) -> None:
    """Align the words of sentence pairs; measure alignments."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (run, symmetrize_files, score):
    align.add_command(command)
