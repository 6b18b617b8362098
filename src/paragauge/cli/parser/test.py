"""`paragauge parser test`: compare a parser with a treebank."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.parser.parser_options import load_parser, tagger, tree_form
from paragauge.cli.tagger.tagger_options import model
from paragauge.report.tables.parser_tables import render_parser_test
from paragauge.syntax.parseval import measure_parser
from paragauge.syntax.tree_files import TreeForm, read_trees


@click.command(
    "test",
    cls=Command,
    examples=(
        "paragauge parser test gum-test.trees.tsv.gz",
        "paragauge parser test held-out.trees --model my.bin --time",
    ),
)
@click.argument("file")
@tree_form
@model
@tagger
@option(
    "--time",
    "timed",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Also print sentences per second.",
)
@shared_options.form
def test(
    file: str, tree_form: TreeForm, model: str | None, tagger: str | None, timed: bool, form: str
) -> None:
    """Compare a parser with the trees of FILE.

    Counts labeled constituents, as evalb does.
    """
    shared_options.check_format(form)
    right = read_trees(file, form=tree_form, strip=True)
    result = measure_parser(load_parser(model, tagger), right)
    sys.stdout.write(render_parser_test(result, form, timed=timed))
