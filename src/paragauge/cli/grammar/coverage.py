"""`paragauge grammar coverage`: how many sentence pairs grammars can parse."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.grammar import sync_options
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps
from paragauge.errors import InputError
from paragauge.grammar.coverage import DIRECTIONS, coverage
from paragauge.grammar.pairs import SentencePairs, read_pairs, read_translations
from paragauge.report.tables.coverage_tables import render_coverage, time_split, write_pairs
from paragauge.text.files import atomic_if


@click.command(
    "coverage",
    cls=Command,
    examples=(
        "paragauge grammar coverage msr ldc=ldc-hiero --pairs pairs.tsv",
        "paragauge grammar coverage ppdb-s.gz -T one.txt -T two.txt -T three.txt -T four.txt",
        "paragauge grammar coverage mine --pairs p.txt --pass-through unknown --per-pair out.tsv",
    ),
)
@click.argument("grammars", nargs=-1, required=True, metavar="[NAME=]GRAMMAR...")
@option(
    "--pairs",
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Sentence pairs, one a line, with a tab or ' ||| ' between the sides.",
)
@option(
    "--translations",
    "-T",
    multiple=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Translations of the same sentences, one a line; repeat it: all pairs of files are tried.",
)
@sync_options.sentences
@option(
    "--directions",
    default="one",
    metavar="|".join(DIRECTIONS),
    heading=sync_options.PARSING,
    help="Parse from the first sentence of a pair to the second, or both ways: either counts.",
)
@sync_options.parsing
@shared_options.form
@option(
    "--per-pair",
    "per_pair",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write a TSV table of all pairs with their status.",
)
@option(
    "--times",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Print how long each part of the work took.",
)
@shared_options.threads
def coverage_command(**given: Any) -> None:
    """Parse sentence pairs with each GRAMMAR: a folder, or a text file of PPDB, Joshua, cdec or Moses.
    Prints which share of the pairs it covers, and of the sets of translations at least one pair of.
    """
    shared_options.check_format(given["form"])
    settings = sync_options.settings_of(given)
    named = shared_options.named_paths(
        given["grammars"], shared_options.file_stem, "grammars", "grammar", "NAME="
    )
    inputs = [*named.values(), given["pairs"], *given["translations"]]
    shared_options.check_no_input("--per-pair", given["per_pair"], inputs)
    with atomic_if(given["per_pair"]) as out:
        pairs = _pairs(given)
        found = []
        with Steps(None) as step:
            for name, rules in named.items():
                found.append(
                    coverage(
                        rules,
                        pairs,
                        settings,
                        directions=given["directions"],
                        name=name,
                        threads=given["threads"],
                        progress=step,
                    )
                )
        if out is not None:
            write_pairs(found, out)
    sys.stdout.write(render_coverage(found, given["form"]))
    if given["times"]:
        for each in found:
            click.echo(time_split(each), err=True)


def _pairs(given: dict[str, Any]) -> SentencePairs:
    files, reading = given["translations"], sync_options.text_settings(given)
    if (given["pairs"] is None) == (not files):
        raise InputError(
            "expected sentence pairs (--pairs FILE) or translations (--translations FILE, at least "
            f"twice), got {'neither' if not files else 'both'}"
        )
    return read_pairs(given["pairs"], **reading) if not files else read_translations(files, **reading)
