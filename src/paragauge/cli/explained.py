"""What commands that explain one thing or several share: formats, the choice of input, output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from paragauge.errors import InputError, unknown_name
from paragauge.report.tables.score_tables import json_text
from paragauge.version import __version__

FORMATS = ("text", "json")


class Explained(Protocol):
    """Something that can be put in a record."""

    def record(self) -> dict[str, Any]:
        """What JSON has of it."""


Each = TypeVar("Each", bound=Explained)


def check_form(form: str) -> None:
    """Refuse an unknown format.

    >>> check_form("jsn")
    Traceback (most recent call last):
    paragauge.errors.SettingError: unknown format 'jsn'; did you mean 'json'? known: text, json
    """
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)


def takes_texts(
    given: Mapping[str, Any], texts: Sequence[str], files: Sequence[str], what: str
) -> bool:
    """Whether the options `texts` are given, or else `files`: all of one kind and none of the other.

    >>> takes_texts({"source": "a", "target": "b", "line": ()}, ["source", "target"], ["line"], "")
    True
    """
    has_texts = any(given[name] is not None for name in texts)
    has_files = any(given[name] not in (None, ()) for name in files)
    if has_texts == has_files:
        raise InputError(f"expected {what}, got {'both' if has_texts else 'neither'}")
    wanted = texts if has_texts else files
    flags = f"--{', --'.join(wanted[:-1])} and --{wanted[-1]}"
    for name in wanted:
        if not given[name]:
            raise InputError(f"expected {flags}; --{name} is missing or empty")
    return has_texts


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
        raise InputError(f"expected {what}, got {'both' if has_texts else 'neither'}")
    needed = dict(texts) if has_texts else dict(files)
    names = list(needed)
    flags = f"--{', --'.join(names[:-1])} and --{names[-1]}"
    for name, value in needed.items():
        if not value:
            raise InputError(f"expected {flags}; --{name} is missing or empty")
    return has_texts


def rendered(found: Mapping[str, Each], form: str, key: str, text: Callable[[Each], str]) -> str:
    """All that was found, by title: as JSON with a list `key`, or as text with titles if it is more."""
    if form == "json":
        records = [{"title": title} | each.record() for title, each in found.items()]
        return json_text({key: records, "paragauge": __version__})
    if len(found) == 1:
        return "".join(f"{text(each)}\n" for each in found.values())
    return "\n".join(f"== {title} ==\n{text(each)}\n" for title, each in found.items())
