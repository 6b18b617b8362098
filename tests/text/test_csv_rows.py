"""Rows of CSV: what RFC 4180 says, where a file breaks it, and that what is written reads back."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError, ParagaugeError
from paragauge.text import csv_rows
from paragauge.text.csv_rows import CsvRows, csv_line


@pytest.fixture
def table(tmp_path):
    def write(content: str | bytes, name: str = "t.csv") -> Path:
        data = content if isinstance(content, bytes) else content.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return path

    return write


def read_all(path: Path | str, limit: int = 100) -> tuple[list[list[str]], list[int]]:
    """All rows, the header first, and the lines in which they begin."""
    with CsvRows(path) as reader:
        rows, lines = [reader.names], [reader.header]
        while len(batch := reader.read(limit)):
            assert len(batch) == len(batch.lines) <= limit
            columns = [list(batch.column(place)) for place in range(len(reader.names))]
            rows += [list(row) for row in zip(*columns, strict=True)]
            lines += batch.lines.tolist()
    return rows, lines


def message(path: Path | str) -> str:
    with pytest.raises(FileFormatError) as caught:
        read_all(path)
    return str(caught.value)


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_rows_and_their_lines(table, name, limit):
    path = table('a,b\n1,2\n"x\ny\r\n",3\n"4,""5""",\n6,7', name)
    assert read_all(path, limit) == (
        [["a", "b"], ["1", "2"], ["x\ny\r\n", "3"], ['4,"5"', ""], ["6", "7"]],
        [1, 2, 3, 6, 7],
    )


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("a\nx\n\ny\n", [["a"], ["x"], [""], ["y"]]),  # an empty line is an empty field
        ("a,b\r\n1,2\n3,4\r\n", [["a", "b"], ["1", "2"], ["3", "4"]]),
        ("\ufeffa,b\n\ufeff1,2\n", [["a", "b"], ["\ufeff1", "2"]]),
        ('a,b\n"",\n', [["a", "b"], ["", ""]]),
        ('"a,\n1","b"\n"1","2"\n', [["a,\n1", "b"], ["1", "2"]]),
        ("a,b\n 1 , 2\n", [["a", "b"], [" 1 ", " 2"]]),
        ('a,b\n5" nail,x"y"\n', [["a", "b"], ['5" nail', 'x"y"']]),
        ("a,b\n\0,\u2028\x85\x0c\n", [["a", "b"], ["\0", "\u2028\x85\x0c"]]),
        ('a\n"x\ry"\n', [["a"], ["x\ry"]]),
        ('"a;b"\n1\n', [["a;b"], ["1"]]),
        ("a;b,c\td\n1,2\n", [["a;b", "c\td"], ["1", "2"]]),
        ("a\n1;2\n3\t4\n", [["a"], ["1;2"], ["3\t4"]]),
        ("a;b;c\n1;2,5;3\n", [["a", "b", "c"], ["1", "2,5", "3"]]),
        ('"a,b";"c"\n1;2\n', [["a,b", "c"], ["1", "2"]]),
        ('a\tb;\n"1\n"\t2\n', [["a", "b;"], ["1\n", "2"]]),
        ("Satz, neu;b\nx, y;1\nz;2\n", [["Satz, neu", "b"], ["x, y", "1"], ["z", "2"]]),
        ("sep=;\r\na,b;c\r\n1;2\r\n", [["a,b", "c"], ["1", "2"]]),
        ("\ufeffsep=|\na|b\n", [["a", "b"]]),
    ],
)
def test_what_is_read(table, content, rows):
    assert read_all(table(content))[0] == rows


FIELDS = "expected 2 comma-separated fields as in the header, found "
OPEN = "a quote opens in this line and is never closed; close it"
CLOSED = (
    "expected a comma or the end of the line after a closing quote; write quotes inside a quoted field "
    "twice"
)
RETURN = "found a carriage return (\\r) outside quotes; quote the field, or end lines with \\n"


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("a,b\n1,2\n3\n", 3, FIELDS + "1"),
        ("a,b\n1,2\n\n", 3, FIELDS + "1"),
        ("a,b\n1,2,\n", 2, FIELDS + "3"),
        ('a,b\n"1\n2",3\n"4\n5",6,7\n', 4, FIELDS + "3"),
        ('a,"b\n1,2\n', 1, OPEN),
        ('a,b\n1,"2\n3,4\n', 2, OPEN),
        ('a,b\n"1\n2","3""\n4', 3, OPEN),
        ('a,b\n,x"y"\n"', 3, OPEN),
        ('a,b\n1,"2"3\n', 2, CLOSED),
        ('a,b\n"1\n2" ,3\n', 3, CLOSED + "; the row begins in line 2"),
        ("a,b\n1,2\r3\n", 2, RETURN),
        ("a,b\n1,2\r\r\n", 2, RETURN),
        ("a,b\n1,2\r", 2, RETURN),
        ("a,b\n\r1,2\n", 2, RETURN),
        ('a,b\n1,"2"\r\r\n', 2, RETURN),
        ("a,b\r1,2\r", 1, RETURN),
        ("a;b\n1;2\n3;4\n5\n", 4, FIELDS.replace("comma", "semicolon") + "1"),
        ('a;b\n1;2\n"3"4;5\n', 3, CLOSED.replace("comma", "semicolon")),
    ],
)
def test_what_is_wrong(table, content, line, reason):
    path = table(content)
    assert message(path) == f"{path}:{line}: {reason}"


def test_an_empty_file(table):
    for content in ("", "\ufeff"):
        path = table(content)
        assert message(path) == f"{path}: the file is empty; expected a header line with column names"


