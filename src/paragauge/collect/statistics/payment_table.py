"""What each worker of a campaign earned and is owed, as a table for those who pay.

Amounts are in cents. Names, addresses and ids at a panel are personal data: they are in the table only
where they are asked for, and gone once a worker is erased.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from paragauge.collect.campaigns.campaigns import Campaign
from paragauge.collect.people.workers import Person
from paragauge.collect.statistics.paged_lists import list_earnings
from paragauge.collect.store.paging import PageRange
from paragauge.collect.store.schema import persons, workers
from paragauge.collect.store.store import Store
from paragauge.text.files import atomic
from paragauge.text.table_writers import write_rows

PEOPLE: dict[str, type] = {"name": str, "email": str, "external_id": str}
AMOUNTS: dict[str, type] = {
    "accepted_cents": int,
    "pending_cents": int,
    "bonus_cents": int,
    "paid_cents": int,
    "paid_then_rejected_cents": int,
    "owed_cents": int,
}
BATCH = 500


def read_people(store: Store, public_ids: Sequence[str]) -> dict[str, Person]:
    """The personal data of workers, by their public ids; those who were erased have none."""
    columns = persons.c[("name", "email", "external_id", "details")]
    query = (
        sa.select(workers.c.public_id, *columns)
        .join(persons, persons.c.worker_id == workers.c.id)
        .where(workers.c.public_id.in_(public_ids))
    )
    with store.read() as connection:
        return {row[0]: Person(*row[1:]) for row in connection.execute(query)}


def write_payments(store: Store, campaign: Campaign, path: str | Path, *, names: bool) -> int:
    """Write one row for each worker who earned something, the most owed first; the number of rows.

    `owed_cents` is what accepted answers and bonuses are worth, less what was paid; `pending_cents`
    waits for a review. With `names`, there are columns for the name, the address and the panel's id.
    """
    columns = {"worker": str} | (PEOPLE if names else {}) | AMOUNTS
    return write_rows(_list_rows(store, campaign, names), path, columns)


def write_panel_payments(store: Store, campaign: Campaign, path: str | Path) -> int:
    """Write what participants of the campaign's panel are owed: id and dollars, one a line, no header.

    Prolific's form for bonuses takes such lines; the number of lines is returned.
    """
    panel = campaign.settings.panel
    prefix = f"{panel.participant}:" if panel else ""
    count = 0
    with atomic(path) as file:
        for row in _list_rows(store, campaign, names=True):
            participant = row["external_id"].removeprefix(prefix)
            if prefix and participant != row["external_id"] and row["owed_cents"]:
                file.write(f"{participant},{row['owed_cents'] / 100:.2f}\n")
                count += 1
    return count


def _list_rows(store: Store, campaign: Campaign, names: bool) -> Iterator[dict[str, Any]]:
    start, total = 0, 1
    while start < total:
        rows, total = list_earnings(store, campaign, PageRange(start, BATCH))
        people = read_people(store, [row.worker for row in rows]) if names else {}
        for row in rows:
            person = people.get(row.worker, Person())
            known = {name: getattr(person, name) or "" for name in PEOPLE} if names else {}
            yield {
                "worker": row.worker,
                **known,
                "accepted_cents": row.accepted,
                "pending_cents": row.pending,
                "bonus_cents": row.bonus,
                "paid_cents": row.paid,
                "paid_then_rejected_cents": row.rejected,
                "owed_cents": row.owed,
            }
        start += BATCH
