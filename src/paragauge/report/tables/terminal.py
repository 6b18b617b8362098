"""What a table may do where it is shown: how wide it may be, and whether it may have colors.

Without a terminal, in files, pipes and Python, a table is as wide as its cells and has no colors. On a
terminal a table that is wider turns to a long layout, one record after the other. Colors follow the
usual variables: `NO_COLOR` (any text) switches them off, `FORCE_COLOR` on, in pipes too; `TERM=dumb`
has none. `COLUMNS` is the width of the terminal, if it is set.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TextIO

BOLD, RED, GREEN, DIM = "1", "31", "32", "2"
# What cells with these texts look like.
CELLS = {"better": GREEN, "worse": RED, "not significant": DIM}


@dataclass(frozen=True)
class Terminal:
    """The width of lines in columns, None for any, and whether there are colors.

    >>> Terminal(color=True).paint("a", BOLD), Terminal().paint("a", BOLD)
    ('\\x1b[1ma\\x1b[0m', 'a')
    """

    columns: int | None = None
    color: bool = False

    def paint(self, text: str, style: str | None) -> str:
        """The text in a style, if there are colors."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.color and style and text.strip() else text


_current: ContextVar[Terminal | None] = ContextVar("terminal", default=None)


def current_terminal() -> Terminal:
    """Where tables are shown now.

    >>> current_terminal()
    Terminal(columns=None, color=False)
    """
    return _current.get() or Terminal()


@contextlib.contextmanager
def show_on(terminal: Terminal) -> Iterator[None]:
    """Tables inside are for this terminal.

    >>> with show_on(Terminal(40)):
    ...     current_terminal().columns
    40
    """
    token = _current.set(terminal)
    try:
        yield
    finally:
        _current.reset(token)


def detect_terminal(stream: TextIO, environment: Mapping[str, str]) -> Terminal:
    """What a stream allows.

    >>> import io
    >>> detect_terminal(io.StringIO(), {"FORCE_COLOR": "1", "COLUMNS": "40"})
    Terminal(columns=None, color=True)
    """
    is_terminal = stream.isatty()
    color = is_terminal and environment.get("TERM", "") not in ("dumb", "")
    if environment.get("FORCE_COLOR", "") not in ("", "0"):
        color = True
    if environment.get("NO_COLOR"):
        color = False
    return Terminal(_columns(stream, environment) if is_terminal else None, color)


def _columns(stream: TextIO, environment: Mapping[str, str]) -> int | None:
    given = environment.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None
