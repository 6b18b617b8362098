"""Rows in TSV and CSV: lists spread over columns, what each can hold, and that it reads back equal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.errors import FileFormatError
from paragauge.text.table_in_memory import read_records
from paragauge.text.table_writers import row_writer

KINDS = {"n": int, "score": float, "text": str, "reference": list}
COLUMNS = {
    "n": [1, 2],
    "score": [0.1, float("nan")],
    "text": ["a b", None],
    "reference": [["c", "d e"], ["f"]],
}


def write(path, columns, kinds=KINDS, width=2):
    with row_writer(path, kinds, widths={"reference": width}) as rows:
        rows.write(columns)


@pytest.mark.parametrize(("kind", "separator"), [("tsv", "\t"), ("csv", ",")])
def test_by_hand(tmp_path, kind, separator):
    path = tmp_path / f"out.{kind}"
    write(path, COLUMNS)
    assert path.read_text().replace(separator, "|") == (
        "n|score|text|reference|reference2\n1|0.1|a b|c|d e\n2|||f|\n"
    )


@pytest.mark.parametrize("kind", ["tsv", "csv"])
def test_what_neither_can_hold(tmp_path, kind):
    path = tmp_path / f"out.{kind}"
    with pytest.raises(FileFormatError) as caught:
        write(path, {**COLUMNS, "reference": [["a", ""], ["b"]]})
    assert str(caught.value) == (
        f"{path}: {kind.upper()} cannot hold an empty text among 'reference'; write JSON Lines"
    )
    assert list(tmp_path.iterdir()) == []


def test_what_only_csv_can_hold(tmp_path):
    columns = {**COLUMNS, "text": ["a\tb", 'c\r\n"d",']}
    path = tmp_path / "out.tsv"
    with pytest.raises(FileFormatError) as caught:
        write(path, columns)
    assert str(caught.value) == (
        f"{path}: a text has a tab or a line end, which TSV cannot hold: 'a\\tb'; "
        "write CSV, JSON Lines or Parquet"
    )
    write(tmp_path / "out.csv", columns)
    assert (tmp_path / "out.csv").read_bytes().decode() == (
        'n,score,text,reference,reference2\n1,0.1,"a\tb",c,d e\n2,,"c\r\n""d"",",f,\n'
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.text(
    'a",;\t\r\n\ufeff', min_size=1, max_size=4
)


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.csv.zst"])
@given(
    rows=st.lists(
        st.tuples(st.none() | texts, st.lists(texts, max_size=3), st.floats(allow_infinity=False)),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=60)
def test_csv_reads_back_equal(tmp_path, name, rows):
    path = tmp_path / name
    given_texts, references, numbers = map(list, zip(*rows, strict=True))
    columns = {"text": given_texts, "reference": references, "score": numbers}
    write(path, columns, {"text": str, "reference": list, "score": float}, 3)
    records = read_records(path)
    assert records.columns["text"] == given_texts
    spread = [records.columns[name] for name in ("reference", "reference2", "reference3")]
    texts_read = [[text for text in row if text is not None] for row in zip(*spread, strict=True)]
    assert texts_read == references
    assert [records.columns["score"][i] for i in range(len(rows))] == [
        None if number != number else repr(number) for number in numbers
    ]


@given(
    st.lists(st.none() | texts, min_size=1, max_size=5),
    texts.map(str.strip).filter(lambda name: name),  # spaces around names do not count
)
def test_a_single_column_reads_back_equal(tmp_path, values, name):
    path = tmp_path / "out.csv"
    write(path, {name: values}, {name: str})
    assert read_records(path).columns == {name: values}
