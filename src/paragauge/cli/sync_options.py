"""Options of commands that parse sentence pairs with a grammar."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from paragauge.cli import options
from paragauge.cli.command import option
from paragauge.errors import InputError, SettingError
from paragauge.grammar.parse_settings import MAX_ITEMS, PASSTHROUGH, SPAN, ParseSettings
from paragauge.text.bitext import EMPTY
from paragauge.text.tokenisers import CASES, TOKENISERS

PARSING = "Parsing"
LIMITS = "Limits of one pair"
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}

tokenizer = option(
    "--tokenize",
    "-t",
    default="none",
    metavar="|".join(TOKENISERS),
    heading=options.INPUT,
    help="Tokeniser for the sentences; none: tokenised already, as the grammar's words.",
)
case = option(
    "--case",
    default="mixed",
    metavar="|".join(CASES),
    heading=options.INPUT,
    help="Take words as they are, or lowered.",
)
empty = option(
    "--empty",
    default="error",
    metavar="|".join(EMPTY),
    heading=options.INPUT,
    help="A pair with nothing on one side: refuse it, keep it, or drop and count it.",
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

sentences = options.together(tokenizer, case, empty)
parsing = options.together(
    span, glue, start, passthrough, passthrough_label, max_items, max_seconds, max_memory
)


def size_of(text: str) -> int:
    """Bytes of a size such as 500MB.

    >>> size_of("500MB"), size_of("1.5 GiB"), size_of("0")
    (500000000, 1610612736, 0)
    """
    number = text.strip().rstrip("BbiIkKmMgG")
    unit = text.strip()[len(number) :].upper()
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if unit not in UNITS or not 0 <= value < 1e15:
        raise SettingError(f"--max-memory {text}: expected a size such as 500MB or 2GiB")
    return int(value * UNITS[unit])


def settings_of(given: dict[str, Any]) -> ParseSettings:
    """The settings that the options describe."""
    if given["pass_through"] == PASSTHROUGH[0]:
        options.refuse_without("--pass-through unknown or all", "pass_through_label")
    return ParseSettings(
        span=given["span"],
        glue=given["glue"],
        start=tuple(given["start"]),
        passthrough=given["pass_through"],
        passthrough_label=given["pass_through_label"],
        max_items=given["max_items"],
        max_seconds=given["max_seconds"],
        max_memory=size_of(given["max_memory"]),
    )


def check_output(flag: str, path: str | None, inputs: Iterable[str | None]) -> None:
    """Refuse to write over an input."""
    if path is None or not Path(path).exists():
        return
    taken = {Path(each).resolve() for each in inputs if each not in (None, "-")}
    if Path(path).resolve() in taken:
        raise InputError(f"{flag} {path}: the file is an input too; choose another name")


def text_settings(given: dict[str, Any]) -> dict[str, Any]:
    """How sentences are read."""
    return {name: given[name] for name in ("tokenize", "case", "empty", "threads")}
