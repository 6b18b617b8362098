"""The tables of a store.

Rows of `submissions`, `judgments`, `reviews`, `undone_reviews`, `ledger`, `decisions`, `checks` and
`changes` are only ever added. Whatever changes in the other tables (a state, a counter, a setting)
changes in the same transaction that adds a row to `changes` saying who did it, when, and what the value
was.

    campaigns ── items ── item_tiers (wanted, taken)
        │          │
        │          └── assignments ── submissions ── judgments, reviews
        │                  │
        ├── memberships ── workers ── persons (the only table with personal data), worker_keys
        ├── decisions (grant, refuse, warn, block, unblock), checks, invitations
        └── ledger (reserve, release, earn, revoke, restore, bonus, paid)
    accounts ── api_tokens       sessions       changes       done_once

Money is in whole cents. Public ids are random; serial numbers never leave the server. Passwords,
session tokens, invitations and keys are stored only as hashes.
"""

from __future__ import annotations

import sqlalchemy as sa

from paragauge.collect.store.columns import (
    StorableText,
    document,
    metadata,
    moment,
    number,
    public,
    reference,
    serial,
    text,
)

campaigns = sa.Table(
    "campaigns",
    metadata,
    serial(),
    public(),
    text("slug", unique=True),
    text("state"),
    document("settings"),
    # What may be spent, and what is already reserved or spent.
    number("budget_cents"),
    number("committed_cents"),
    moment("created_at"),
    sa.CheckConstraint("state in ('active', 'paused', 'closed')", name="state"),
    sa.CheckConstraint("committed_cents >= 0 and committed_cents <= budget_cents", name="budget"),
)

items = sa.Table(
    "items",
    metadata,
    serial(),
    public(),
    reference("campaigns"),
    text("key"),
    text("kind"),
    document("content"),
    sa.Column("control", StorableText),
    document("expected", nullable=True),
    text("state"),
    moment("added_at"),
    sa.UniqueConstraint("campaign_id", "key"),
    sa.CheckConstraint("state in ('active', 'retired')", name="state"),
    sa.CheckConstraint("control in ('gold', 'degraded', 'repeated')", name="control"),
)

item_tiers = sa.Table(
    "item_tiers",
    metadata,
    reference("items", key=True),
    sa.Column("tier", sa.Integer, primary_key=True),
    number("wanted"),
    number("taken"),
    sa.CheckConstraint("taken >= 0 and taken <= wanted", name="quota"),
)

workers = sa.Table(
    "workers",
    metadata,
    serial(),
    public(),
    text("source"),
    # In all campaigns; `memberships` has tier and state in one campaign.
    number("tier"),
    text("state"),
    moment("created_at"),
    moment("erased_at", nullable=True),
    sa.CheckConstraint("state in ('active', 'warned', 'blocked')", name="state"),
)

persons = sa.Table(
    "persons",
    metadata,
    reference("workers", key=True),
    sa.Column("name", StorableText),
    sa.Column("email", StorableText),
    # The worker's id where they were recruited, for example at Mechanical Turk.
    sa.Column("external_id", StorableText, unique=True),
    document("details"),
)

worker_keys = sa.Table(
    "worker_keys",
    metadata,
    serial(),
    text("hash", unique=True),
    reference("workers", index=True),
    moment("created_at"),
)

memberships = sa.Table(
    "memberships",
    metadata,
    reference("campaigns", key=True),
    reference("workers", key=True, index=True),
    number("tier"),
    text("state"),
    sa.Column("refused", sa.Boolean, nullable=False),
    sa.Column("passed_check", sa.Boolean, nullable=False),
    number("check_tries"),
    number("given"),
    moment("joined_at"),
    sa.CheckConstraint("state in ('active', 'warned', 'blocked')", name="state"),
)

decisions = sa.Table(
    "decisions",
    metadata,
    serial(),
    moment("at"),
    reference("campaigns", nullable=True),
    reference("workers", index=True),
    text("decision"),
    sa.Column("tier", sa.Integer),
    text("reason"),
    text("actor"),
    sa.CheckConstraint("decision in ('grant', 'refuse', 'warn', 'block', 'unblock')", name="decision"),
)

checks = sa.Table(
    "checks",
    metadata,
    serial(),
    moment("at"),
    reference("campaigns"),
    reference("workers"),
    number("attempt"),
    document("answers"),
    sa.Column("passed", sa.Boolean, nullable=False),
    sa.UniqueConstraint("campaign_id", "worker_id", "attempt"),
)

# In place of a seed, for answers that were imported: nobody was given a task.
IMPORT_SEED = "import"

assignments = sa.Table(
    "assignments",
    metadata,
    serial(),
    public(),
    reference("campaigns"),
    reference("items"),
    reference("workers"),
    number("tier"),
    number("pay_cents"),
    number("fee_cents"),
    text("state"),
    number("position"),
    document("order"),
    text("seed"),
    moment("given_at"),
    moment("expires_at"),
    moment("ended_at", nullable=True),
    sa.CheckConstraint("state in ('open', 'submitted', 'skipped', 'expired')", name="state"),
    sa.Index("ix_assignments_worker", "worker_id", "campaign_id", "item_id"),
    sa.Index("ix_assignments_item", "item_id"),
)
# A worker has one open task per campaign, and gets an item once per tier.
sa.Index(
    "uq_assignments_open",
    assignments.c.campaign_id,
    assignments.c.worker_id,
    unique=True,
    sqlite_where=assignments.c.state == "open",
    postgresql_where=assignments.c.state == "open",
)
sa.Index(
    "uq_assignments_once",
    assignments.c.item_id,
    assignments.c.worker_id,
    assignments.c.tier,
    unique=True,
    sqlite_where=assignments.c.state.in_(["open", "submitted"]),
    postgresql_where=assignments.c.state.in_(["open", "submitted"]),
)
sa.Index(
    "ix_assignments_expiry",
    assignments.c.expires_at,
    sqlite_where=assignments.c.state == "open",
    postgresql_where=assignments.c.state == "open",
)
