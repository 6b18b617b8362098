"""Options of commands that parse sentence pairs with a grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from paragauge.cli.command import gather_options, option
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import case, empty
from paragauge.cli.options.option_kinds import choice_option, count_option
from paragauge.engine.memory_size import parse_size
from paragauge.grammar.parse_settings import (
    MAX_ITEMS,
    PASSTHROUGH,
    PASSTHROUGH_GAPS,
    SPAN,
    ParseSettings,
    Passthrough,
    PassthroughGaps,
)
from paragauge.grammar.sentence_pairs import SentencePairs, read_pairs, read_translations
from paragauge.text.bitext import EmptySides
from paragauge.text.tokenizers import TOKENIZED, TOKENIZERS, Case, Tokenizer

PARSING = "Parsing"
LIMITS = "Limits of one pair"

tokenizer = choice_option(
    "--tokenize",
    "-t",
    choices=TOKENIZERS,
    default=TOKENIZED,
    heading=shared_options.INPUT,
    help=f"Tokenizer for the sentences; {TOKENIZED}: they are tokenized already, like the grammar.",
)
span = count_option(
    "--span",
    least=0,
    default=SPAN,
    heading=PARSING,
    help="Most source words under a rule; 0 for no limit. Glue rules have no limit.",
)
glue = option(
    "--glue/--no-glue",
    default=True,
    heading=PARSING,
    help="Whether glue rules join phrases in the same order on both sides into a sentence.",
)
start = option(
    "--start",
    multiple=True,
    metavar="LABEL",
    heading=PARSING,
    help="A label allowed at the top, or directly under glue rules. May be repeated. Default: all.",
)


def _passthrough(default: Passthrough) -> Callable[[Any], Any]:
    return choice_option(
        "--pass-through",
        choices=PASSTHROUGH,
        default=default,
        heading=PARSING,
        help="Source words that may translate to themselves: none, those in no rule, or all.",
    )


passthrough_label = option(
    "--pass-through-label",
    default="X",
    metavar="LABEL",
    heading=PARSING,
    help="The label of words that translate to themselves.",
)
passthrough_gaps = choice_option(
    "--pass-through-gaps",
    choices=PASSTHROUGH_GAPS,
    default="any",
    heading=PARSING,
    help="Non-terminals that take words that translate to themselves: of any label, or of that label.",
)
max_items = count_option(
    "--max-items",
    least=0,
    default=MAX_ITEMS,
    heading=LIMITS,
    help="Chart items, after which a pair is out of time on any machine; 0 for no limit.",
)
max_seconds = option(
    "--max-seconds",
    type=click.FloatRange(0),
    default=0.0,
    metavar="SECONDS",
    heading=LIMITS,
    help="Time, which makes results depend on the machine; 0 for no limit.",
)
max_memory = option(
    "--max-memory",
    default="1GiB",
    metavar="SIZE",
    heading=LIMITS,
    help="Memory, such as 500MB; 0 for no limit.",
)


@dataclass(frozen=True)
class SentenceOptions:
    """How sentences are read."""

    tokenize: Tokenizer
    case: Case
    empty: EmptySides

    def read_pairs(self, path: str, threads: int, *, empty: EmptySides | None = None) -> SentencePairs:
        """The sentence pairs of a file; `empty` in place of --empty."""
        return read_pairs(
            path,
            tokenize=self.tokenize,
            case=self.case,
            empty=empty or self.empty,
            threads=threads,
        )

    def read_translations(self, paths: Sequence[str], threads: int) -> SentencePairs:
        """All pairs of the files of translations."""
        return read_translations(
            paths, tokenize=self.tokenize, case=self.case, empty=self.empty, threads=threads
        )

    def one_pair(self, source: str, target: str, threads: int) -> SentencePairs:
        """The pair of two sentences, which may be empty."""
        return SentencePairs.of_translations(
            [[source], [target]],
            tokenize=self.tokenize,
            case=self.case,
            empty="keep",
            threads=threads,
        )


@dataclass(frozen=True)
class ParsingOptions:
    """How sentence pairs are parsed, and the limits of one pair."""

    span: int
    glue: bool
    start: tuple[str, ...]
    pass_through: Passthrough
    pass_through_label: str
    pass_through_gaps: PassthroughGaps
    max_items: int
    max_seconds: float
    max_memory: str

    def settings(self) -> ParseSettings:
        """The settings that the options describe."""
        if self.pass_through == PASSTHROUGH[0]:
            shared_options.refuse_without(
                "--pass-through unknown or all", "pass_through_label", "pass_through_gaps"
            )
        return ParseSettings(
            span=self.span,
            glue=self.glue,
            start=self.start,
            passthrough=self.pass_through,
            passthrough_label=self.pass_through_label,
            passthrough_gaps=self.pass_through_gaps,
            max_items=self.max_items,
            max_seconds=self.max_seconds,
            max_memory=0 if self.max_memory == "0" else parse_size(self.max_memory),
        )


with_sentences = gather_options("sentences", SentenceOptions, tokenizer, case, empty)


def _parsing(default: Passthrough) -> Callable[[Any], Any]:
    return gather_options(
        "parsing",
        ParsingOptions,
        span,
        glue,
        start,
        _passthrough(default),
        passthrough_label,
        passthrough_gaps,
        max_items,
        max_seconds,
        max_memory,
    )


# With the default that no word passes through, or all words do.
with_parsing, with_parsing_all = _parsing("none"), _parsing("all")
