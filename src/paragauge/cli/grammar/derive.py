"""`paragauge grammar derive`: how a grammar derives a sentence pair, or how far it gets."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.explained import FORMATS, check_form, rendered, takes_texts
from paragauge.cli.grammar import sync_options
from paragauge.cli.options import shared_options
from paragauge.cli.progress import Steps
from paragauge.errors import FileFormatError, InputError
from paragauge.grammar.derivation import derivation_text
from paragauge.grammar.pairs import SentencePairs, read_pairs
from paragauge.grammar.sync import SyncParser
from paragauge.kernels.layout import MOST_PARSED_NONTERMINALS
from paragauge.text.files import atomic_if
from paragauge.text.plain import counted

TEXTS = "Two sentences"
FILES = "Or lines of a file"


@click.command(
    "derive",
    cls=Command,
    examples=(
        "paragauge grammar derive mine --source \"king 's horse\" --target 'horse of king'",
        "paragauge grammar derive ppdb-s.gz --pairs pairs.tsv --line 3 --line 7 --html trees.html",
        "paragauge grammar derive mine --pairs pairs.tsv --line 3 --cost 'p(f|e)' --format json",
    ),
)
@click.argument("grammar")
@option("--source", metavar="TEXT", heading=TEXTS, help="The sentence to start from.")
@option("--target", metavar="TEXT", heading=TEXTS, help="The sentence to reach.")
@option(
    "--pairs",
    metavar="FILE",
    heading=FILES,
    help="Sentence pairs, one a line, with a tab or ' ||| ' between the sides.",
)
@option(
    "--line",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    heading=FILES,
    help="Which pair, the number of its line from 1. May repeat.",
)
@sync_options.sentences
@option(
    "--cost",
    metavar="FEATURE",
    heading=sync_options.PARSING,
    help="The feature to have the least sum of, numbers from 0 such as -log p. Default: fewest rules.",
)
@sync_options.parsing
@option(
    "--format",
    "-f",
    "form",
    default="text",
    metavar="|".join(FORMATS),
    heading=shared_options.OUTPUT,
    help="How to print the result.",
)
@option(
    "--html",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write an HTML page with drawings.",
)
@shared_options.threads
def derive_command(**given: Any) -> None:
    """Show the best derivation of sentence pairs with GRAMMAR, a folder or a text file: which rule
    gives which words. For a pair without one, show the largest spans that were reached.
    """
    check_form(given["form"])
    settings = sync_options.settings_of(given)
    shared_options.check_no_input("--html", given["html"], [given["grammar"], given["pairs"]])
    with atomic_if(given["html"]) as out:
        titles, pairs = _pairs(given)
        with Steps(None) as step:
            parser = SyncParser(
                given["grammar"],
                pairs.source,
                pairs.target,
                settings,
                cost=given["cost"],
                threads=given["threads"],
                progress=step,
            )
            found = {title: parser.derive(number) for number, title in enumerate(titles)}
        if parser.left_out:
            rules = counted(parser.left_out, "rule")
            click.echo(
                f"{rules} of more than {MOST_PARSED_NONTERMINALS} non-terminals left out", err=True
            )
        if out is not None:
            from paragauge.report.pages.derivation_page import render_derivations

            out.write(render_derivations(found, parser.name, shared_options.command_line()))
    sys.stdout.write(rendered(found, given["form"], "derivations", derivation_text))


def _pairs(given: dict[str, Any]) -> tuple[list[str], SentencePairs]:
    """Titles of the pairs, and the pairs."""
    reading = sync_options.text_settings(given)
    what = "two sentences (--source, --target) or lines of a file (--pairs, --line)"
    if takes_texts(given, ["source", "target"], ["pairs", "line"], what):
        titles = ["two sentences"]
        where: list[tuple[str, int | None]] = [("--source and --target", None)]
        sides = [[given["source"]], [given["target"]]]
        pairs = SentencePairs.of_translations(sides, **reading | {"empty": "keep"})
    else:
        pairs = read_pairs(given["pairs"], **reading | {"empty": "keep"})
        lines = list(dict.fromkeys(given["line"]))
        for line in lines:
            if line > len(pairs):
                raise InputError(
                    f"{given['pairs']}: expected a line from 1 to {len(pairs):,}, got --line {line:,}"
                )
        titles, where = [f"line {line}" for line in lines], [(given["pairs"], line) for line in lines]
        pairs = pairs.take([line - 1 for line in lines])
    return _with_words(titles, pairs, where, given["empty"])


def _with_words(
    titles: list[str], pairs: SentencePairs, where: list[tuple[str, int | None]], empty: str
) -> tuple[list[str], SentencePairs]:
    """The pairs that `empty` lets stay; an error that says where the first other one is."""
    bare = (pairs.lengths == 0).any(axis=1)
    if empty == "keep" or not bare.any():
        return titles, pairs
    first = where[int(bare.argmax())]
    if empty == "error":
        message = "repair it, keep such pairs with --empty keep, or drop them with --empty skip"
        raise FileFormatError(*first, f"expected two sentences, found nothing on one side; {message}")
    if bare.all():
        message = "a side is empty, so --empty skip drops the pair, and none is left to derive"
        raise FileFormatError(*first, f"{message}; choose another one, or --empty keep")
    dropped = [title for title, each in zip(titles, bare, strict=True) if each]
    click.echo(f"{', '.join(dropped)}: dropped, a side is empty", err=True)
    kept = (~bare).nonzero()[0]
    return [titles[at] for at in kept], pairs.take(kept)
