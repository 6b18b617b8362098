"""Grammars as text: formats written and read back, features that appear late, bad lines, noise."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.grammar import grammar_reader
from paragauge.grammar.convert import read_grammar
from paragauge.grammar.grammar_folder import Grammar
from paragauge.grammar.grammar_reader import GrammarReader, detect_format
from paragauge.grammar.grammar_writer import STYLES, conversion_losses, write_grammar
from paragauge.grammar.rule import Rule

PPDB_1 = "[NN] ||| answer ||| reply ||| Abstract=0 p(e|f)=1.25 -logp(e|f)=0.5 ||| 0-0"
PPDB_2 = (
    "[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1] ||| PPDB2.0Score=3.5 MVLSASim=NA ||| 2-1 "
    "||| Equivalence"
)


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str | bytes, name: str = "grammar") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def rows(grammar: Grammar) -> list[tuple]:
    return [
        tuple(row[name] for name in grammar.schema.names)
        for batch in grammar.batches()
        for row in batch.to_pylist()
    ]


def test_ppdb_1_and_2(file, tmp_path: Path) -> None:
    grammar = read_grammar(file(f"{PPDB_1}\n{PPDB_2}\n"), tmp_path / "g")
    assert grammar.features == ("Abstract", "p(e|f)", "-logp(e|f)", "PPDB2.0Score")
    (row,) = grammar.query("the [1] of [2]")
    assert row.rule == Rule("NP", "the [1] of [2]", "[2] 's [1]", ("NN", "NP"))
    assert (row.alignment, row.entailment, row.count) == ("2-1", "Equivalence", None)
    assert row.features == {"Abstract": None, "p(e|f)": None, "-logp(e|f)": None, "PPDB2.0Score": 3.5}
    assert grammar.query("answer")[0].entailment is None
    assert grammar.info["origin"] == {
        "files": [
            {"name": "grammar", "format": "joshua", "lines": 2, "skipped": 0, "first_skipped": []}
        ],
        "duplicates": 0,
    }


@pytest.mark.parametrize(
    ("line", "form"),
    [
        (PPDB_1, "joshua"),
        ("[X] ||| [X,1] foo ||| foo [1] ||| EgivenF=0.5", "joshua"),
        ("[X][X] foo [X] ||| bar [X][X] [X] ||| 0.5 ||| 0-1 ||| 1 1 1", "moses-rules"),
        ("la ||| the ||| 0.5 0.5 1 1 ||| 0-0 ||| 2 1 1 |||", "moses"),
        ("[applause] yes ||| yes ||| 1", "moses"),
        ("[noise] ||| [laughter] ||| 0.5 1 ||| 0-0", "moses"),
        ("[CD] ||| 1990 ||| 1990 ||| 0.5 1 ||| 0-0", "joshua"),
        ("[\u3000] ||| a ||| b", "joshua"),
        ("", "moses"),
    ],
)
def test_the_format_is_detected_from_the_first_line(line: str, form: str) -> None:
    assert detect_format(line) == form


def test_moses_phrases(file, tmp_path: Path) -> None:
    line = "la maison ||| the house ||| 0.5 0.25 1 0.125 2.718 ||| 0-0 1-1 ||| 4 2 1 |||"
    grammar = read_grammar(file(line), tmp_path / "g")
    (row,) = grammar.query("la maison")
    assert (row.rule, row.count) == (Rule("X", "la maison", "the house"), 1)
    assert row.features == {
        "p_source": 0.5,
        "lex_source": 0.25,
        "p_target": 1.0,
        "lex_target": 0.125,
        "4": 2.718,
        "target_count": 4.0,
        "source_count": 2.0,
        "joint_count": 1.0,
    }
    write_grammar(grammar, tmp_path / "out", "moses")
    assert (tmp_path / "out").read_text() == line + "\n"


def test_moses_rules_there_and_back(file, tmp_path: Path) -> None:
    line = (
        "[X][NP] 's [X][X] [X] ||| the [X][X] of [X][NP] [S] ||| 0.5 1 ||| 0-3 1-0 2-1 ||| 4 2 0.5 |||"
    )
    grammar = read_grammar(file(line), tmp_path / "g")
    (row,) = grammar.query("[1] 's [2]")
    assert row.rule == Rule("S", "[1] 's [2]", "the [2] of [1]", ("NP", "X"))
    assert (row.count, row.features["joint_count"], row.alignment) == (None, 0.5, "1-0")
    write_grammar(grammar, tmp_path / "out.gz", "moses-rules")
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).decode() == line + "\n"


def test_names_for_features_by_position(file, tmp_path: Path) -> None:
    path = file("[X] ||| a ||| b ||| 0.5 0.25 7\n")
    assert read_grammar(path, tmp_path / "g").features == ("0", "1", "2")
    named = read_grammar(path, tmp_path / "g", feature_names=["p", "lex"])
    assert named.features == ("p", "lex", "2")
    with pytest.raises(InputError, match="feature 'p': expected each name once"):
        read_grammar(path, tmp_path / "g", feature_names=["p", "p"])
    with pytest.raises(SettingError, match="expected names other than count"):
        read_grammar(path, tmp_path / "g", feature_names=["count"])
    both = file("[X] ||| a ||| b ||| 0.5 p=1\n")
    with pytest.raises(InputError, match="found 'p' for both '0' and 'p'; choose other"):
        read_grammar(both, tmp_path / "g", feature_names=["p"])


def test_some_of_moses_own_features_cannot_be_written_by_position(file, tmp_path: Path) -> None:
    path = file("[X] ||| a ||| b ||| p_target=0.5 p_source=0.25 count=3\n")
    grammar = read_grammar(path, tmp_path / "g")
    assert conversion_losses(grammar, "joshua") == []
    with pytest.raises(InputError, match="or none, found p_source, p_target; choose ppdb or joshua"):
        write_grammar(grammar, tmp_path / "out", "moses")


def test_a_feature_that_comes_late(file, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar_reader, "BATCH", 2)
    lines = [f"[X] ||| a ||| b{i} ||| p={i}" for i in range(5)]
    lines += ["[X] ||| a ||| c ||| line=7", "[X] ||| a ||| d", "[X] ||| a ||| e ||| Q=8 p=9 count=3"]
    grammar = read_grammar(file("\n".join(lines)), tmp_path / "g")
    assert grammar.features == ("p", "line", "Q")
    rows = {row.rule.target: row for row in grammar.query("a")}
    assert rows["b4"].features == {"p": 4.0, "line": None, "Q": None}
    assert rows["c"].features == {"p": None, "line": 7.0, "Q": None}
    assert rows["d"].features == {"p": None, "line": None, "Q": None}
    assert rows["e"].features == {"p": 9.0, "line": None, "Q": 8.0}
    assert rows["e"].count == 3


def test_several_files(file, tmp_path: Path) -> None:
    files = [file(PPDB_1, "lexical"), file(PPDB_2, "syntactic"), file("", "empty")]
    grammar = read_grammar(files, tmp_path / "g")
    assert len(grammar) == 2
    assert [origin["lines"] for origin in grammar.info["origin"]["files"]] == [1, 1, 0]
    with pytest.raises(InputError, match="expected at least one file"):
        read_grammar([], tmp_path / "g")


def test_an_empty_file(file, tmp_path: Path) -> None:
    grammar = read_grammar(file(""), tmp_path / "g")
    assert (len(grammar), grammar.features, rows(grammar)) == (0, (), [])
    assert write_grammar(grammar, tmp_path / "out") == 0
    assert (tmp_path / "out").read_bytes() == b""


def test_bad_lines(file, tmp_path: Path) -> None:
    path = file(f"{PPDB_1}\nnonsense\n{PPDB_2}\n[X] ||| [7] ||| b\n")
    with pytest.raises(FileFormatError) as caught:
        read_grammar(path, tmp_path / "g")
    assert str(caught.value) == (
        f"{path}:2: expected three to six fields, [LHS] ||| source ||| target ||| features ..., "
        "found 1; repair the line, or leave such lines out with grammar convert --on-error skip"
    )
    assert not (tmp_path / "g").exists()
    grammar = read_grammar(path, tmp_path / "g", on_error="skip")
    assert len(grammar) == 2
    assert grammar.info["origin"]["files"][0]["skipped"] == 2
    assert grammar.info["origin"]["files"][0]["first_skipped"] == [2, 4]


def test_a_first_line_of_another_format_gets_a_hint(file, tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match=r"read as moses; choose another format with grammar convert --from"
    ):
        read_grammar(file("NP -> a | b"), tmp_path / "g")
    for wrong in ({"form": "tiburon"}, {"on_error": "pray"}, {"duplicates": "last"}):
        with pytest.raises(SettingError, match="unknown"):
            read_grammar(file(PPDB_1), tmp_path / "g", **wrong)


def test_a_repeated_rule(file, tmp_path: Path) -> None:
    path = file("[X] ||| a ||| b ||| p=1\n[Y] ||| a ||| b ||| p=2\n[X] ||| a ||| b ||| p=3\n")
    with pytest.raises(FileFormatError) as caught:
        read_grammar(path, tmp_path / "g")
    assert str(caught.value) == (
        f"{path}:3: expected each rule once, found '[X] ||| a ||| b' again; merge such lines, or "
        "keep the first of them with --duplicates first of grammar convert or evaluate"
    )
    grammar = read_grammar(path, tmp_path / "g", duplicates="first")
    assert [row.features["p"] for row in grammar.query("a")] == [1.0, 2.0]
    assert grammar.info["origin"]["duplicates"] == 1


def test_too_many_features(file, tmp_path: Path) -> None:
    lines = [f"[X] ||| a ||| b{i} ||| f{i}=1" for i in range(1000)]
    with pytest.raises(FileFormatError, match="expected at most 999 features in a grammar"):
        read_grammar(file("\n".join(lines)), tmp_path / "g")


def test_rows_do_not_depend_on_threads_and_batches(file, tmp_path: Path) -> None:
    text = "\n".join(f"[X] ||| {i % 7} ||| {i} ||| p={i} q{i % 3}=1" for i in range(3000))
    outputs = set()
    for threads, batch in ((1, 1 << 16), (2, 1000)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grammar_reader, "BATCH", batch)
            engine = DuckDBEngine(threads=threads)
            grammar = read_grammar(file(text), tmp_path / "g", threads=threads, engine=engine)
            outputs.add((grammar.fingerprint, grammar.path.read_bytes()))
    assert len(outputs) == 1


def test_why_a_rule_cannot_be_written(grammar_of, tmp_path: Path) -> None:
    rule = Rule.parse("[NP] ||| [N,1] x ||| y [N,1]")
    syntactic = grammar_of([(rule, None, {"p": 0.5})], ["p"])
    with pytest.raises(InputError, match="a phrase table cannot hold non-terminals"):
        write_grammar(syntactic, tmp_path / "out", "moses")
    assert not (tmp_path / "out").exists()
    lacking = grammar_of([(rule, None, {})], ["0"])
    with pytest.raises(InputError, match="lacks a feature that this format writes by position"):
        write_grammar(lacking, tmp_path / "out", "joshua")
    odd = grammar_of([(Rule("X", "[a,1]", "b"), None, {})])
    with pytest.raises(InputError, match="one of its words would be read as a non-terminal"):
        write_grammar(odd, tmp_path / "out", "ppdb")
    blank = grammar_of([(rule, None, {})], ["a b"])
    with pytest.raises(InputError, match="feature 'a b': expected a name without spaces"):
        write_grammar(blank, tmp_path / "out", "ppdb")
    with pytest.raises(SettingError, match="unknown format of grammars 'xml'"):
        write_grammar(syntactic, tmp_path / "out", "xml")


words = st.text(st.characters(exclude_characters=" \t\r\v\f\n", exclude_categories=["Cs"]), min_size=1)
sides = st.lists(words, min_size=1, max_size=3).map(" ".join)
rules = st.builds(Rule, words, sides, sides) | st.builds(
    lambda lhs, label, word: Rule(lhs, f"[1] {word}", f"{word} [1]", (label,)), words, words, words
)
given_rows = st.lists(
    st.tuples(
        rules,
        st.none() | st.integers(0, 1 << 50),
        st.dictionaries(
            st.sampled_from(["p", "Q(e|f)"]), st.floats(allow_nan=False, allow_infinity=False)
        ),
    ),
    max_size=5,
    unique_by=lambda row: row[0],
)


@settings(max_examples=30)
@given(given_rows, st.sampled_from(sorted(set(STYLES) - {"moses", "moses-rules"})))
def test_written_grammars_are_read_back(
    grammar_of, tmp_path_factory: pytest.TempPathFactory, rows: list, form: str
) -> None:
    grammar = grammar_of(rows, ["p", "Q(e|f)"])
    folder = tmp_path_factory.mktemp("there")
    try:
        write_grammar(grammar, folder / "out.zst", form)
    except InputError:
        return  # a word that looks like a non-terminal or a separator
    again = read_grammar(folder / "out.zst", folder / "g")
    assert [row.rule for row in every(again)] == [row.rule for row in every(grammar)]
    for left, right in zip(every(again), every(grammar), strict=True):
        assert left.count == right.count
        known = {name: value for name, value in right.features.items() if value is not None}
        assert {name: value for name, value in left.features.items() if value is not None} == known


def every(grammar: Grammar) -> list:
    return [grammar._row(row) for batch in grammar.batches() for row in batch.to_pylist()]


@settings(max_examples=30)
@given(st.binary(max_size=300), st.sampled_from(["plain", "gzip", "cut"]))
@example(b"\0" * 100, "plain")
@example(b"[X] ||| a\0b ||| c\0 ||| p=1\n", "plain")
@example(b"[X] ||| a ||| b\r\n\n\r[X] ||| a\rb ||| c\n", "plain")
@example(b"[X] ||| a ||| b\n" + b"x" * 3_000_000, "plain")
@example(b"[X] ||| " + b"[X,1] " * 300_000 + b"||| a", "plain")
@example(b"[X] ||| a ||| b ||| " + b"1 " * 300_000, "plain")
@example(PPDB_2.encode() * 50, "cut")
def test_fuzzed_files(tmp_path_factory: pytest.TempPathFactory, data: bytes, how: str) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    packed = gzip.compress(data)
    (folder / "file").write_bytes(
        {"plain": data, "gzip": packed, "cut": packed[: len(packed) // 2]}[how]
    )
    for on_error in ("stop", "skip"):
        message = ""
        try:
            grammar = read_grammar(folder / "file", folder / "g", on_error=on_error, duplicates="first")
            grammar.verify()
            write_grammar(grammar, folder / "out")
        except (FileFormatError, InputError) as error:
            message = str(error)
        assert "\n" not in message


def test_the_reader_agrees_with_the_line_parser(file) -> None:
    reader = GrammarReader(file("[X] ||| a ||| b ||| p=1\n"))
    (table,) = reader.batches()
    assert table.column("_line").to_pylist() == [1]
    assert reader.form == "joshua"


def test_a_real_grammar_comes_back(benchmark_data: Path, tmp_path: Path) -> None:
    path = benchmark_data / "joshua_grammar" / "samt.bn-en.gz"
    grammar = read_grammar(path, tmp_path / "g")
    assert len(grammar) == 168_939
    assert grammar.features == tuple(map(str, range(17)))
    write_grammar(grammar, tmp_path / "out.gz")

    def lines(file: Path) -> list[tuple]:
        with gzip.open(file, "rt", encoding="utf-8", newline="\n") as text:
            split = (line.split(" ||| ") for line in text)
            return sorted((*fields[:3], tuple(map(float, fields[3].split()))) for fields in split)

    assert lines(tmp_path / "out.gz") == lines(path)
    assert read_grammar(tmp_path / "out.gz", tmp_path / "again").fingerprint == grammar.fingerprint


def test_phrase_tables_cannot_hold_label_variants(tmp_path: Path) -> None:
    text = tmp_path / "rules"
    text.write_text("[NN] ||| answer ||| reply ||| p=0.5\n[VB] ||| answer ||| reply ||| p=0.2\n")
    grammar = read_grammar(text, tmp_path / "grammar")
    with pytest.raises(
        InputError, match=r"'answer \|\|\| reply': expected one left side.*--variants 1"
    ):
        write_grammar(grammar, tmp_path / "moses", "moses")
    assert not (tmp_path / "moses").exists()
