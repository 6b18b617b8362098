"""`paragauge grammar`: paraphrase grammars."""

from __future__ import annotations

import click

from paragauge.cli.command import CommandGroup
from paragauge.cli.grammar.convert import convert
from paragauge.cli.grammar.coverage import coverage_command
from paragauge.cli.grammar.derive import derive_command
from paragauge.cli.grammar.evaluate import evaluate_command
from paragauge.cli.grammar.extract import extract
from paragauge.cli.grammar.info import info
from paragauge.cli.grammar.overlap import overlap_command
from paragauge.cli.grammar.pivot import pivot_command
from paragauge.cli.grammar.prune import prune_command
from paragauge.cli.grammar.sizes import sizes_command
from paragauge.cli.grammar.split import split_command


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge grammar evaluate ppdb-2.0-s-all.gz --pairs a.txt b.txt",
        "paragauge grammar convert ppdb-2.0-s-all.gz --output ppdb",
        "paragauge grammar overlap ppdb hiero --gold gold",
        "paragauge grammar prune ppdb --score PPDB2.0Score --variants 2 --output small",
    ),
)
@click.pass_context
def grammar(context: click.Context) -> None:
    """Evaluate, extract, compare and prune grammars; parse with them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    evaluate_command,
    extract,
    convert,
    info,
    sizes_command,
    split_command,
    overlap_command,
    coverage_command,
    derive_command,
    prune_command,
    pivot_command,
):
    grammar.add_command(command)
