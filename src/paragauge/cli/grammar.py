"""`paragauge grammar`: convert paraphrase grammars, look into them, compare and prune them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import Command, CommandGroup, option
from paragauge.cli.grammar_coverage import coverage_command
from paragauge.cli.grammar_derive import derive_command
from paragauge.cli.phrases import WORK, memory, temporary
from paragauge.cli.progress import Steps
from paragauge.engine.dataset_write import check_output
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import SettingError
from paragauge.grammar.convert import DUPLICATES, read_grammar
from paragauge.grammar.overlap import MODES
from paragauge.grammar.overlap import overlap as overlap_of
from paragauge.grammar.overlap_curve import overlap_curve
from paragauge.grammar.prune import Pruning
from paragauge.grammar.prune import prune as pruned
from paragauge.grammar.rule import KINDS, LEXICAL
from paragauge.grammar.table import KIND, Grammar
from paragauge.grammar.text_read import ON_ERROR, STYLES
from paragauge.grammar.text_write import STYLES as WRITTEN
from paragauge.grammar.text_write import write_grammar
from paragauge.report.grammar_tables import overlap_plot, render_curves, render_grammar, render_overlap
from paragauge.report.save import check_plot, save_plot

RULES = "Rules"
CURVE = "Curve"
output_folder = option(
    "--output",
    "-o",
    required=True,
    metavar="PATH",
    heading=options.OUTPUT,
    help="What to write; a grammar that is there is replaced when the new one is complete.",
)
lexical = option(
    "--lexical",
    default="source",
    metavar="|".join(LEXICAL),
    heading=RULES,
    help="Lexical rules have one word on the source side, or on both.",
)


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
    """Paraphrase grammars: convert, inspect, compare with a gold grammar, prune."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


grammar.add_command(coverage_command)
grammar.add_command(derive_command)


