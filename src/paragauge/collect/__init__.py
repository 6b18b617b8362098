"""Collection of descriptions, paraphrases and judgments from a crowd (Chen and Dolan 2011)."""

from paragauge.errors import MissingExtraError

try:
    import alembic  # noqa: F401
    import sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("SQLAlchemy or Alembic, which store a collection,", "web") from None

__all__: list[str] = []
