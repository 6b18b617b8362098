"""Backups of a store, also while it is served, and the integrity of its file.

A store in SQLite is its file and the write-ahead log beside it: a copy of the file alone lacks what
was answered last. `back_up` asks SQLite itself for a copy, which has every answer confirmed before.
A store in PostgreSQL is backed up by PostgreSQL's own programs.

    >>> import tempfile
    >>> from paragauge.collect.store.store import temporary_store
    >>> with temporary_store() as store, tempfile.TemporaryDirectory() as folder:
    ...     copy = Path(folder) / "copy.db"
    ...     size = back_up(store.url, copy)
    ...     size == copy.stat().st_size, check_integrity(str(copy))
    (True, [])
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from paragauge.errors import InputError, StoreError
from paragauge.text.files import atomic_path, compression

POSTGRESQL = ("postgresql://", "postgres://")
# Seconds to wait for another process.
PATIENCE = 30
# Problems that SQLite lists before it stops looking.
MOST_PROBLEMS = 20


def back_up(where: str | Path, target: str | Path) -> int:
    """Copy the store in the SQLite file `where` to the file `target`; returns its size in bytes.

    The copy is of one moment, even while others write, and replaces `target` only if SQLite finds no
    damage in it. It may be read by those who may read the store. A store of any revision can be copied.
    """
    if str(where).startswith(POSTGRESQL):
        raise StoreError(
            "a store in PostgreSQL is backed up by PostgreSQL: "
            "pg_dump --format=custom --file=FILE URL; pg_restore brings it back"
        )
    if str(target).startswith(POSTGRESQL):
        raise InputError(f"{target}: expected a file to write the backup to, found a database")
    if (packed := compression(target)) is not None:
        raise InputError(f"{target}: a backup is not compressed; leave out .{packed}")
    path, goal = Path(where), Path(target)
    if goal.exists() and path.exists() and goal.samefile(path):
        raise InputError(f"{target}: this is the store itself; choose another file for its backup")
    with _read(path) as connection, atomic_path(goal) as temporary:
        shutil.copymode(path, temporary)
        try:
            with contextlib.closing(sqlite3.connect(temporary)) as copy:
                connection.backup(copy)
                problems = _damage(copy)
        except sqlite3.Error as error:
            raise StoreError(f"{where}: {error}; the backup was not written") from None
        if problems:
            raise StoreError(
                f"{where}: its file is damaged ({problems[0]}); the backup was not written"
            )
    return goal.stat().st_size


def check_integrity(where: str | Path) -> list[str]:
    """What SQLite finds wrong with the file of a store, one line each; nothing for PostgreSQL."""
    if str(where).startswith(POSTGRESQL):
        return []
    with _read(Path(where)) as connection:
        try:
            return _damage(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return [str(error)]


@contextlib.contextmanager
def _read(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads the store at `path`, with its write-ahead log."""
    if not path.is_file():
        raise StoreError(f"{path}: no such store; create one: paragauge collect init {path}")
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE name = 'campaigns'")
            if tables.fetchone() is None:
                raise StoreError(f"{path}: expected a store of paragauge, found other tables")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:  # its messages repeat what is in the file
        raise StoreError(f"{path}: {error}") from None


def _damage(connection: sqlite3.Connection) -> list[str]:
    """Damage of pages and indexes, and rows that refer to rows that do not exist."""
    found = [
        line
        for (line,) in connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})")
        if line != "ok"
    ]
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(
        MOST_PROBLEMS
    ):
        found.append(f"row {row} of {table} refers to a row of {parent} that does not exist")
    return found
