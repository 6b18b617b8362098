"""`paragauge grammar info`: describe a grammar."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import WORK
from paragauge.cli.progress import Steps
from paragauge.grammar.grammar_forms import open_grammar
from paragauge.report.tables.grammar_tables import render_grammar


@click.command(
    cls=Command,
    examples=("paragauge grammar info ppdb", "paragauge grammar info ppdb --format json"),
)
@click.argument("grammar")
@option("--verify", is_flag=True, heading=WORK, help="Read all rules and check the fingerprint.")
@shared_options.form
def info(grammar: str, verify: bool, form: str) -> None:
    """Describe GRAMMAR, a folder or a text file in the format of PPDB, Joshua, cdec or Moses."""
    shared_options.check_format(form)
    with Steps(None) as step, open_grammar(grammar, progress=step) as opened:
        if verify:
            opened.verify()
        text = render_grammar(opened, form, grammar)
    sys.stdout.write(text)
