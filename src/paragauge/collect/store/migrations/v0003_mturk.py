"""Tables for Mechanical Turk."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "mturk_hits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("tier", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text()),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("reward_cents", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_mturk_hits_campaign_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mturk_hits")),
        sa.UniqueConstraint("key", name=op.f("uq_mturk_hits_key")),
        sa.UniqueConstraint("external_id", name=op.f("uq_mturk_hits_external_id")),
    )
    op.create_index(op.f("ix_mturk_hits_campaign_id"), "mturk_hits", ["campaign_id"], unique=False)
    op.create_table(
        "mturk_tasks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mturk_hit_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("entry_hash", sa.Text()),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state in ('given', 'claimed', 'submitted', 'approved', 'rejected')",
            name=op.f("ck_mturk_tasks_state"),
        ),
        sa.ForeignKeyConstraint(
            ["mturk_hit_id"], ["mturk_hits.id"], name=op.f("fk_mturk_tasks_mturk_hit_id")
        ),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_mturk_tasks_worker_id")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_mturk_tasks_submission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mturk_tasks")),
        sa.UniqueConstraint("external_id", name=op.f("uq_mturk_tasks_external_id")),
        sa.UniqueConstraint("submission_id", name=op.f("uq_mturk_tasks_submission_id")),
        sa.UniqueConstraint("entry_hash", name=op.f("uq_mturk_tasks_entry_hash")),
    )
    op.create_index(op.f("ix_mturk_tasks_mturk_hit_id"), "mturk_tasks", ["mturk_hit_id"], unique=False)
    op.create_index(op.f("ix_mturk_tasks_worker_id"), "mturk_tasks", ["worker_id"], unique=False)
    op.create_table(
        "mturk_qualifications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_mturk_qualifications_campaign_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mturk_qualifications")),
        sa.UniqueConstraint(
            "campaign_id",
            "environment",
            "role",
            name=op.f("uq_mturk_qualifications_campaign_id_environment_role"),
        ),
    )
    op.create_table(
        "mturk_holders",
        sa.Column("mturk_qualification_id", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["mturk_qualification_id"],
            ["mturk_qualifications.id"],
            name=op.f("fk_mturk_holders_mturk_qualification_id"),
        ),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_mturk_holders_worker_id")),
        sa.PrimaryKeyConstraint("mturk_qualification_id", "worker_id", name=op.f("pk_mturk_holders")),
    )
    op.create_table(
        "mturk_bonuses",
        sa.Column("ledger_id", sa.Integer(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["ledger_id"], ["ledger.id"], name=op.f("fk_mturk_bonuses_ledger_id")),
        sa.PrimaryKeyConstraint("ledger_id", name=op.f("pk_mturk_bonuses")),
    )
