"""Options of commands that read a bitext: two files, or a TSV file with both sides."""

from __future__ import annotations

from dataclasses import dataclass

import click

from paragauge.align.aligners import AlignerName
from paragauge.align.eflomal import TOO_LONG
from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.errors import SettingError
from paragauge.text.bitext import EMPTY, BitextFiles, EmptySides
from paragauge.text.tokenizers import CASES, TOKENIZED, TOKENIZERS, Case, Tokenizer, check_tokenizer

columns = option(
    "--columns",
    default="1,2",
    metavar="N,N",
    heading=shared_options.INPUT,
    help="Columns of the source and the target in a TSV file, from 1.",
)
tokenizer = option(
    "--tokenize",
    "-t",
    default=TOKENIZED,
    metavar="NAME[,NAME]",
    heading=shared_options.INPUT,
    help=f"Tokenizer, or one for each side: {', '.join(TOKENIZERS)}. {TOKENIZED}: already "
    "tokenized, with ASCII white space between words.",
)
case = choice_option(
    "--case",
    choices=CASES,
    default="mixed",
    heading=shared_options.INPUT,
    help="Take words as they are, or lowercase them.",
)
empty = choice_option(
    "--empty",
    choices=EMPTY,
    default="error",
    heading=shared_options.INPUT,
    help="A pair with an empty side: refuse it, keep it, or drop and count it.",
)

too_long = choice_option(
    "--too-long",
    choices=TOO_LONG,
    default="error",
    heading=shared_options.INPUT,
    help="Pairs of more than 1,023 tokens a side, which eflomal cannot take: refuse them, or leave "
    "them without links.",
)


@dataclass(frozen=True)
class BitextInput:
    """The arguments SOURCE and TARGET, and the options on how to read them."""

    source: str
    target: str | None
    columns: str
    tokenize: str
    case: Case
    empty: EmptySides

    def files(self, threads: int = 0) -> BitextFiles:
        """The files of the bitext, with how to read them."""
        if self.target is not None:
            shared_options.refuse_without("a single TSV file", "columns")
        return BitextFiles(
            self.source,
            self.target,
            columns=_columns(self.columns),
            tokenize=_per_side(self.tokenize),
            case=self.case,
            empty=self.empty,
            threads=threads,
        )


with_bitext = gather_options(
    "bitext",
    BitextInput,
    click.argument("source"),
    click.argument("target", required=False),
    columns,
    tokenizer,
    case,
    empty,
)


def check_link_source(alignment: str | None, aligner: AlignerName | None) -> None:
    """Refuse links from both a file and an aligner, from neither, and options only an aligner needs."""
    if (alignment is None) == (aligner is None):
        number = "neither" if alignment is None else "both"
        raise SettingError(
            "expected a file of links (--alignment FILE) or an aligner (--align) to make them, "
            f"found {number}; give one"
        )
    if aligner is None:
        shared_options.refuse_without("--align", "too_long")


def _columns(text: str) -> tuple[int, int]:
    numbers = text.split(",")
    if len(numbers) != 2 or not all(number.isascii() and number.isdigit() for number in numbers):
        raise SettingError(f"--columns: expected two numbers such as 1,2, found '{text}'")
    return int(numbers[0]), int(numbers[1])


def _per_side(text: str) -> tuple[Tokenizer, Tokenizer]:
    names = text.split(",")
    if len(names) > 2:
        raise SettingError(f"--tokenize: expected one name, or two such as 13a,zh, found '{text}'")
    return check_tokenizer(names[0]), check_tokenizer(names[-1])
