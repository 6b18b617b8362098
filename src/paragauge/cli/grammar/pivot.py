"""`paragauge grammar pivot`: a paraphrase grammar from phrase tables of translations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import RULES, output_path, work
from paragauge.cli.options.engine_options import chosen_engine
from paragauge.cli.progress import Steps
from paragauge.engine.dataset_write import check_output
from paragauge.grammar.pivot import MIN_COUNT, MIN_PROBABILITY, pivot_grammar
from paragauge.grammar.table import KIND
from paragauge.phrases.table import PhraseTable
from paragauge.text.plain import counted


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
@option(
    "--min-count",
    type=click.IntRange(1, 2**31),
    default=MIN_COUNT,
    metavar="N",
    heading=RULES,
    help="Use translations that were extracted at least so often.",
)
@option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    default=MIN_PROBABILITY,
    metavar="P",
    heading=RULES,
    help="Keep rules with at least this p(target|source).",
)
@work
def pivot_command(**given: Any) -> None:
    """Make a grammar of phrases that are translated alike: TABLES are folders of phrase tables whose
    source sides are in the same language.
    """
    check_output(Path(given["output"]), KIND)
    tables = [PhraseTable.open(folder) for folder in given["tables"]]
    with Steps(None) as step:
        step(f"joining {counted(sum(map(len, tables)), 'phrase pair')}")
        made = pivot_grammar(
            tables,
            given["output"],
            min_count=given["min_count"],
            min_probability=given["min_probability"],
            engine=chosen_engine(given),
        )
    click.echo(f"{given['output']}: {counted(len(made), 'rule')}", err=True)
