"""`paragauge parse`: constituent trees of text."""

from __future__ import annotations

import sys

import click
import numpy as np

from paragauge.cli.command import Command, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import count_option
from paragauge.cli.parser.parser_options import load_parser, tagger
from paragauge.cli.tagger.tagger_options import model
from paragauge.errors import FileFormatError
from paragauge.syntax.constituents import LONGEST, MOST
from paragauge.text.files import display_name
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import TOKENIZED, tokenize_lines
from paragauge.text.wording import pluralize

BATCH = 1 << 10


@click.command(
    cls=Command,
    examples=(
        'echo "Dogs don\'t bark." | paragauge parse',
        "paragauge parse corpus.tok --tokenized > corpus.trees",
    ),
)
@click.argument("file", default="-")
@model
@tagger
@option(
    "--tokenized",
    is_flag=True,
    heading=shared_options.INPUT,
    help="The text is tokenized already, with ASCII white space between words.",
)
@count_option(
    "--longest",
    least=1,
    most=MOST,
    default=LONGEST,
    heading=shared_options.INPUT,
    help="Most words in a sentence; time grows with their cube.",
)
@option(
    "--flat",
    is_flag=True,
    heading=shared_options.OUTPUT,
    help="Give longer sentences flat trees of tags, instead of an error.",
)
@shared_options.threads
def parse(
    file: str,
    model: str | None,
    tagger: str | None,
    tokenized: bool,
    longest: int,
    flat: bool,
    threads: int,
) -> None:
    """Parse each line into constituents, one bracketed tree per line. FILE is text, one sentence per
    line; - (the default) is standard input. An empty line stays empty.
    """
    chosen = load_parser(model, tagger)
    too_long = 0
    with LineReader(file) as reader:
        while lines := reader.read(BATCH, 1 << 22):
            words = tokenize_lines(lines, TOKENIZED if tokenized else "penn", threads=threads)
            lengths = np.array([line.count(" ") + 1 if line else 0 for line in words])
            long = np.flatnonzero(lengths > longest)
            if len(long) and not flat:
                raise FileFormatError(
                    display_name(file),
                    reader.line - len(lines) + int(long[0]) + 1,
                    f"expected sentences of at most {longest:,} words, found {lengths[long[0]]:,}; "
                    "split it, raise --longest, or give --flat",
                )
            too_long += len(long)
            trees = chosen.parse_lines(words, threads=threads, longest=longest, flat=flat)
            out = "".join(f"{tree}\n" for tree in trees.to_brackets())
            sys.stdout.buffer.write(out.encode("utf-8"))
    sys.stdout.buffer.flush()
    if too_long:
        click.echo(
            f"{pluralize(too_long, 'sentence')} of more than {pluralize(longest, 'word')} "
            "got flat trees",
            err=True,
        )
