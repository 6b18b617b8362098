"""`paragauge grammar coverage`: the share of sentence pairs that grammars can parse."""

from __future__ import annotations

import sys

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.grammar.parsing_options import (
    PARSING,
    ParsingOptions,
    SentenceOptions,
    with_parsing,
    with_sentences,
)
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.progress import Steps
from paragauge.errors import InputError
from paragauge.grammar.pair_coverage import DIRECTIONS, CoverageDirections, coverage
from paragauge.grammar.sentence_pairs import SentencePairs
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
    help="Sentence pairs, one per line, the sides separated by a tab or ' ||| '.",
)
@option(
    "--translations",
    "-T",
    multiple=True,
    metavar="FILE",
    heading=shared_options.INPUT,
    help="Translations of the same sentences, one per line. Repeat it: all pairs of files are tried.",
)
@with_sentences
@choice_option(
    "--directions",
    choices=DIRECTIONS,
    default="one",
    heading=PARSING,
    help="Parse from the first sentence of a pair to the second, or both ways, of which either counts.",
)
@with_parsing
@shared_options.form
@option(
    "--per-pair",
    "per_pair",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write a TSV table with the status of every pair.",
)
@option(
    "--times",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Print how long each part of the work took.",
)
@shared_options.threads
def coverage_command(
    grammars: tuple[str, ...],
    pairs: str | None,
    translations: tuple[str, ...],
    sentences: SentenceOptions,
    directions: CoverageDirections,
    parsing: ParsingOptions,
    form: str,
    per_pair: str | None,
    times: bool,
    threads: int,
) -> None:
    """Parse sentence pairs with each GRAMMAR, and print the share of pairs that it covers.

    GRAMMAR is a folder, or a text file in the format of PPDB, Joshua, cdec or Moses. Of sets of
    translations, the share with at least one covered pair is printed too.
    """
    shared_options.check_format(form)
    settings = parsing.settings()
    paths = shared_options.named_paths(
        grammars, shared_options.file_stem, "grammars", "grammar", "NAME="
    )
    inputs = [*paths.values(), pairs, *translations]
    shared_options.check_no_input("--per-pair", per_pair, inputs)
    with atomic_if(per_pair) as out:
        sentence_pairs = _read_pairs(pairs, translations, sentences, threads)
        results = []
        with Steps(None) as step:
            for name, path in paths.items():
                results.append(
                    coverage(
                        path,
                        sentence_pairs,
                        settings,
                        directions=directions,
                        name=name,
                        threads=threads,
                        progress=step,
                    )
                )
        if out is not None:
            write_pairs(results, out)
    sys.stdout.write(render_coverage(results, form))
    if times:
        for result in results:
            click.echo(time_split(result), err=True)


def _read_pairs(
    pairs: str | None, translations: tuple[str, ...], sentences: SentenceOptions, threads: int
) -> SentencePairs:
    if pairs is not None and not translations:
        return sentences.read_pairs(pairs, threads)
    if pairs is None and translations:
        return sentences.read_translations(translations, threads)
    raise InputError(
        "expected sentence pairs (--pairs FILE) or translations (--translations FILE, at least "
        f"twice), found {'both' if translations else 'neither'}"
    )
