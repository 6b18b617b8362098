"""Options that several commands of `paragauge grammar` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from paragauge.cli import streams
from paragauge.cli.command import option
from paragauge.cli.options import shared_options
from paragauge.cli.options.option_kinds import choice_option
from paragauge.errors import SettingError
from paragauge.grammar.grammar_forms import is_grammar_file
from paragauge.grammar.rule import LEXICAL

RULES = "Rules"


def _output(writes: str) -> Callable[[Any], Any]:
    return option(
        "--output",
        "-o",
        required=True,
        metavar="PATH",
        heading=shared_options.OUTPUT,
        writes=writes,
        help="The output; an existing grammar is replaced when the new one is complete.",
    )


output_path, output_either = _output(streams.FOLDER), _output(streams.TEXT)
lexical = choice_option(
    "--lexical",
    choices=LEXICAL,
    default="source",
    heading=RULES,
    help="Whether lexical rules have one word on the source side, or on both.",
)


def named_grammars(values: tuple[str, ...], what: str) -> dict[str, str]:
    """Folders and files by name, given as PATH or as NAME=PATH; `what` is the word for one in messages.

    A file is called by its name without endings.

    >>> named_grammars(("ppdb.v1", "x=y"), "grammar")
    {'ppdb.v1': 'ppdb.v1', 'x': 'y'}
    """

    def own_name(path: str) -> str:
        return shared_options.file_stem(path) if is_grammar_file(path) else Path(path).name

    return shared_options.named_paths(values, own_name, f"{what}s", what, "NAME=")


def parse_names(text: str | None) -> list[str]:
    """Names separated by commas.

    >>> parse_names("a, b"), parse_names(None)
    (['a', 'b'], [])
    """
    return [] if text is None else [name.strip() for name in text.split(",")]


def parse_numbers(name: str, text: str) -> list[int]:
    """Whole numbers separated by commas; `name` is the option that errors name.

    >>> parse_numbers("sizes", "10,20")
    [10, 20]
    """
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        message = f"--{name} {text}: expected whole numbers separated by commas"
        raise SettingError(message) from None
