"""The store of a collection: one SQLite file, or a PostgreSQL database.

Every change is a function that takes a `Store`, does its work in one transaction, and is on disk when
it returns. SQLite runs in write-ahead mode with full synchronization: readers never
wait, writers take turns and share commits (`group_commit.py`), and several processes may write.
PostgreSQL runs at READ COMMITTED; limits are enforced by updates that carry their own condition.

    >>> from paragauge.collect.store.change_log import read_changes
    >>> with temporary_store() as store:
    ...     with store.write("ada") as transaction:
    ...         transaction.log("campaign.open", "birds", items=3)
    ...     [(change.actor, change.action) for change in read_changes(store)]
    [('ada', 'campaign.open')]
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from paragauge.collect.store import schema_consents, schema_mturk  # noqa: F401  # tables of every store
from paragauge.collect.store.columns import DamagedValueError, from_json, to_json
from paragauge.collect.store.group_commit import GroupCommit
from paragauge.collect.store.migrate import check_revision, upgrade
from paragauge.collect.store.randomness import ID_BYTES, SYSTEM, Randomness
from paragauge.collect.store.schema_answers import changes as changes_table
from paragauge.errors import InputError, MissingExtraError, StoreError

# Seconds that a writer waits for another process.
PATIENCE = 30
# Seconds between two attempts to switch a busy file to write-ahead mode.
SWITCH_PAUSE = 0.01
# Seconds that emptying the write-ahead log waits for readers.
LOG_PATIENCE = 2
# SQLite connections that stay open, and extra ones that are opened under load and closed again.
KEPT, RUSH = 10, 30
# PostgreSQL connections. All stay open: a new one costs the server a process, and query plans live as
# long as their connection.
CONNECTIONS = 40
# Seconds after which an idle PostgreSQL connection is tested before it is used again.
IDLE = 1.0

DAMAGED = "the file is damaged; look with paragauge collect check, or restore a backup"

# Marks statements whose result nobody waits for; an insert must be `inline` too.
LATER = {"paragauge_later": True}
# Statements that every task runs are built once: building one takes longer than running it.
_LOG = sa.insert(changes_table).inline().execution_options(**LATER)

__all__ = ["Store", "Transaction", "now", "temporary_store"]


def now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Transaction:
    """One write transaction: all of it happens, or nothing."""

    connection: sa.Connection
    actor: str
    at: datetime
    randomness: Randomness

    def token(self, size: int) -> str:
        """A new secret of `size` random bytes."""
        return self.randomness.token(size)

    def public_id(self) -> str:
        """A new random id that may appear in a URL."""
        return self.randomness.token(ID_BYTES)

    def log(self, action: str, subject: str, **details: Any) -> None:
        """Log what was done; the actor and the time are added."""
        row = {"at": self.at, "actor": self.actor, "action": action, "subject": subject}
        self.connection.execute(_LOG, row | {"details": details})


class Store:
    """The database of a collection.

    Created by `Store.open`. `clock` gives the time of every write, `randomness` all ids, keys and
    tokens.
    """

    def __init__(
        self,
        engine: sa.Engine,
        url: str,
        clock: Callable[[], datetime] = now,
        randomness: Randomness | None = None,
    ) -> None:
        self.engine = engine
        self.url = url
        self.clock = clock
        self.randomness = SYSTEM if randomness is None else randomness
        self._open = threading.local()
        sqlite = engine.dialect.name == "sqlite"
        self._group = GroupCommit(engine) if sqlite else None
        # Whether writers take turns: then, work that can be done before a transaction should be.
        self.one_writer = sqlite
        # Without autocommit, each read would wait twice more, to begin and to end a transaction.
        self._reading = engine if sqlite else engine.execution_options(isolation_level="AUTOCOMMIT")

    @classmethod
    def open(
        cls,
        where: str | Path,
        *,
        create: bool = False,
        upgrade_old: bool = False,
        clock: Callable[[], datetime] = now,
        randomness: Randomness | None = None,
    ) -> Store:
        """The store in the SQLite file `where`, or in the database at a postgresql:// URL.

        `create` creates missing tables; `upgrade_old` upgrades those of an older version. Without
        them, a missing or older store is an error that names the command to run. Without
        `randomness`, ids and secrets are cryptographically random; tests pass a seeded source.
        """
        engine, url = _engine(str(where), create=create)
        try:
            with engine.connect() as connection:
                revision = check_revision(connection, url, create=create, upgrade_old=upgrade_old)
            if revision is not None:
                upgrade(engine)
        except sa.exc.DBAPIError as error:
            engine.dispose()
            raise StoreError(f"{url}: {_reason(error)}") from None
        except UnicodeDecodeError:
            engine.dispose()
            raise StoreError(f"{url}: {DAMAGED}") from None
        except StoreError:
            engine.dispose()
            raise
        return cls(engine, url, clock, randomness)

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection to read with; on SQLite the whole block sees one state."""
        with self._errors(), self._reading.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def stream(self) -> Iterator[sa.Connection]:
        """A connection to stream many rows with, in one transaction."""
        with self._errors(), self.engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def write(self, actor: str) -> Iterator[Transaction]:
        """One transaction in the name of `actor`; committed if the block ends without an error."""
        if getattr(self._open, "writing", False):
            raise RuntimeError("a transaction is open in this thread; pass its Transaction on")
        connecting = _begin_pipeline(self.engine) if self._group is None else self._group.transaction()
        with self._errors(), connecting as connection:
            self._open.writing = True
            try:
                yield Transaction(connection, actor, self.clock(), self.randomness)
            finally:
                self._open.writing = False

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn database errors into our own, on one line."""
        try:
            yield
        except (sa.exc.OperationalError, sa.exc.InterfaceError) as error:
            raise StoreError(f"{self.url}: {_reason(error)}") from error
        except sa.exc.TimeoutError:
            raise StoreError(f"{self.url}: all connections are in use; try again") from None
        except (DamagedValueError, UnicodeDecodeError) as error:
            raise StoreError(f"{self.url}: {DAMAGED} ({error})") from None
        except sa.exc.StatementError as error:
            if isinstance(error.orig, InputError):
                raise error.orig from None
            if type(error.orig) is sqlite3.DatabaseError:  # its subclasses are mistakes of ours
                raise StoreError(f"{self.url}: {DAMAGED} ({_reason(error)})") from None
            raise

    def rewrite(self) -> bool:
        """Write SQLite's file anew and empty its write-ahead log, as far as readers allow.

        Until then, deleted data can still be read in the log, and in pages that were freed or split.
        False if the file could not be written, for example because the disk is full.
        """
        if self._group is None:
            return True
        connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute("VACUUM")
            cursor.execute(f"PRAGMA busy_timeout={LOG_PATIENCE * 1000}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            cursor.execute(f"PRAGMA busy_timeout={PATIENCE * 1000}")
            cursor.close()
        except sqlite3.OperationalError:
            return False
        else:
            return True
        finally:
            connection.close()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def temporary_store(clock: Callable[[], datetime] = now) -> Iterator[Store]:
    """A store that is deleted when the block ends: for examples and trials."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "collection.db", create=True, clock=clock) as store,
    ):
        yield store


