"""`paragauge grammar pivot`: build a paraphrase grammar from phrase tables of translations."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import RULES, output_path
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.engine.dataset import check_output
from paragauge.grammar.grammar_folder import KIND
from paragauge.grammar.pivot_grammar import MIN_COUNT, MIN_PROBABILITY, pivot_grammar
from paragauge.phrases.table import PhraseTable
from paragauge.text.wording import pluralize


@click.command(
    "pivot",
    cls=Command,
    examples=(
        "paragauge grammar pivot en-fr en-de --output paraphrases",
        "paragauge grammar pivot en-fr --min-count 1 --min-probability 0.05 --output paraphrases",
    ),
)
@click.argument("tables", nargs=-1, required=True)
@output_path
@count_option(
    "--min-count",
    least=1,
    most=2**31,
    default=MIN_COUNT,
    heading=RULES,
    help="Use translations extracted at least this often.",
)
@option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    default=MIN_PROBABILITY,
    metavar="P",
    heading=RULES,
    help="Keep rules with at least this p(target|source).",
)
@with_engine
@shared_options.threads
def pivot_command(
    tables: tuple[str, ...],
    output: str,
    min_count: int,
    min_probability: float,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Build a grammar from phrases that share translations.

    TABLES are folders of phrase tables whose source sides are in the same language.
    """
    check_output(Path(output), KIND)
    opened = [PhraseTable.open(folder) for folder in tables]
    with Steps(None) as step:
        step(f"joining {pluralize(sum(map(len, opened)), 'phrase pair')}")
        grammar = pivot_grammar(
            opened,
            output,
            min_count=min_count,
            min_probability=min_probability,
            engine=engine.create(threads),
        )
    click.echo(f"{output}: {pluralize(len(grammar), 'rule')}", err=True)
