"""Errors of Spark as errors of this package.

An error of this package in a worker reaches the caller as the text of a Java exception, which contains
the text of a Python traceback; `mark_errors` marks it in the worker and `explain_error` restores it.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator

from paragauge.errors import EngineError, InputError, ParagaugeError, SettingError

_MARK = "paragauge-error: "
_TOLD = re.compile(re.escape(_MARK) + r"(\{.*\})")
_KINDS: dict[str, type[ParagaugeError]] = {
    "InputError": InputError,
    "SettingError": SettingError,
    "EngineError": EngineError,
}


@contextlib.contextmanager
def mark_errors() -> Iterator[None]:
    """Mark an error of this package, so that it can be restored from text.

    >>> try:
    ...     with mark_errors():
    ...         raise InputError("line 3: no text")
    ... except RuntimeError as error:
    ...     explain_error(error)
    InputError('line 3: no text')
    """
    try:
        yield
    except ParagaugeError as error:
        name = next(
            name for name, kind in _KINDS.items() if isinstance(error, kind) or name == "EngineError"
        )
        raise RuntimeError(_MARK + json.dumps({"kind": name, "text": str(error)})) from None


def explain_error(error: Exception) -> Exception:
    """An `EngineError` for an error of Spark, Java or the system; a marked error is restored.

    >>> explain_error(OSError("[Errno 28] No space left on device"))
    EngineError('the disk is full; make room, or choose a folder with more, and run it again
    (Spark: [Errno 28] No space left on device)')
    """
    text = str(error)
    match = _TOLD.search(text)
    if match is not None:
        record = json.loads(match[1])
        return _KINDS[record["kind"]](record["text"])
    if isinstance(error, ParagaugeError):
        return error
    reason = _reason(text) or type(error).__name__
    if "No space left" in text:
        return EngineError(
            "the disk is full; make room, or choose a folder with more, and run it again "
            f"(Spark: {reason})"
        )
    if "OutOfMemoryError" in text or "Java heap space" in text or "OutOfMemory" in type(error).__name__:
        return EngineError(f"out of memory; allow more, and run it again (Spark: {reason})")
    if "No module named 'paragauge'" in text:
        return EngineError(
            "the Python of Spark's workers has no paragauge; install it there, or send an environment "
            "that has it (spark.archives and spark.pyspark.python)"
        )
    if type(error).__module__.startswith(("pyspark", "py4j")) or isinstance(error, (OSError, EOFError)):
        return EngineError(f"Spark: {reason}")
    return error


def _reason(text: str) -> str:
    """The most informative line: the last of a Python traceback, or the first line."""
    lines = [line.strip() for line in text.split("JVM stacktrace")[0].split("\n") if line.strip()]
    python = [line for line in lines if re.match(r"(\w+\.)*\w*(Error|Exception|Interrupt)\b", line)]
    if any("Traceback (most recent call last)" in line for line in lines) and python:
        return python[-1][:300]
    return lines[0][:300] if lines else ""