def _engine(where: str, *, create: bool) -> tuple[sa.Engine, str]:
    if where.startswith(("postgresql://", "postgres://")):
        address = sa.make_url("postgresql+psycopg://" + where.split("://", 1)[1])
        public_url = address.set(drivername="postgresql").render_as_string(hide_password=True)
        try:
            engine = sa.create_engine(
                address,
                pool_size=CONNECTIONS,
                max_overflow=0,
                isolation_level="READ COMMITTED",
                json_serializer=to_json,
                json_deserializer=from_json,
            )
        except ImportError:
            raise MissingExtraError("psycopg, which connects to PostgreSQL,", "postgres") from None
        sa.event.listen(engine, "connect", _prepare_postgresql)
        sa.event.listen(engine, "checkin", _remember_use)
        sa.event.listen(engine, "checkout", _replace_dead)
        sa.event.listen(engine, "after_cursor_execute", _wait_for_result)
        return engine, public_url
    if "://" in where:
        kind = where.split("://", 1)[0]
        raise StoreError(f"{where}: expected a file or postgresql://..., found {kind}://")
    path = Path(where)
    if not create and not path.is_file():
        raise StoreError(f"{where}: no such store; create one: paragauge collect init {where}")
    if create and not path.absolute().parent.is_dir():
        raise StoreError(f"{where}: its folder does not exist; make it first")
    address = sa.URL.create("sqlite+pysqlite", database=str(path))
    settings = {"timeout": PATIENCE, "check_same_thread": False}
    engine = sa.create_engine(
        address,
        connect_args=settings,
        pool_size=KEPT,
        max_overflow=RUSH,
        json_serializer=to_json,
        json_deserializer=from_json,
    )
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin)
    return engine, where


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Set up SQLite: we begin transactions, there is a write-ahead log, every commit is on disk."""
    del record
    connection.isolation_level = None
    _keep_write_ahead_log(connection)
    for setting in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _keep_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch a SQLite file to write-ahead mode, waiting for a writer as every other statement does.

    While another process writes to a file that is not yet in this mode, SQLite refuses the switch at
    once, whatever its timeout.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # The low byte names the error, the others its kind.
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(SWITCH_PAUSE)
        else:
            return


def _prepare_postgresql(connection: Any, record: object) -> None:
    """Set up PostgreSQL: every commit is on disk, even if the server is configured otherwise."""
    del record
    if connection.execute("SHOW synchronous_commit").fetchone()[0] == "off":
        connection.execute("SET synchronous_commit TO on")
    connection.commit()


def _remember_use(connection: Any, record: Any) -> None:
    """Remember when a connection was last used."""
    del connection
    record.info["left"] = time.monotonic()


def _replace_dead(connection: Any, record: Any, proxy: object) -> None:
    """Replace an idle connection that has died, for example with its server."""
    del proxy
    if time.monotonic() - record.info.get("left", math.inf) < IDLE:
        return
    import psycopg

    autocommit = connection.autocommit
    try:
        connection.autocommit = True
        connection.execute("")
        connection.autocommit = autocommit
    except psycopg.Error:
        raise sa.exc.DisconnectionError from None


@contextlib.contextmanager
def _begin_pipeline(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A PostgreSQL transaction that waits only for results that are needed.

    Statements are sent one after the other; results of those marked `LATER` arrive with the next one or
    with the commit, and their errors are raised there.
    """
    import psycopg

    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        info = connection.info  # stays valid when the connection has died
        try:
            with driver.pipeline() as pipeline:
                info["pipeline"] = pipeline
                try:
                    with connection.begin():
                        yield connection
                finally:
                    del info["pipeline"]
        except psycopg.Error as error:
            # The connection died, so the pipeline could not be closed properly.
            connection.invalidate(error)
            raise sa.exc.InterfaceError(None, None, error) from error


def _wait_for_result(connection: sa.Connection, cursor: object, *statement: Any) -> None:
    """Wait for the result of a statement in a pipeline, unless it may come later."""
    del cursor
    pipeline = connection.info.get("pipeline")
    if pipeline is not None and not statement[2].execution_options.get("paragauge_later"):
        pipeline.sync()


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("paragauge_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _reason(error: sa.exc.StatementError) -> str:
    """What the database said, on one line."""
    return " ".join(str(error.orig).split())
