"""Workers, and their personal data (in a separate table, so that it can be erased).

A worker comes back with a key that only they have; the store has its hash.

    >>> from paragauge.collect.store.store import temporary_store
    >>> with temporary_store() as store:
    ...     worker, key = register(store, "link")
    ...     find_by_key(store, key) == worker
    True
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.store.columns import is_id
from paragauge.collect.store.idempotency import claim, derive_secret
from paragauge.collect.store.schema import persons, worker_keys, workers
from paragauge.collect.store.schema_answers import sessions
from paragauge.collect.store.store import Store, Transaction
from paragauge.errors import AnswerError, RefusedError
from paragauge.text.wording import pluralize


@dataclass(frozen=True)
class Worker:
    """A worker under an anonymous id."""

    id: int
    public_id: str
    source: str
    created_at: datetime


@dataclass(frozen=True)
class Person:
    """Personal data of a worker; `external_id` is their id where they were recruited."""

    name: str | None = None
    email: str | None = None
    external_id: str | None = None
    details: dict[str, Any] = field(default_factory=dict)


def hash_secret(secret: str) -> str:
    """The hash under which a random secret is stored: SHA-256 suffices, since it has 192 bits or more.

    >>> hash_secret("a")[:8]
    'ca978112'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def register(
    store: Store, source: str, person: Person | None = None, *, key: str = ""
) -> tuple[Worker, str]:
    """Register a worker from `source` ("link", "invitation", "mturk", "panel"); also returns their key.

    Calling it again with the same `key`, that of a form, returns the same worker.
    """
    with store.write("worker") as transaction:
        if not claim(transaction, "register", key):
            return find_registered(transaction, key)
        return register_in(transaction, source, person, key)


def find_registered(transaction: Transaction, key: str) -> tuple[Worker, str]:
    """The worker whom an earlier request with this `key` registered, and their key."""
    secret = derive_secret("worker", key)
    owner = sa.select(workers).join(worker_keys).where(worker_keys.c.hash == hash_secret(secret))
    row = transaction.connection.execute(owner).first()
    if row is None:
        raise RefusedError("exists", "this form has been sent before; open the first page again")
    return _worker(row), secret


def register_in(
    transaction: Transaction, source: str, person: Person | None = None, key: str = ""
) -> tuple[Worker, str]:
    """Like `register`, in an open transaction that has claimed the `key`."""
    person = person or Person()
    for name in ("name", "email", "external_id"):
        check_line(name, getattr(person, name))
    row = {"public_id": transaction.public_id(), "source": source, "tier": 1, "state": "active"}
    created = transaction.connection.execute(
        sa.insert(workers).returning(workers), row | {"created_at": transaction.at}
    ).one()
    known: dict[str, Any] = {
        "name": person.name,
        "email": person.email,
        "external_id": person.external_id,
    }
    known = {"worker_id": created.id, **known, "details": person.details}
    try:
        transaction.connection.execute(sa.insert(persons), known)
    except sa.exc.IntegrityError:
        raise RefusedError("exists", "a worker with this id is already registered") from None
    secret = derive_secret("worker", key) if key else transaction.token(24)
    transaction.connection.execute(
        sa.insert(worker_keys),
        {"hash": hash_secret(secret), "worker_id": created.id, "created_at": transaction.at},
    )
    transaction.log("worker.register", created.public_id, source=source)
    return _worker(created), secret


def replace_key(store: Store, worker: Worker, actor: str, *, key: str = "") -> str:
    """A new key for a worker who lost theirs: the old ones no longer work, and their sessions end.

    Calling it again with the same `key`, that of a form, returns the same one.
    """
    with store.write(actor) as transaction:
        secret = derive_secret("replaced key", key) if key else transaction.token(24)
        if not claim(transaction, f"replace {worker.public_id}", key):
            return secret
        erased = sa.select(workers.c.erased_at).where(workers.c.id == worker.id)
        if transaction.connection.execute(erased).scalar_one() is not None:
            raise RefusedError("erased", "this worker was erased and has no keys any more")
        for table in (worker_keys, sessions):
            transaction.connection.execute(sa.delete(table).where(table.c.worker_id == worker.id))
        row = {"hash": hash_secret(secret), "worker_id": worker.id, "created_at": transaction.at}
        transaction.connection.execute(sa.insert(worker_keys), row)
        transaction.log("worker.key", worker.public_id)
    return secret


def find_by_key(store: Store, key: str) -> Worker | None:
    """The worker who has this key."""
    owner = sa.select(workers).join(worker_keys).where(worker_keys.c.hash == hash_secret(key))
    return _first(store, owner)


def find_by_external_id(store: Store, external_id: str) -> Worker | None:
    """The worker with this id where they were recruited."""
    if not is_id(external_id):
        return None
    return _first(store, sa.select(workers).join(persons).where(persons.c.external_id == external_id))


def get(store: Store, worker_public_id: str) -> Worker | None:
    """The worker with that public id."""
    if not is_id(worker_public_id):
        return None
    return _first(store, sa.select(workers).where(workers.c.public_id == worker_public_id))


def get_by_id(store: Store, worker_id: int) -> Worker | None:
    """The worker with that serial number."""
    return _first(store, sa.select(workers).where(workers.c.id == worker_id))


def record_details(store: Store, worker: Worker, details: dict[str, Any]) -> None:
    """Add to what is known about a person, for example the panel's study and session."""
    with store.write(f"worker:{worker.public_id}") as transaction:
        mine = persons.c.worker_id == worker.id
        query = sa.select(persons.c.details).where(mine).with_for_update()
        known = transaction.connection.execute(query).scalar()
        if known is not None and known | details != known:
            transaction.connection.execute(
                sa.update(persons).where(mine).values(details=known | details)
            )


def all_workers(store: Store) -> list[Worker]:
    """All workers in the order of registration."""
    with store.read() as connection:
        return [_worker(row) for row in connection.execute(sa.select(workers).order_by(workers.c.id))]


def get_person(store: Store, worker: Worker) -> Person | None:
    """The personal data of a worker; None once erased."""
    columns = (persons.c.name, persons.c.email, persons.c.external_id, persons.c.details)
    with store.read() as connection:
        row = connection.execute(sa.select(*columns).where(persons.c.worker_id == worker.id)).first()
    return None if row is None else Person(*row)


def check_line(name: str, value: str | None, most: int = 200) -> None:
    """Reject anything but one short line of printable text."""
    if value is None:
        return
    if len(value) > most:
        raise AnswerError(
            name, f"please write at most {pluralize(most, 'character')}; this has {len(value):,}"
        )
    if not all(c.isprintable() for c in value):
        raise AnswerError(name, "this has characters that cannot be printed; please remove them")


def _first(store: Store, query: sa.Select[Any]) -> Worker | None:
    with store.read() as connection:
        row = connection.execute(query).first()
    return None if row is None else _worker(row)


def _worker(row: sa.Row[Any]) -> Worker:
    return Worker(row.id, row.public_id, row.source, row.created_at)
