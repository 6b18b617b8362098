"""Engines run SQL on tables that are too large for Python.

Kernels turn batches of sentences into rows (map); an engine groups, joins and ranks them (reduce).
The caller chooses the engine: code that uses one writes SQL that every engine reads, the part that
DuckDB and Spark SQL share:

- `SELECT` with `WITH`, `JOIN ... ON`, `LEFT JOIN`, `WHERE`, `GROUP BY`, `HAVING`, `ORDER BY`, `LIMIT`,
  `UNION ALL`;
- the aggregates `COUNT`, `SUM`, `MIN` and `MAX`, and window functions `ROW_NUMBER` and `SUM` with
  `OVER (PARTITION BY ... ORDER BY ...)`;
- `CASE`, `IN`, `IS NULL`, `LIKE` with `%` only, and of strings `||`, `LENGTH` and `REPLACE`;
- `CAST` to `BIGINT` and `DOUBLE`, and the operators of arithmetic and comparison. A quotient is
  `CAST(a AS DOUBLE) / b`, because engines differ on integers; a number with a fraction is written
  with an exponent (`number_literal`), because engines differ on decimals.

Names are lower case and never quoted. Strings compare by their UTF-8 bytes. Sort keys are never null,
because engines differ on where nulls go. Without `ORDER BY` rows come in any order.

The engine also runs the map, so that it runs where the rows are: a function from batches to batches,
which one machine calls in this process and a cluster in many. The engine calls it on parts of the rows,
and again on a part whose machine was lost. So the function changes no state, and its result depends on
each row alone: rows carry the information where they come from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from paragauge.errors import SettingError

# Parquet files with the same columns, or an Arrow table (`pyarrow.Table`).
Rows = Path | Sequence[Path] | Any

# From Arrow record batches to Arrow record batches; can be pickled.
MapFunction = Callable[[Iterator[Any]], Iterator[Any]]

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def check_name(name: str) -> None:
    """Raise an error for a table name that SQL would read as something else.

    >>> check_name("words")
    """
    if _NAME.fullmatch(name) is None:
        raise SettingError(f"name of a table: expected lower-case letters and digits, found {name!r}")


def number_literal(value: float) -> str:
    """A number in SQL that every engine reads as a `DOUBLE` (without an exponent it is a decimal).

    >>> number_literal(0.01), number_literal(1e-7)
    ('0.01e0', '1e-07')
    """
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


@runtime_checkable
class Engine(Protocol):
    """Runs queries; `tables` maps each table name in a query to its rows.

    >>> from paragauge.engine.duckdb_engine import DuckDBEngine
    >>> isinstance(DuckDBEngine(), Engine)
    True
    """

    def batches(self, sql: str, tables: Mapping[str, Rows]) -> Iterator[Any]:
        """The result as Arrow record batches, with flat memory."""

    def write(self, sql: str, tables: Mapping[str, Rows], output: str | Path) -> int:
        """Write the result as one Parquet file, which appears whole or not at all; returns its rows."""

    def map(
        self,
        function: MapFunction,
        rows: Rows,
        schema: Any,
        output: str | Path,
        *,
        columns: Sequence[str] | None = None,
        number: str | None = None,
    ) -> list[Path]:
        """Apply the function to the rows and write the result as Parquet files with this Arrow schema.

        They are in the folder `output`, which must be new, and are returned in the order of their
        names; on an error there is no folder. Types are strings, whole numbers of 32 and 64 bits,
        `float64`, `bool_` and lists of these.

        The function gets these `columns` of the rows (None: all) and, if `number` names one, a column
        with the number of each row, from 0 in the order of the rows. The rows of a batch then
        follow each other, and the results of the function keep their order.
        """

    @property
    def map_threads(self) -> int:
        """How many threads kernels use in a function for `map` (0: one per core)."""
