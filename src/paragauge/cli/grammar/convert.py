"""`paragauge grammar convert`: convert grammars between text files and folders."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.grammar.grammar_options import output_either, parse_names
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import EngineChoice, with_engine
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.engine.dataset import check_output
from paragauge.errors import SettingError
from paragauge.grammar.convert import DUPLICATES, Duplicates, read_grammar
from paragauge.grammar.grammar_folder import KIND, Grammar
from paragauge.grammar.grammar_reader import ON_ERROR, STYLES, OnError
from paragauge.grammar.grammar_writer import STYLES as WRITTEN
from paragauge.grammar.grammar_writer import conversion_losses, write_grammar
from paragauge.text.wording import pluralize


@click.command(
    cls=Command,
    examples=(
        "paragauge grammar convert ppdb-1.0-s-lexical.gz ppdb-1.0-s-phrasal.gz --output ppdb",
        "paragauge grammar convert rule-table.gz --from moses-rules --on-error skip -o rules",
        "paragauge grammar convert ppdb --to hiero --output ppdb.cdec.gz",
    ),
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@output_either
@choice_option(
    "--from",
    "form",
    choices=STYLES,
    heading=shared_options.INPUT,
    help="The format of text files. Default: detected from the first line of each.",
)
@choice_option(
    "--to",
    choices=WRITTEN,
    default="joshua",
    heading=shared_options.OUTPUT,
    help="The format of the text file, if INPUT is a grammar's folder.",
)
@choice_option(
    "--on-error",
    choices=ON_ERROR,
    default="stop",
    heading=shared_options.INPUT,
    help="Lines that break the format: stop, or skip and count them.",
)
@choice_option(
    "--duplicates",
    choices=DUPLICATES,
    default="stop",
    heading=shared_options.INPUT,
    help="Repeated rules: stop, or keep the first and count the others.",
)
@option(
    "--feature-names",
    metavar="NAME,...",
    heading=shared_options.INPUT,
    help="Names for features that the files give by position.",
)
@with_engine
@shared_options.threads
def convert(
    inputs: tuple[str, ...],
    output: str,
    form: str | None,
    to: str,
    on_error: OnError,
    duplicates: Duplicates,
    feature_names: str | None,
    engine: EngineChoice,
    threads: int,
) -> None:
    """Convert grammars.

    If INPUT is a grammar's folder, the output is a text file, compressed if its name ends in .gz or
    .zst. If INPUT is one or more text files, the output is the folder of one grammar.
    """
    folders = [path for path in inputs if path != "-" and Path(path).is_dir()]
    if folders:
        if len(inputs) > 1:
            raise SettingError("expected one grammar's folder, or text files only; convert one by one")
        _write_text(folders[0], output, to, threads)
        return
    shared_options.refuse_without("a grammar's folder as INPUT", "to")
    streams.check_folder("--output", output)
    check_output(Path(output), KIND)
    with Steps(None) as step:
        grammar = read_grammar(
            inputs,
            output,
            form=form,
            on_error=on_error,
            duplicates=duplicates,
            feature_names=parse_names(feature_names),
            engine=engine.create(threads),
            threads=threads,
            progress=step,
        )
    files = grammar.info["origin"]["files"]
    forms = ", ".join(dict.fromkeys(file["format"] or "empty" for file in files))
    notes = "".join(f"; {note}" for note in _notes(grammar))
    click.echo(f"{output}: {pluralize(len(grammar), 'rule')} (from {forms}){notes}", err=True)


def _write_text(folder: str, output: str, form: str, threads: int) -> None:
    """Write the grammar in a folder to a text file."""
    grammar = Grammar.open(folder)
    shared_options.refuse_without(
        "text files as INPUT", "form", "on_error", "duplicates", "feature_names"
    )
    shared_options.check_no_input("--output", output, [folder])
    with Steps(None) as step:
        rows = write_grammar(grammar, output, form, threads=threads, progress=step)
    notes = "".join(f"; {what} left out" for what in conversion_losses(grammar, form))
    click.echo(f"{output}: {pluralize(rows, 'rule')} ({form}){notes}", err=True)


def _notes(grammar: Grammar) -> list[str]:
    """The lines and rules that were left out."""
    origin = grammar.info["origin"]
    notes = []
    for file in origin["files"]:
        if file["skipped"]:
            first = ", ".join(map(str, file["first_skipped"][:3]))
            more = ", ..." if file["skipped"] > 3 else ""
            lines = pluralize(file["skipped"], "bad line")
            notes.append(f"{lines} of {file['name']} left out ({first}{more})")
    if origin["duplicates"]:
        notes.append(f"{pluralize(origin['duplicates'], 'repeated rule')} left out")
    return notes
