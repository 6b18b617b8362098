"""Every error that paragauge raises on purpose.

    ParagaugeError              the root: `except ParagaugeError` catches all of them
    ├── InputError              the data is not as expected (also a ValueError)
    │   ├── FileFormatError     a file breaks its format; knows path and line
    │   ├── LengthError         inputs that must be parallel are not
    │   └── ShapeError          a Python value has the wrong shape
    ├── SettingError            an unknown metric, tokenizer or setting, or a bad value for one
    │                           (also a ValueError)
    ├── UnknownKeyError         a result has nothing under this key (also a KeyError)
    ├── EngineError             a query failed: no disk space, no memory, an error in the query
    ├── CollectError            the collection application cannot do what was asked
    │   ├── StoreError          a store cannot be opened or has another version
    │   ├── AnswerError         a worker's answer cannot be accepted; knows the form field
    │   └── RefusedError        an action is not allowed, or not now; has a one-word reason
    └── MissingExtraError       an optional dependency is not installed (also an ImportError)

A message says where, what was expected, what was found and what to try. The command line prints
it as one line and exits with code 2.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "AnswerError",
    "CollectError",
    "EngineError",
    "FileFormatError",
    "InputError",
    "LengthError",
    "MissingExtraError",
    "ParagaugeError",
    "RefusedError",
    "SettingError",
    "ShapeError",
    "StoreError",
    "UnknownKeyError",
]


class ParagaugeError(Exception):
    """The root of all errors that this package raises on purpose.

    What a message repeats from the input is cut to a readable length.

    >>> print(InputError("expected a number, found " + "9" * 5000))
    expected a number, found 999...999... (5,000 characters)
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(shorten(part) if isinstance(part, str) else part for part in arguments))


class InputError(ParagaugeError, ValueError):
    """The data is not as expected."""


class FileFormatError(InputError):
    """A file breaks its format.

    >>> print(FileFormatError("refs.tsv", 418, "expected 4 fields, found 3"))
    refs.tsv:418: expected 4 fields, found 3
    """

    def __init__(self, path: str | Path, line: int | None, message: str) -> None:
        self.path = str(path)
        self.line = line
        place = self.path if line is None else f"{self.path}:{line}"
        super().__init__()
        self.args = (f"{place}: {shorten(message)}",)


class LengthError(InputError):
    """Inputs that must have one item per segment differ in length."""


class ShapeError(InputError):
    """A Python value has the wrong shape, for example transposed references."""


class SettingError(ParagaugeError, ValueError):
    """An unknown name, or a value that a setting does not accept."""


class UnknownKeyError(ParagaugeError, KeyError):
    """A result has nothing under this key."""

    def __str__(self) -> str:
        return str(self.args[0])


class EngineError(ParagaugeError):
    """The relational engine could not finish a query."""


class CollectError(ParagaugeError):
    """The collection application cannot do what was asked."""


class StoreError(CollectError):
    """A store is missing, cannot be opened, or has another version."""


class AnswerError(CollectError):
    """A worker's answer cannot be accepted; `field` names the field of the form.

    >>> error = AnswerError("text", "write one sentence")
    >>> print(error, error.field)
    write one sentence text
    """

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)


class RefusedError(CollectError):
    """An action is not allowed, or not now; `reason` is one word that programs can test.

    >>> error = RefusedError("expired", "the time for this task is over; take another")
    >>> error.reason
    'expired'
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class MissingExtraError(ParagaugeError, ImportError):
    """An optional dependency is not installed; the message has the command that installs it.

    >>> print(MissingExtraError("eflomal", command="pip install eflomal"))
    eflomal is not installed; run: pip install eflomal
    """

    def __init__(self, what: str, extra: str = "", *, command: str = "", instead: str = "") -> None:
        install = command or (
            f"pip install 'paragauge[{extra}]' (in a checkout: pip install '.[{extra}]')"
        )
        other = f"; or {instead}" if instead else ""
        super().__init__(f"{what} is not installed; run: {install}{other}")


LONGEST = 300  # characters of the input that a message repeats
LONGEST_MESSAGE = 2000
_LONG_WORD = re.compile(rf"\S{{{LONGEST + 1},}}")


def excerpt(text: str, longest: int = LONGEST) -> str:
    """Text as a message repeats it: its beginning and its length if it is long.

    >>> excerpt("a dog")
    'a dog'
    >>> excerpt("0" * 5000, 20)
    '00000000000... (5,000 characters)'
    """
    if len(text) <= longest:
        return text
    return f"{text[: longest - 9]}... ({len(text):,} characters)"


def shorten(message: str) -> str:
    """A message whose words have at most LONGEST characters, and the whole at most LONGEST_MESSAGE.

    >>> shorten("expected a number, found " + "9" * 5000)[:32]
    'expected a number, found 9999999'
    >>> len(shorten("a " * 5000))
    2000
    """
    if len(message) > LONGEST:
        message = _LONG_WORD.sub(lambda word: excerpt(word[0]), message)
    if len(message) > LONGEST_MESSAGE:
        half = LONGEST_MESSAGE // 2
        message = f"{message[: half - 5]} ... {message[-half:]}"
    return message


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The name that somebody probably meant: one that differs in case alone, or the most similar one.

    >>> nearest_name("A", ["b", "a"]), nearest_name("humann", ["human"]), nearest_name("x", ["human"])
    ('a', 'human', None)
    """
    names = list(known)
    name = name[:LONGEST]
    same = [other for other in names if other.casefold() == name.casefold()]
    close = same or difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    # An ending such as .txt makes a short name unlike itself.
    stem = name.rpartition(".")[0].casefold()
    return next(iter(close or [other for other in names if stem and other.casefold() == stem]), None)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> SettingError:
    """The error for a name that is not in `known`, with the nearest one suggested.

    >>> print(unknown_name("tokenizer", "13b", ["13a", "intl"]))
    unknown tokenizer '13b'; did you mean '13a'? known: 13a, intl
    >>> print(unknown_name("feature", "p", []))
    unknown feature 'p'; there are none
    """
    names = list(known)
    close = nearest_name(name, names)
    hint = "" if close is None else f"did you mean '{close}'? "
    listed = f"known: {', '.join(names)}" if names else "there are none"
    return SettingError(f"unknown {kind} '{excerpt(name)}'; {hint}{listed}")


def unknown_key(result: str, key: object, known: Iterable[str]) -> UnknownKeyError:
    """The error for a key that a result does not have, with the nearest one suggested.

    >>> print(unknown_key("metric", "blue", ["bleu", "pinc"]))
    unknown metric 'blue'; did you mean 'bleu'? known: bleu, pinc
    """
    return UnknownKeyError(str(unknown_name(result, str(key), known)))
