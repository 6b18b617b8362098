"""The tables of answers, reviews, the ledger, invitations, accounts and the log."""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.store.columns import (
    document,
    metadata,
    moment,
    number,
    public,
    reference,
    serial,
    text,
)

submissions = sa.Table(
    "submissions",
    metadata,
    serial(),
    public(),
    sa.Column(
        "assignment_id", sa.Integer, sa.ForeignKey("assignments.id"), nullable=False, unique=True
    ),
    reference("campaigns"),
    reference("items", index=True),
    reference("workers", index=True),
    number("tier"),
    text("text"),
    text("language"),
    text("comment"),
    document("data"),
    sa.Column("seconds", sa.Float),
    moment("submitted_at"),
    sa.Index("ix_submissions_campaign", "campaign_id", "id"),
)

# What answers said before their workers corrected them.
replaced_answers = sa.Table(
    "replaced_answers",
    metadata,
    serial(),
    moment("at"),
    reference("submissions", index=True),
    text("text"),
    text("language"),
    text("comment"),
    document("data"),
)

judgments = sa.Table(
    "judgments",
    metadata,
    serial(),
    reference("submissions", index=True),
    # The index of the candidate in the item's content, not on the worker's page.
    number("candidate"),
    text("criterion"),
    number("value"),
    sa.UniqueConstraint("submission_id", "candidate", "criterion"),
)

reviews = sa.Table(
    "reviews",
    metadata,
    serial(),
    moment("at"),
    reference("submissions", index=True),
    text("decision"),
    text("reason"),
    text("actor"),
    sa.CheckConstraint("decision in ('accept', 'reject')", name="decision"),
)

# Reviews that were undone: kept, but they no longer count.
undone_reviews = sa.Table(
    "undone_reviews",
    metadata,
    reference("reviews", key=True),
    moment("at"),
    text("actor"),
)
REVIEW_COUNTS = reviews.c.id.not_in(sa.select(undone_reviews.c.review_id))

ledger = sa.Table(
    "ledger",
    metadata,
    serial(),
    moment("at"),
    reference("campaigns", index=True),
    reference("workers", index=True),
    reference("assignments", nullable=True, index=True),
    text("kind"),
    # How much each sum changes: reserved for open tasks (fees included), earned, fees, paid out.
    number("reserved_cents"),
    number("earned_cents"),
    number("fee_cents"),
    number("paid_cents"),
    text("note"),
    text("actor"),
    sa.CheckConstraint(
        "kind in ('reserve', 'release', 'earn', 'revoke', 'restore', 'bonus', 'paid')", name="kind"
    ),
)

invitations = sa.Table(
    "invitations",
    metadata,
    serial(),
    public(),
    text("hash", unique=True),
    reference("campaigns", nullable=True),
    number("tier"),
    number("most_uses"),
    number("uses"),
    text("note"),
    moment("created_at"),
    moment("expires_at", nullable=True),
    moment("withdrawn_at", nullable=True),
    sa.CheckConstraint("uses >= 0 and uses <= most_uses", name="uses"),
)

accounts = sa.Table(
    "accounts",
    metadata,
    serial(),
    public(),
    text("name", unique=True),
    text("password_hash"),
    text("state"),
    text("role", server_default="owner"),
    moment("created_at"),
    sa.CheckConstraint("state in ('active', 'closed')", name="state"),
)

api_tokens = sa.Table(
    "api_tokens",
    metadata,
    serial(),
    public(),
    text("hash", unique=True),
    reference("accounts"),
    text("name"),
    # What the token may do at most, as a role.
    text("scope", server_default="owner"),
    moment("created_at"),
    moment("expires_at", nullable=True),
    moment("withdrawn_at", nullable=True),
)

sessions = sa.Table(
    "sessions",
    metadata,
    serial(),
    text("hash", unique=True),
    reference("workers", nullable=True, index=True),
    reference("accounts", nullable=True, index=True),
    moment("created_at"),
    moment("expires_at"),
    sa.CheckConstraint("(worker_id is null) <> (account_id is null)", name="owner"),
)

# Digests of forms and requests that were done, each in the transaction that did it.
done_once = sa.Table(
    "done_once",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    moment("at"),
)

changes = sa.Table(
    "changes",
    metadata,
    serial(),
    moment("at"),
    text("actor"),
    text("action"),
    text("subject", index=True),
    document("details"),
)
