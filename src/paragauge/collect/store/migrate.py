"""Migrations: Alembic brings the tables of a store up to date, step by step.

The steps are the files in `migrations/`; each has a number and names the one before it. There is no
`env.py`, since we already have a connection.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from paragauge.errors import StoreError

STEPS = Path(__file__).parent / "migrations"
# Alembic has one `op` per process.
_LOCK = threading.Lock()


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(STEPS), version_locations=[str(STEPS)])


def newest_revision() -> str:
    """The revision of the current tables.

    >>> newest_revision() >= "0001"
    True
    """
    return _scripts().get_current_head() or ""


def check_revision(
    connection: sa.Connection, url: str, *, create: bool, upgrade_old: bool
) -> str | None:
    """The revision to upgrade to, or None if the store is up to date; fails if it may not change."""
    current = MigrationContext.configure(connection).get_current_revision()
    newest = newest_revision()
    if current == newest:
        return None
    if current is None:
        if sa.inspect(connection).get_table_names():
            raise StoreError(
                f"{url}: expected a store of paragauge, found other tables; choose another database"
            )
        if not create:
            raise StoreError(f"{url}: no store in it; create one: paragauge collect init {url}")
        return newest
    if current not in {step.revision for step in _scripts().walk_revisions()}:
        raise StoreError(
            f"{url}: its revision {current} is newer than this paragauge, which knows {newest}; "
            "install a newer paragauge"
        )
    if not upgrade_old:
        raise StoreError(
            f"{url}: its revision {current} is older than {newest}; back it up "
            "(paragauge collect backup), then run: "
            f"paragauge collect init --upgrade {url}"
        )
    return newest


def upgrade(engine: sa.Engine, to: str = "head") -> None:
    """Bring the tables to revision `to`, all steps in one transaction."""
    scripts = _scripts()

    def steps(revision: Any, _: object) -> Any:
        return scripts._upgrade_revs(to, revision)

    with _LOCK, engine.connect() as connection:
        connection = connection.execution_options(paragauge_writes=True)
        with connection.begin():
            # Two processes that create the same store take turns; SQLite writers do so anyway.
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(8020110)")
            _run(connection, scripts, steps)


def _run(connection: sa.Connection, scripts: ScriptDirectory, steps: Any) -> None:
    with EnvironmentContext(Config(), scripts, fn=steps) as environment:
        environment.configure(connection=connection, transactional_ddl=True)
        environment.run_migrations()
