"""Roles of accounts and scopes of tokens; those that exist may do everything, as before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns."""
    for table, name in (("accounts", "role"), ("api_tokens", "scope")):
        op.add_column(table, sa.Column(name, sa.Text(), nullable=False, server_default="owner"))
