"""Tables for consent, whose rows are only ever added."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables and their triggers."""
    op.create_table(
        "consent_texts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consent_texts")),
        sa.UniqueConstraint("version", name=op.f("uq_consent_texts_version")),
    )
    op.create_table(
        "consents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("consent_text_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_consents_campaign_id")
        ),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_consents_worker_id")),
        sa.ForeignKeyConstraint(
            ["consent_text_id"], ["consent_texts.id"], name=op.f("fk_consents_consent_text_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consents")),
        sa.UniqueConstraint(
            "worker_id",
            "campaign_id",
            "consent_text_id",
            name=op.f("uq_consents_worker_id_campaign_id_consent_text_id"),
        ),
    )
    postgresql = op.get_bind().dialect.name == "postgresql"
    for table in ("consent_texts", "consents"):
        for event in ("UPDATE", "DELETE"):
            name = f"only_added_{table}_{event.lower()}"
            head = f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW"
            refusal = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
            op.execute(f"{head} " + ("EXECUTE FUNCTION only_added()" if postgresql else refusal))
