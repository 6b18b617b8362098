"""Whole tables in memory: the same columns from every format, and errors that know the line."""

from __future__ import annotations

import gzip
import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, ParagaugeError, SettingError
from paragauge.text.table_in_memory import Records, read_records
from paragauge.text.tables.dialect import TableDialect


def text(path, content):
    path.write_bytes(
        content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    )
    return path


def message(path, kind=None):
    with pytest.raises(ParagaugeError) as caught:
        read_records(path, TableDialect(kind))
    return str(caught.value)


def test_same_rows_from_all(tmp_path):
    tsv = "segment\toverall\n1\t4\n2\t\n"
    rows = '{"segment": "1", "overall": "4"}\n{"segment": "2"}\n'
    expected = {"segment": ["1", "2"], "overall": ["4", None]}
    assert read_records(text(tmp_path / "t.tsv", tsv)).columns == expected
    assert read_records(text(tmp_path / "t.tsv.gz", gzip.compress(tsv.encode()))).columns == expected
    assert read_records(text(tmp_path / "t.jsonl", rows)).columns == expected
    pq.write_table(pa.table(expected), tmp_path / "t.parquet")
    assert read_records(tmp_path / "t.parquet").columns == expected
    assert read_records(text(tmp_path / "t.txt", tsv), TableDialect("tsv")).columns == expected
    csv = 'segment,"overall"\r\n1,4\r\n"2",\r\n'
    assert read_records(text(tmp_path / "t.csv", csv)).columns == expected
    assert read_records(text(tmp_path / "t.csv.gz", gzip.compress(csv.encode()))).columns == expected
    zstandard = pa.compress(csv.encode(), "zstd", asbytes=True)
    assert read_records(text(tmp_path / "t.csv.zst", zstandard)).columns == expected
    assert read_records(text(tmp_path / "t.txt", csv), TableDialect("csv")).columns == expected


def test_json_keys_that_come_late_and_order(tmp_path):
    path = text(tmp_path / "t.jsonl", '{"b": 1, "a": 2}\n{"c": 3, "d": 4}\n')
    records = read_records(path)
    assert list(records.columns) == ["b", "a", "c", "d"]
    assert records.columns["c"] == [None, 3]
    assert records.columns["b"] == [1, None]


def test_mixed_newlines_and_a_byte_order_mark(tmp_path):
    path = text(tmp_path / "t.tsv", "\ufeffa\tb\r\n1\t2\nx\ry\t3\r\n4\t5")
    assert read_records(path).columns == {"a": ["1", "x\ry", "4"], "b": ["2", "3", "5"]}


def test_cells():
    records = Records("t.tsv", {"a": ["x", None, 3, ["y", "z"], True, 2.5]}, [2, 3, 4, 5, 6, 7])
    assert records.text(0, "a") == "x"
    assert records.text(2, "a") == "3"
    assert records.texts(1, "a") == []
    assert records.texts(3, "a") == ["y", "z"]
    assert records.number(2, "a") == 3
    assert math.isnan(records.number(1, "a"))
    for call, expected in (
        (lambda: records.text(1, "a"), "t.tsv:3: column 'a': expected a text, found nothing"),
        (lambda: records.text(3, "a"), "t.tsv:5: column 'a': expected a text, found a list"),
        (lambda: records.number(0, "a"), "t.tsv:2: column 'a': expected a number, found \"x\""),
        (lambda: records.number(3, "a"), 't.tsv:5: column \'a\': expected a number, found ["y", "z"]'),
        (lambda: records.number(4, "a"), "t.tsv:6: column 'a': expected a number, found true"),
        (lambda: records.texts(4, "a"), "t.tsv:6: column 'a': expected texts, found true"),
        (lambda: records.require("A"), "t.tsv: unknown column 'A'; did you mean 'a'? known: a"),
    ):
        with pytest.raises(FileFormatError) as caught:
            call()
        assert str(caught.value) == expected


@pytest.mark.parametrize("value", ["", " ", "NA", "NaN", "nan", "None", "null", None, math.nan])
def test_nothing(value):
    assert math.isnan(Records("t", {"a": [value]}, [1]).number(0, "a"))


@pytest.mark.parametrize("value", ["inf", "-inf", "1e15", "1e400", 10**400, "4,5", "0x3", {}, "a" * 99])
def test_no_number(value):
    with pytest.raises(FileFormatError) as caught:
        Records("t", {"a": [value]}, [1]).number(0, "a")
    assert str(caught.value).startswith("t:1: column 'a': expected a number, found ")
    assert len(str(caught.value)) < 140


def test_rows_of_csv_begin_in_their_line(tmp_path):
    records = read_records(text(tmp_path / "t.csv", 'a,b\n"x\ny",1\n3,z\n'))
    assert records.columns == {"a": ["x\ny", "3"], "b": ["1", "z"]}
    with pytest.raises(FileFormatError) as caught:
        records.number(1, "b")
    path = tmp_path / "t.csv"
    assert str(caught.value) == f"{path}:4: column 'b': expected a number, found \"z\""


