"""What runs SQL on tables that are too large for Python.

Kernels turn batches of sentences into rows (map); an engine groups, joins and ranks them (reduce).
Which engine does it is the caller's choice: code that uses one passes SQL that every engine reads.
That is the part which DuckDB and Spark SQL share:

- `SELECT` with `WITH`, `JOIN ... ON`, `WHERE`, `GROUP BY`, `HAVING`, `ORDER BY`, `LIMIT`;
- the aggregates `COUNT` and `SUM`, and window functions `ROW_NUMBER` and `SUM` with
  `OVER (PARTITION BY ... ORDER BY ...)`;
- `CAST` to `BIGINT` and `DOUBLE`, and the operators of arithmetic and comparison. A quotient is
  `CAST(a AS DOUBLE) / b`, because engines differ on integers.

Names are lower case and never quoted. Strings compare by their UTF-8 bytes. What is sorted by is never
null, because engines differ on where nulls go. No rows come in a known order without `ORDER BY`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

# Parquet files with the same columns, or an Arrow table (`pyarrow.Table`).
Rows = Path | Sequence[Path] | Any


@runtime_checkable
class Engine(Protocol):
    """Runs queries; `tables` gives the rows behind each name that a query mentions.

    >>> from paragauge.engine.duckdb_engine import DuckDBEngine
    >>> isinstance(DuckDBEngine(), Engine)
    True
    """

    def batches(self, sql: str, tables: Mapping[str, Rows]) -> Iterator[Any]:
        """The result as Arrow record batches, with flat memory."""

    def write(self, sql: str, tables: Mapping[str, Rows], output: str | Path) -> int:
        """Write the result as one Parquet file, which appears whole or not; gives its rows."""
