"""`paragauge grammar pivot`: a paraphrase grammar from phrase tables or grammars of translations."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import RULES, output_path
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.cli.progress import Steps
from paragauge.engine.dataset import check_output
from paragauge.errors import SettingError
from paragauge.grammar.grammar_folder import KIND, Grammar
from paragauge.grammar.pivot_grammar import MIN_COUNT, MIN_PROBABILITY, pivot_grammar
from paragauge.grammar.syntactic_pivot import SIDES, PivotedSide, pivot_rules
from paragauge.phrases.table import PhraseTable
from paragauge.text.wording import pluralize


@click.command(
    "pivot",
    cls=Command,
    examples=(
        "paragauge grammar pivot en-fr en-de --output paraphrases",
        "paragauge grammar pivot en-fr --min-count 1 --min-probability 0.05 --output paraphrases",
        "paragauge grammar pivot grammar-en-fr grammar-en-de --engine local[4] -o paraphrases",
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
@choice_option(
    "--side",
    choices=SIDES,
    default="source",
    heading=RULES,
    help="The side of grammars whose language gets paraphrases; the other one is the pivot.",
)
@with_engine
@shared_options.threads
def pivot_command(
    tables: tuple[str, ...],
    output: str,
    min_count: int,
    min_probability: float,
    side: PivotedSide,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Build a grammar from phrases, or from rules, that share translations.

    TABLES are folders of phrase tables whose source sides are in the same language, or of grammars,
    extracted from bitexts with trees of that language: then rules keep their labels.
    """
    check_output(Path(output), KIND)
    syntactic = [folder for folder in tables if (Path(folder) / KIND.description).exists()]
    if syntactic and len(syntactic) < len(tables):
        other = next(folder for folder in tables if folder not in syntactic)
        raise SettingError(
            f"expected phrase tables or grammars, found both: {syntactic[0]} is a grammar, {other} is "
            "not; pivot them one after the other"
        )
    with Steps(None) as step:
        if syntactic:
            grammars = [Grammar.open(folder) for folder in tables]
            step(f"joining {pluralize(sum(map(len, grammars)), 'rule')}")
            grammar = pivot_rules(
                grammars,
                output,
                side=side,
                min_count=min_count,
                min_probability=min_probability,
                engine=engine.create(threads),
            )
        else:
            shared_options.refuse_with("phrase tables", "side")
            opened = [PhraseTable.open(folder) for folder in tables]
            step(f"joining {pluralize(sum(map(len, opened)), 'phrase pair')}")
            grammar = pivot_grammar(
                opened,
                output,
                min_count=min_count,
                min_probability=min_probability,
                engine=engine.create(threads),
            )
    click.echo(f"{output}: {pluralize(len(grammar), 'rule')}", err=True)
