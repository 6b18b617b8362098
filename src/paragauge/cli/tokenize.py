"""`paragauge tokenize`: the tokens of a text."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.text.line_reader import LineReader
from paragauge.text.tokenizers import (
    CASES,
    NORMALIZATIONS,
    TOKENIZERS,
    Case,
    Normalize,
    Tokenizer,
    apply_case,
    check_case,
    check_normalize,
    check_tokenizer,
    tokenize_lines,
)

BATCH = 1 << 13


@click.command(
    cls=Command,
    examples=(
        "paragauge tokenize corpus.txt > corpus.tok",
        'echo "It\'s 3.5-4 km." | paragauge tokenize --tokenize intl',
    ),
)
@click.argument("file", default="-")
@choice_option(
    "--tokenize", "-t", "tokenizer", choices=TOKENIZERS, default="13a", help="The tokenizer."
)
@choice_option("--case", choices=CASES, default="mixed", help="Keep the case, or lowercase words.")
@choice_option(
    "--normalize",
    choices=NORMALIZATIONS,
    default="none",
    help="Typography: first write curly quotes, dashes and the like as a typewriter does.",
)
@shared_options.threads
def tokenize(file: str, tokenizer: Tokenizer, case: Case, normalize: Normalize, threads: int) -> None:
    """Print each line's tokens, separated by spaces. FILE is text, one sentence per line; - (the
    default) is standard input.
    """
    check_tokenizer(tokenizer)
    check_case(case)
    check_normalize(normalize)
    with LineReader(file) as reader:
        while lines := reader.read(BATCH, 1 << 24):
            if normalize == "typography":
                lines = lines.normalize_typography()
            tokens = tokenize_lines(apply_case(lines, case), tokenizer, threads=threads)
            text = "".join(f"{line}\n" for line in tokens)
            sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
