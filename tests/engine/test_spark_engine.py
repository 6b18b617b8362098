"""Spark gives what DuckDB gives: the same rows in the same order, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.align.links import Links
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.engine.spark_session import stop_spark
from paragauge.errors import EngineError, FileFormatError, InputError
from paragauge.phrases.extract import ExtractionSettings, extract_table
from paragauge.text.bitext import Bitext

# A process has one Spark: tests of one kind of master stand together and run in one process.
pytestmark = pytest.mark.xdist_group("spark")

WORD_LIST = ["a", "A", "é", "z", "中", "\U0001f642", "\uffff", "e\u0301", "ﷺ", "'", "`", "\\"]
COUNT = "SELECT word, COUNT(*) AS count FROM words GROUP BY word ORDER BY word"


def table(engine: Engine, sql: str, **tables: Any) -> pa.Table:
    return pa.Table.from_batches(list(engine.batches(sql, tables)))


@pytest.fixture(scope="module")
def local(spark_engine: Callable[..., SparkEngine]) -> SparkEngine:
    return spark_engine("local[2]")


@pytest.fixture
def words(tmp_path: Path) -> list[Path]:
    draw = random.Random(1)
    paths = [tmp_path / "it's [a]: *é.parquet", tmp_path / "_b.parquet"]
    for path in paths:
        pq.write_table(pa.table({"word": draw.choices(WORD_LIST, k=3000)}), path, row_group_size=500)
    return paths


def aligned(pairs: int) -> tuple[Bitext, Links]:
    """Sentence pairs with random links."""
    draw = random.Random(2)
    sides = [[draw.choices(WORD_LIST, k=draw.randint(1, 8)) for _ in range(pairs)] for _ in range(2)]
    links = [
        [(i, draw.randrange(len(target))) for i in range(len(source)) if draw.random() < 0.8]
        for source, target in zip(*sides, strict=True)
    ]
    texts = [[" ".join(words) for words in side] for side in sides]
    return Bitext.of(*texts), Links.from_lists(links)


def check_phrase_tables(engine: Engine, place: Path) -> None:
    """Phrase tables are the same files, whichever engine counts."""
    bitext, links = aligned(300)
    for name, settings in {
        "all": ExtractionSettings(max_length=3),
        "some": ExtractionSettings(max_length=3, min_count=2, min_probability=0.05, top=2),
    }.items():
        tables = [
            extract_table(bitext, links, place / f"{name}-{which}", settings, one_engine)
            for which, one_engine in (("duckdb", DuckDBEngine()), ("spark", engine))
        ]
        assert len(tables[0]) > 20
        for file in sorted(path.name for path in tables[0].folder.iterdir()):
            one, two = ((table.folder / file).read_bytes() for table in tables)
            assert one == two, file


def test_queries_give_equal_tables(local: SparkEngine, words: list[Path], tmp_path: Path) -> None:
    assert isinstance(local, Engine)
    for rows in (words, words[0], pq.read_table(words[1])):
        expected = table(DuckDBEngine(), COUNT, words=rows)
        assert table(local, COUNT, words=rows) == expected
    assert expected.column("word").to_pylist() == sorted(WORD_LIST, key=str.encode)
    output = tmp_path / "out [*].parquet"
    assert local.write(COUNT, {"words": words}, output) == len(WORD_LIST)
    assert pq.read_table(output) == table(DuckDBEngine(), COUNT, words=words)
    assert sum(map(len, local.batches(f"{COUNT} LIMIT 0", {"words": words}))) == 0
    assert local.write("SELECT word FROM words WHERE word = 'none'", {"words": words}, output) == 0
    assert pq.read_schema(output).names == ["word"]


SCHEMA = pa.schema(
    [
        ("n", pa.int64()),
        ("text", pa.large_string()),
        ("half", pa.float64()),
        ("short", pa.int32()),
        ("odd", pa.bool_()),
        ("parts", pa.list_(pa.string())),
    ]
)


def described() -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function of the words; inside another, so that workers need not import this file."""

    def describe(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            words, numbers = batch.column("word").to_pylist(), batch.column("n").to_pylist()
            rows = [
                {
                    "n": n,
                    "text": None if n % 7 == 0 else word,
                    "half": n / 3,
                    "short": len(word),
                    "odd": n % 2 == 1,
                    "parts": word.split(" "),
                }
                for n, word in zip(numbers, words, strict=True)
            ]
            yield pa.RecordBatch.from_pylist(rows)

    return describe


def check_map(engine: Engine, function: Any, words: list[Path], place: Path) -> None:
    """The map gives what DuckDB's gives, and numbered rows stand in their order."""
    tables = []
    for name, one_engine, map_function in (("d", DuckDBEngine(), described()), ("s", engine, function)):
        parts = one_engine.map(map_function, words, SCHEMA, place / name, columns=["word"], number="n")
        assert parts == sorted((place / name).iterdir())
        tables.append(pa.concat_tables(map(pq.read_table, parts)).combine_chunks().cast(SCHEMA))
    assert tables[0].column("n").to_pylist() == list(range(6000))
    assert tables[0] == tables[1]


def test_a_map_gives_equal_rows(local: SparkEngine, words: list[Path], tmp_path: Path) -> None:
    check_map(local, described(), words, tmp_path)
    empty = pa.table({"word": pa.array([], pa.string())})
    parts = local.map(described(), empty, SCHEMA, tmp_path / "empty", number="n")
    assert sum(pq.read_metadata(part).num_rows for part in parts) == 0
    assert parts


def dying(mark: Path, generations: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """`described`, where the process of that generation above the worker is killed, once."""
    describe, place = described(), str(mark)

    def die(batches: Iterator[Any]) -> Iterator[Any]:
        import contextlib
        import os
        import signal
        from pathlib import Path

        for done in describe(batches):
            yield done
            with contextlib.suppress(FileExistsError):
                os.close(os.open(place, os.O_CREAT | os.O_EXCL))
                victim = os.getpid()
                for _ in range(generations):
                    status = Path(f"/proc/{victim}/stat").read_text()
                    victim = int(status.rpartition(")")[2].split()[1])
                os.kill(victim, signal.SIGKILL)

    return die


@pytest.mark.cluster
@pytest.mark.skipif(os.name != "posix", reason="processes are killed differently on this system")
def test_a_killed_worker_changes_nothing(local: SparkEngine, words: list[Path], tmp_path: Path) -> None:
    check_map(local, dying(tmp_path / "killed", 0), words, tmp_path)
    assert (tmp_path / "killed").exists()


def test_errors_are_one_line_and_leave_nothing(
    local: SparkEngine, words: list[Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def ours(batches: Iterator[Any]) -> Iterator[Any]:
        raise FileFormatError("pairs.parquet", 3, "expected two sides")
        yield

    def theirs(batches: Iterator[Any]) -> Iterator[Any]:
        yield 1 / 0

    schema, out = pa.schema([("word", pa.int64())]), tmp_path / "out"
    for error, message, call in (
        (InputError, r"^pairs\.parquet:3: expected two", lambda: local.map(ours, words, schema, out)),
        (EngineError, r"^Spark: ZeroDivisionError", lambda: local.map(theirs, words, schema, out)),
        (InputError, r"^column word: expected int64", lambda: local.map(iter, words, schema, out)),
        (EngineError, r"^Spark: .*`?nothing", lambda: local.write("SELECT nothing", {}, out)),
        (EngineError, r"^Spark: .*'SELEC'", lambda: table(local, "SELEC nothing")),
        (FileFormatError, r"none: no such file", lambda: table(local, COUNT, words=tmp_path / "none")),
    ):
        with pytest.raises(error, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)
        assert not out.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in words)
    assert capfd.readouterr() == ("", "")


@pytest.mark.cluster
def test_sessions_are_shared_and_others_are_left_alone(local: SparkEngine, tmp_path: Path) -> None:
    from pyspark import SparkConf, SparkContext

    running = local._session().sparkContext
    assert local._session().sparkContext is running
    settings = dict(running.getConf().getAll())
    assert settings["spark.ui.enabled"] == "false"
    assert settings["spark.driver.bindAddress"] == settings["spark.driver.host"] == "127.0.0.1"
    assert running.uiWebUrl is None
    stop_spark()
    assert SparkContext._active_spark_context is None
    conf = SparkConf().setAll(list(local.settings.items()))
    theirs = SparkContext("local[1]", "theirs", conf=conf, gateway=None)
    try:
        assert SparkEngine("local[1]", folder=tmp_path)._session().sparkContext is theirs
        assert SparkEngine(None, folder=tmp_path)._session().sparkContext is theirs
        with pytest.raises(EngineError, match=r"already, with the master local\[1\].*use local\[2\]"):
            local._session()
        stop_spark()
        assert SparkContext._active_spark_context is theirs
    finally:
        gateway = SparkContext._gateway
        theirs.stop()
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(timeout=60)


INTERRUPTED = """
import json, signal, sys, threading, time, os
import pyarrow as pa
from paragauge.engine.spark_engine import SparkEngine
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = SparkEngine("local[2]", folder=sys.argv[1], settings=json.loads(sys.argv[4]))
assert len(list(engine.batches("SELECT 1 AS one", {}))) == 1

mark = sys.argv[2]

def slow(batches):
    open(mark, "w").close()
    time.sleep(600)
    yield from batches

def interrupt():
    while not os.path.exists(mark):
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
numbers = pa.table({"x": [1, 2]})
try:
    engine.map(slow, numbers, numbers.schema, sys.argv[3])
except KeyboardInterrupt:
    sys.exit(77)
"""


@pytest.mark.cluster
@pytest.mark.skipif(os.name != "posix", reason="signals work differently on this system")
def test_an_interrupt_stops_the_work_and_leaves_nothing(local: SparkEngine, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    places = [str(temporary), str(tmp_path / "mark"), str(tmp_path / "out")]
    words = [sys.executable, "-c", INTERRUPTED, *places, json.dumps(local.settings)]
    start = time.monotonic()
    ended = subprocess.run(words, check=False, timeout=500, capture_output=True)
    assert ended.returncode == 77, ended.stderr
    assert time.monotonic() - start < 400
    assert list(temporary.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mark", "temporary"]


@pytest.mark.cluster
@pytest.mark.skipif(os.name != "posix", reason="processes are killed differently on this system")
def test_many_processes_of_which_some_are_killed(
    spark_engine: Callable[..., SparkEngine],
    words: list[Path],
    tmp_path: Path,
) -> None:
    engine = spark_engine("local-cluster[2,1,1024]")
    check_phrase_tables(engine, tmp_path)
    # Above a worker is the process that forks workers, and above that the executor, a Java of its own.
    for generations in (0, 2):
        place = tmp_path / f"killed-{generations}"
        place.mkdir()
        check_map(engine, dying(place / "killed", generations), words, place)
        assert (place / "killed").exists()
