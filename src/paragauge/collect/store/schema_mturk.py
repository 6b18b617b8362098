"""The tables of HITs, assignments, qualifications and bonuses at Mechanical Turk.

    mturk_hits ── mturk_tasks (one per assignment at MTurk, with its submission here once there is one)
    mturk_qualifications ── mturk_holders (which worker holds which)
    mturk_bonuses (ledger entries that were sent)

`environment` is sandbox or production: the two are never mixed up.
"""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.store.columns import metadata, moment, number, reference, serial, text

mturk_hits = sa.Table(
    "mturk_hits",
    metadata,
    serial(),
    reference("campaigns", index=True),
    text("environment"),
    number("tier"),
    # Part of the page's URL, and the token that makes a repeated request idempotent.
    text("key", unique=True),
    sa.Column("external_id", sa.Text, unique=True),
    number("places"),
    number("reward_cents"),
    moment("created_at"),
    # After this, the HIT can no longer be accepted.
    moment("expires_at"),
)

mturk_tasks = sa.Table(
    "mturk_tasks",
    metadata,
    serial(),
    reference("mturk_hits", index=True),
    text("external_id", unique=True),
    reference("workers", index=True),
    sa.Column("submission_id", sa.Integer, sa.ForeignKey("submissions.id"), unique=True),
    text("state"),
    # Hash of the one-time link from the frame to the task.
    sa.Column("entry_hash", sa.Text, unique=True),
    moment("created_at"),
    sa.CheckConstraint(
        "state in ('given', 'claimed', 'submitted', 'approved', 'rejected')", name="state"
    ),
)

mturk_qualifications = sa.Table(
    "mturk_qualifications",
    metadata,
    serial(),
    reference("campaigns"),
    text("environment"),
    text("role"),
    text("external_id"),
    sa.UniqueConstraint("campaign_id", "environment", "role"),
)

mturk_holders = sa.Table(
    "mturk_holders",
    metadata,
    reference("mturk_qualifications", key=True),
    reference("workers", key=True),
)

mturk_bonuses = sa.Table(
    "mturk_bonuses",
    metadata,
    sa.Column("ledger_id", sa.Integer, sa.ForeignKey("ledger.id"), primary_key=True),
    text("environment"),
    moment("sent_at"),
)
