"""Column types, and the checks that make values storable in every database."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from paragauge.errors import InputError

# A NUL as JSON writes it, after an even number of backslashes.
NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class DamagedValueError(ValueError):
    """A value in the database is not what a store writes there: the file is damaged."""


class Moment(sa.types.TypeDecorator[datetime]):
    """A moment in UTC, timezone-aware in Python on every database."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """The value to store: SQLite keeps no time zone, so it gets UTC without one."""
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """The stored value as an aware datetime in UTC."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Reads a stored value, of which SQLite does not check that it is a moment."""
        read = super().result_processor(dialect, coltype)
        if read is None:
            return None

        def check(value: Any) -> Any:
            try:
                return read(value)
            except (ValueError, TypeError):
                raise DamagedValueError("expected a moment in time, found something else") from None

        return check


def is_id(value: str) -> bool:
    r"""Whether this can be an id or a name in a URL; anything else is not looked up.

    >>> is_id("mUUo8Bw1h5m9"), is_id("a\0"), is_id("é")
    (True, False, False)
    """
    return value.isascii() and value.isprintable() and len(value) <= 1000


class StorableText(sa.types.TypeDecorator[str]):
    """Text that every database can store: PostgreSQL rejects NUL, UTF-8 rejects lone surrogates."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """The same text, or an error if it cannot be stored."""
        del dialect
        return None if value is None else check_storable(value)


def check_storable(value: str) -> str:
    r"""The same text, if every database can store it.

    >>> check_storable("a\0b")
    Traceback (most recent call last):
    paragauge.errors.InputError: expected text, found a NUL character; remove it
    """
    if "\0" in value:
        raise InputError("expected text, found a NUL character; remove it")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(
            "expected text, found half of a character (a lone surrogate); type it again"
        ) from None
    return value


def to_json(value: Any) -> str:
    r"""JSON that every database can store.

    >>> to_json({"text": "é"})
    '{"text": "é"}'
    """
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"expected values that JSON can hold: {error}") from None
    if NUL.search(written):
        raise InputError("expected text, found a NUL character; remove it")
    return check_storable(written)


def from_json(text: str) -> Any:
    """The value of stored JSON.

    >>> from_json('{"text": "a"}')
    {'text': 'a'}
    """
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise DamagedValueError("expected JSON, found something else") from None


# Constraints get names by rule, so that migrations can refer to them on every database.
metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def text(name: str, **more: Any) -> sa.Column[str]:
    """A text column that is never null."""
    return sa.Column(name, StorableText, nullable=False, **more)


def number(name: str, **more: Any) -> sa.Column[int]:
    """An integer column that is never null."""
    return sa.Column(name, sa.Integer, nullable=False, **more)


def moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    """A column for a moment in UTC."""
    return sa.Column(name, Moment, nullable=nullable)


def document(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    """A column of JSON values."""
    return sa.Column(name, sa.JSON(none_as_null=True), nullable=nullable)


def serial() -> sa.Column[int]:
    """A serial number: the primary key of a table, never shown outside."""
    return sa.Column("id", sa.Integer, primary_key=True)


def public() -> sa.Column[str]:
    """A random id that may appear in URLs."""
    return text("public_id", unique=True)


def reference(
    table: str, *, nullable: bool = False, index: bool = False, key: bool = False
) -> sa.Column[int]:
    """A reference to the id of `table`."""
    name = table.removesuffix("s") + "_id"
    target = sa.ForeignKey(f"{table}.id")
    return sa.Column(name, sa.Integer, target, nullable=nullable, index=index, primary_key=key)
