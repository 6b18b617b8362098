"""`paragauge grammar`: convert paraphrase grammars, look into them, compare and prune them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.grammar.coverage import coverage_command
from paragauge.cli.grammar.derive import derive_command
from paragauge.cli.grammar.extract import extract
from paragauge.cli.grammar.grammar_options import listed, output_either, work
from paragauge.cli.grammar.overlap import overlap_command
from paragauge.cli.grammar.pivot import pivot_command
from paragauge.cli.grammar.prune import prune_command
from paragauge.cli.options import shared_options
from paragauge.cli.options.engine_options import WORK, chosen_engine
from paragauge.cli.progress import Steps
from paragauge.engine.dataset_write import check_output
from paragauge.errors import SettingError
from paragauge.grammar.convert import DUPLICATES, read_grammar
from paragauge.grammar.table import KIND, Grammar
from paragauge.grammar.text_read import ON_ERROR, STYLES
from paragauge.grammar.text_write import STYLES as WRITTEN
from paragauge.grammar.text_write import left_out, write_grammar
from paragauge.report.tables.grammar_tables import render_grammar
from paragauge.text.plain import counted


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    examples=(
        "paragauge grammar convert ppdb-2.0-s-all.gz --output ppdb",
        "paragauge grammar overlap ppdb hiero --gold gold",
        "paragauge grammar prune ppdb --score PPDB2.0Score --variants 2 --output small",
    ),
)
@click.pass_context
def grammar(context: click.Context) -> None:
    """Paraphrase grammars: convert, inspect, compare with a gold grammar, parse with them, prune."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


grammar.add_command(extract)


@grammar.command(
    cls=Command,
    examples=(
        "paragauge grammar convert ppdb-1.0-s-lexical.gz ppdb-1.0-s-phrasal.gz --output ppdb",
        "paragauge grammar convert rule-table.gz --from moses-rules --on-error skip -o rules",
        "paragauge grammar convert ppdb --to hiero --output ppdb.cdec.gz",
    ),
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@output_either
@option(
    "--from",
    "form",
    metavar="|".join(STYLES),
    heading=shared_options.INPUT,
    help="The format of text files. Default: the first line of each tells.",
)
@option(
    "--to",
    default="joshua",
    metavar="|".join(WRITTEN),
    heading=shared_options.OUTPUT,
    help="The format of the text file, if INPUT is a grammar's folder.",
)
@option(
    "--on-error",
    default="stop",
    metavar="|".join(ON_ERROR),
    heading=shared_options.INPUT,
    help="Lines that break the format: stop, or skip and count them.",
)
@option(
    "--duplicates",
    default="stop",
    metavar="|".join(DUPLICATES),
    heading=shared_options.INPUT,
    help="A rule that is there again: stop, or keep the first and count the others.",
)
@option(
    "--feature-names",
    metavar="NAME,...",
    heading=shared_options.INPUT,
    help="Names of the features that files have by position.",
)
@work
def convert(**given: Any) -> None:
    """Convert grammars. If INPUT is a grammar's folder, the output is a text file (.gz or .zst
    compresses it); if INPUT is one or more text files, the output is the folder of one grammar.
    """
    inputs, output = given["inputs"], given["output"]
    folders = [path for path in inputs if path != "-" and Path(path).is_dir()]
    if folders:
        if len(inputs) > 1:
            raise SettingError("expected one grammar's folder, or text files only; convert one by one")
        opened = Grammar.open(folders[0])
        shared_options.refuse_without(
            "text files as INPUT", "form", "on_error", "duplicates", "feature_names"
        )
        shared_options.check_no_input("--output", output, folders)
        with Steps(None) as step:
            rows = write_grammar(opened, output, given["to"], threads=given["threads"], progress=step)
        left = "".join(f"; {what} left out" for what in left_out(opened, given["to"]))
        click.echo(f"{output}: {counted(rows, 'rule')} ({given['to']}){left}", err=True)
        return
    shared_options.refuse_without("a grammar's folder as INPUT", "to")
    streams.check_folder("--output", output)
    check_output(Path(output), KIND)
    with Steps(None) as step:
        made = read_grammar(
            inputs,
            output,
            form=given["form"],
            on_error=given["on_error"],
            duplicates=given["duplicates"],
            feature_names=listed(given["feature_names"]),
            engine=chosen_engine(given),
            threads=given["threads"],
            progress=step,
        )
    forms = ", ".join(dict.fromkeys(file["format"] or "empty" for file in made.info["origin"]["files"]))
    click.echo(f"{output}: {counted(len(made), 'rule')} (from {forms}){_left_out(made)}", err=True)


@grammar.command(
    cls=Command,
    examples=("paragauge grammar info ppdb", "paragauge grammar info ppdb --format json"),
)
@click.argument("folder")
@option("--verify", is_flag=True, heading=WORK, help="Read all rules and compare the fingerprint.")
@shared_options.form
def info(folder: str, verify: bool, form: str) -> None:
    """Print what is known about the grammar in FOLDER."""
    shared_options.check_format(form)
    opened = Grammar.open(folder)
    if verify:
        opened.verify()
    sys.stdout.write(render_grammar(opened, form))


def _left_out(made: Grammar) -> str:
    origin = made.info["origin"]
    notes = []
    for file in origin["files"]:
        if file["skipped"]:
            first = ", ".join(map(str, file["first_skipped"][:3]))
            more = ", ..." if file["skipped"] > 3 else ""
            bad = counted(file["skipped"], "bad line")
            notes.append(f"{bad} of {file['name']} left out ({first}{more})")
    if origin["duplicates"]:
        notes.append(f"{counted(origin['duplicates'], 'repeated rule')} left out")
    return "".join(f"; {note}" for note in notes)


grammar.add_command(overlap_command)
grammar.add_command(coverage_command)
grammar.add_command(derive_command)
grammar.add_command(prune_command)
grammar.add_command(pivot_command)
