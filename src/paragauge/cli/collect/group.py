"""`paragauge collect`: the commands of the collection application."""

from __future__ import annotations

import click

from paragauge.cli.collect.account import account
from paragauge.cli.collect.backup import backup
from paragauge.cli.collect.check import check
from paragauge.cli.collect.export import export_command
from paragauge.cli.collect.filter import filter_command
from paragauge.cli.collect.import_ import import_command
from paragauge.cli.collect.init import init
from paragauge.cli.collect.mturk.group import mturk
from paragauge.cli.collect.serve import serve
from paragauge.cli.collect.status import status
from paragauge.cli.collect.token import token
from paragauge.cli.command import CommandGroup


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge collect init demo.db --demo --account ada && paragauge collect serve demo.db",
        "paragauge collect init birds.db --campaign birds.toml --account ada",
        "paragauge collect export birds.db pairs --campaign birds --parallel 5 -o pairs.tsv",
    ),
)
@click.pass_context
def collect(context: click.Context) -> None:
    """Collect descriptions, paraphrases and judgments from a crowd."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    init,
    account,
    token,
    serve,
    import_command,
    export_command,
    status,
    backup,
    check,
    filter_command,
    mturk,
):
    collect.add_command(command)
