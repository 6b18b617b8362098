"""`paragauge grammar prune`: keep the best rules of a grammar."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import RULES, lexical, output_path, parse_names
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.engine.dataset import check_output
from paragauge.grammar.grammar_folder import KIND
from paragauge.grammar.grammar_forms import open_grammar
from paragauge.grammar.pruning import Pruning, prune
from paragauge.grammar.rule import KINDS, LexicalRule
from paragauge.text.wording import pluralize


@click.command(
    "prune",
    cls=Command,
    examples=(
        "paragauge grammar prune ppdb --score PPDB2.0Score --variants 2 --output small",
        "paragauge grammar prune gold --min-count 2 --kinds lexical,phrasal --output common",
    ),
)
@click.argument("grammar")
@output_path
@option("--score", metavar="NAME", heading=RULES, help="A feature, or count, to rank rules by.")
@option("--ascending", is_flag=True, heading=RULES, help="The lowest scores are best.")
@option(
    "--variants",
    type=click.IntRange(1),
    metavar="K",
    heading=RULES,
    help="Keep the K best label variants of each pair of source and target side.",
)
@count_option("--top", least=1, heading=RULES, help="Keep the N best rules.")
@option(
    "--threshold",
    type=float,
    metavar="X",
    heading=RULES,
    help="Keep rules with a score of at least X; at most X with --ascending.",
)
@count_option("--min-count", least=1, heading=RULES, help="Keep rules extracted at least this often.")
@option("--kinds", metavar=",".join(KINDS), heading=RULES, help="Keep rules of these kinds.")
@lexical
@with_engine
@shared_options.threads
def prune_command(
    grammar: str,
    output: str,
    score: str | None,
    ascending: bool,
    variants: int | None,
    top: int | None,
    threshold: float | None,
    min_count: int | None,
    kinds: str | None,
    lexical: LexicalRule,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Keep the best rules of GRAMMAR, a folder or a text file.

    Rules are selected by kind and count first, then by score, then by label variants; --top comes last.
    """
    if score is None:
        shared_options.refuse_without("--score", "ascending")
    if kinds is None:
        shared_options.refuse_without("--kinds", "lexical")
    check_output(Path(output), KIND)
    settings = Pruning(
        kinds=tuple(parse_names(kinds)) or None,
        score=score,
        ascending=ascending,
        min_count=min_count,
        threshold=threshold,
        variants=variants,
        top=top,
        lexical=lexical,
    )
    step, counting = Steps(None), engine.create(threads)
    opening = open_grammar(grammar, engine=counting, threads=threads, progress=step)
    with step, opening as opened:
        step(f"pruning {pluralize(len(opened), 'rule')}")
        pruned = prune(opened, output, settings, engine=counting)
        rules = len(opened)
    click.echo(f"{output}: {len(pruned):,} of {pluralize(rules, 'rule')}", err=True)
