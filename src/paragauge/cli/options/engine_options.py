"""Options that choose the engine that counts and joins large tables, and its limits."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import SettingError

WORK = "Work"
ENGINES = "local|spark://HOST:PORT|..."

memory = option(
    "--memory",
    metavar="SIZE",
    heading=WORK,
    help="Memory for counting, such as 4GB; what does not fit goes to disk. Default: a quarter of the "
    "machine's.",
)
temporary = option(
    "--temporary",
    metavar="FOLDER",
    heading=WORK,
    help="Folder for rows that do not fit in memory. Default: the system's temporary folder.",
)
engine = option(
    "--engine",
    default="local",
    metavar=ENGINES,
    heading=WORK,
    help="Where to count: in this process, or on Spark (spark://..., yarn, local[N], "
    "local-cluster[W,C,MB]; spark: as spark-submit sets it).",
)
scoring_engine = option(
    "--engine",
    metavar=ENGINES,
    heading=WORK,
    help="Score a Parquet --table (a file or a folder) on workers; values as for phrases extract.",
)
spark = option(
    "--spark",
    multiple=True,
    metavar="NAME=VALUE",
    heading=WORK,
    help="A Spark setting, such as spark.executor.memory=8g. May repeat.",
)


def create_engine(
    text: str,
    *,
    memory: str | None = None,
    threads: int = 0,
    folder: str | None = None,
    settings: tuple[str, ...] = (),
) -> Engine:
    """The engine that a text names; `settings` are Spark's, as NAME=VALUE.

    >>> create_engine("local", threads=2)
    DuckDBEngine(memory=None, threads=2, folder=None)
    >>> create_engine("spark://host:7077", settings=("spark.executor.cores=4",))
    SparkEngine(master='spark://host:7077', memory=None, folder=None,
        settings={'spark.executor.cores': '4'})
    """
    if text == "local":
        if settings:
            raise SettingError("--spark: only for Spark; choose it with --engine, or leave it out")
        return DuckDBEngine(memory, threads, folder)
    from paragauge.engine.spark_engine import SparkEngine
    from paragauge.engine.spark_settings import LOCAL, REMOTE

    if text != "spark" and LOCAL.fullmatch(text) is None and REMOTE.fullmatch(text) is None:
        raise SettingError(
            "--engine: expected local, spark, spark://HOST:PORT, yarn, k8s://..., local[N] or "
            f"local-cluster[WORKERS,CORES,MEGABYTES], found '{text}'"
        )
    pairs = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.startswith("spark."):
            raise SettingError(f"--spark: expected spark.NAME=VALUE, found '{setting}'")
        pairs[name] = value
    return SparkEngine(None if text == "spark" else text, memory, folder, pairs)


@dataclass(frozen=True)
class EngineChoice:
    """Which engine counts and joins; `engine` is None if a command needs none."""

    engine: str | None
    memory: str | None
    temporary: str | None
    spark: tuple[str, ...]

    def create(self, threads: int) -> Engine:
        """The engine that the options describe.

        >>> EngineChoice("local", "4GB", None, ()).create(threads=2)
        DuckDBEngine(memory='4GB', threads=2, folder=None)
        """
        return create_engine(
            self.engine or "local",
            memory=self.memory,
            threads=threads,
            folder=self.temporary,
            settings=self.spark,
        )


with_engine = gather_options("engine", EngineChoice, engine, memory, temporary, spark)
with_scoring_engine = gather_options("engine", EngineChoice, scoring_engine, memory, temporary, spark)