def test_a_row_of_several_lines_has_a_length(table, monkeypatch):
    monkeypatch.setattr(csv_rows, "LONGEST", 20)
    monkeypatch.setattr(csv_rows, "LINES", 1)
    # The quote in line 3 is closed in line 4, where another one opens that takes the rest.
    path = table('a,b\n1,2\n"3\n4","5\n' + "6,7\n" * 1000)
    assert message(path) == (
        f"{path}:4: a quote opens in this line, and the row has more than 20 bytes; close the quote"
    )


def test_a_quote_that_is_never_closed_does_not_take_the_file(table, monkeypatch):
    monkeypatch.setattr(csv_rows, "LONGEST", 1 << 16)
    lines = 1 << 18
    path = table('a,b\n1,"2\n' + "some, words\n" * lines)
    with CsvRows(path) as reader:
        with pytest.raises(FileFormatError):
            reader.read(lines)
        assert reader._file.line < lines  # what was read was no more than a block


def test_long_fields(table):
    text = "x" * (csv.field_size_limit() + 1)
    assert read_all(table(f'a,b\n{text},"{text}\n"\n'))[0][1:] == [[text, text + "\n"]]


def test_rows_of_empty_fields(table):
    path = table("a,b\n,\n\n1,2\n,\n")
    with CsvRows(path, skip_empty=True) as reader:
        assert reader.read(9).lines.tolist() == [4]
    with CsvRows(table("a\n\n1\n", "one.csv"), skip_empty=True) as reader:
        assert list(reader.read(9).column(0)) == ["", "1"]  # an empty field is a value


def test_the_header_is_read_alone(table):
    # What is wrong further down comes after what is wrong with the columns.
    with CsvRows(table(b"a,b\n\xff\n")) as reader:
        assert reader.names == ["a", "b"]
        with pytest.raises(FileFormatError, match=":2: expected UTF-8"):
            reader.read(1)


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (["a", "b c", ""], "a,b c,\n"),
        (["a,b", 'c"d', "e\nf", "g\rh"], '"a,b","c""d","e\nf","g\rh"\n'),
        (['"', '""'], '"""",""""""\n'),
        (["a;b"], '"a;b"\n'),
        (["a\tb"], '"a\tb"\n'),
        (["\ufeffa"], '"\ufeffa"\n'),
        ([""], '""\n'),
        (["", ""], ",\n"),
    ],
)
def test_quotes_where_they_are_needed(cells, line):
    assert csv_line(cells) == line
    assert list(csv.reader(io.StringIO(line, newline=""))) == [cells]


def reference_rows(text: str) -> list[list[str]] | None:
    """The rows of a text, read one character after the other; None if it breaks the format."""
    rows: list[list[str]] = []
    row: list[str] = []
    field, state = "", "start"  # of a field; then it is plain, quoted or, after a second quote, closed
    place = 0
    while place < len(text):
        end = text.startswith("\r\n", place) and state != "quoted"
        char = "\n" if end else text[place]
        place += 1 + end
        if state == "quoted":
            field, state = (field, "closed") if char == '"' else (field + char, "quoted")
        elif char == '"' and state != "plain":
            field, state = field + '"' * (state == "closed"), "quoted"
        elif char == ",":
            row, field, state = [*row, field], "", "start"
        elif char == "\n":
            rows, row, field, state = [*rows, [*row, field]], [], "", "start"
        elif char == "\r" or state == "closed":
            return None
        else:
            field, state = field + char, "plain"
    if state == "quoted":
        return None
    return [*rows, [*row, field]] if row or state != "start" else rows


def test_the_reference():
    assert reference_rows('a,"b\r\n""c"""\r\n\n,') == [["a", 'b\r\n"c"'], [""], ["", ""]]
    for wrong in ('"a', '"a"b', "a\r", '"a"\r"'):
        assert reference_rows(wrong) is None


@given(st.text('ab,,""\n\n\r ', max_size=24), st.booleans())
@example('a,b\n"",""\n', False)
@example('a\n"\r\n"\n', True)
@example("a\n\r\r\n", False)
@settings(max_examples=500)
def test_any_text(table, content, mark):
    expected = reference_rows(content)
    path = table("\ufeff" * mark + content)
    if expected and len(set(map(len, expected))) == 1:
        assert read_all(path, 2)[0] == expected
    else:
        assert message(path).startswith(f"{path}:" if content else f"{path}: the file is empty")


@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.text("ab 1", max_size=4), min_size=width, max_size=width),
            min_size=2,
            max_size=5,
        )
    ),
    st.sampled_from(",;\t"),
)
def test_the_separator_is_found(table, rows, separator):
    path = table("".join(separator.join(row) + "\n" for row in rows))
    assert read_all(path)[0] == rows


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
cells = texts | st.text('a",;\t\r\n\ufeff\0', max_size=4)


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=5)
    ),
    st.sampled_from(["t.csv", "t.csv.gz"]),
)
@settings(max_examples=300)
def test_what_is_written_reads_back_equal(table, rows, name):
    path = table("".join(map(csv_line, rows)), name)
    assert read_all(path, 2)[0] == rows
    if name == "t.csv":
        written = path.read_bytes().decode("utf-8-sig")
        assert list(csv.reader(io.StringIO(written, newline=""), strict=True)) == rows


@given(st.binary(max_size=80))
@example(b"\xff\xfea\0,\0b\0\n\0")  # UTF-16
@settings(max_examples=300)
def test_random_bytes(table, data):
    path = table(data)
    try:
        rows, lines = read_all(path)
    except ParagaugeError as error:
        assert str(error).startswith(str(path))  # noqa: PT017  # an error is allowed, not required
    else:
        assert len(set(map(len, rows))) == 1
        assert lines == sorted(set(lines))
