"""Queries on many machines, by Spark.

The SQL is that of every engine (`engine/base.py`), and functions for `map` are called by Python workers
on batches of rows (`mapInArrow`), so results are those of DuckDB: rows in the order of an `ORDER BY`
are equal, to the last bit of every number.

Files are named by paths. On a cluster a path, also that of the temporary folder, must mean the same on
all machines: a file system that is mounted everywhere. The work of a task whose machine was lost is
repeated elsewhere; the result does not change.

Needs the extra `spark`, and Java.
"""

from __future__ import annotations

import contextlib
import itertools
import shutil
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from paragauge.engine.base import MapFunction, Rows, check_name
from paragauge.engine.interrupt import interruptible
from paragauge.engine.memory_size import parse_size
from paragauge.engine.parquet_parts import cast_to_schema, file_list, row_batches
from paragauge.engine.scratch import scratch
from paragauge.engine.spark_errors import explain_error, mark_errors
from paragauge.engine.spark_session import session
from paragauge.engine.spark_settings import check_master
from paragauge.text.atomic_folders import new_folder
from paragauge.text.files import atomic_path
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.table_readers import open_parquet

T = TypeVar("T")
BATCH = 1 << 16
PIECE = 1 << 26  # bytes of a batch that go to Java at once
TASKS = 4  # of a map, at least, for each core


@dataclass(frozen=True)
class SparkEngine:
    """Spark at a `master`: `spark://HOST:PORT`, `yarn`, `local[N]` for N threads of this machine, or
    `local-cluster[WORKERS,CORES,MEGABYTES]` for processes; None takes what `spark-submit` was told.

    `memory`, such as "4GB", is that of each process. Temporary folders are created in `folder` (None:
    the system's). `settings` are Spark's own, such as `{"spark.executor.cores": "4"}`.

    The session starts with the first query and is shared by engines with the same settings.

    >>> SparkEngine("local[0.5]")
    Traceback (most recent call last):
    paragauge.errors.SettingError: master: expected spark://HOST:PORT, yarn, k8s://..., local[N] or
    local-cluster[WORKERS,CORES,MEGABYTES], found 'local[0.5]'
    """

    master: str | None = "local[*]"
    memory: str | None = None
    folder: str | Path | None = None
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_pyarrow("spark")
        if self.master is not None:
            check_master(self.master)
        if self.memory is not None:
            parse_size(self.memory)

    def batches(self, sql: str, tables: Mapping[str, Rows]) -> Iterator[Any]:
        """The result as Arrow record batches, in the query's order."""
        with scratch(self.folder, shared=True) as folder:
            parts = self._result(sql, tables, folder)
            schema = _plain_schema(parts[0])
            for batch in row_batches(parts, size=BATCH):
                yield cast_to_schema(batch, schema)

    def write(self, sql: str, tables: Mapping[str, Rows], output: str | Path) -> int:
        """Write the result as one Parquet file, which appears whole or not at all; returns its rows."""
        import pyarrow.parquet as pq

        with scratch(self.folder, shared=True) as folder, atomic_path(output) as temporary:
            parts = self._result(sql, tables, folder)
            schema, rows = _plain_schema(parts[0]), 0
            with pq.ParquetWriter(temporary, schema) as writer:
                for batch in row_batches(parts, size=BATCH):
                    writer.write_batch(cast_to_schema(batch, schema))
                    rows += len(batch)
        return rows

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
        """Apply the function to the rows, in many processes and in any order, and write the result."""
        with scratch(self.folder, shared=True) as folder, new_folder(output) as hidden:
            spark = self._session()

            def map_frame() -> Any:
                frame = _frame(spark, rows, folder / "rows", columns, number)
                return _map_frame(_repartition(spark, frame, number), function, schema)

            parts = _save(spark, map_frame, hidden / "spark", hidden)
        return [Path(output, part.name) for part in parts]

    @property
    def map_threads(self) -> int:
        """One: each core has a task of its own."""
        return 1

    def _session(self) -> Any:
        """A session of the shared Spark with its own table names."""
        settings = dict(self.settings)
        if self.memory is not None:
            size = f"{max(1, parse_size(self.memory) >> 20)}m"
            settings = {"spark.driver.memory": size, "spark.executor.memory": size, **settings}
        return session(self.master, settings, self.folder).newSession()

    def _result(self, sql: str, tables: Mapping[str, Rows], folder: Path) -> list[Path]:
        """The files of a query's result, whose rows in order are the result."""
        spark = self._session()
        for name, rows in tables.items():
            check_name(name)
            frame = _run(spark, partial(_frame, spark, rows, folder / name))
            frame.createOrReplaceTempView(name)
        return _save(spark, lambda: spark.sql(sql), folder / "spark", folder)


