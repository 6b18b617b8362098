"""Grammars on disk: columns of features, queries, damaged folders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge.errors import FileFormatError, InputError
from paragauge.grammar.grammar_folder import Grammar, columns_of, new_grammar, schema
from paragauge.grammar.rule import Rule
from tests.edit_json import edit_json, load_json

REPLY = Rule.parse("[NN] ||| answer ||| reply")
OF = Rule.parse("[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]")
DOWN = Rule.parse("[VP] ||| step down ||| resign")


@pytest.fixture
def grammar(grammar_of: Callable[..., Grammar]) -> Grammar:
    rows = [(REPLY, 3, {"p": 0.5}), (OF, None, {"Abstract": 1.0}), (DOWN, 1, {})]
    return grammar_of(rows, ["p", "Abstract"])


def test_columns_of_features() -> None:
    names = ["p", "Abstract", "count", "select", "f7", "p_2", "p(e|f)", "entailment", "_x"]
    assert list(columns_of(names).values()) == ["p", "f2", "f3", "f4", "f5", "p_2", "f7", "f8", "f9"]
    with pytest.raises(InputError, match="feature 'p': expected each name once"):
        columns_of(["p", "p"])


def test_every_column_can_be_queried_without_quotes() -> None:
    import duckdb

    words = duckdb.sql("SELECT keyword_name FROM duckdb_keywords()").fetchall()
    names = list(dict.fromkeys(word for (word,) in words))
    table = schema(names).empty_table()
    connection = duckdb.connect()
    connection.register("rules", table)
    for column in columns_of(names).values():
        connection.sql(f"SELECT {column} FROM rules ORDER BY {column}")  # noqa: S608


def test_grammar_info(grammar: Grammar) -> None:
    assert len(grammar) == 3
    assert grammar.features == ("p", "Abstract")
    assert grammar.columns == {"p": "p", "Abstract": "f2"}
    assert grammar.info["kinds"] == {"lexical": 1, "phrasal": 1, "syntactic": 1}
    assert grammar.info["sources"] == 3
    assert repr(grammar).endswith("g', 3 rules)")
    assert not grammar.has_entailment
    grammar.verify()


def test_query(grammar: Grammar) -> None:
    (row,) = grammar.query("[1] 's [2]")
    assert (row.rule, row.count, row.features) == (OF, None, {"p": None, "Abstract": 1.0})
    assert [row.rule for row in grammar.query("answer")] == [REPLY]
    assert grammar.query("answer", limit=0) == grammar.query("none") == []


def test_entailment(tmp_path: Path) -> None:
    with new_grammar(tmp_path / "g", entailment=True) as writer:
        writer.write(pa.Table.from_pylist([REPLY.row() | {"entailment": "Equivalence"}]))
        writer.finish({})
    grammar = Grammar.open(tmp_path / "g")
    assert grammar.has_entailment
    assert grammar.query("answer")[0].entailment == "Equivalence"


def test_null_and_nothing_have_different_fingerprints(grammar_of: Callable[..., Grammar]) -> None:
    fingerprints = {
        grammar_of(rows, ["p"]).fingerprint
        for rows in ([(REPLY, 3, {})], [(REPLY, None, {})], [(REPLY, 3, {"p": 0.0})])
    }
    assert len(fingerprints) == 3


@pytest.fixture
def copied(grammar: Grammar, tmp_path: Path) -> Path:
    return Path(shutil.copytree(grammar.folder, tmp_path / "copy"))


def opening(folder: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        Grammar.open(folder)
    return str(caught.value)


def test_folders_that_are_not_grammars(copied: Path, tmp_path: Path) -> None:
    assert "no such folder" in opening(tmp_path / "none")
    (tmp_path / "file").touch()
    assert "found a file; convert a file of PPDB, Joshua, cdec or Moses with paragauge grammar" in (
        opening(tmp_path / "file")
    )
    (tmp_path / "other").mkdir()
    assert "found a folder without grammar.json" in opening(tmp_path / "other")
    description = copied / "grammar.json"
    good = load_json(description)
    for changed, message in (
        ({"features": {"p": "p"}}, "expected the columns lhs, labels, source"),
        ({"features": {"p": "p", "f2": "p"}}, "expected the columns"),
        ({"features": {"p": "p", "f2": 3}}, "expected the field features with the name of each column"),
        ({"features": None}, "expected the field features"),
        ({"rules": 4}, "expected 4 rows as grammar.json says, found 3; rebuild the grammar"),
    ):
        edit_json(description, good | changed)
        assert message in opening(copied)
    description.write_text(json.dumps(good))
    rows = pq.read_table(copied / "rules.parquet")
    count = rows.schema.get_field_index("count")
    texts = rows.set_column(count, "count", rows.column("count").cast(pa.string()))
    pq.write_table(texts, copied / "rules.parquet")
    assert "column count: expected int64, found string" in opening(copied)


def test_changed_rows_are_detected(copied: Path) -> None:
    rows = pq.read_table(copied / "rules.parquet")
    pq.write_table(rows.take([0, 2, 1]), copied / "rules.parquet")
    with pytest.raises(FileFormatError, match=r"not those that grammar\.json was written for"):
        Grammar.open(copied).verify()


def test_changed_feature_names_are_detected(copied: Path) -> None:
    description = copied / "grammar.json"
    known = load_json(description)
    column = next(column for column in known["features"] if column.startswith("f"))
    known["features"][column] += "x"
    edit_json(description, known)
    with pytest.raises(FileFormatError, match=r"not those that grammar\.json was written for"):
        Grammar.open(copied).verify()


ORDERED = [
    "[X] ||| a ||| b",
    "[Y] ||| a ||| b",
    "[X] ||| a ||| é",
    "[X] ||| z ||| b",
    "[X] ||| é ||| b",
]


@pytest.mark.parametrize("cut", range(6))
def test_rules_are_written_in_order_and_once(tmp_path: Path, cut: int) -> None:
    rules = [Rule.parse(text) for text in ORDERED]

    def write(rules: list[Rule]) -> None:
        with new_grammar(tmp_path / "g") as writer:
            for part in (rules[:cut], rules[cut:]):
                writer.write(pa.Table.from_pylist([rule.row() for rule in part], schema=keys))
            writer.finish({})

    names = list(rules[0].row())
    keys = pa.schema([schema().field(name) for name in names])
    write(rules)
    assert len(Grammar.open(tmp_path / "g")) == 5
    for wrong in ([*rules, rules[4]], [rules[1], rules[0]], rules[::-1]):
        with pytest.raises(
            InputError, match="expected rules in the order of source, target, left side"
        ):
            write(wrong)
    assert len(Grammar.open(tmp_path / "g")) == 5
