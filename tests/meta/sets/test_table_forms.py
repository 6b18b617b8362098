"""Tables under titles, in other encodings, with merged cells, row numbers and stray spaces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import ParagaugeError
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.text.corpus import Corpus
from paragauge.text.decoded_file import encoding_by_zeros
from paragauge.text.line_reader import LineReader, read_sentences
from paragauge.text.table_in_memory import read_records
from paragauge.text.tables.dialect import TableDialect

ROWS = [["segment", "system", "overall"], [1, "a", 4], [1, "b", 3], [2, "a", 1.5], [2, "b", 5]]
COLUMNS = {"segment": ["1", "1", "2", "2"], "system": ["a", "b", "a", "b"]}


def first_line(path: Path, encoding: str) -> list[str]:
    with LineReader(path, encoding=encoding) as reader:
        return list(reader.read(1))


def lines(rows, separator=";") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize(("name", "separator"), [("t.csv", ";"), ("t.csv", ","), ("t.tsv", "\t")])
def test_a_header_under_a_title(tmp_path, name, separator):
    path = tmp_path / name
    path.write_text(f"Study{separator * 2}\n\n" + lines(ROWS, separator))
    records = read_records(path, TableDialect(header_row=3))
    assert {key: records.columns[key] for key in COLUMNS} == COLUMNS
    assert list(records.lines) == [4, 5, 6, 7]
    corpus = Corpus({"a": "system"}, table=path, dialect=TableDialect(header_row=3))
    assert [list(batch.systems["a"]) for batch in corpus.batches()] == [COLUMNS["system"]]
    with pytest.raises(ParagaugeError, match=r"expected column names in line 8, found 7 lines"):
        read_records(path, TableDialect(header_row=8))


def test_a_title_is_named_by_the_message(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Study;;\n" + lines(ROWS))
    with pytest.raises(ParagaugeError, match=r"t\.csv:2: column 2 has a value .*--header-row"):
        read_records(path)


def test_formats_without_a_header(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(ParagaugeError, match="--header-row has no effect on jsonl"):
        read_records(path, TableDialect(header_row=2))
    with pytest.raises(ParagaugeError, match="header_row: expected a row from 1 on, found 0"):
        TableDialect(header_row=0)


def test_sheets_with_titles_and_merged_cells(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Study"])
    sheet.append([])
    for row in (ROWS[0], ROWS[1], [None, *ROWS[2][1:]], ROWS[3], [None, *ROWS[4][1:]]):
        sheet.append(row)
    for cells in ("A1:C1", "A4:A5", "A6:A7"):
        sheet.merge_cells(cells)
    path = tmp_path / "t.xlsx"
    book.save(path)
    with pytest.raises(ParagaugeError, match=r"column B has a value .* in row 1; .*--header-row"):
        read_records(path)
    records = read_records(path, TableDialect(header_row=3))
    assert records.columns["segment"] == [1, 1, 2, 2]
    assert list(records.lines) == [4, 5, 6, 7]
    with pytest.raises(ParagaugeError, match=r"t\.xlsx:2: expected column names in this row"):
        read_records(path, TableDialect(header_row=2))


def test_numbers_of_rows_are_left_out_and_noted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(lines([["", *ROWS[0]], *([n, *row] for n, row in enumerate(ROWS[1:]))], ","))
    judged = read_evalset(path)
    assert judged.criteria == ("overall",)
    assert judged.notes == ("column 1, which has no name and numbers the rows",)
    path.write_text(lines([["", *ROWS[0]], *([1, *row] for row in ROWS[1:])], ","))
    with pytest.raises(ParagaugeError, match="column 1 has a value but no name in the header"):
        read_evalset(path)


def test_names_with_spaces_and_decimals(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("seg_id,Model,Worker ID,overall\n1.0, a ,x,4\n1,b,x,3\n2.0,a,x ,1\n")
    judged = read_evalset(path)
    assert (judged.segments, judged.systems, judged.judges) == (("1", "2"), ("a", "b"), ("x",))


def test_a_row_without_a_system(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("segment,system,overall\n1,a,4\n1,,3\n")
    with pytest.raises(ParagaugeError, match=r"t\.csv:3: column 'system': expected a system, found"):
        read_evalset(path)


@given(text=st.text(st.characters(codec="latin-1", exclude_characters="\0\r\n"), min_size=8))
def test_utf16_without_a_mark_is_recognized(text):
    for name in ("utf-16-le", "utf-16-be"):
        assert encoding_by_zeros(text.encode(name)) == name
    assert encoding_by_zeros(text.encode("utf-8")) is None


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_refused(tmp_path, name):
    path = tmp_path / "t.txt"
    path.write_bytes("Plain words of ASCII\n".encode(name))
    message = f"what looks like UTF-16 without a byte-order mark; .*{name}"
    with pytest.raises(ParagaugeError, match=message):
        read_sentences(path)
    with LineReader(path, encoding=name) as reader:
        assert list(reader.read(9)) == ["Plain words of ASCII"]
    with pytest.raises(
        ParagaugeError, match=f"expected UTF-16 text with .* mark, found none; .*{name}"
    ):
        first_line(path, "utf-16")


@pytest.mark.parametrize(
    ("encoding", "written"), [("latin-1", "utf-8-sig"), ("utf-16", "utf-8-sig"), ("cp1252", "utf-16")]
)
def test_an_encoding_that_the_mark_contradicts(tmp_path, encoding, written):
    path = tmp_path / "t.txt"
    path.write_bytes("Satz\n".encode(written))
    with pytest.raises(
        ParagaugeError, match=r"t\.txt:1: .* mark of UTF-(8|16); leave the encoding out"
    ):
        first_line(path, encoding)
