"""Progress of long work: a line on standard error, if that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from paragauge.text.batch import Batch


class _Line:
    """One line that is rewritten at most every quarter of a second."""

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


def track_segments(batches: Iterable[Batch]) -> Iterator[Batch]:
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
    """A progress bar with the name of the current step; without a total, only the name.

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
        """Begin the next step."""
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


class SentenceCounter:
    """The number of finished sentences and the speed; call it with how many more are finished.

    >>> with SentenceCounter() as done:
    ...     done(3)
    ...     done.count
    3
    """

    def __init__(self) -> None:
        self.count = 0
        self._line = _Line() if sys.stderr.isatty() else None

    def __enter__(self) -> SentenceCounter:
        return self

    def __call__(self, more: int) -> None:
        """Count more finished sentences."""
        self.count += more
        if self._line is not None:
            speed = self.count / max(self._line.seconds, 1e-9)
            self._line.show(f"{self.count:,} sentences, {speed:,.0f}/s")

    def __exit__(self, *error: object) -> None:
        if self._line is not None:
            self._line.clear()
