"""Whether what the collection application needs is installed; said in one line where it is not."""

from __future__ import annotations

from paragauge.errors import MissingExtraError

try:
    import alembic  # noqa: F401
    import sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("SQLAlchemy or Alembic, which keep a collection,", "web") from None
