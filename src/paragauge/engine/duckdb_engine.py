"""Queries on one machine, by DuckDB.

Every query has a connection of its own and a temporary folder for rows that do not fit in memory; both
are removed when the query ends, even with an error. Queries run in a thread while the caller waits, so
that an interrupt reaches the caller at once and stops the query.

Needs the extra `engine`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from paragauge.engine.base import MapFunction, Rows, check_name
from paragauge.engine.interrupt import interruptible
from paragauge.engine.memory_size import parse_size
from paragauge.engine.parquet_parts import PART_BYTES, row_batches, write_parts
from paragauge.engine.scratch import scratch
from paragauge.errors import EngineError, MissingExtraError
from paragauge.text.atomic_folders import new_folder
from paragauge.text.files import atomic_path
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.tokenizers import check_threads

T = TypeVar("T")
BATCH = 1 << 16


@dataclass(frozen=True)
class DuckDBEngine:
    """DuckDB with its limits: `memory` such as "4GB" (None: a quarter of the machine's, since what does
    not fit goes to disk and other work needs memory too), `threads` (0: one per core), and the `folder`
    for temporary folders (None: the system's).

    >>> import pyarrow as pa
    >>> words = pa.table({"word": ["a", "b", "a"]})
    >>> sql = "SELECT word, COUNT(*) AS count FROM words GROUP BY word ORDER BY word"
    >>> [batch.to_pydict() for batch in DuckDBEngine(threads=1).batches(sql, {"words": words})]
    [{'word': ['a', 'b'], 'count': [2, 1]}]
    """

    memory: str | None = None
    threads: int = 0
    folder: str | Path | None = None

    def __post_init__(self) -> None:
        require_pyarrow("engine")
        check_threads(self.threads)
        if self.memory is not None:
            parse_size(self.memory)

    def batches(self, sql: str, tables: Mapping[str, Rows]) -> Iterator[Any]:
        """The result as Arrow record batches, in the query's order."""
        with self._connection(tables) as connection:
            reader = _run(connection, lambda: connection.sql(sql).to_arrow_reader(BATCH))
            while (batch := _run(connection, lambda: next(reader, None))) is not None:
                yield batch

    def write(self, sql: str, tables: Mapping[str, Rows], output: str | Path) -> int:
        """Write the result as one Parquet file, which appears whole or not at all; returns its rows.

        >>> with scratch(None) as folder:
        ...     DuckDBEngine().write("SELECT 1 AS one", {}, folder / "one.parquet")
        1
        """
        with atomic_path(output) as temporary, self._connection(tables) as connection:
            copy = f"COPY ({sql}) TO {_quote(temporary)} (FORMAT parquet)"
            rows = _run(connection, lambda: connection.execute(copy).fetchone())
        return int(rows[0])

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
        """Apply the function to the rows, in order, and write the result; one call, in this process.

        >>> import pyarrow as pa
        >>> def doubled(batches):
        ...     for batch in batches:
        ...         yield pa.record_batch({"x": [2 * x for x in batch.column("x").to_pylist()]})
        >>> with scratch(None) as folder:
        ...     numbers, schema = pa.table({"x": [1, 2]}), pa.schema([("x", pa.int64())])
        ...     parts = DuckDBEngine().map(doubled, numbers, schema, folder / "parts")
        ...     [batch.to_pydict() for batch in row_batches(parts)]
        [{'x': [2, 4]}]
        """
        with new_folder(output) as folder:
            parts = write_parts(
                function(row_batches(rows, columns, number)), schema, folder, PART_BYTES
            )
        return [Path(output, part.name) for part in parts]

    @property
    def map_threads(self) -> int:
        """All of the engine's: the function is called once."""
        return self.threads

    @contextlib.contextmanager
    def _connection(self, tables: Mapping[str, Rows]) -> Iterator[Any]:
        duckdb = duckdb_module()
        with scratch(self.folder) as folder, contextlib.closing(duckdb.connect()) as connection:
            settings = {"temp_directory": folder, "enable_progress_bar": "false"}
            settings["memory_limit"] = self.memory or _quarter(connection)
            if self.threads:
                settings["threads"] = str(self.threads)
            for name, value in settings.items():
                _run(connection, partial(connection.execute, f"SET {name} = {_quote(value)}"))
            for name, rows in tables.items():
                _run(connection, partial(_view, connection, name, rows))
            yield connection


def duckdb_module() -> Any:
    """The module duckdb; an error that says how to install it or pyarrow if one is missing."""
    require_pyarrow("engine")
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("DuckDB, which counts and joins large tables,", "engine") from None
    return duckdb


def _quarter(connection: Any) -> str:
    """A quarter of the machine's memory, or its container's; DuckDB's usual limit is 80 % of it."""
    sql = "SELECT current_setting('memory_limit')"
    [usual] = _run(connection, lambda: connection.execute(sql).fetchone())
    return f"{parse_size(usual.replace(' ', '')) * 5 // 16}B"


def _quote(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _view(connection: Any, name: str, rows: Rows) -> None:
    """Let a query read these rows under this name."""
    check_name(name)
    if isinstance(rows, Path):
        rows = [rows]
    if isinstance(rows, (list, tuple)):
        # A path is not a pattern: its wildcards are escaped.
        files = ", ".join(_quote(re.sub(r"([*?\[])", r"[\1]", str(path))) for path in rows)
        query = f"SELECT * FROM read_parquet([{files}])"  # noqa: S608  # quoted
        connection.execute(f"CREATE TEMP VIEW {name} AS {query}")
    else:
        connection.register(name, rows)


def _run(connection: Any, call: Callable[[], T]) -> T:
    """The result of the call; an interrupt stops it, and its errors become `EngineError`."""
    try:
        return interruptible(call, connection.interrupt)
    except Exception as error:  # noqa: BLE001  # ours or raised as it is
        raise _explain(error) from None


def _explain(error: BaseException) -> BaseException:
    """An `EngineError` for an error of DuckDB or of the system; any other error as it is."""
    text = " ".join(str(error).split())
    if "No space left" in text or "not enough disk space" in text or "max_temp_directory_size" in text:
        return EngineError(
            "the disk is full; make room, or choose a folder with more, and run it again "
            f"(DuckDB: {text[:200]})"
        )
    if isinstance(error, duckdb_module().OutOfMemoryException):
        return EngineError(
            "out of memory: rows that must be held at once do not fit in what counting and sorting may "
            "take; allow more with --memory, or use fewer --threads, and run it again"
        )
    if isinstance(error, (duckdb_module().Error, OSError)):
        return EngineError(f"DuckDB: {text[:300]}")
    return error
