"""A new SQLite file appears with its tables and first campaigns in it, or not at all.

SQLite writes a new file step by step. A kill in between would leave a file that is not a store yet, so
the file is made in a hidden folder beside its place (`text/saving/leftovers.py` says what happens to
the folder after a kill), and gets its name when it is complete.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import StoreError
from paragauge.text.files import os_error, sync
from paragauge.text.saving.leftovers import hidden_path, release


@contextlib.contextmanager
def new_store(where: str | Path) -> Iterator[Path]:
    """A path to make a store at, which is closed at the end of the block and then moved to `where`.

    FileExistsError if another process has made a store there in the meantime.

    >>> import tempfile
    >>> from paragauge.collect.store.store import Store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_store(f"{folder}/birds.db") as path, Store.open(path, create=True):
    ...         before = os.path.exists(f"{folder}/birds.db")
    ...     before, os.listdir(folder)
    (False, ['birds.db'])
    """
    target = Path(where)
    if not target.absolute().parent.is_dir():
        raise StoreError(f"{where}: its folder does not exist; make it first")
    hidden = hidden_path(target.absolute().parent)
    try:
        try:
            hidden.mkdir()
        except OSError as error:
            raise os_error(target, error) from None
        made = hidden / "store.db"
        try:
            yield made
        except StoreError as error:
            raise StoreError(str(error).replace(str(made), str(where))) from None
        try:
            _give_name(made, target)
        except FileExistsError:
            raise
        except OSError as error:
            raise os_error(target, error) from None
    finally:
        release(hidden)


def _give_name(made: Path, target: Path) -> None:
    """Move a store that is closed; a file that is there already is never replaced."""
    if Path(f"{made}-wal").exists():
        raise StoreError(f"{target}: the new store was not closed; try again")
    sync(made)
    try:
        os.link(made, target)
    except FileExistsError:
        raise
    except OSError:  # this file system has no links
        if target.exists():
            raise FileExistsError(target) from None
        made.rename(target)
