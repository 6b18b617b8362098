"""DuckDB as the engine: results, whole files or none, limits, interrupts, errors."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.engine import duckdb_engine
from paragauge.engine.arrow_strings import strings, texts_of
from paragauge.engine.base import Engine
from paragauge.engine.duckdb_engine import DuckDBEngine, duckdb_module
from paragauge.engine.memory_size import parse_size
from paragauge.errors import EngineError, FileFormatError, MissingExtraError, SettingError, ShapeError

SLOW = """
SELECT COUNT(*) AS n FROM numbers a JOIN numbers b ON a.x + b.x > 0 JOIN numbers c ON b.x + c.x > 1
"""


def rows(engine: Engine, sql: str, tables: dict) -> list[dict]:
    return [row for batch in engine.batches(sql, tables) for row in batch.to_pylist()]


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "it's [words] *.parquet"  # nothing in a name is a pattern
    pq.write_table(pa.table({"word": ["b", "a", "b", "é"]}), path)
    return path


COUNT = "SELECT word, COUNT(*) AS count FROM words GROUP BY word ORDER BY word"
COUNTED = [{"word": "a", "count": 1}, {"word": "b", "count": 2}, {"word": "é", "count": 1}]


def test_parquet_and_arrow(words: Path) -> None:
    engine = DuckDBEngine()
    assert isinstance(engine, Engine)
    assert rows(engine, COUNT, {"words": words}) == COUNTED
    assert rows(engine, COUNT, {"words": pq.read_table(words)}) == COUNTED
    twice = rows(engine, COUNT, {"words": [words, words]})
    assert [row["count"] for row in twice] == [2, 4, 2]


def test_write(words: Path, tmp_path: Path) -> None:
    output = tmp_path / "counts.parquet"
    assert DuckDBEngine(threads=2).write(COUNT, {"words": words}, output) == 3
    assert pq.read_table(output).to_pylist() == COUNTED
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([output.name, words.name])


def test_strings_sort_by_bytes() -> None:
    table = pa.table({"word": ["é", "z", "Z", "中", "\U0001f642", "\uffff"]})
    sorted_rows = rows(DuckDBEngine(), "SELECT word FROM words ORDER BY word", {"words": table})
    assert [row["word"] for row in sorted_rows] == ["Z", "z", "é", "中", "\uffff", "\U0001f642"]


def test_a_wrong_query_leaves_the_old_file(words: Path, tmp_path: Path) -> None:
    output = tmp_path / "counts.parquet"
    output.write_bytes(b"old")
    with pytest.raises(EngineError, match=r"^DuckDB: .*nothing") as caught:
        DuckDBEngine().write("SELECT nothing FROM words", {"words": words}, output)
    assert "\n" not in str(caught.value)
    assert output.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_missing_table_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"DuckDB: .*none.parquet"):
        rows(DuckDBEngine(), COUNT, {"words": tmp_path / "none.parquet"})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told_and_leaves_earlier_results(words: Path, tmp_path: Path) -> None:
    engine, earlier = DuckDBEngine(), tmp_path / "earlier.parquet"
    engine.write(COUNT, {"words": words}, earlier)
    with pytest.raises(EngineError, match=r"^the disk is full; make room, or choose a folder"):
        engine.write(COUNT, {"words": words}, "/dev/full")
    assert pq.read_table(earlier).to_pylist() == COUNTED


def test_what_does_not_fit_goes_to_a_folder_that_is_removed(tmp_path: Path) -> None:
    spill = tmp_path / "spill"
    spill.mkdir()
    numbers = pa.table({"x": list(range(400_000)), "y": [f"text number {i}" for i in range(400_000)]})
    seen: set[str] = set()
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.001):
            seen.update(path.name for path in spill.rglob("*") if path.is_file())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        sql = "SELECT y, x FROM numbers ORDER BY y DESC, x"
        total = sum(
            len(batch)
            for batch in DuckDBEngine("40MB", 1, spill).batches(
                sql, {"numbers": pa.concat_tables([numbers] * 4)}
            )
        )
    finally:
        ended.set()
        watcher.join()
    assert total == 1_600_000
    assert seen
    assert list(spill.iterdir()) == []


def test_too_little_memory_is_told(tmp_path: Path) -> None:
    numbers = pa.table({"x": [str(i) * 20 for i in range(50_000)]})
    sql = "SELECT a.x FROM numbers a JOIN numbers b ON a.x = b.x ORDER BY a.x"
    with pytest.raises(
        EngineError,
        match=r"^out of memory: .* allow more with --memory, or use fewer --threads, and run it again$",
    ):
        rows(DuckDBEngine("1MB", 1, tmp_path), sql, {"numbers": numbers})
    assert list(tmp_path.iterdir()) == []


def test_a_result_that_is_not_read_to_the_end_leaves_nothing(words: Path, tmp_path: Path) -> None:
    batches = DuckDBEngine(folder=tmp_path / "spill").batches(COUNT, {"words": words})
    (tmp_path / "spill").mkdir()
    assert len(next(batches)) == 3
    assert list((tmp_path / "spill").iterdir())
    batches.close()  # type: ignore[attr-defined]
    assert list((tmp_path / "spill").iterdir()) == []


INTERRUPTED = """
import signal, sys, threading, os
import pyarrow as pa
from paragauge.engine.duckdb_engine import DuckDBEngine
signal.signal(signal.SIGINT, signal.default_int_handler)
numbers = pa.table({"x": list(range(100_000))})
try:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    DuckDBEngine(folder=sys.argv[1]).write(sys.argv[2], {"numbers": numbers}, sys.argv[3])
except KeyboardInterrupt:
    sys.exit(77)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals work differently on this system")
