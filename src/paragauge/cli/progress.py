"""A line on standard error that shows that work goes on; nothing when it is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from paragauge.text.batch import Batch


class _Line:
    """One line that is written over, at most every quarter of a second."""

    def __init__(self) -> None:
        self._start = self._shown = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def show(self, text: str) -> None:
        now = time.monotonic()
        if now - self._shown > 0.25:
            self._shown = now
            sys.stderr.write(f"\r{text} \x1b[K")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown != self._start:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def watched(batches: Iterable[Batch]) -> Iterator[Batch]:
    """The batches, with the number of segments and the speed shown."""
    if not sys.stderr.isatty():
        yield from batches
        return
    line, segments = _Line(), 0
    try:
        for batch in batches:
            yield batch
            segments += len(batch)
            line.show(f"{segments:,} segments, {segments / line.seconds:,.0f}/s")
    finally:
        line.clear()


class Steps:
    """A bar that fills as steps are taken, with a word on the current one; without a total, the word.

    >>> with Steps(2) as steps:
    ...     steps("first")
    """

    def __init__(self, total: int | None) -> None:
        self._total = None if total is None else max(1, total)
        self._taken = 0
        self._line = _Line() if sys.stderr.isatty() else None

    def __enter__(self) -> Steps:
        return self

    def __call__(self, word: str) -> None:
        """Another step begins."""
        if self._line is not None and self._total is None:
            self._line.show(word[:80])
        elif self._line is not None and self._total is not None:
            filled = min(20, 20 * self._taken // self._total)
            bar = "█" * filled + "░" * (20 - filled)
            self._line.show(f"{bar} {self._taken}/{self._total} {word[:60]}")
        self._taken += 1

    def __exit__(self, *error: object) -> None:
        if self._line is not None:
            self._line.clear()


class Sentences:
    """The number of sentences that are done and the speed; call it with how many more there are.

    >>> with Sentences() as done:
    ...     done(3)
    ...     done.count
    3
    """

    def __init__(self) -> None:
        self.count = 0
        self._line = _Line() if sys.stderr.isatty() else None

    def __enter__(self) -> Sentences:
        return self

    def __call__(self, more: int) -> None:
        """So many more are done."""
        self.count += more
        if self._line is not None:
            speed = self.count / max(self._line.seconds, 1e-9)
            self._line.show(f"{self.count:,} sentences, {speed:,.0f}/s")

    def __exit__(self, *error: object) -> None:
        if self._line is not None:
            self._line.clear()
