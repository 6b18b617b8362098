"""Formats, choice of input and output of the commands that explain something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from paragauge.cli.options.option_kinds import choice_option
from paragauge.cli.options.shared_options import OUTPUT
from paragauge.errors import InputError, unknown_name
from paragauge.report.tables.score_tables import json_text

FORMATS = ("text", "json")
explanation_form = choice_option(
    "--format",
    "-f",
    "form",
    choices=FORMATS,
    default="text",
    heading=OUTPUT,
    help="How to print the result.",
)


class Explainable(Protocol):
    """Something with a record for JSON."""

    def record(self) -> dict[str, Any]:
        """The record for JSON."""


Each = TypeVar("Each", bound=Explainable)


def check_form(form: str) -> None:
    """Refuse an unknown format.

    >>> check_form("jsn")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown format 'jsn'; did you mean 'json'? known: text, json
    """
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)


def check_texts_or_files(
    texts: Mapping[str, str | None], files: Mapping[str, object], what: str
) -> bool:
    """Whether options with texts are given, rather than those with files, by the option's name.

    All of one kind must be given and none of the other; `what` names both in the message.

    >>> check_texts_or_files({"source": "a", "target": "b"}, {"line": ()}, "")
    True
    """
    has_texts = any(value is not None for value in texts.values())
    has_files = any(value not in (None, ()) for value in files.values())
    if has_texts == has_files:
        raise InputError(f"expected {what}, found {'both' if has_texts else 'neither'}")
    needed = dict(texts) if has_texts else dict(files)
    names = list(needed)
    flags = f"--{', --'.join(names[:-1])} and --{names[-1]}"
    for name, value in needed.items():
        if not value:
            raise InputError(f"expected {flags}; --{name} is missing or empty")
    return has_texts


def render_titled(
    explanations: Mapping[str, Each],
    form: str,
    text: Callable[[Each], str],
    *,
    schema: str,
    key: str = "explanations",
) -> str:
    """Explanations by title: JSON with a list `key`, or text, with titles if there are several.

    `schema` is the name of the schema that the JSON has.
    """
    if form == "json":
        records = [
            {"title": title} | explanation.record() for title, explanation in explanations.items()
        ]
        return json_text(schema, {key: records})
    if len(explanations) == 1:
        return "".join(f"{text(explanation)}\n" for explanation in explanations.values())
    return "\n".join(
        f"== {title} ==\n{text(explanation)}\n" for title, explanation in explanations.items()
    )
