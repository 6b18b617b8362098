"""`paragauge phrases info`: describe a phrase table."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import WORK
from paragauge.cli.phrases.tables import render_info
from paragauge.phrases.table import PhraseTable


@click.command(
    cls=Command,
    examples=("paragauge phrases info en-fr", "paragauge phrases info en-fr --format json"),
)
@click.argument("table")
@option("--verify", is_flag=True, heading=WORK, help="Read all rows and check the fingerprint.")
@shared_options.form
def info(table: str, verify: bool, form: str) -> None:
    """Describe TABLE, a folder that `extract` or `convert` has written."""
    shared_options.check_format(form)
    opened = PhraseTable.open(table)
    if verify:
        opened.verify()
    sys.stdout.write(render_info(opened, form))
