"""`paragauge phrases query`: look up a phrase in a phrase table."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.phrases.tables import render_pairs
from paragauge.errors import InputError
from paragauge.phrases.table import PhraseTable


@click.command(
    cls=Command,
    examples=(
        "paragauge phrases query en-fr 'thank you'",
        "paragauge phrases query en-fr house --limit 3 --format json",
    ),
)
@click.argument("table")
@click.argument("phrase")
@count_option(
    "--limit",
    "-n",
    least=1,
    default=20,
    heading=shared_options.OUTPUT,
    help="Print at most this many, the most probable first.",
)
@shared_options.form
def query(table: str, phrase: str, limit: int, form: str) -> None:
    """Print the translations of PHRASE in TABLE."""
    shared_options.check_format(form)
    opened = PhraseTable.open(table)
    pairs = opened.query(phrase)
    if not pairs:
        raise InputError(_absence_message(opened, phrase))
    sys.stdout.write(render_pairs(pairs[0].source, pairs[:limit], len(pairs), form))


def _absence_message(table: PhraseTable, phrase: str) -> str:
    """That the phrase is not in the table, and which settings of the table may be the reason."""
    settings = table.info.get("settings")
    hints = []
    if isinstance(settings, dict):
        if "max_length" in settings:
            hints.append(f"phrases have at most {settings['max_length']} words")
        if settings.get("case") == "lower":
            hints.append("words are lowercase")
        if settings.get("stem", [None, None]) != [None, None]:
            hints.append("words are stems")
    hint = f"; in this table {', '.join(hints)}" if hints else ""
    return f"{table.folder}: no source phrase '{phrase}'{hint}"
