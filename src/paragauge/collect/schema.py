"""The tables of a store.

Rows of `submissions`, `judgments`, `reviews`, `ledger`, `decisions`, `checks` and `changes` are only ever
added. What can change in the other tables (a state, a counter, a setting) changes in the transaction
that adds the row of `changes` which says who did it, when, and what it was.

    campaigns ── items ── item_tiers (wanted, taken)
        │          │
        │          └── assignments ── submissions ── judgments, reviews
        │                  │
        ├── memberships ── workers ── persons (the only table with personal data), worker_keys
        ├── decisions (grant, refuse, warn, block, unblock), checks, invitations
        └── ledger (reserve, release, earn, revoke, bonus, paid)
    accounts ── api_tokens       sessions       changes

Money is whole cents. A public id is random; serial numbers never leave the server. Of passwords,
session tokens, invitations and keys only hashes are stored.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa


class Moment(sa.types.TypeDecorator[datetime]):
    """A moment in UTC, aware in Python on every database."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """As the database takes it: SQLite keeps no zone, so UTC without one."""
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Aware, in UTC."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# Named by rule, so that migrations can name them on every database.
metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _text(name: str, **more: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, **more)


def _number(name: str, **more: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, **more)


def _at(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, Moment, nullable=nullable)


def _json(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(none_as_null=True), nullable=nullable)


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _public() -> sa.Column[str]:
    return _text("public_id", unique=True)


def _to(
    table: str, *, nullable: bool = False, index: bool = False, key: bool = False
) -> sa.Column[int]:
    """A reference to the id of `table`."""
    name = table.removesuffix("s") + "_id"
    target = sa.ForeignKey(f"{table}.id")
    return sa.Column(name, sa.Integer, target, nullable=nullable, index=index, primary_key=key)


campaigns = sa.Table(
    "campaigns",
    metadata,
    _id(),
    _public(),
    _text("slug", unique=True),
    _text("state"),
    _json("settings"),
    # What may be spent, and what is reserved or spent already.
    _number("budget_cents"),
    _number("committed_cents"),
    _at("created_at"),
    sa.CheckConstraint("state in ('active', 'paused', 'closed')", name="state"),
    sa.CheckConstraint("committed_cents >= 0 and committed_cents <= budget_cents", name="budget"),
)

items = sa.Table(
    "items",
    metadata,
    _id(),
    _public(),
    _to("campaigns"),
    _text("key"),
    _text("kind"),
    _json("content"),
    sa.Column("control", sa.Text),
    _json("expected", nullable=True),
    _text("state"),
    _at("added_at"),
    sa.UniqueConstraint("campaign_id", "key"),
    sa.CheckConstraint("state in ('active', 'retired')", name="state"),
    sa.CheckConstraint("control in ('gold', 'degraded', 'repeated')", name="control"),
)

item_tiers = sa.Table(
    "item_tiers",
    metadata,
    _to("items", key=True),
    sa.Column("tier", sa.Integer, primary_key=True),
    _number("wanted"),
    _number("taken"),
    sa.CheckConstraint("taken >= 0 and taken <= wanted", name="quota"),
)

workers = sa.Table(
    "workers",
    metadata,
    _id(),
    _public(),
    _text("source"),
    # For all campaigns; memberships have those of one.
    _number("tier"),
    _text("state"),
    _at("created_at"),
    _at("erased_at", nullable=True),
    sa.CheckConstraint("state in ('active', 'warned', 'blocked')", name="state"),
)

persons = sa.Table(
    "persons",
    metadata,
    _to("workers", key=True),
    sa.Column("name", sa.Text),
    sa.Column("email", sa.Text),
    # The worker's id at the source, as Mechanical Turk's.
    sa.Column("external_id", sa.Text, unique=True),
    _json("details"),
)

worker_keys = sa.Table(
    "worker_keys",
    metadata,
    _id(),
    _text("hash", unique=True),
    _to("workers", index=True),
    _at("created_at"),
)

memberships = sa.Table(
    "memberships",
    metadata,
    _to("campaigns", key=True),
    _to("workers", key=True, index=True),
    _number("tier"),
    _text("state"),
    sa.Column("refused", sa.Boolean, nullable=False),
    sa.Column("passed_check", sa.Boolean, nullable=False),
    _number("check_tries"),
    _number("given"),
    _at("joined_at"),
    sa.CheckConstraint("state in ('active', 'warned', 'blocked')", name="state"),
)

decisions = sa.Table(
    "decisions",
    metadata,
    _id(),
    _at("at"),
    _to("campaigns", nullable=True),
    _to("workers", index=True),
    _text("decision"),
    sa.Column("tier", sa.Integer),
    _text("reason"),
    _text("actor"),
    sa.CheckConstraint("decision in ('grant', 'refuse', 'warn', 'block', 'unblock')", name="decision"),
)

checks = sa.Table(
    "checks",
    metadata,
    _id(),
    _at("at"),
    _to("campaigns"),
    _to("workers"),
    _number("attempt"),
    _json("answers"),
    sa.Column("passed", sa.Boolean, nullable=False),
    sa.UniqueConstraint("campaign_id", "worker_id", "attempt"),
)

assignments = sa.Table(
    "assignments",
    metadata,
    _id(),
    _public(),
    _to("campaigns"),
    _to("items"),
    _to("workers"),
    _number("tier"),
    _number("pay_cents"),
    _number("fee_cents"),
    _text("state"),
    _number("position"),
    _json("order"),
    _text("seed"),
    _at("given_at"),
    _at("expires_at"),
    _at("ended_at", nullable=True),
    sa.CheckConstraint("state in ('open', 'submitted', 'skipped', 'expired')", name="state"),
    sa.Index("ix_assignments_worker", "worker_id", "campaign_id", "item_id"),
    sa.Index("ix_assignments_item", "item_id"),
)
# One task at a time in a campaign, and an item once per worker and tier.
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
