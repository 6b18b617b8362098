"""`paragauge grammar sizes`: how large texts and grammars are."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command, option
from paragauge.cli.grammar.parsing_options import tokenizer
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import empty
from paragauge.cli.progress import Steps
from paragauge.grammar.evaluation.data_sizes import data_sizes
from paragauge.report.tables.grammar_tables import render_sizes
from paragauge.text.bitext import EmptySides
from paragauge.text.tokenizers import Tokenizer


@click.command(
    "sizes",
    cls=Command,
    examples=(
        "paragauge grammar sizes --text MSR=msr.tsv --text LDC=one.txt+two.txt+three.txt+four.txt",
        "paragauge grammar sizes gold hiero PPDB=ppdb-s.gz --format latex",
    ),
)
@click.argument("grammars", nargs=-1, metavar="[[NAME=]GRAMMAR]...")
@option(
    "--text",
    "texts",
    multiple=True,
    metavar="[NAME=]FILE[+FILE...]",
    heading=shared_options.INPUT,
    help="A parallel text: pairs in one file, sides separated by a tab or ' ||| ', or files with "
    "parallel lines, of which all pairs count. May repeat.",
)
@tokenizer
@empty
@shared_options.form
@shared_options.threads
def sizes_command(
    grammars: tuple[str, ...],
    texts: tuple[str, ...],
    tokenize: Tokenizer,
    empty: EmptySides,
    form: str,
    threads: int,
) -> None:
    """Count the pairs and words of parallel texts and the rules of grammars.

    These are tables 1 and 2 of Weese, Ganitkevitch and Callison-Burch (2014). GRAMMAR is a folder, or a
    text file in the format of PPDB, Joshua, cdec or Moses.
    """
    shared_options.check_format(form)
    if not texts:
        shared_options.refuse_without("--text", "tokenize", "empty")
    stem = shared_options.file_stem
    named_grammars = shared_options.named_paths(grammars, stem, "grammars", "grammar", "NAME=")
    # A text of several files without a name has that of the first.
    named_texts = shared_options.named_paths(
        texts, lambda files: stem(files.split("+")[0]), "texts", "text", "--text NAME="
    )
    files = {name: paths.split("+") for name, paths in named_texts.items()}
    with Steps(None) as step:
        found = data_sizes(
            files, named_grammars, tokenize=tokenize, empty=empty, threads=threads, progress=step
        )
    sys.stdout.write(render_sizes(found, form))
