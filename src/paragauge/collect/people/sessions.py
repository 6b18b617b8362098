"""Sessions: who a browser's cookie belongs to. The store has only the hash of the cookie's token.

>>> from paragauge.collect.people import workers
>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     worker, key = workers.register(store, "link")
...     token = start(store, worker)
...     find(store, token).worker == worker
True
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from paragauge.collect.people.accounts import Account
from paragauge.collect.people.workers import Worker, hash_secret
from paragauge.collect.store.schema import workers
from paragauge.collect.store.schema_answers import accounts, sessions
from paragauge.collect.store.store import Store

# How long a session lasts: workers come back for weeks; requesters can do more harm.
WORKER_DAYS, ACCOUNT_HOURS = 90, 12


@dataclass(frozen=True)
class Session:
    """A session of a worker or of a requester."""

    worker: Worker | None
    account: Account | None
    created_at: datetime
    expires_at: datetime


def start(store: Store, who: Worker | Account) -> str:
    """Start a session and return the token for the cookie."""
    if isinstance(who, Worker):
        lasts, owner, actor = timedelta(days=WORKER_DAYS), "worker_id", f"worker:{who.public_id}"
    else:
        lasts, owner, actor = timedelta(hours=ACCOUNT_HOURS), "account_id", who.name
    with store.write(actor) as transaction:
        token = transaction.token(32)
        times = {"created_at": transaction.at, "expires_at": transaction.at + lasts}
        transaction.connection.execute(
            sa.insert(sessions), {"hash": hash_secret(token), owner: who.id, **times}
        )
        transaction.log("session.start", who.public_id)
    return token


_FIND = (
    sa.select(
        *sessions.c[("created_at", "expires_at", "worker_id")],
        workers.c.public_id.label("worker_public_id"),
        workers.c.source,
        workers.c.created_at.label("registered_at"),
        sessions.c.account_id,
        accounts.c.public_id.label("account_public_id"),
        *accounts.c[("name", "state", "role")],
        accounts.c.created_at.label("opened_at"),
    )
    .outerjoin(workers, sessions.c.worker_id == workers.c.id)
    .outerjoin(accounts, sessions.c.account_id == accounts.c.id)
    .where(sessions.c.hash == sa.bindparam("token"), sessions.c.expires_at > sa.bindparam("now"))
)


def find(store: Store, token: str) -> Session | None:
    """The session of a cookie, if it has not expired."""
    with store.read() as connection:
        values = {"token": hash_secret(token), "now": store.clock()}
        row = connection.execute(_FIND, values).first()
    if row is None or row.state == "closed":
        return None
    worker = account = None
    if row.worker_id is not None:
        worker = Worker(row.worker_id, row.worker_public_id, row.source, row.registered_at)
    else:
        account = Account(
            row.account_id, row.account_public_id, row.name, row.state, row.opened_at, row.role
        )
    return Session(worker, account, row.created_at, row.expires_at)


def end(store: Store, token: str) -> None:
    """End a session."""
    with store.write("session") as transaction:
        delete = sa.delete(sessions).where(sessions.c.hash == hash_secret(token))
        if transaction.connection.execute(delete).rowcount:
            transaction.log("session.end", "session")


def clear_expired(store: Store) -> int:
    """Delete expired sessions and return how many there were."""
    with store.write("store") as transaction:
        delete = sa.delete(sessions).where(sessions.c.expires_at <= transaction.at)
        count = transaction.connection.execute(delete).rowcount
        if count:
            transaction.log("session.clear", "sessions", count=count)
    return count
