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

The map is an engine's too, so that it runs where the rows are: a function from batches to batches,
which one machine calls in this process and a cluster in many. It is called on parts of the rows that
the engine chooses, and again on a part whose machine was lost. So it holds no state but what it was
made with, and what it gives depends on each row alone: rows carry what tells where they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

# Parquet files with the same columns, or an Arrow table (`pyarrow.Table`).
Rows = Path | Sequence[Path] | Any

# From Arrow record batches to Arrow record batches; can be pickled.
MapFunction = Callable[[Iterator[Any]], Iterator[Any]]


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

    def map(self, function: MapFunction, rows: Rows, schema: Any, output: str | Path) -> list[Path]:
        """Write what the function makes of the rows as Parquet files with this Arrow schema.

        They stand in the folder `output`, which must be new, and are given in the order of their names;
        on an error there is no folder. Types are strings, whole numbers of 32 and 64 bits, `float64`,
        `bool_` and lists of these.
        """

    @property
    def map_threads(self) -> int:
        """How many threads kernels shall use in a function for `map` (0: one per core)."""
