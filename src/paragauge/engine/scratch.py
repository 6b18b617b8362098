"""Temporary folders for queries."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import EngineError


@contextlib.contextmanager
def scratch(place: str | Path | None, *, shared: bool = False) -> Iterator[Path]:
    """A folder in `place` (None: the system's temporary folder), removed at the end of the block.

    Other users may read and write in a `shared` one: workers of a cluster may run as another user.

    >>> with scratch(None) as folder:
    ...     folder.is_dir()
    True
    """
    try:
        temporary = tempfile.TemporaryDirectory(
            prefix="paragauge-", dir=place, ignore_cleanup_errors=True
        )
    except OSError as error:
        where = place or tempfile.gettempdir()
        raise EngineError(
            f"{where}: cannot create a temporary folder there ({error.strerror}); choose another one"
        ) from None
    with temporary as folder:
        if shared:
            Path(folder).chmod(0o777)
        yield Path(folder).resolve()
