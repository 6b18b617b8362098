"""Wait for work in another thread so that an interrupt reaches the caller at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
TICK = 0.05  # seconds between looks at signals


def interruptible(call: Callable[[], T], stop: Callable[[], object]) -> T:
    """Run `call` in a thread and return its result; an interrupt of the caller calls `stop`.

    >>> interruptible(lambda: 6 * 7, lambda: None)
    42
    """
    results: list[T] = []
    failed: list[BaseException] = []
    ended = threading.Event()  # an interrupted Thread.join takes the thread for ended in Python 3.11

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
            failed.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, name="paragauge-query", daemon=True).start()
    try:
        while not ended.wait(TICK):
            pass
    except BaseException:
        stop()
        ended.wait()
        raise
    if failed:
        raise failed[0]
    return results[0]
