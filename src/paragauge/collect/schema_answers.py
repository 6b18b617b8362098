"""The tables of what comes in and what is owed: submissions, reviews, money; and of who may log in."""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.schema import _at, _id, _json, _number, _public, _text, _to, metadata

submissions = sa.Table(
    "submissions",
    metadata,
    _id(),
    _public(),
    sa.Column(
        "assignment_id", sa.Integer, sa.ForeignKey("assignments.id"), nullable=False, unique=True
    ),
    _to("campaigns"),
    _to("items", index=True),
    _to("workers", index=True),
    _number("tier"),
    _text("text"),
    _text("language"),
    _text("comment"),
    _json("data"),
    sa.Column("seconds", sa.Float),
    _at("submitted_at"),
    sa.Index("ix_submissions_campaign", "campaign_id", "id"),
)

judgments = sa.Table(
    "judgments",
    metadata,
    _id(),
    _to("submissions", index=True),
    # The index of the candidate in the item's content, not on the worker's page.
    _number("candidate"),
    _text("criterion"),
    _number("value"),
    sa.UniqueConstraint("submission_id", "candidate", "criterion"),
)

reviews = sa.Table(
    "reviews",
    metadata,
    _id(),
    _at("at"),
    _to("submissions", index=True),
    _text("decision"),
    _text("reason"),
    _text("actor"),
    sa.CheckConstraint("decision in ('accept', 'reject')", name="decision"),
)

ledger = sa.Table(
    "ledger",
    metadata,
    _id(),
    _at("at"),
    _to("campaigns", index=True),
    _to("workers", index=True),
    _to("assignments", nullable=True, index=True),
    _text("kind"),
    # By how much each sum changes: held for open tasks (fees included), earned, fees, paid out.
    _number("reserved_cents"),
    _number("earned_cents"),
    _number("fee_cents"),
    _number("paid_cents"),
    _text("note"),
    _text("actor"),
    sa.CheckConstraint(
        "kind in ('reserve', 'release', 'earn', 'revoke', 'restore', 'bonus', 'paid')", name="kind"
    ),
)

invitations = sa.Table(
    "invitations",
    metadata,
    _id(),
    _public(),
    _text("hash", unique=True),
    _to("campaigns", nullable=True),
    _number("tier"),
    _number("most_uses"),
    _number("uses"),
    _text("note"),
    _at("created_at"),
    _at("expires_at", nullable=True),
    _at("withdrawn_at", nullable=True),
    sa.CheckConstraint("uses >= 0 and uses <= most_uses", name="uses"),
)

accounts = sa.Table(
    "accounts",
    metadata,
    _id(),
    _public(),
    _text("name", unique=True),
    _text("password_hash"),
    _text("state"),
    _at("created_at"),
    sa.CheckConstraint("state in ('active', 'closed')", name="state"),
)

api_tokens = sa.Table(
    "api_tokens",
    metadata,
    _id(),
    _public(),
    _text("hash", unique=True),
    _to("accounts"),
    _text("name"),
    _at("created_at"),
    _at("expires_at", nullable=True),
    _at("withdrawn_at", nullable=True),
)

sessions = sa.Table(
    "sessions",
    metadata,
    _id(),
    _text("hash", unique=True),
    _to("workers", nullable=True, index=True),
    _to("accounts", nullable=True, index=True),
    _at("created_at"),
    _at("expires_at"),
    sa.CheckConstraint("(worker_id is null) <> (account_id is null)", name="owner"),
)

changes = sa.Table(
    "changes",
    metadata,
    _id(),
    _at("at"),
    _text("actor"),
    _text("action"),
    _text("subject", index=True),
    _json("details"),
)
