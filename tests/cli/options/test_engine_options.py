"""Which engine a command uses, and scores by an engine's workers from the shell."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.cli.options.engine_options import create_engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.errors import SettingError


def test_engines() -> None:
    assert create_engine("local", memory="1GB", folder="x") == DuckDBEngine("1GB", 0, "x")
    assert create_engine("spark") == SparkEngine(None)
    assert create_engine("local[2]", memory="1GB", folder="x") == SparkEngine("local[2]", "1GB", "x")
    settings = ("spark.a=b=c", "spark.d=")
    assert create_engine("yarn", settings=settings) == SparkEngine(
        "yarn", settings={"spark.a": "b=c", "spark.d": ""}
    )


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("duckdb", (), r"^--engine: expected local, spark, .* found 'duckdb'$"),
        ("local[2]", ("cores=4",), r"^--spark: expected spark\.NAME=VALUE, found 'cores=4'$"),
        ("local[2]", ("spark.cores",), r"^--spark: expected spark\.NAME=VALUE, found 'spark\.cores'$"),
        ("local", ("spark.a=b",), r"^--spark: only for Spark; choose it with --engine"),
    ],
)
def test_what_is_no_engine(text: str, settings: tuple[str, ...], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        create_engine(text, settings=settings)


@pytest.fixture
def table(examples: Path, tmp_path: Path) -> Path:
    columns = {
        name: (examples / file).read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for name, file in (("source", "sources.txt"), ("output", "rewrites.txt"))
    }
    pq.write_table(pa.table(columns), tmp_path / "pairs.parquet", row_group_size=50)
    return tmp_path / "pairs.parquet"


def test_scores_are_those_of_text(run, table: Path, examples: Path, tmp_path: Path) -> None:
    text = run(
        *("score", "-s", examples / "sources.txt", "-c", f"output={examples / 'rewrites.txt'}"),
        *("-m", "pinc", "--segments", "text.parquet", "-f", "json"),
    )
    assert text.returncode == 0, text.stderr
    arguments = ("-s", "source", "-c", "output", "-m", "pinc", "-f", "json", "--engine", "local")
    for place in (("--table", table), ("--table", tmp_path / "folder")):
        (tmp_path / "folder").mkdir(exist_ok=True)
        (tmp_path / "folder" / "part.parquet").write_bytes(table.read_bytes())
        done = run("score", *place, *arguments, "--segments", "workers.parquet")
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == text.stdout
        one, two = (pq.read_table(tmp_path / f"{name}.parquet") for name in ("text", "workers"))
        assert one == two


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engine", "lokal"), "--engine: expected local, spark, "),
        (("--engine", "local", "--html", "x.html"), "--html: needs the texts, which workers keep"),
        (("--memory", "1GB"), "--memory needs --engine; give it too, or leave --memory out"),
        (("--engine", "local", "--memory", "big"), "memory: expected a size such as 500MB or 4GB"),
        (("--engine", "local", "--table-format", "tsv"), "--engine: reads Parquet; give a --table"),
    ],
)
def test_errors(run, table: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run("score", "--table", table, "-s", "source", "-c", "output", "-m", "pinc", *arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b""
