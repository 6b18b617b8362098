"""Group commit: transactions of several threads share one wait for the disk.

SQLite allows one writer at a time, and a commit waits for the disk, which takes longer than the work
itself. A writer that sees others waiting therefore leaves the transaction open for the next one; each
works in its own savepoint, and the last one commits for all. A caller returns only when its work is on
disk. If the commit fails, it fails for the whole group, so that nothing is acknowledged but lost.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import sqlalchemy as sa

# The largest group: this limits how long the first transaction waits for the last.
MOST = 32
# Seconds after which a waiting thread checks whether the others are gone.
GLANCE = 0.05


@dataclass
class _Group:
    connection: sa.Connection
    transaction: sa.RootTransaction
    members: int = 0
    done: threading.Event = field(default_factory=threading.Event)
    error: BaseException | None = None


class GroupCommit:
    """The writers of one SQLite file in this process."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._group: _Group | None = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A connection to write with; everything written is on disk when the block ends."""
        self._count(1)
        try:
            self._turn.acquire()
        finally:
            self._count(-1)
        try:
            group = self._group or self._begin()
            group.members += 1
            try:
                group.connection.exec_driver_sql("SAVEPOINT member")
                yield group.connection
                group.connection.exec_driver_sql("RELEASE member")
            except BaseException as error:
                self._undo(group, error)
                raise
            finally:
                if self._group is group and (self._waiting == 0 or group.members >= MOST):
                    self._commit(group)
        finally:
            self._turn.release()
        self._wait(group)

    def _count(self, change: int) -> None:
        with self._counting:
            self._waiting += change

    def _begin(self) -> _Group:
        connection = self._engine.connect().execution_options(paragauge_writes=True)
        try:
            self._group = _Group(connection, connection.begin())
        except BaseException:
            connection.close()
            raise
        return self._group

    def _undo(self, group: _Group, error: BaseException) -> None:
        """Undo one block. A full disk ends the whole transaction, and then the group has failed."""
        driver = group.connection.connection.driver_connection
        if driver is not None and driver.in_transaction:
            group.connection.exec_driver_sql("ROLLBACK TO member")
            group.connection.exec_driver_sql("RELEASE member")
        else:
            group.error = error
            self._close(group)

    def _commit(self, group: _Group) -> None:
        try:
            group.transaction.commit()
        except BaseException as error:
            group.error = error
            raise
        finally:
            self._close(group)

    def _close(self, group: _Group) -> None:
        self._group = None
        with contextlib.suppress(sa.exc.DBAPIError):
            group.connection.close()
        group.done.set()

    def _wait(self, group: _Group) -> None:
        """Wait until the group is on disk; commit it if an expected writer never came."""
        while not group.done.wait(GLANCE):
            if self._turn.acquire(blocking=False):
                try:
                    if self._group is group:
                        self._commit(group)
                finally:
                    self._turn.release()
        if group.error is not None:
            raise group.error
