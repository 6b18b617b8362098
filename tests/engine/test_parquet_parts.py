"""Parts: batches in, files of a limited size out, whole folders or none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.engine import duckdb_engine
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.parquet_parts import BATCH, row_batches, write_parts
from paragauge.errors import FileFormatError, InputError

SCHEMA = pa.schema([("x", pa.int64()), ("text", pa.string())])


def doubled(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        yield pa.record_batch(
            {"text": batch.column("text"), "x": [2 * x for x in batch.column("x").to_pylist()]}
        )


@pytest.fixture
def numbers(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "it's [0-9] *.parquet", tmp_path / "_second.parquet"]
    for first, path in zip((0, 10_000), paths, strict=True):
        values = range(first, first + 10_000)
        pq.write_table(
            pa.table({"x": values, "text": pa.array(map(str, values), pa.large_string())}), path
        )
    return paths


def test_a_map_gives_the_rows_in_order_in_parts(
    numbers: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_engine, "PART_BYTES", 100_000)
    parts = DuckDBEngine().map(doubled, numbers, SCHEMA, tmp_path / "out")
    assert parts == sorted((tmp_path / "out").iterdir())
    assert [path.name for path in parts[:2]] == ["part-00000.parquet", "part-00001.parquet"]
    tables = [pq.read_table(path) for path in parts]
    assert all(table.schema == SCHEMA for table in tables)
    # Both files have two whole batches and a rest; two of some 70 kB fill a part.
    rest = 10_000 - 2 * BATCH
    assert [len(table) for table in tables] == [2 * BATCH, rest + 2 * BATCH, rest]
    assert pa.concat_tables(tables).column("x").to_pylist() == list(range(0, 40_000, 2))


def test_batches_are_of_limited_size(numbers: list[Path]) -> None:
    for rows in (numbers[0], numbers, pq.read_table(numbers[0])):
        sizes = [len(batch) for batch in row_batches(rows)]
        assert max(sizes) == BATCH
        assert sum(sizes) == (20_000 if isinstance(rows, list) else 10_000)


def test_no_rows_make_one_part_with_the_columns(tmp_path: Path) -> None:
    parts = DuckDBEngine().map(doubled, SCHEMA.empty_table(), SCHEMA, tmp_path / "out")
    assert len(parts) == 1
    assert pq.read_table(parts[0]) == SCHEMA.empty_table()


def test_an_error_leaves_no_folder(numbers: list[Path], tmp_path: Path) -> None:
    def fails(batches: Iterator[Any]) -> Iterator[Any]:
        yield from doubled(batches)
        raise InputError("bad row")

    def wrong(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    with pytest.raises(InputError, match=r"^bad row$"):
        DuckDBEngine().map(fails, numbers, SCHEMA, tmp_path / "out")
    with pytest.raises(InputError, match=r"^expected rows with the columns y, found x, text$"):
        DuckDBEngine().map(wrong, numbers, pa.schema([("y", pa.int64())]), tmp_path / "out")
    with pytest.raises(InputError, match=r"^column text: expected bool: .*parse"):
        DuckDBEngine().map(wrong, numbers[0], pa.schema([("text", pa.bool_())]), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.parquet: no such file; check the path"):
        list(row_batches(tmp_path / "none.parquet"))
    (tmp_path / "text.parquet").write_text("text")
    with pytest.raises(FileFormatError, match=r"text\.parquet: expected a Parquet file"):
        list(row_batches([tmp_path / "text.parquet"]))


def test_places_that_do_not_do(tmp_path: Path) -> None:
    table = SCHEMA.empty_table()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    with pytest.raises(FileFormatError, match=r"there: expected a new folder, found one; name another"):
        DuckDBEngine().map(doubled, table, SCHEMA, tmp_path / "there")
    assert (tmp_path / "there" / "file").exists()
    with pytest.raises(FileFormatError, match=r"rows: its folder .*none does not exist; make it first"):
        DuckDBEngine().map(doubled, table, SCHEMA, tmp_path / "none" / "rows")


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "damaged.parquet"
    pq.write_table(pa.table({"x": range(10_000), "text": map(str, range(10_000))}), path)
    data = bytearray(path.read_bytes())
    data[100:5000] = bytes(4900)
    path.write_bytes(data)
    with pytest.raises(FileFormatError, match=r"damaged\.parquet: damaged Parquet file"):
        write_parts(row_batches(path), SCHEMA, tmp_path, 1)
