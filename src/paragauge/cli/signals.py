"""How a command ends when it is asked to: Ctrl-C with 130, SIGTERM with 143, both after cleaning up.

An exception that a signal raises while a module is imported may be taken for a missing package, or
abort an extension module. Signals therefore wait until the import ends: a trace function of the frame
that imports is called then. Where a debugger traces, a timer looks for that moment.
This module is imported before all others and imports little itself.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

AGAIN = 0.02  # seconds until a signal that came during an import is looked at again
INTERRUPTED, TERMINATED = 130, 143
SIGNALS = (signal.SIGINT, signal.SIGTERM)

_waiting: list[int] = []


class TerminatedError(BaseException):
    """The process was asked to end; open files are cleaned up on the way out."""


def install() -> dict[int, Any]:
    """Handle both signals from now on, unless they are ignored; returns the handlers before."""
    before: dict[int, Any] = {}
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # a command in the background
            with suppress(ValueError):  # only the main thread may
                before[number] = signal.signal(number, _handle)
    return before


@contextmanager
def handled() -> Iterator[None]:
    """Handle both signals in the block."""
    before = install()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def ignore_late() -> None:
    """The command is done: a signal that comes now ends the process without a word."""
    if _waiting:  # else the alarm might end the process, as Python drops its handlers first
        _waiting.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
    for number in SIGNALS:
        with suppress(ValueError):
            signal.signal(number, signal.SIG_DFL)


def exit_code(error: BaseException) -> int:
    """The exit code for the exception of a signal, which is announced if it was Ctrl-C.

    >>> exit_code(TerminatedError())
    143
    """
    if isinstance(error, TerminatedError):
        return TERMINATED
    print("paragauge: interrupted", file=sys.stderr)
    return INTERRUPTED


def _handle(number: int, frame: FrameType | None) -> None:
    """Raise the exception of a signal, now or when the import that it interrupts has ended."""
    importer = _find_importer(frame)
    if importer is not None and hasattr(signal, "setitimer"):
        _waiting.append(number)
        if sys.gettrace() in (None, _trace_nothing):
            importer.f_trace = _end_import
            sys.settrace(_trace_nothing)
        signal.signal(signal.SIGALRM, _look_again)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
        return
    raise KeyboardInterrupt if number == signal.SIGINT else TerminatedError


def _look_again(_: int, frame: FrameType | None) -> None:
    if _waiting:
        _handle(_waiting.pop(), frame)


def _trace_nothing(*_: object) -> None:
    """Trace no new frame; frames have their trace functions called only while there is a global one."""


def _end_import(frame: FrameType, *_: object) -> None:
    """The frame goes on after its import: raise the exception of the signal that waits."""
    sys.settrace(None)
    frame.f_trace = None
    if _waiting:
        number = _waiting.pop()
        _waiting.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
        _handle(number, frame)


def _find_importer(frame: FrameType | None) -> FrameType | None:
    """The outermost frame that imports what runs now."""
    importer = None
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            importer = frame.f_back
        frame = frame.f_back
    return importer
