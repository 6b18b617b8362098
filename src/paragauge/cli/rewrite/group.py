"""`paragauge rewrite`: reword references toward a system's words, and explain why."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.rewrite.differences import differences_command
from paragauge.cli.rewrite.explain import explain_command
from paragauge.cli.rewrite.run import run
from paragauge.cli.rewrite.sample import sample_command
from paragauge.cli.rewrite.train_group import train


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge rewrite run -r references.tsv -c mine.txt --output rewritten.tsv",
        "paragauge rewrite explain --reference 'It is hard.' --candidate 'It is difficult.'",
        "paragauge score -r references.tsv -c mine.txt --rewrite context",
    ),
)
@click.pass_context
def rewrite(context: click.Context) -> None:
    """Reword references toward a system's words, where context allows."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (run, explain_command, sample_command, differences_command, train):
    rewrite.add_command(command)
