"""`paragauge grammar derive`: the best derivation of a sentence pair, or the spans it reaches."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option
from paragauge.cli.explanation_output import (
    check_form,
    check_texts_or_files,
    explanation_form,
    render_titled,
)
from paragauge.cli.grammar.parsing_options import (
    PARSING,
    ParsingOptions,
    SentenceOptions,
    with_parsing,
    with_sentences,
)
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.progress import Steps
from paragauge.errors import FileFormatError, InputError
from paragauge.grammar.derivation import format_derivation
from paragauge.grammar.sentence_pairs import SentencePairs
from paragauge.grammar.sync_parser import SyncParser
from paragauge.kernels.layout import MOST_PARSED_NONTERMINALS
from paragauge.text.bitext import EmptySides
from paragauge.text.files import atomic_if
from paragauge.text.wording import pluralize

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
    help="Sentence pairs, one per line, the sides separated by a tab or ' ||| '.",
)
@count_option(
    "--line", least=1, multiple=True, heading=FILES, help="The line of a pair, from 1. May be repeated."
)
@with_sentences
@option(
    "--cost",
    metavar="FEATURE",
    heading=PARSING,
    help="The feature whose sum to minimize, such as -log p; -log of paragauge's own probabilities. "
    "Default: fewest rules.",
)
@with_parsing
@explanation_form
@option(
    "--html",
    metavar="FILE",
    heading=shared_options.OUTPUT,
    writes=streams.MORE,
    help="Also write an HTML page with drawings.",
)
@shared_options.threads
def derive_command(
    grammar: str,
    source: str | None,
    target: str | None,
    pairs: str | None,
    line: tuple[int, ...],
    sentences: SentenceOptions,
    cost: str | None,
    parsing: ParsingOptions,
    form: str,
    html: str | None,
    threads: int,
) -> None:
    """Show the best derivation of sentence pairs with GRAMMAR: which rule derives which words.

    GRAMMAR is a folder or a text file. If a pair has no derivation, show the largest spans that the
    rules reach.
    """
    check_form(form)
    settings = parsing.settings()
    shared_options.check_no_input("--html", html, [grammar, pairs])
    with atomic_if(html) as out:
        what = "two sentences (--source, --target) or lines of a file (--pairs, --line)"
        texts, files = {"source": source, "target": target}, {"pairs": pairs, "line": line}
        if check_texts_or_files(texts, files, what):
            chosen = _two_sentences(str(source), str(target), sentences, threads)
        else:
            chosen = _lines(str(pairs), line, sentences, threads)
        filled = chosen.filter_empty(sentences.empty)
        with Steps(None) as step:
            parser = SyncParser(
                grammar,
                filled.pairs.source,
                filled.pairs.target,
                settings,
                cost=cost,
                threads=threads,
                progress=step,
            )
            derivations = {title: parser.derive(number) for number, title in enumerate(filled.titles)}
        if parser.left_out:
            rules = pluralize(parser.left_out, "rule")
            click.echo(
                f"{rules} with more than {MOST_PARSED_NONTERMINALS} non-terminals left out", err=True
            )
        if out is not None:
            from paragauge.report.pages.derivation_page import render_derivations

            out.write(render_derivations(derivations, parser.name, shared_options.command_line()))
    sys.stdout.write(
        render_titled(derivations, form, format_derivation, schema="grammar-derive", key="derivations")
    )


@dataclass(frozen=True)
class _ChosenPairs:
    """The pairs to derive, each with a title and its place: a file and a line, or options."""

    titles: list[str]
    places: list[tuple[str, int | None]]
    pairs: SentencePairs

    def filter_empty(self, empty: EmptySides) -> _ChosenPairs:
        """The pairs that the setting `empty` keeps; an error names the place of the first bad one."""
        is_empty = (self.pairs.lengths == 0).any(axis=1)
        if empty == "keep" or not is_empty.any():
            return self
        first = self.places[int(is_empty.argmax())]
        if empty == "error":
            message = "repair it, keep such pairs with --empty keep, or drop them with --empty skip"
            raise FileFormatError(
                *first, f"expected two sentences, found nothing on one side; {message}"
            )
        if is_empty.all():
            message = "a side is empty, so --empty skip drops the pair, and none is left to derive"
            raise FileFormatError(*first, f"{message}; choose another one, or --empty keep")
        dropped = [title for title, drop in zip(self.titles, is_empty, strict=True) if drop]
        click.echo(f"{', '.join(dropped)}: dropped, a side is empty", err=True)
        rows = (~is_empty).nonzero()[0]
        return _ChosenPairs(
            [self.titles[at] for at in rows], [self.places[at] for at in rows], self.pairs.take(rows)
        )


def _two_sentences(source: str, target: str, sentences: SentenceOptions, threads: int) -> _ChosenPairs:
    pairs = sentences.one_pair(source, target, threads)
    return _ChosenPairs(["two sentences"], [("--source and --target", None)], pairs)


def _lines(
    path: str, numbers: tuple[int, ...], sentences: SentenceOptions, threads: int
) -> _ChosenPairs:
    pairs = sentences.read_pairs(path, threads, empty="keep")
    lines = list(dict.fromkeys(numbers))
    for line in lines:
        if line > len(pairs):
            raise InputError(f"{path}: expected a line from 1 to {len(pairs):,}, found --line {line:,}")
    return _ChosenPairs(
        [f"line {line}" for line in lines],
        [(path, line) for line in lines],
        pairs.take([line - 1 for line in lines]),
    )
