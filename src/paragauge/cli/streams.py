"""Standard input and output in place of files: one rule for all commands.

As an input `-` is standard input, which only one input can be. As an output it is standard output if
the command's result is text that other programs read: links, rewritten references, paraphrases,
grammars and phrase tables as text. Models and folders need a name, and so do files written
beside a printed result. Names that end in .gz or .zst are for text; binary models are compressed
already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from paragauge.errors import InputError, SettingError
from paragauge.text.files import ONE_INPUT, check_not_compressed

TEXT, MODEL, TEXT_MODEL, FOLDER, MORE = "text", "model", "text model", "folder", "more"
REFUSED = {
    MODEL: "a model is not written to standard output; name a file",
    TEXT_MODEL: "a model is not written to standard output; name a file",
    FOLDER: "standard output is not a folder; name one",
    MORE: "standard output already has the printed result; name a file",
}
INPUT = re.compile("FILE|SOURCE")
COLUMNS = ("candidates", "sources", "references")  # names of columns if there is a table


def check_streams(context: click.Context) -> None:
    """Refuse `-` where it has no meaning, and a compressed name for a binary model."""
    inputs = 0
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        writes = getattr(parameter, "writes", None)
        if writes is not None:
            _check_output(parameter, writes, value)
        elif not (parameter.name in COLUMNS and context.params.get("table") is not None):
            inputs += sum(_is_stream(parameter, text) for text in _texts(value))
    if inputs > 1:
        raise InputError(ONE_INPUT)


def check_folder(flag: str, value: str) -> None:
    """Refuse `-` for a folder, where the input decides whether the output is one.

    >>> check_folder("--output", "-")
    Traceback (most recent call last):
    paragauge.errors.SettingError: --output -: standard output is not a folder; name one
    """
    if value == "-":
        raise SettingError(f"{flag} -: {REFUSED[FOLDER]}")


def _check_output(parameter: click.Parameter, writes: str, value: Any) -> None:
    if value is None:
        return
    flag = parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.metavar)
    if value == "-" and writes in REFUSED:
        raise SettingError(f"{flag} -: {REFUSED[writes]}")
    if writes == MODEL:
        check_not_compressed(value)


def _is_stream(parameter: click.Parameter, text: str) -> bool:
    form = parameter.metavar or ""
    if isinstance(parameter, click.Option) and INPUT.search(form) is None:
        return False
    return text == "-" or ("=" in form and text.endswith("=-"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
