"""Paging of long lists: the rows of one page of a query, and the number of all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paragauge.collect.store.store import Store


@dataclass(frozen=True)
class PageRange:
    """How many rows to skip, and how many to return at most."""

    offset: int = 0
    limit: int = 50


def read_page(store: Store, query: sa.Select[Any], part: PageRange) -> tuple[list[Any], int]:
    """The rows of one page of a query, and the number of all its rows."""
    with store.read() as connection:
        rows = list(connection.execute(query.offset(part.offset).limit(part.limit)))
        if part.offset == 0 and len(rows) < part.limit:
            return rows, len(rows)
        counting = sa.select(sa.func.count()).select_from(query.order_by(None).subquery())
        return rows, int(connection.scalar(counting) or 0)