def test_an_interrupt_stops_a_query(tmp_path: Path) -> None:
    spill = tmp_path / "spill"
    spill.mkdir()
    start = time.monotonic()
    arguments = [sys.executable, "-c", INTERRUPTED, str(spill), SLOW, str(tmp_path / "out.parquet")]
    ended = subprocess.run(arguments, check=False, timeout=100, capture_output=True)
    assert ended.returncode == 77, ended.stderr
    assert time.monotonic() - start < 60
    assert list(spill.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["spill"]


def test_settings() -> None:
    with pytest.raises(SettingError, match=r"^memory: expected a size such as .* found '4 gigs'$"):
        DuckDBEngine("4 gigs")
    with pytest.raises(SettingError, match="threads: expected a whole number"):
        DuckDBEngine(threads=-1)
    with pytest.raises(SettingError, match="name of a table: expected lower-case letters"):
        rows(DuckDBEngine(), "SELECT 1", {"a; DROP": pa.table({"x": [1]})})


def test_a_temporary_folder_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"none: cannot create a temporary folder there \(No such"):
        rows(DuckDBEngine(folder=tmp_path / "none"), "SELECT 1", {})
    with pytest.raises(FileFormatError, match="does not exist; make it first"):
        DuckDBEngine().write("SELECT 1 AS x", {}, tmp_path / "none" / "x.parquet")


def test_without_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'paragauge\[engine\]'"):
        duckdb_engine.duckdb_module()


def test_columns_of_strings() -> None:
    for kind in (pa.string(), pa.large_string()):
        column = pa.array(["", "é", "one two"], kind)
        for part in (column, column[1:], column[:0], pa.chunked_array([column[:1], column[1:]])):
            assert strings(texts_of(part)).to_pylist() == part.to_pylist()
    with pytest.raises(ShapeError, match="expected strings, found null among them"):
        texts_of(pa.array(["a", None]))


def test_memory_by_default_is_a_quarter() -> None:
    [batch] = DuckDBEngine().batches("SELECT current_setting('memory_limit') AS size", {})
    limit = parse_size(batch.column("size")[0].as_py().replace(" ", ""))
    [usual] = duckdb_module().connect().execute("SELECT current_setting('memory_limit')").fetchone()
    assert limit / parse_size(usual.replace(" ", "")) == pytest.approx(0.25 / 0.8, rel=0.1)
