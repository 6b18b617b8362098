"""The store of a collection: one SQLite file, or a PostgreSQL database.

Everything that happens is a function that takes a `Store`, does its work in one transaction, and is
finished (on disk) when it returns. SQLite runs in write-ahead mode with full synchronization: readers
never wait, writers take turns and share commits (`group_commit.py`), several processes may write too.
PostgreSQL runs at READ COMMITTED; what must not be exceeded is counted by updates that carry their own
condition.

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
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from paragauge.collect.store import schema_mturk  # noqa: F401  # its tables belong to every store
from paragauge.collect.store.columns import to_json
from paragauge.collect.store.group_commit import GroupCommit
from paragauge.collect.store.migrate import check_revision, upgrade
from paragauge.collect.store.randomness import ID_BYTES, SYSTEM, Randomness
from paragauge.collect.store.schema_answers import changes as changes_table
from paragauge.errors import InputError, MissingExtraError, StoreError

# Seconds that a writer waits for another process.
PATIENCE = 30
# Seconds that the emptying of the log waits for readers.
LOG_PATIENCE = 2
# Connections to SQLite that are kept open, and those opened in a rush and closed again.
KEPT, RUSH = 10, 30
# Connections to PostgreSQL, as many as the web application has threads. All are kept: a new one costs
# the server a process, and plans of statements live as long as their connection.
CONNECTIONS = 40
# Seconds after which a connection to PostgreSQL that nobody used is tried before it is used again.
IDLE = 1.0

# Marks statements of a transaction whose result nobody waits for; an insert must be `inline` too.
LATER = {"paragauge_later": True}
# Statements that every task runs are made once: making one takes longer than running it.
_LOG = sa.insert(changes_table).inline().execution_options(**LATER)

__all__ = ["Store", "Transaction", "now", "temporary_store"]


def now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Transaction:
    """One transaction that writes: all of it happens, or nothing."""

    connection: sa.Connection
    actor: str
    at: datetime
    randomness: Randomness

    def token(self, size: int) -> str:
        """A new secret of `size` random bytes."""
        return self.randomness.token(size)

    def public_id(self) -> str:
        """A new random id that may stand in an address."""
        return self.randomness.token(ID_BYTES)

    def log(self, action: str, subject: str, **details: Any) -> None:
        """Keep what was done, by whom and when."""
        row = {"at": self.at, "actor": self.actor, "action": action, "subject": subject}
        self.connection.execute(_LOG, row | {"details": details})


class Store:
    """Where a collection is kept.

    Made by `Store.open`. `clock` gives the time of everything that is written, `randomness` all ids,
    keys and tokens.
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
        # Whether writers take turns, so that what can be looked for before a transaction should be.
        self.one_writer = sqlite
        # PostgreSQL would be told of the begin and the end of each transaction: two more waits.
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
        """The store in the SQLite file `where`, or in the database that a postgresql:// address names.

        `create` makes the tables where there are none; `upgrade_old` brings those of an older version
        to today's. Without them a missing or older store is refused, with the command to run.
        Without `randomness` ids and secrets are cryptographically random; tests give a seeded source.
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
        except StoreError:
            engine.dispose()
            raise
        return cls(engine, url, clock, randomness)

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection to read with; all of the block sees one state on SQLite."""
        with self._errors(), self._reading.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def stream(self) -> Iterator[sa.Connection]:
        """A connection to read many rows with, as they are wanted: in one transaction."""
        with self._errors(), self.engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def write(self, actor: str) -> Iterator[Transaction]:
        """One transaction in the name of `actor`; kept when the block ends without an error."""
        if getattr(self._open, "writing", False):
            raise RuntimeError("a transaction is open in this thread; pass its Transaction on")
        begun = _pipelined(self.engine) if self._group is None else self._group.transaction()
        with self._errors(), begun as connection:
            self._open.writing = True
            try:
                yield Transaction(connection, actor, self.clock(), self.randomness)
            finally:
                self._open.writing = False

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """What the database cannot do, as our error on one line."""
        try:
            yield
        except (sa.exc.OperationalError, sa.exc.InterfaceError) as error:
            raise StoreError(f"{self.url}: {_reason(error)}") from error
        except sa.exc.TimeoutError:
            raise StoreError(f"{self.url}: all connections are in use; try again") from None
        except sa.exc.StatementError as error:
            if isinstance(error.orig, InputError):
                raise error.orig from None
            raise

    def empty_log(self) -> None:
        """Move what SQLite's write-ahead log holds to the file and empty it, as far as readers allow.

        Until then, what was deleted can be read in the log.
        """
        if self._group is None:
            return
        connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={LOG_PATIENCE * 1000}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            cursor.execute(f"PRAGMA busy_timeout={PATIENCE * 1000}")
            cursor.close()
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
    """A store that is gone when the block ends: for examples and trials."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "collection.db", create=True, clock=clock) as store,
    ):
        yield store


def _engine(where: str, *, create: bool) -> tuple[sa.Engine, str]:
    if where.startswith(("postgresql://", "postgres://")):
        address = sa.make_url("postgresql+psycopg://" + where.split("://", 1)[1])
        shown = address.set(drivername="postgresql").render_as_string(hide_password=True)
        try:
            engine = sa.create_engine(
                address,
                pool_size=CONNECTIONS,
                max_overflow=0,
                isolation_level="READ COMMITTED",
                json_serializer=to_json,
            )
        except ImportError:
            raise MissingExtraError("psycopg, which speaks to PostgreSQL,", "postgres") from None
        sa.event.listen(engine, "connect", _synchronous)
        sa.event.listen(engine, "checkin", _left)
        sa.event.listen(engine, "checkout", _tried)
        sa.event.listen(engine, "after_cursor_execute", _answered)
        return engine, shown
    if "://" in where:
        kind = where.split("://", 1)[0]
        raise StoreError(f"{where}: expected a file or postgresql://..., found {kind}://")
    path = Path(where)
    if not create and not path.is_file():
        raise StoreError(f"{where}: no such store; make one: paragauge collect init {where}")
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
    )
    sa.event.listen(engine, "connect", _prepare)
    sa.event.listen(engine, "begin", _begin)
    return engine, where


def _prepare(connection: Any, record: object) -> None:
    """SQLite as it should be: we begin transactions, a log beside the file, every commit on disk."""
    del record
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _synchronous(connection: Any, record: object) -> None:
    """PostgreSQL as it should be: a commit is on disk, also where the server is set up otherwise."""
    del record
    if connection.execute("SHOW synchronous_commit").fetchone()[0] == "off":
        connection.execute("SET synchronous_commit TO on")
    connection.commit()


def _left(connection: Any, record: Any) -> None:
    """Remember when a connection was used last."""
    del connection
    record.info["left"] = time.monotonic()


def _tried(connection: Any, record: Any, proxy: object) -> None:
    """Replace a connection that was idle and has died meanwhile, for example with its server."""
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
def _pipelined(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction on PostgreSQL that waits only for answers that are wanted.

    Statements go out one after the other; those marked `LATER` are answered with the next one, or with
    the commit, and their errors are raised there.
    """
    import psycopg

    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        info = connection.info  # of this connection, also when it has died
        try:
            with driver.pipeline() as pipeline:
                info["pipeline"] = pipeline
                try:
                    with connection.begin():
                        yield connection
                finally:
                    del info["pipeline"]
        except psycopg.Error as error:
            # The connection died, and the pipeline cannot be left as it should.
            connection.invalidate(error)
            raise sa.exc.InterfaceError(None, None, error) from error


def _answered(connection: sa.Connection, cursor: object, *statement: Any) -> None:
    """Wait for the answer to a statement of a pipeline, unless it may come later."""
    del cursor
    pipeline = connection.info.get("pipeline")
    if pipeline is not None and not statement[2].execution_options.get("paragauge_later"):
        pipeline.sync()


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("paragauge_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _reason(error: sa.exc.DBAPIError) -> str:
    """What the database said, on one line."""
    return " ".join(str(error.orig).split())
