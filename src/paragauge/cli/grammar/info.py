"""`paragauge grammar info`: describe a grammar."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import WORK
from paragauge.grammar.grammar_folder import Grammar
from paragauge.report.tables.grammar_tables import render_grammar


@click.command(
    cls=Command,
    examples=("paragauge grammar info ppdb", "paragauge grammar info ppdb --format json"),
)
@click.argument("folder")
@option("--verify", is_flag=True, heading=WORK, help="Read all rules and check the fingerprint.")
@shared_options.form
def info(folder: str, verify: bool, form: str) -> None:
    """Describe the grammar in FOLDER."""
    shared_options.check_format(form)
    grammar = Grammar.open(folder)
    if verify:
        grammar.verify()
    sys.stdout.write(render_grammar(grammar, form))
