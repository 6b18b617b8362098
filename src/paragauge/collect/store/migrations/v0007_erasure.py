"""Triggers that let an erasure empty every free text about a person, and still nothing else.

Besides what revision 0002 allows: the language of a submission may become a tag or empty; the reason
of a review or decision and the note of a ledger entry may be emptied; `reason` and `note` may be taken
out of the details of a change.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

# By table and column: what a new value may be besides the old one. {new} and {old} are the values.
EMPTY = "{new} = ''"
TAG = {
    "sqlite": "({new} = '' OR {new} GLOB '[a-z][a-z]' OR {new} GLOB '[a-z][a-z][a-z]')",
    "postgresql": "({new} = '' OR {new} ~ '^[a-z]{{2,3}}$')",
}
SHORTER = {
    "sqlite": "{new} = json_remove({old}, '$.reason', '$.note')",
    "postgresql": "{new}::jsonb = {old}::jsonb - 'reason' - 'note'",
}


def upgrade() -> None:
    """Replace the triggers for changes to these tables."""
    connection = op.get_bind()
    kind = connection.dialect.name
    allowed = {
        "submissions": {
            "text": EMPTY,
            "comment": EMPTY,
            "data": "{new} = '{{}}'",
            "language": TAG[kind],
        },
        "reviews": {"reason": EMPTY},
        "decisions": {"reason": EMPTY},
        "ledger": {"note": EMPTY},
        "changes": {"details": SHORTER[kind]},
    }
    for table, columns in allowed.items():
        names = [column["name"] for column in sa.inspect(connection).get_columns(table)]
        unchanged = " AND ".join(_condition(name, columns.get(name), kind) for name in names)
        trigger = f"only_added_{table}_update"
        op.execute(f"DROP TRIGGER {trigger}" + (f" ON {table}" if kind == "postgresql" else ""))
        refusal = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
        op.execute(
            f"CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} FOR EACH ROW WHEN (NOT ({unchanged})) "
            + ("EXECUTE FUNCTION only_added()" if kind == "postgresql" else refusal)
        )


def _condition(column: str, allowed: str | None, kind: str) -> str:
    """The condition that a column is unchanged, or changed as is allowed."""
    new, old = f'NEW."{column}"', f'OLD."{column}"'
    if kind == "postgresql":  # whose JSON cannot be compared
        new, old = f"{new}::text", f"{old}::text"
        same = f"{new} IS NOT DISTINCT FROM {old}"
    else:
        same = f"{new} IS {old}"
    return f"({same})" if allowed is None else f"({same} OR {allowed.format(new=new, old=old)})"
