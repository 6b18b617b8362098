"""The log of changes: who changed what, and when. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from paragauge.collect.store.schema_answers import changes as table
from paragauge.collect.store.store import Store


@dataclass(frozen=True)
class Change:
    """One row of the log."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    details: dict[str, Any]


def read_changes(
    store: Store, *, subject: str | None = None, after: int = 0, most: int | None = None
) -> Iterator[Change]:
    """The changes in order, of one `subject` if given, starting after the one with id `after`."""
    query = sa.select(table).where(table.c.id > after).order_by(table.c.id).limit(most)
    if subject is not None:
        query = query.where(table.c.subject == subject)
    with store.read() as connection:
        for row in connection.execute(query):
            yield Change(*row)
