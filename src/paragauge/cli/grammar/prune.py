"""`paragauge grammar prune`: the best rules of a grammar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import RULES, lexical, listed, output_path, work
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import chosen_engine
from paragauge.cli.progress import Steps
from paragauge.engine.dataset_write import check_output
from paragauge.grammar.prune import Pruning, prune
from paragauge.grammar.rule import KINDS
from paragauge.grammar.table import KIND, Grammar
from paragauge.text.plain import counted


@click.command(
    "prune",
    cls=Command,
    examples=(
        "paragauge grammar prune ppdb --score PPDB2.0Score --variants 2 --output small",
        "paragauge grammar prune gold --min-count 2 --kinds lexical,phrasal --output common",
    ),
)
@click.argument("folder")
@output_path
@option("--score", metavar="NAME", heading=RULES, help="A feature, or count, to rank rules by.")
@option("--ascending", is_flag=True, heading=RULES, help="The lowest scores are the best.")
@option(
    "--variants",
    type=click.IntRange(1),
    metavar="K",
    heading=RULES,
    help="Keep the K best label variants of each pair of source and target side.",
)
@option("--top", type=click.IntRange(1), metavar="N", heading=RULES, help="Keep the N best rules.")
@option(
    "--threshold",
    type=float,
    metavar="X",
    heading=RULES,
    help="Keep rules with a score of at least X; at most X with --ascending.",
)
@option(
    "--min-count",
    type=click.IntRange(1),
    metavar="N",
    heading=RULES,
    help="Keep rules that were extracted at least so often.",
)
@option("--kinds", metavar=",".join(KINDS), heading=RULES, help="Keep rules of these kinds.")
@lexical
@work
def prune_command(**given: Any) -> None:
    """Keep the best rules of the grammar in FOLDER: by kind and count first, then by score, then the
    best label variants, then the best rules of all.
    """
    if given["score"] is None:
        shared_options.refuse_without("--score", "ascending")
    if given["kinds"] is None:
        shared_options.refuse_without("--kinds", "lexical")
    opened = Grammar.open(given["folder"])
    check_output(Path(given["output"]), KIND)
    kinds = tuple(listed(given["kinds"])) or None
    names = ("score", "ascending", "min_count", "threshold", "variants", "top", "lexical")
    settings = Pruning(kinds=kinds, **{name: given[name] for name in names})
    with Steps(None) as step:
        step(f"pruning {counted(len(opened), 'rule')}")
        made = prune(opened, given["output"], settings, engine=chosen_engine(given))
    click.echo(f"{given['output']}: {len(made):,} of {counted(len(opened), 'rule')}", err=True)
