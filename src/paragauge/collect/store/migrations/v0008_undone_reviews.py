"""A table of reviews that were undone: they are kept, and no longer count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table and its triggers: rows are only ever added."""
    op.create_table(
        "undone_reviews",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["review_id"], ["reviews.id"], name=op.f("fk_undone_reviews_review_id")
        ),
        sa.PrimaryKeyConstraint("review_id", name=op.f("pk_undone_reviews")),
    )
    postgresql = op.get_bind().dialect.name == "postgresql"
    for event in ("UPDATE", "DELETE"):
        name = f"only_added_undone_reviews_{event.lower()}"
        head = f"CREATE TRIGGER {name} BEFORE {event} ON undone_reviews FOR EACH ROW"
        refusal = "BEGIN SELECT RAISE(ABORT, 'rows of undone_reviews are only ever added'); END"
        op.execute(f"{head} " + ("EXECUTE FUNCTION only_added()" if postgresql else refusal))
