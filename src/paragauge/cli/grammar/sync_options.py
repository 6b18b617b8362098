"""Options of commands that parse sentence pairs with a grammar."""

from __future__ import annotations

from typing import Any

import click

from paragauge.cli.command import option, together
from paragauge.cli.options import shared_options
from paragauge.cli.options.bitext_options import case, empty
from paragauge.engine.sizes import checked_size
from paragauge.grammar.parse_settings import MAX_ITEMS, PASSTHROUGH, SPAN, ParseSettings
from paragauge.text.tokenizers import TOKENIZED, TOKENIZERS

PARSING = "Parsing"
LIMITS = "Limits of one pair"

tokenizer = option(
    "--tokenize",
    "-t",
    default=TOKENIZED,
    metavar="|".join(TOKENIZERS),
    heading=shared_options.INPUT,
    help=f"Tokenizer for the sentences; {TOKENIZED}: tokenized already, as the grammar's words.",
)
span = option(
    "--span",
    type=click.IntRange(0),
    default=SPAN,
    metavar="N",
    heading=PARSING,
    help="Source words under a rule at most; 0 for no limit. Glue rules have none.",
)
glue = option(
    "--glue/--no-glue",
    default=True,
    heading=PARSING,
    help="Whether phrases in a row, in the same order on both sides, make a sentence.",
)
start = option(
    "--start",
    multiple=True,
    metavar="LABEL",
    heading=PARSING,
    help="A label that may stand at the top, or in the row that glue makes. May repeat. Default: all.",
)
passthrough = option(
    "--pass-through",
    default="none",
    metavar="|".join(PASSTHROUGH),
    heading=PARSING,
    help="Source words that may stand for themselves: none, those in no rule, or all.",
)
passthrough_label = option(
    "--pass-through-label",
    default="X",
    metavar="LABEL",
    heading=PARSING,
    help="The label of words that stand for themselves.",
)
max_items = option(
    "--max-items",
    type=click.IntRange(0),
    default=MAX_ITEMS,
    metavar="N",
    heading=LIMITS,
    help="Chart items, the same on every machine; beyond them a pair is out of time. 0 for no limit.",
)
max_seconds = option(
    "--max-seconds",
    type=click.FloatRange(0),
    default=0.0,
    metavar="SECONDS",
    heading=LIMITS,
    help="Time; results then depend on the machine. 0 for no limit.",
)
max_memory = option(
    "--max-memory",
    default="1GiB",
    metavar="SIZE",
    heading=LIMITS,
    help="Memory, such as 500MB; 0 for no limit.",
)

sentences = together(tokenizer, case, empty)
parsing = together(
    span, glue, start, passthrough, passthrough_label, max_items, max_seconds, max_memory
)


def settings_of(given: dict[str, Any]) -> ParseSettings:
    """The settings that the options describe."""
    if given["pass_through"] == PASSTHROUGH[0]:
        shared_options.refuse_without("--pass-through unknown or all", "pass_through_label")
    return ParseSettings(
        span=given["span"],
        glue=given["glue"],
        start=tuple(given["start"]),
        passthrough=given["pass_through"],
        passthrough_label=given["pass_through_label"],
        max_items=given["max_items"],
        max_seconds=given["max_seconds"],
        max_memory=0 if given["max_memory"] == "0" else checked_size(given["max_memory"]),
    )


def text_settings(given: dict[str, Any]) -> dict[str, Any]:
    """How sentences are read."""
    return {name: given[name] for name in ("tokenize", "case", "empty", "threads")}
