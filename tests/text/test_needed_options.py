"""One message names all options that a table needs; other layouts have a remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paragauge.errors import FileFormatError, InputError
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import with_corpus
from paragauge.metrics.outside.given_scores import read_given_scores
from paragauge.text.corpus import Corpus
from paragauge.text.table_in_memory import read_records
from paragauge.text.tables.dialect import TableDialect
from paragauge.text.tables.needed_options import describe_needs


def needs(path: Path, **settings: object) -> str:
    return describe_needs(path, TableDialect(**settings), {}, None)


def test_a_table_that_can_be_read_needs_nothing(tmp_path: Path) -> None:
    table = tmp_path / "r.tsv"
    table.write_text("segment\tsystem\tgrade\n1\ta\t2\n")
    assert needs(table) == ""
    # One option is named by its own message.
    table.write_text("segment\tsystem\tgrade\tword\n1\ta\t2\tfine\n")
    assert needs(table) == ""
    with pytest.raises(FileFormatError, match="--criteria") as error:
        read_evalset(table)
    assert "all that" not in str(error.value)


def test_a_damaged_cell_is_no_missing_option(tmp_path: Path) -> None:
    table = tmp_path / "r.tsv"
    table.write_text("segment\tsystem\tgrade\n1\ta\t2\n2\ta\tx\n")
    with pytest.raises(FileFormatError, match=r"r\.tsv:3: .*expected a number, found \"x\"$"):
        read_evalset(table)


def test_options_that_are_given_are_not_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "r.csv"
    table.write_bytes("Satz;Note;Wort\r\n1;1,5;schön\r\n".encode("windows-1252"))
    every = ["--encoding windows-1252", "--column segment=NAME", "--column system=NAME", "--decimal ,"]
    found = needs(table)
    assert [option for option in every if option not in found] == []
    found = needs(table, encoding="windows-1252", decimal=",")
    assert [option in found for option in every] == [False, True, True, False]
    assert describe_needs(table, TableDialect(decimal=","), {"segment": "satz"}, ["note"]).startswith(
        "all that this table needs: --encoding windows-1252 --column system=NAME ("
    )


def test_a_sheet_and_the_row_of_its_header(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.active.append(["a note"])
    sheet = book.create_sheet("My ratings")
    for row in (["Spring"], ["segment", "system", "grade"], [1, "a", 2], [2, "a", 3]):
        sheet.append(row)
    book.save(tmp_path / "r.xlsx")
    with pytest.raises(FileFormatError) as error:
        read_evalset(tmp_path / "r.xlsx")
    assert "needs: --sheet 'My ratings' --header-row 2 (its columns: segment," in str(error.value)
    assert read_evalset(tmp_path / "r.xlsx", sheet="My ratings", header_row=2).items == 2


def test_a_column_for_each_system(tmp_path: Path) -> None:
    table = tmp_path / "wide.csv"
    table.write_text("segment,mine,base\n1,0.5,0.7\n2,0.6,0.4\n")
    with pytest.raises(FileFormatError, match="mine, base are systems") as refused:
        read_given_scores([table], ["base", "mine"])
    assert 'frame.melt("segment", var_name="system", value_name="METRIC")' in str(refused.value)
    pd = pytest.importorskip("pandas")
    frame = pd.read_csv(table)
    frame.melt("segment", var_name="system", value_name="METRIC").to_csv(table, index=False)
    given = read_given_scores([table], ["base", "mine"])
    assert given["METRIC"].values["mine"].tolist() == [0.5, 0.6]


def test_ratings_with_a_column_for_each_system(tmp_path: Path) -> None:
    table = tmp_path / "wide.csv"
    table.write_text("segment,mine,base\n1,3,4\n2,2,5\n")
    for name in ("mine", "base"):
        (tmp_path / name).write_text("a\nb\n")
    corpus = Corpus({name: tmp_path / name for name in ("mine", "base")})
    with pytest.raises(InputError, match='value_name="RATING"'):
        with_corpus(read_evalset(table), corpus)
    table.write_text("segment,grade\n1,3\n2,2\n")
    with pytest.raises(InputError, match="--column system=NAME"):
        with_corpus(read_evalset(table), corpus)


@pytest.mark.parametrize("orient", ["columns", "index", "split", "values", "table"])
@pytest.mark.parametrize("indent", [None, 1])
def test_layouts_of_pandas_json(tmp_path: Path, orient: str, indent: int | None) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"segment": [1, 2], "system": ["a", "a"], "grade": [2.0, 3.0]})
    path = tmp_path / "r.json"
    frame.to_json(path, orient=orient, indent=indent)
    with pytest.raises(FileFormatError, match='orient="records"'):
        read_records(path)
    frame.to_json(path, orient="records", indent=indent)
    assert read_records(path).columns["grade"] == [2.0, 3.0]


def test_rows_with_objects_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    row = {"key": "s1", "systems": {"a": "x", "b": "y"}}
    path.write_text(json.dumps(row) + "\n")
    assert read_records(path).columns["systems"] == [row["systems"]]


@pytest.mark.parametrize(
    ("cells", "settings", "reason"),
    [
        (["k.A.", "2", "3"], {}, '"k.A."; leave the cell empty where there is no number'),
        (["2,5", "-", "3"], {"decimal": ","}, '"-"; leave the cell empty where there is no number'),
        (
            ["1.234,5", "2"],
            {"decimal": ","},
            '"1.234,5"; write the number without signs between thousands',
        ),
        (["1,234.5", "2"], {}, '"1,234.5"; write the number without signs between thousands'),
    ],
)
def test_cells_that_stand_for_no_number(
    tmp_path: Path, cells: list[str], settings: dict[str, str], reason: str
) -> None:
    table = tmp_path / "r.csv"
    rows = "".join(f"{number};a;{cell}\n" for number, cell in enumerate(cells, 1))
    table.write_text(f"segment;system;note\n{rows}")
    with pytest.raises(FileFormatError) as error:
        read_evalset(table, **settings)
    assert str(error.value).endswith(reason)


def test_names_of_criteria_with_commas(tmp_path: Path) -> None:
    table = tmp_path / "r.tsv"
    table.write_text("segment\tsystem\tNote, gesamt\tfluency\tword\n1\ta\t2\t3\tgood\n")
    for criteria in (["note, gesamt,Fluency"], ["fluency", "Note, gesamt"]):
        assert set(read_evalset(table, criteria=criteria).criteria) == {"Note, gesamt", "fluency"}
    with pytest.raises(FileFormatError, match="unknown column 'Fluenz'; did you mean 'fluency'"):
        read_evalset(table, criteria=["Note, gesamt,Fluenz"])
