"""TSV, CSV, JSON Lines and Parquet tables: the same rows from all, and what is wrong in words."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, ParagaugeError, SettingError
from paragauge.text.csv_rows import csv_line
from paragauge.text.table_readers import open_table
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.headers import find_header
from paragauge.text.tables.table_format import format_by_name, written_format

ROWS = [
    {"source": "a b", "out": "b é", "id": "1"},
    {"source": "", "out": "\u2028", "id": "2"},
    {"source": " c ", "out": 'd, "e"', "id": "3"},
]


def write(path: Path, rows: list[dict[str, str]] = ROWS) -> Path:
    kind = format_by_name(path)
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path
    lines = [json.dumps(row) for row in rows]
    if kind == "tsv":
        lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    if kind == "csv":
        lines = [csv_line(cells).removesuffix("\n") for cells in (rows[0], *(r.values() for r in rows))]
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read_all(path: Path | str, columns: list[str], kind: str | None = None, limit: int = 8192):
    texts: dict[str, list[list[str]]] = {name: [] for name in columns}
    with open_table(path, columns, TableDialect(kind)) as reader:
        while True:
            rows = reader.read(limit)
            sizes = {len(groups) for groups in rows.values()}
            assert len(sizes) == 1
            assert sizes.pop() <= limit
            for name, groups in rows.items():
                texts[name] += list(groups)
            if not len(rows[columns[0]]):
                return texts


def message(path: Path | str, columns: list[str], kind: str | None = None) -> str:
    with pytest.raises(FileFormatError) as caught:
        read_all(path, columns, kind, 2)
    return str(caught.value)


def text(path: Path, content: str) -> Path:
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    return path


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
@pytest.mark.parametrize(
    "name", ["t.tsv", "t.tab", "t.jsonl", "t.ndjson", "t.parquet", "t.tsv.gz", "t.csv", "t.csv.gz"]
)
def test_same_rows_from_all(tmp_path, name, limit):
    path = write(tmp_path / name)
    assert read_all(path, ["out", "source"], limit=limit) == {
        "out": [["b é"], ["\u2028"], ['d, "e"']],
        "source": [["a b"], [""], [" c "]],
    }


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "t.jsonl", "t.parquet"])
def test_a_column_asked_for_twice(tmp_path, name):
    texts = read_all(write(tmp_path / name), ["out", "out"])
    assert texts == {"out": [["b é"], ["\u2028"], ['d, "e"']]}


@pytest.mark.parametrize(
    ("name", "place"),
    [("t.tsv", ":1"), ("t.csv", ":1"), ("t.jsonl", ":1"), ("t.parquet", "")],
    ids=["tsv", "csv", "jsonl", "parquet"],
)
def test_missing_column(tmp_path, name, place):
    path = write(tmp_path / name)
    assert message(path, ["sorce"]) == (
        f"{path}{place}: unknown column 'sorce'; did you mean 'source'? known: source, out, id"
    )
    assert message(path, ["out", "xyz"]) == (
        f"{path}{place}: unknown column 'xyz'; known: source, out, id"
    )


def test_missing_column_in_a_later_row(tmp_path):
    path = text(tmp_path / "t.jsonl", '{"a": "x"}\n{"a": "y"}\n{"b": "z"}\n')
    assert message(path, ["a"]) == f"{path}:3: unknown column 'a'; known: b"


@pytest.mark.parametrize(("row", "count"), [("x", 1), ("", 1), ("x\ty\tz", 3), ("x\ty\t", 3)], ids=repr)
def test_wrong_number_of_fields(tmp_path, row, count):
    path = text(tmp_path / "t.tsv", f"a\tb\n1\t2\n3\t4\n{row}\n5\t6\n")
    assert message(path, ["a"]) == (
        f"{path}:4: expected 2 tab-separated fields as in the header, found {count}"
    )


def test_lines_of_rows(tmp_path):
    for name, content, lines in (
        ("t.tsv", "a\n1\n2\n3\n", [[2, 3], [4], []]),
        ("t.csv", 'a\n"1\n"\n2\n3\n', [[2, 4], [5], []]),
        ("t.jsonl", '{"a": "1"}\n{"a": "2"}\n{"a": "3"}\n', [[1, 2], [3], []]),
    ):
        with open_table(text(tmp_path / name, content), ["a"]) as reader:
            line_numbers = []
            for _ in lines:
                reader.read(2)
                line_numbers.append(list(reader.lines))
        assert line_numbers == lines
    with open_table(write(tmp_path / "t.parquet"), ["out"]) as reader:
        reader.read(2)
        assert reader.lines is None


def test_tsv_is_plain(tmp_path):
    path = text(tmp_path / "t.tsv", '\ufeffa\tb\r\n"x\ty"\r\n\t\r\nlone\rreturn\t2')
    assert read_all(path, ["a", "b"]) == {
        "a": [['"x'], [""], ["lone\rreturn"]],
        "b": [['y"'], [""], ["2"]],
    }


def test_tsv_with_one_column_may_have_empty_lines(tmp_path):
    assert read_all(text(tmp_path / "t.tsv", "a\nx\n\ny\n"), ["a"]) == {"a": [["x"], [""], ["y"]]}


def test_empty_files(tmp_path):
    for kind in ("tsv", "csv"):
        path = text(tmp_path / f"t.{kind}", "")
        assert message(path, ["a"]) == (
            f"{path}: the file is empty; expected a header line with column names"
        )
    path = text(tmp_path / "t.parquet", "")
    assert message(path, ["a"]) == f"{path}: expected a Parquet file: Parquet file size is 0 bytes"
    assert read_all(text(tmp_path / "t.jsonl", ""), ["a"]) == {"a": []}
    assert read_all(text(tmp_path / "h.tsv", "a\tb\n"), ["a"]) == {"a": []}
    assert read_all(text(tmp_path / "h.csv", "a,b\n"), ["a"]) == {"a": []}
    nothing = tmp_path / "h.parquet"
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), nothing)
    assert read_all(nothing, ["a"]) == {"a": []}


def test_duplicate_column(tmp_path):
    for name, content in (("t.tsv", "a\tb\ta\n1\t2\t3\n"), ("t.csv", "a,b,a\n1,2,3\n")):
        path = text(tmp_path / name, content)
        assert message(path, ["a"]) == f"{path}:1: column 'a' stands twice in the header; rename one"
        assert read_all(path, ["b"]) == {"b": [["2"]]}  # only a wanted column must be unique


def test_duplicate_column_in_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    columns = [pa.array(["1"]), pa.array(["2"]), pa.array(["3"])]
    pq.write_table(pa.Table.from_arrays(columns, names=["a", "b", "a"]), path)
    text = message(path, ["a"])
    assert text.startswith(f"{path}: ")
    assert "'a' stands twice" in text
    assert read_all(path, ["b"]) == {"b": [["2"]]}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("", "bad JSON: Expecting value: line 1 column 1 (char 0)"),
        ("{", "bad JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ('{"a": "x"} {}', "bad JSON: Extra data: line 1 column 12 (char 11)"),
        ('{"a": tru}', "bad JSON: Expecting value: line 1 column 7 (char 6)"),
        ('["x"]', "a list"),
        ('"x"', "a string"),
        ("1.5", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
    ],
)
def test_not_an_object(tmp_path, row, reason):
    path = text(tmp_path / "t.jsonl", f'{{"a": "x"}}\n{{"a": "y"}}\n{row}\n{{"a": "z"}}\n')
    assert message(path, ["a"]) == f"{path}:3: expected a JSON object, found {reason}"


@pytest.mark.parametrize("row", ["[" * 100_000, '{"a":' * 100_000, '{"a": ' + "1" * 5000 + "}"])
def test_hostile_json(tmp_path, row):
    path = text(tmp_path / "t.jsonl", row[:200_000] + "\n")
    assert message(path, ["a"]).startswith(f"{path}:1: expected a JSON object, found bad JSON: ")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1", "a number"),
        ("1.5", "a number"),
        ("NaN", "a number"),
        ("false", "a boolean"),
        ("{}", "an object"),
        ('["x", 2]', "a number"),
        ('[["x"]]', "a list"),
    ],
)
def test_values_that_are_not_text(tmp_path, value, kind):
    path = text(tmp_path / "t.jsonl", f'{{"a": "x"}}\n{{"a": "x"}}\n{{"a": {value}}}\n')
    assert message(path, ["a"]) == (
        f"{path}:3: column 'a': expected a string or a list of strings, found {kind}"
    )


def test_lists_and_null(tmp_path):
    values = ["x", ["y", "z"], [], None, [None, "w"]]
    expected = {"a": [["x"], ["y", "z"], [], [], ["w"]]}
    rows = "".join(json.dumps({"a": value}) + "\n" for value in values)
    assert read_all(text(tmp_path / "t.jsonl", rows), ["a"]) == expected
    path = tmp_path / "t.parquet"
    pq.write_table(
        pa.table({"a": [[value] if isinstance(value, str) else value for value in values]}), path
    )
    assert read_all(path, ["a"]) == expected


@pytest.mark.parametrize(
    "rows", [['"x"', '"x"', '"\\ud800"'], ['["x", "y"]', '["x"]', '["z", "\\ud800"]']]
)
def test_a_lone_surrogate_is_found_in_its_line(tmp_path, rows):
    path = text(tmp_path / "t.jsonl", "".join(f'{{"a": {row}}}\n' for row in rows))
    error_text = message(path, ["a"])
    assert error_text.startswith(f"{path}:3: ")
    assert "lone surrogate" in error_text


def test_parquet_kinds(tmp_path):
    for number, kind in enumerate([pa.string(), pa.large_string()]):
        path = tmp_path / f"{number}.parquet"
        lists = pa.array([["x"], []], pa.list_(kind))
        large = pa.array([["x"], None], pa.large_list(kind))
        pq.write_table(pa.table({"a": pa.array(["x", None], kind), "b": lists, "c": large}), path)
        assert read_all(path, ["a", "b", "c"]) == {name: [["x"], []] for name in "abc"}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pa.array([1]), "int64"),
        (pa.array([b"x"]), "binary"),
        (pa.array([{"x": "y"}]), "struct<x: string>"),
        (pa.array([[1]]), "list<element: int64>"),
    ],
)
def test_parquet_columns_that_are_not_text(tmp_path, values, kind):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": values}), path)
    assert message(path, ["a"]) == (
        f"{path}: column 'a': expected strings or lists of strings, found {kind}"
    )


def test_parquet_row_groups(tmp_path):
    path = tmp_path / "t.parquet"
    with pq.ParquetWriter(path, pa.schema([("a", pa.string())])) as writer:
        for rows in (["1", "2"], [], ["3"], ["4", "5", "6"]):
            writer.write_table(pa.table({"a": pa.array(rows, pa.string())}))
    for limit in (1, 2, 100):
        assert read_all(path, ["a"], limit=limit) == {"a": [[str(i)] for i in range(1, 7)]}


def test_parquet_text_that_is_not_utf8(tmp_path):
    path = tmp_path / "t.parquet"
    broken = pa.array([b"ok", b"caf\xe9"], pa.binary()).cast(pa.string(), safe=False)
    pq.write_table(pa.table({"a": broken}), path)
    text = message(path, ["a"])
    assert text.startswith(f"{path}: ")
    assert "UTF-8" in text


def test_damaged_footers(tmp_path):
    # Every byte of the footer, which holds the schema, the names and the sizes.
    path = write(tmp_path / "t.parquet")
    data = path.read_bytes()
    names = set()
    for at in range(len(data) - 8 - int.from_bytes(data[-8:-4], "little"), len(data) - 8):
        for value in (0, 0x60, 0x80):
            path.write_bytes(data[:at] + bytes([value]) + data[at + 1 :])
            try:
                read_all(path, ["source", "out"])
            except ParagaugeError as error:
                names.add(str(error).partition(": ")[0])
    assert names == {str(path)}


@pytest.mark.parametrize("cut", [1, 4, 8, 100, 300])
def test_truncated_parquet(tmp_path, cut):
    path = write(tmp_path / "t.parquet")
    path.write_bytes(path.read_bytes()[:-cut])
    assert message(path, ["out"]) == (
        f"{path}: expected a Parquet file: Parquet magic bytes not found in footer"
    )


@given(st.binary(max_size=60), st.booleans())
@settings(max_examples=60)
def test_random_bytes_are_not_parquet(tmp_path, data, framed):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1" + data + b"PAR1" if framed else data)
    assert message(path, ["out"]).startswith(f"{path}: ")


@given(st.data())
@settings(max_examples=200)
def test_damaged_parquet(tmp_path, data):
    path = write(tmp_path / "t.parquet")
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        read_all(path, ["source", "out"])
    except ParagaugeError as error:
        assert str(error).startswith(f"{path}: ")  # noqa: PT017  # an error is allowed, not required


cells = st.text("ab\t\r\n é\u2028\x85\0", max_size=6)


@given(st.lists(cells, max_size=6).map("\n".join))
@example("a")
@example("a\tb\n1\t2\n\n")
def test_any_tsv(tmp_path, content):
    path = text(tmp_path / "t.tsv", content)
    *lines, last = content.split("\n")
    lines = [line.removesuffix("\r") for line in lines] + ([last] if last else [])
    header, *rows = [line.split("\t") for line in lines] or [[]]
    try:
        texts = read_all(path, ["a"])
    except ParagaugeError:
        assert header.count("a") != 1 or any(len(row) != len(header) for row in rows)
    else:
        place = header.index(find_header("a", header))
        assert texts == {"a": [[row[place]] for row in rows]}


@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.text('a", \t\r\n')),
        min_size=1,
        max_size=5,
    )
)
def test_any_text_in_csv(tmp_path, rows):
    content = "".join(map(csv_line, [("a", "b"), *rows]))
    texts = read_all(text(tmp_path / "t.csv", content), ["b", "a"], limit=2)
    assert texts == {"a": [[a] for a, _ in rows], "b": [[b] for _, b in rows]}


values = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
objects = st.dictionaries(st.sampled_from("ab"), values | st.lists(values, max_size=2), max_size=2)
rows_of_json = (objects | values).map(json.dumps) | st.text('{}[]",:a1 \\u', max_size=8)


@given(st.lists(rows_of_json, max_size=5))
def test_any_json_lines(tmp_path, rows):
    path = text(tmp_path / "t.jsonl", "".join(f"{row}\n" for row in rows))
    try:
        expected = []
        for row in rows:
            value = json.loads(row)["a"]
            items = [] if value is None else value if isinstance(value, list) else [value]
            expected.append([item.encode().decode() for item in items if item is not None])
    except (ValueError, KeyError, TypeError, AttributeError):
        with pytest.raises(ParagaugeError):
            read_all(path, ["a"])
    else:
        assert read_all(path, ["a"]) == {"a": expected}


@pytest.mark.parametrize("name", ["t.parquet.gz", "t", "t.txt.gz", "-", "t.xlsx", "t.json", ".gz"])
def test_a_name_that_is_not_written(name):
    with pytest.raises(SettingError) as caught:
        written_format(name)
    assert str(caught.value) == (
        f"{name}: expected a name that ends in .tsv, .csv, .jsonl (.gz or .zst may follow) or "
        ".parquet; choose another name"
    )


def test_format_given(tmp_path):
    path = text(tmp_path / "data.txt", "a\nx\n")
    for kind in ("tsv", "csv"):
        assert read_all(path, ["a"], kind) == {"a": [["x"]]}
    with pytest.raises(SettingError) as caught:
        TableDialect("tvs")
    assert str(caught.value) == (
        "unknown table format 'tvs'; did you mean 'tsv'? known: tsv, csv, jsonl, json, excel, parquet"
    )


def test_parquet_from_standard_input():
    with pytest.raises(SettingError) as caught:
        open_table("-", ["a"], TableDialect("parquet"))
    assert str(caught.value) == "Parquet cannot be read from standard input; give a file"


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
def test_paths(tmp_path, kind):
    missing = tmp_path / f"none.{kind}"
    assert message(missing, ["a"]) == f"{missing}: no such file; check the path"
    assert message(tmp_path, ["a"], kind) == (
        f"{tmp_path}: expected a file, found a directory; name a file in it"
    )


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "t.jsonl", "t.parquet"])
def test_a_refused_table_is_closed(tmp_path, name):
    here = Path("/proc/self/fd")
    if not here.is_dir():
        pytest.skip("needs /proc")
    path = write(tmp_path / name)
    with pytest.raises(FileFormatError) as caught, open_table(path, ["no such column"]) as reader:
        reader.read(1)
    links = []
    for link in here.iterdir():
        try:
            links.append(link.readlink())
        except FileNotFoundError:  # the descriptor of this very listing
            continue
    assert path not in links, caught  # `caught` keeps the reader alive: it must be closed, not dropped