def test_rows_of_parquet_are_counted(tmp_path):
    pq.write_table(pa.table({"a": ["1", None]}), tmp_path / "t.parquet")
    records = read_records(tmp_path / "t.parquet")
    with pytest.raises(FileFormatError) as caught:
        records.text(1, "a")
    assert str(caught.value) == (
        f"{tmp_path / 't.parquet'}: row 2: column 'a': expected a text, found nothing"
    )


def test_broken_tables(tmp_path):
    path = text(tmp_path / "t.tsv", "a\tb\n1\t2\n3\n")
    assert message(path) == f"{path}:3: expected 2 tab-separated fields as in the header, found 1"
    path = text(tmp_path / "d.tsv", "a\tb\ta\n1\t2\t3\n")
    assert message(path) == f"{path}:1: column 'a' stands twice in the header; rename one"
    path = text(tmp_path / "e.tsv", "")
    assert message(path) == f"{path}: the file is empty; expected a header line with column names"
    path = text(tmp_path / "h.tsv", "a\tb\n")
    assert message(path) == f"{path}: the table has no rows"
    path = text(tmp_path / "t.csv", "a,b\n1,2\n3\n")
    assert message(path) == f"{path}:3: expected 2 comma-separated fields as in the header, found 1"
    path = text(tmp_path / "d.csv", "a,b,a\n1,2,3\n")
    assert message(path) == f"{path}:1: column 'a' stands twice in the header; rename one"
    path = text(tmp_path / "h.csv", "a,b\n")
    assert message(path) == f"{path}: the table has no rows"
    path = text(tmp_path / "e.jsonl", "")
    assert message(path) == f"{path}: the table has no rows"
    path = text(tmp_path / "l.jsonl", '{"a": 1}\n[1]\n')
    assert message(path) == f"{path}:2: expected a JSON object, found a list"
    path = text(tmp_path / "u.tsv", b"a\nok\ncaf\xe9\n")
    assert message(path).startswith(f"{path}:3: expected UTF-8 text, found byte 0xe9")
    path = tmp_path / "none.tsv"
    assert message(path) == f"{path}: no such file; check the path"
    with pytest.raises(SettingError) as caught:
        TableDialect("tvs")
    assert str(caught.value) == (
        "unknown table format 'tvs'; did you mean 'tsv'? known: tsv, csv, jsonl, json, excel, parquet"
    )


def test_duplicate_columns_in_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array(["1"]), pa.array(["2"])], names=["a", "a"]), path)
    assert message(path) == f"{path}: column 'a' stands twice; rename one"


def test_truncated_gzip(tmp_path):
    data = gzip.compress(b"a\tb\n" + b"1\t2\n" * 5000)
    for cut in (1, 8, 12, len(data) // 2, len(data) - 3):
        path = text(tmp_path / "t.tsv.gz", data[:-cut])
        error_text = message(path)
        assert error_text.startswith(f"{path}: ")


def test_a_huge_line(tmp_path):
    path = text(tmp_path / "t.tsv", "a\tb\n" + "x" * 5_000_000 + "\t1\n")
    assert len(read_records(path).columns["a"][0]) == 5_000_000
    path = text(tmp_path / "t.csv", "a,b\n" + "x" * 5_000_000 + ',"' + "y\n" * 500_000 + '"\n')
    assert [len(*column) for column in read_records(path).columns.values()] == [5_000_000, 1_000_000]
    path = text(tmp_path / "u.tsv", "x" * 5_000_000)
    assert message(path) == f"{path}: the table has no rows"


@given(st.binary(max_size=80), st.sampled_from(["t.tsv", "t.csv", "t.jsonl", "t.parquet", "t.tsv.gz"]))
@example(b'a,b\n"\0",""\n\r,"', "t.csv")
@example(b"\0\t\0\n\0\t\0\n", "t.tsv")
@example(b"\x1f\x8b", "t.tsv.gz")
@settings(max_examples=200)
def test_random_bytes(tmp_path, data, name):
    path = text(tmp_path / name, data)
    try:
        records = read_records(path)
    except ParagaugeError as error:
        assert str(error).startswith(str(path))  # noqa: PT017  # an error is allowed, not required
    else:
        assert len({len(column) for column in records.columns.values()}) <= 1


whole = st.integers(-(1 << 62), 1 << 62)  # longer ones are refused
cells = st.none() | st.booleans() | whole | st.floats() | st.text(max_size=3)
values = cells | st.lists(cells, max_size=2) | st.dictionaries(st.text(max_size=1), cells, max_size=1)


@given(st.lists(st.dictionaries(st.text(max_size=2), values, max_size=3), min_size=1, max_size=5))
def test_any_json(tmp_path, rows):
    path = text(tmp_path / "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    try:
        records = read_records(path)
    except ParagaugeError:
        assert not any(rows) or any("\\ud" in json.dumps(row) for row in rows)
        return
    for name, column in records.columns.items():
        assert len(column) == len(rows)
        for row in range(len(rows)):
            for read in (records.text, records.number, records.texts):
                try:
                    read(row, name)
                except FileFormatError as error:
                    assert str(error).startswith(f"{path}:{row + 1}: ")  # noqa: PT017