def _frame(
    spark: Any, rows: Rows, links: Path, columns: Sequence[str] | None = None, number: str | None = None
) -> Any:
    """Rows as Spark reads them; `links` is a folder to be made, with clean names for their files.

    Spark reads a name as a pattern, hides files whose names start with _ or a dot, and, given several
    files in a folder whose name looks like a pattern, reads them twice. A folder is read as it is.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql import functions

    links.mkdir()
    counts: dict[str, int] = {}
    if isinstance(rows, pa.Table):
        pq.write_table(rows, links / "rows.parquet", row_group_size=BATCH)
        counts["rows.parquet"] = len(rows)
    else:
        for index, path in enumerate(file_list(rows)):
            name = f"rows-{index:06d}.parquet"
            with contextlib.closing(open_parquet(path)) as file:
                counts[name] = file.metadata.num_rows
            (links / name).symlink_to(Path(path).resolve())
    frame = spark.read.option("__globPaths__", "false").parquet(f"file://{links}")
    chosen = [frame[_quote(name)] for name in (frame.columns if columns is None else columns)]
    if number is not None:
        firsts = itertools.accumulate(counts.values(), initial=0)
        pairs = [functions.lit(value) for pair in zip(counts, firsts, strict=False) for value in pair]
        first = functions.create_map(*pairs)[functions.col("_metadata.file_name")]
        chosen.append((functions.col("_metadata.row_index") + first).alias(number))
    return frame.select(*chosen)


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _repartition(spark: Any, frame: Any, number: str | None) -> Any:
    """The rows in enough tasks for all cores; numbered ones in their order."""
    tasks = TASKS * spark.sparkContext.defaultParallelism
    if number is not None:
        return frame.repartitionByRange(tasks, number).sortWithinPartitions(number)
    return frame if frame.rdd.getNumPartitions() >= tasks else frame.repartition(tasks)


def _map_frame(frame: Any, function: MapFunction, schema: Any) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    # Spark reads column names as expressions, in which a dot or a backquote has a meaning.
    work = partial(_pieces, function, frame.columns, schema)
    plain = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
    with warnings.catch_warnings():
        # Spark asks for pandas and warns of its newest versions; nothing here goes through pandas.
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        return plain.mapInArrow(_NamedFunction(work), from_arrow_schema(schema))


class _NamedFunction:
    """A function with a name, which Spark requires."""

    __name__ = "paragauge"

    def __init__(self, function: MapFunction) -> None:
        self.function = function

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return self.function(batches)


def _pieces(
    function: MapFunction, names: list[str], schema: Any, batches: Iterator[Any]
) -> Iterator[Any]:
    """The function's results, in Spark's types, in pieces that Java can hold."""
    with mark_errors():
        for batch in function(batch.rename_columns(names) for batch in batches):
            size = max(1, len(batch) * PIECE // max(PIECE, batch.nbytes))
            for start in range(0, len(batch), size):
                yield cast_to_schema(batch[start : start + size], _spark_types(schema))


def _spark_types(schema: Any) -> Any:
    """The schema with strings as Spark sends them: without large offsets."""
    import pyarrow as pa

    def simple(kind: Any) -> Any:
        if pa.types.is_large_string(kind):
            return pa.string()
        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            return pa.list_(simple(kind.value_type))
        return kind

    return pa.schema([(column.name, simple(column.type)) for column in schema])


def _save(spark: Any, frame: Callable[[], Any], place: Path, folder: Path) -> list[Path]:
    """Write a frame to the folder `place`, and move its files, in order, to `folder`."""
    _run(spark, lambda: frame().write.parquet(f"file://{place}"))
    parts = []
    for index, part in enumerate(sorted(place.glob("part-*.parquet"))):
        parts.append(folder / f"part-{index:05d}.parquet")
        part.rename(parts[-1])
    shutil.rmtree(place)
    return parts


def _plain_schema(path: Path) -> Any:
    """The schema of a file, where any value may be null, as other engines have it."""
    import pyarrow as pa

    with contextlib.closing(open_parquet(path)) as file:
        return pa.schema([(column.name, column.type) for column in file.schema_arrow])


def _run(spark: Any, call: Callable[[], T]) -> T:
    """The result of the call; an interrupt stops its jobs, and its errors become `EngineError`."""
    context, group = spark.sparkContext, uuid.uuid4().hex

    def work() -> T:
        context.setJobGroup(group, "paragauge", interruptOnCancel=True)
        return call()

    try:
        return interruptible(work, lambda: context.cancelJobGroup(group))
    except Exception as error:  # noqa: BLE001  # ours or raised as it is
        raise explain_error(error) from None
