"""Triggers that forbid changing or deleting rows that are only ever added.

Two exceptions, for erasing a person on request: the text of a submission and the answers to a
comprehension check may be emptied; nothing else in those rows may change.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ADDED = ("judgments", "reviews", "ledger", "decisions", "changes", "submissions", "checks")
# What may be emptied, and the value that counts as empty.
EMPTIED = {
    "submissions": {"text": "", "comment": "", "data": "{}"},
    "checks": {"answers": "{}"},
}


def upgrade() -> None:
    """One trigger for changes and one for deletions on each table."""
    connection = op.get_bind()
    postgresql = connection.dialect.name == "postgresql"
    if postgresql:
        op.execute(
            "CREATE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME; END $$"
        )
    for table in ADDED:
        columns = [column["name"] for column in sa.inspect(connection).get_columns(table)]
        unchanged = " AND ".join(
            _unchanged(name, EMPTIED.get(table, {}), postgresql) for name in columns
        )
        for event, condition in (("DELETE", ""), ("UPDATE", f"WHEN (NOT ({unchanged}))")):
            name = f"only_added_{table}_{event.lower()}"
            head = f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW {condition}"
            refusal = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
            op.execute(head + (" EXECUTE FUNCTION only_added()" if postgresql else f" {refusal}"))


def _unchanged(column: str, emptied: dict[str, str], postgresql: bool) -> str:
    """The condition that a column is unchanged, or emptied where that is allowed."""
    new, old = f'NEW."{column}"', f'OLD."{column}"'
    if postgresql:  # whose JSON cannot be compared
        new, old = f"{new}::text", f"{old}::text"
        same = f"{new} IS NOT DISTINCT FROM {old}"
    else:
        same = f"{new} IS {old}"
    return f"({same} OR {new} = '{emptied[column]}')" if column in emptied else f"({same})"
