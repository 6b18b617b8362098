"""The check for pyarrow, which is optional: Parquet, .zst compression and engines need it."""

from __future__ import annotations

from paragauge.errors import MissingExtraError

PURPOSES = {
    "parquet": "reads and writes Parquet and .zst files",
    "engine": "holds large tables",
    "spark": "sends tables to Spark",
}


def require_pyarrow(extra: str = "parquet") -> None:
    """Raise an error with the install command if pyarrow is missing; `extra` is what includes it.

    Code that reads or writes Parquet, or creates an engine, calls this first. Functions that it calls
    import pyarrow without checking again.

    >>> require_pyarrow("engine")
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"pyarrow, which {PURPOSES[extra]},", extra) from None
