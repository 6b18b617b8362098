"""`paragauge phrases convert`: convert phrase tables from and to the format of Moses."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli import streams
from paragauge.cli.command import Argument, Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.engine.dataset import check_output
from paragauge.errors import SettingError
from paragauge.phrases.moses import read_moses, write_moses
from paragauge.phrases.table import KIND, PhraseTable
from paragauge.text.wording import pluralize


@click.command(
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
    help="Leave out and count the lines of a Moses table that break its format.",
)
@with_engine
@shared_options.threads
def convert(source: str, output: str, skip_bad: bool, engine: EngineChoice, threads: int) -> None:
    """Convert a phrase table.

    If SOURCE is a folder, OUTPUT is a Moses phrase table, compressed if its name ends in .gz or .zst.
    If SOURCE is a Moses phrase table, OUTPUT is a folder.
    """
    if source != "-" and Path(source).is_dir():
        _refuse_reading_options(skip_bad, engine)
        rows = write_moses(PhraseTable.open(source).batches(), output)
        click.echo(f"{output}: {pluralize(rows, 'phrase pair')}", err=True)
        return
    streams.check_folder("OUTPUT", output)
    check_output(Path(output), KIND)
    table = read_moses(
        source, output, skip_bad=skip_bad, engine=engine.create(threads), threads=threads
    )
    skipped = table.info["origin"]["skipped"]
    note = f"; {pluralize(skipped, 'bad line')} left out" if skip_bad else ""
    click.echo(f"{output}: {pluralize(len(table), 'phrase pair')}{note}", err=True)


def _refuse_reading_options(skip_bad: bool, engine: EngineChoice) -> None:
    """Refuse options that only apply to reading a Moses table."""
    values = {
        "--skip-bad": skip_bad,
        "--memory": engine.memory,
        "--temporary": engine.temporary,
        "--spark": engine.spark,
    }
    for flag, value in values.items():
        if value:
            raise SettingError(f"{flag}: only for reading a Moses table; leave it out")
