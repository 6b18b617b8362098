"""Idempotency: what arrives twice, from a double click, a reload or a repeated request, is done once.

A form or an API request carries a random key. Whatever has an effect that adds up (a bonus, an
invitation, one more answer wanted) claims the key in its own transaction, so that of two at the same
moment one waits for the other and then does nothing, and after a crash a repetition does what is
missing. An empty key claims nothing.

>>> from paragauge.collect.store.store import temporary_store
>>> with temporary_store() as store:
...     for _ in range(2):
...         with store.write("ada") as transaction:
...             print(claim(transaction, "bonus", "Dr4fT"))
True
False
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import sqlalchemy as sa

from paragauge.collect.store.schema_answers import done_once
from paragauge.collect.store.store import Store, Transaction

# A key has at least 128 bits; ours have 144.
KEY_BYTES = 18


def claim(transaction: Transaction, purpose: str, key: str) -> bool:
    """Whether this is the first transaction with this key and purpose; an empty key is always first."""
    if not key:
        return True
    insert: Any = insert_statement(transaction.connection)(done_once)
    row = {"hash": _digest(purpose, key).hex(), "at": transaction.at}
    insert = insert.values(row).on_conflict_do_nothing().returning(done_once.c.hash)
    return transaction.connection.execute(insert).first() is not None


def is_claimed(store: Store, purpose: str, key: str) -> bool:
    """Whether a transaction with this key and purpose has been committed.

    >>> from paragauge.collect.store.store import temporary_store
    >>> with temporary_store() as store:
    ...     is_claimed(store, "bonus", "Dr4fT")
    False
    """
    if not key:
        return False
    mine = sa.select(done_once.c.hash).where(done_once.c.hash == _digest(purpose, key).hex())
    with store.read() as connection:
        return connection.execute(mine).first() is not None


def derive_secret(purpose: str, key: str) -> str:
    """A secret that follows from a key, so that a repeated request can show it again.

    It is as hard to guess as the key, and does not reveal it.

    >>> derive_secret("invitation", "a") == derive_secret("invitation", "a")
    True
    """
    return base64.urlsafe_b64encode(_digest(f"secret {purpose}", key)[:24]).decode()


def insert_statement(connection: sa.Connection) -> Any:
    """The database's own `insert`, which has `on_conflict_do_nothing`."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        return sqlite_insert
    from sqlalchemy.dialects.postgresql import insert as postgresql_insert

    return postgresql_insert


def _digest(purpose: str, key: str) -> bytes:
    return hashlib.sha256(f"paragauge {purpose}\0{key}".encode("utf-8", "surrogatepass")).digest()