@grammar.command(
    cls=Command,
    examples=(
        "paragauge grammar convert ppdb-1.0-s-lexical.gz ppdb-1.0-s-phrasal.gz --output ppdb",
        "paragauge grammar convert rule-table.gz --from moses-rules --on-error skip -o rules",
        "paragauge grammar convert ppdb --to hiero --output ppdb.cdec.gz",
    ),
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@output_folder
@option(
    "--from",
    "form",
    metavar="|".join(STYLES),
    heading=options.INPUT,
    help="The format of text files. Default: the first line of each tells.",
)
@option(
    "--to",
    default="joshua",
    metavar="|".join(WRITTEN),
    heading=options.OUTPUT,
    help="The format of the text file, if INPUT is a grammar's folder.",
)
@option(
    "--on-error",
    default="stop",
    metavar="|".join(ON_ERROR),
    heading=options.INPUT,
    help="Lines that break the format: stop, or skip and count them.",
)
@option(
    "--duplicates",
    default="stop",
    metavar="|".join(DUPLICATES),
    heading=options.INPUT,
    help="A rule that is there again: stop, or keep the first and count the others.",
)
@option(
    "--feature-names",
    metavar="NAME,...",
    heading=options.INPUT,
    help="Names of the features that files have by position.",
)
@memory
@temporary
@options.threads
def convert(**given: Any) -> None:
    """Convert grammars. If INPUT is a grammar's folder, the output is a text file (.gz or .zst
    compresses it); if INPUT is one or more text files, the output is the folder of one grammar.
    """
    inputs, output = given["inputs"], given["output"]
    if output == "-":
        raise SettingError("--output -: a grammar is not written to standard output; name a file")
    folders = [path for path in inputs if path != "-" and Path(path).is_dir()]
    if folders:
        if len(inputs) > 1:
            raise SettingError("expected one grammar's folder, or text files only; convert one by one")
        opened = Grammar.open(folders[0])
        options.refuse_without("text files as INPUT", "form", "on_error", "duplicates", "feature_names")
        with Steps(None) as step:
            rows = write_grammar(opened, output, given["to"], threads=given["threads"], progress=step)
        click.echo(f"{output}: {rows:,} rules ({given['to']})", err=True)
        return
    options.refuse_without("a grammar's folder as INPUT", "to")
    check_output(Path(output), KIND)
    with Steps(None) as step:
        made = read_grammar(
            inputs,
            output,
            form=given["form"],
            on_error=given["on_error"],
            duplicates=given["duplicates"],
            feature_names=_listed(given["feature_names"]),
            engine=_engine(given),
            threads=given["threads"],
            progress=step,
        )
    click.echo(f"{output}: {len(made):,} rules{_left_out(made)}", err=True)


@grammar.command(
    cls=Command,
    examples=("paragauge grammar info ppdb", "paragauge grammar info ppdb --format json"),
)
@click.argument("folder")
@option("--verify", is_flag=True, heading=WORK, help="Read all rules and compare the fingerprint.")
@options.form
def info(folder: str, verify: bool, form: str) -> None:
    """Print what is known about the grammar in FOLDER."""
    options.check_format(form)
    opened = Grammar.open(folder)
    if verify:
        opened.verify()
    sys.stdout.write(render_grammar(opened, form))


@grammar.command(
    "overlap",
    cls=Command,
    examples=(
        "paragauge grammar overlap PPDB=ppdb hiero --gold gold --frequencies 1,2,5",
        "paragauge grammar overlap ppdb --gold gold --curve PPDB2.0Score --plot figure4.svg",
    ),
)
@click.argument("grammars", nargs=-1, required=True, metavar="[NAME=]FOLDER...")
@option(
    "--gold", "-g", required=True, metavar="FOLDER", heading=options.INPUT, help="The gold grammar."
)
@option(
    "--mode",
    default="both",
    metavar="strict|non-strict|both",
    heading=RULES,
    help="Compare rules with their labels, without them, or both ways.",
)
@option(
    "--frequencies",
    default="1,2",
    metavar="N,...",
    heading=RULES,
    help="Gold rules that were extracted at least so often.",
)
@lexical
@option(
    "--curve",
    metavar="SCORE",
    heading=CURVE,
    help="Instead, cut each grammar by this feature, or count, and show the best rules only.",
)
@option("--ascending", is_flag=True, heading=CURVE, help="The lowest scores are the best.")
@option(
    "--sizes",
    default="10",
    metavar="N|N,N,...",
    heading=CURVE,
    help="Equal steps up to all rules, or numbers of rules separated by commas.",
)
@option(
    "--plot",
    metavar="FILE",
    heading=options.OUTPUT,
    help="Also draw the curves, as the name says: .svg or .png.",
)
@options.theme
@options.form
@memory
@temporary
@options.threads
def overlap_command(**given: Any) -> None:
    """Compare grammars with a gold grammar: how many of its rules they have, of which kind, with a
    lower bound on precision and relative recall.
    """
    options.check_format(given["form"])
    frequencies = _numbers("frequencies", given["frequencies"])
    modes = list(MODES) if given["mode"] == "both" else [given["mode"]]
    if given["curve"] is None:
        options.refuse_without("--curve", "ascending", "sizes", "plot")
    elif given["plot"] is not None:
        check_plot(given["plot"], given["theme"])
    gold = Grammar.open(given["gold"])
    resources = {
        name: Grammar.open(path) for name, path in options.systems_of(given["grammars"]).items()
    }
    with Steps(None) as step:
        if given["curve"] is None:
            found = overlap_of(
                gold,
                resources,
                modes=modes,
                frequencies=frequencies,
                lexical=given["lexical"],
                engine=_engine(given),
                progress=step,
            )
            shown = render_overlap(found, f"{gold.folder.name} (gold)", given["form"])
        else:
            curves = _curves(gold, resources, modes, frequencies, given, step)
            shown = render_curves(curves, given["form"])
            if given["plot"] is not None:
                save_plot(overlap_plot(curves), given["plot"], given["theme"])
    sys.stdout.write(shown)


def _curves(
    gold: Grammar,
    resources: dict[str, Grammar],
    modes: list[str],
    frequencies: list[int],
    given: dict[str, Any],
    step: Steps,
) -> list[Any]:
    sizes = _numbers("sizes", given["sizes"])
    curves = []
    for name, resource in resources.items():
        step(f"curve of {name}")
        curves.append(
            overlap_curve(
                gold,
                resource,
                given["curve"],
                name=name,
                ascending=given["ascending"],
                sizes=sizes if "," in given["sizes"] else sizes[0],
                mode=modes[0],
                frequency=frequencies[0],
                engine=_engine(given),
            )
        )
    return curves


@grammar.command(
    "prune",
    cls=Command,
    examples=(
        "paragauge grammar prune ppdb --score PPDB2.0Score --variants 2 --output small",
        "paragauge grammar prune gold --min-count 2 --kinds lexical,phrasal --output common",
    ),
)
@click.argument("folder")
@output_folder
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
@memory
@temporary
@options.threads
def prune_command(**given: Any) -> None:
    """Keep the best rules of the grammar in FOLDER: by kind and count first, then by score, then the
    best label variants, then the best rules of all.
    """
    opened = Grammar.open(given["folder"])
    check_output(Path(given["output"]), KIND)
    kinds = tuple(_listed(given["kinds"])) or None
    names = ("score", "ascending", "min_count", "threshold", "variants", "top", "lexical")
    settings = Pruning(kinds=kinds, **{name: given[name] for name in names})
    with Steps(None) as step:
        step(f"pruning {len(opened):,} rules")
        made = pruned(opened, given["output"], settings, engine=_engine(given))
    click.echo(f"{given['output']}: {len(made):,} of {len(opened):,} rules", err=True)


def _engine(given: dict[str, Any]) -> DuckDBEngine:
    return DuckDBEngine(given["memory"], given["threads"], given["temporary"])


def _listed(text: str | None) -> list[str]:
    return [] if text is None else [name.strip() for name in text.split(",")]


def _numbers(name: str, text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        message = f"--{name} {text}: expected whole numbers separated by commas"
        raise SettingError(message) from None


def _left_out(made: Grammar) -> str:
    origin = made.info["origin"]
    notes = []
    for file in origin["files"]:
        if file["skipped"]:
            first = ", ".join(map(str, file["first_skipped"][:3]))
            more = ", ..." if file["skipped"] > 3 else ""
            s = "s" * (file["skipped"] != 1)
            notes.append(f"{file['skipped']:,} bad line{s} of {file['name']} left out ({first}{more})")
    if origin["duplicates"]:
        notes.append(
            f"{origin['duplicates']:,} repeated rule{'s' * (origin['duplicates'] != 1)} left out"
        )
    return "".join(f"; {note}" for note in notes)
