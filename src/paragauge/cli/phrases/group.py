"""`paragauge phrases`: extract phrase tables, look into them, convert them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Argument, Command, CommandGroup, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import bitext_input, bitext_of
from paragauge.cli.options.engine_options import WORK, chosen_engine, engine_choice
from paragauge.cli.phrases.tables import render_info, render_pairs
from paragauge.cli.progress import Steps
from paragauge.engine.dataset_write import check_output
from paragauge.errors import InputError, SettingError
from paragauge.phrases.extract import LONGEST, ExtractionSettings, aligned_batches, extract_batches
from paragauge.phrases.moses import read_moses, write_moses
from paragauge.phrases.table import KIND, PhraseTable
from paragauge.text.plain import counted

PHRASES = "Phrases"


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge phrases extract corpus.en corpus.fr --alignment links.txt --output en-fr",
        "paragauge phrases query en-fr 'thank you'",
        "paragauge phrases convert en-fr phrase-table.gz",
    ),
)
@click.pass_context
def phrases(context: click.Context) -> None:
    """Extract phrase tables from aligned text; query and convert them."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@phrases.command(
    cls=Command,
    examples=(
        "paragauge phrases extract corpus.en corpus.fr --alignment links.txt --output en-fr",
        "paragauge phrases extract eng-fra.tsv.gz -t 13a --case lower -a links.txt --max-length 4 -o t",
        "paragauge phrases extract corpus.en corpus.fr -a links.txt -o en-fr --engine spark://host:7077",
    ),
)
@bitext_input
@option(
    "--alignment",
    "-a",
    required=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Links, one line for each pair: 0-0 1-2 (Pharaoh format).",
)
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    heading=shared_options.OUTPUT,
    writes=streams.FOLDER,
    help="The phrase table; one that is there is replaced when the new one is complete.",
)
@option(
    "--max-length",
    type=click.IntRange(1, LONGEST),
    default=7,
    metavar="N",
    heading=PHRASES,
    help="Words in the longest phrases, on both sides.",
)
@option(
    "--stem",
    metavar="NAME[,NAME]",
    heading=PHRASES,
    help="Stemmer for the words, or one for each side; none leaves a side as it is.",
)
@option(
    "--min-count",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    heading=PHRASES,
    help="Keep pairs that were extracted at least so often.",
)
@option(
    "--min-probability",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    heading=PHRASES,
    help="Keep pairs with at least this p(target|source).",
)
@option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    heading=PHRASES,
    help="Keep the N most frequent targets of each source. Default: all.",
)
@engine_choice
@shared_options.threads
def extract(**given: Any) -> None:
    """Extract the phrase pairs of SOURCE and TARGET, one sentence a line, or of two columns of a TSV
    file without header, if only SOURCE is given. Read the text as it was aligned: with the same
    tokeniser.
    """
    where, threads, output = bitext_of(given), given["threads"], given["output"]
    settings = ExtractionSettings(
        max_length=given["max_length"],
        stem=_stemmers(given["stem"]),
        min_count=given["min_count"],
        min_probability=given["min_probability"],
        top=given["top"],
        threads=threads,
    )
    with Steps(None) as step:
        table = extract_batches(
            aligned_batches(where, given["alignment"], threads),
            output,
            settings,
            chosen_engine(given),
            step,
        )
    counts = table.info["counts"]
    note = f"; {counts['skipped']:,} dropped, a side is empty" if counts["skipped"] else ""
    click.echo(
        f"{output}: {counted(len(table), 'phrase pair')}, from {counts['extracted']:,} in "
        f"{counted(counts['sentence_pairs'], 'sentence pair')}{note}",
        err=True,
    )


@phrases.command(
    cls=Command,
    examples=("paragauge phrases info en-fr", "paragauge phrases info en-fr --format json"),
)
@click.argument("table")
@option("--verify", is_flag=True, heading=WORK, help="Read all rows and compare the fingerprint.")
@shared_options.form
def info(table: str, verify: bool, form: str) -> None:
    """Print what is known about TABLE, a folder that `extract` or `convert` made."""
    shared_options.check_format(form)
    opened = PhraseTable.open(table)
    if verify:
        opened.verify()
    sys.stdout.write(render_info(opened, form))


@phrases.command(
    cls=Command,
    examples=(
        "paragauge phrases query en-fr 'thank you'",
        "paragauge phrases query en-fr house --limit 3 --format json",
    ),
)
@click.argument("table")
@click.argument("phrase")
@option(
    "--limit",
    "-n",
    type=click.IntRange(1),
    default=20,
    metavar="N",
    heading=shared_options.OUTPUT,
    help="Print at most so many, the most probable first.",
)
@shared_options.form
def query(table: str, phrase: str, limit: int, form: str) -> None:
    """Print the translations of PHRASE in TABLE."""
    shared_options.check_format(form)
    opened = PhraseTable.open(table)
    pairs = opened.query(phrase)
    if not pairs:
        raise InputError(_absent(opened, phrase))
    sys.stdout.write(render_pairs(pairs[0].source, pairs[:limit], len(pairs), form))


@phrases.command(
    cls=Command,
    examples=(
        "paragauge phrases convert en-fr phrase-table.gz",
        "paragauge phrases convert phrase-table.gz en-fr --skip-bad",
    ),
)
@click.argument("source")
@click.argument("output", cls=Argument, metavar="OUTPUT", writes=streams.TEXT)
@option(
    "--skip-bad",
    is_flag=True,
    heading=shared_options.INPUT,
    help="Leave out and count lines of a Moses table that break its format.",
)
@engine_choice
@shared_options.threads
def convert(**given: Any) -> None:
    """Convert a phrase table. If SOURCE is a folder, OUTPUT is a Moses phrase table (.gz or .zst
    compresses it); if SOURCE is a Moses phrase table, OUTPUT is a folder.
    """
    source, output = given["source"], given["output"]
    if source != "-" and Path(source).is_dir():
        for name in ("skip_bad", "memory", "temporary", "spark"):
            if given[name]:
                option_name = f"--{name.replace('_', '-')}"
                raise SettingError(f"{option_name}: only for reading a Moses table; leave it out")
        rows = write_moses(PhraseTable.open(source).batches(), output)
        click.echo(f"{output}: {counted(rows, 'phrase pair')}", err=True)
        return
    streams.check_folder("OUTPUT", output)
    check_output(Path(output), KIND)
    table = read_moses(
        source,
        output,
        skip_bad=given["skip_bad"],
        engine=chosen_engine(given),
        threads=given["threads"],
    )
    skipped = table.info["origin"]["skipped"]
    note = f"; {counted(skipped, 'bad line')} left out" if given["skip_bad"] else ""
    click.echo(f"{output}: {counted(len(table), 'phrase pair')}{note}", err=True)


def _stemmers(text: str | None) -> tuple[str | None, str | None]:
    names = [None if name == "none" else name for name in (text or "none").split(",")]
    if len(names) > 2:
        raise SettingError(f"--stem: expected one name, or two such as porter,french, got '{text}'")
    return names[0], names[-1]


def _absent(table: PhraseTable, phrase: str) -> str:
    settings = table.info.get("settings")
    hints = []
    if isinstance(settings, dict):
        if "max_length" in settings:
            hints.append(f"phrases have at most {settings['max_length']} words")
        if settings.get("case") == "lower":
            hints.append("words are lowered")
        if settings.get("stem", [None, None]) != [None, None]:
            hints.append("words are stems")
    listed = f"; in this table {', '.join(hints)}" if hints else ""
    return f"{table.folder}: no source phrase '{phrase}'{listed}"
