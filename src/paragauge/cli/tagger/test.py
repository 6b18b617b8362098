"""`paragauge tagger test`: compare a tagger with a treebank."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.tagger.tagger_options import load_tagger, model
from paragauge.report.tables.tagger_tables import render_tagger_test
from paragauge.syntax.tagger_evaluation import measure_tagger
from paragauge.syntax.treebank import read_treebank


@click.command(
    "test",
    cls=Command,
    examples=(
        "paragauge tagger test ewt-test.conllu.gz",
        "paragauge tagger test held-out.conllu --model my.bin --confusions 20 --time",
    ),
)
@click.argument("file")
@model
@count_option(
    "--confusions",
    least=0,
    most=10_000,
    default=10,
    heading=shared_options.OUTPUT,
    help="How many of the most frequent confusions to print.",
)
@option(
    "--time", "timed", is_flag=True, heading=shared_options.OUTPUT, help="Also print words per second."
)
@shared_options.form
def test(file: str, model: str | None, confusions: int, timed: bool, form: str) -> None:
    """Compare a tagger with the tags of FILE.

    FILE is CoNLL-U or Penn trees, as for train.
    """
    shared_options.check_format(form)
    result = measure_tagger(load_tagger(model), read_treebank(file))
    sys.stdout.write(render_tagger_test(result, form, confusions, timed=timed))
