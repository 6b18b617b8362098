"""`paragauge tokenize`: what a tokeniser makes of a file."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from paragauge.text.reading import LineReader
from paragauge.text.tokenisers import CASES, TOKENISERS, check_tokeniser, prepared, tokenize_lines

BATCH = 1 << 13


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("tokenize")(tokenize)


def tokenize(
    file: Annotated[str, typer.Argument(help="Text, one sentence a line; - for standard input.")] = "-",
    tokenizer: Annotated[
        str,
        typer.Option("--tokenize", "-t", metavar="|".join(TOKENISERS), help="Which tokeniser."),
    ] = "13a",
    case: Annotated[
        str, typer.Option(metavar="|".join(CASES), help="Keep the case, or lower it.")
    ] = "mixed",
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 for one per core.")] = 0,
) -> None:
    """Print each line's tokens, separated by blanks.

    Examples:
        paragauge tokenize corpus.txt > corpus.tok

        echo "It's 3.5-4 km." | paragauge tokenize --tokenize intl

    """
    check_tokeniser(tokenizer)
    with LineReader(file) as reader:
        while lines := reader.read(BATCH, 1 << 24):
            tokens = tokenize_lines(prepared(lines, case), tokenizer, threads=threads)
            text = "".join(f"{line}\n" for line in tokens)
            sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
