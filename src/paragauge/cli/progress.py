"""A line on standard error that shows that work goes on; nothing when it is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from paragauge.text.batch import Batch


def watched(batches: Iterable[Batch]) -> Iterator[Batch]:
    """The batches, with the number of segments and the speed shown every quarter of a second."""
    if not sys.stderr.isatty():
        yield from batches
        return
    start = shown = time.monotonic()
    segments = 0
    try:
        for batch in batches:
            yield batch
            segments += len(batch)
            now = time.monotonic()
            if now - shown > 0.25:
                shown = now
                rate = segments / (now - start)
                sys.stderr.write(f"\r{segments:,} segments, {rate:,.0f}/s \x1b[K")
                sys.stderr.flush()
    finally:
        if shown != start:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
