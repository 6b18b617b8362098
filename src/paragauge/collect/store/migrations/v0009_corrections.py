"""Corrections: an answer may change if what it was before is kept in a table of its own.

Besides what revision 0007 allows, text, language, comment and data of a submission may change in a
transaction that has put the former ones into `replaced_answers`.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

ANSWER = ("text", "language", "comment", "data")
EMPTY = "{new} = ''"
TAG = {
    "sqlite": "({new} = '' OR {new} GLOB '[a-z][a-z]' OR {new} GLOB '[a-z][a-z][a-z]')",
    "postgresql": "({new} = '' OR {new} ~ '^[a-z]{{2,3}}$')",
}


def upgrade() -> None:
    """Make the table, and replace the trigger for changes to submissions."""
    op.create_table(
        "replaced_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_replaced_answers_submission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replaced_answers")),
    )
    op.create_index(op.f("ix_replaced_answers_submission_id"), "replaced_answers", ["submission_id"])
    connection = op.get_bind()
    kind = connection.dialect.name
    names = [column["name"] for column in sa.inspect(connection).get_columns("submissions")]
    emptied = {"text": EMPTY, "comment": EMPTY, "data": "{new} = '{{}}'", "language": TAG[kind]}
    unchanged = " AND ".join(_condition(name, emptied.get(name), kind) for name in names)
    fixed = " AND ".join(_condition(name, None, kind) for name in names if name not in ANSWER)
    same = " AND ".join(_condition(name, None, kind, new=f'r."{name}"') for name in ANSWER)
    kept = f"EXISTS (SELECT 1 FROM replaced_answers r WHERE r.submission_id = OLD.id AND {same})"  # noqa: S608
    trigger = "only_added_submissions_update"
    head = f"CREATE TRIGGER {trigger} BEFORE UPDATE ON submissions FOR EACH ROW WHEN"
    if kind == "sqlite":
        op.execute(f"DROP TRIGGER {trigger}")
        refusal = "BEGIN SELECT RAISE(ABORT, 'rows of submissions are only ever added'); END"
        op.execute(f"{head} (NOT ({unchanged}) AND NOT ({fixed} AND {kept})) {refusal}")
        return
    # A condition of PostgreSQL's triggers cannot look into a table; their functions can.
    op.execute(
        "CREATE OR REPLACE FUNCTION only_corrected() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {fixed} AND {kept} THEN RETURN NEW; END IF; "
        "RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME; END $$"
    )
    op.execute(f"DROP TRIGGER {trigger} ON submissions")
    op.execute(f"{head} (NOT ({unchanged})) EXECUTE FUNCTION only_corrected()")


def _condition(column: str, allowed: str | None, kind: str, new: str = "") -> str:
    """The condition that a column is unchanged, or changed as is allowed."""
    new, old = new or f'NEW."{column}"', f'OLD."{column}"'
    if kind == "postgresql":  # whose JSON cannot be compared
        new, old = f"{new}::text", f"{old}::text"
        same = f"{new} IS NOT DISTINCT FROM {old}"
    else:
        same = f"{new} IS {old}"
    return f"({same})" if allowed is None else f"({same} OR {allowed.format(new=new, old=old)})"
