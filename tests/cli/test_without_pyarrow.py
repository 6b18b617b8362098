"""Commands on text, TSV, CSV and JSON Lines run without pyarrow; what needs it says how to install."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import pyarrow.parquet
import pytest
import scipy.stats

from paragauge.engine.dataset import Kind
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.engine.spark_engine import SparkEngine
from paragauge.errors import MissingExtraError
from paragauge.grammar.grammar_folder import KIND as GRAMMAR
from paragauge.phrases.table import KIND as TABLE
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.table_readers import open_parquet
from paragauge.text.table_writers import row_writer

RULES = "[X] ||| a b ||| c ||| p_target=0.5 ||| 0-0\n"
ZSTANDARD = b"\x28\xb5\x2f\xfd" + bytes(8)


@pytest.fixture(autouse=True)
def _blocked(monkeypatch):
    """As in an environment with the package alone: these cannot be imported, nor what is in them."""
    blocked = ("pyarrow", "scipy", "pandas", "duckdb")
    loaded = [name for name in sys.modules if name.partition(".")[0] in blocked]
    for name in {*blocked, *loaded}:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def inputs(examples):
    systems = [text for name in ("edits", "free", "copy") for text in ("-c", examples / f"{name}.txt")]
    return ["-s", examples / "sources.txt", "-r", examples / "references.tsv", *systems]


def asks_for(outcome, extra: str) -> bool:
    command = f"pip install 'paragauge[{extra}]' (in a checkout: pip install '.[{extra}]')"
    line = f" is not installed; run: {command}\n"
    return outcome.code == 2 and outcome.err.decode().endswith(line) and outcome.err.count(b"\n") == 1


def test_metrics_of_plain_text(call, inputs, tmp_path):
    names = "bleu,pinc,ibleu,maxsim,meteor,pem"
    for form in ("tsv", "csv", "jsonl", "tsv.gz"):
        target = tmp_path / f"segments.{form}"
        done = call("score", *inputs, "--metrics", names, "--segments", target)
        assert (done.code, done.err) == (0, b"")
        assert target.stat().st_size > 0


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl"])
def test_tables(call, tmp_path, form):
    rows = [("a man fires", "a man shoots"), ("it walks", "it is walking")]
    table = tmp_path / f"table.{form}"
    if form == "tsv":
        table.write_text("s\tc\n" + "".join(f"{s}\t{c}\n" for s, c in rows))
    elif form == "csv":
        table.write_text("s,c\n" + "".join(f'"{s}",{c}\n' for s, c in rows))
    else:
        table.write_text("".join(json.dumps({"s": s, "c": c}) + "\n" for s, c in rows))
    done = call("score", "--table", table, "-s", "s", "-c", "c")
    assert (done.code, done.err) == (0, b"")
    assert b"PINC" in done.out


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--baseline", "edits", "--randomization", "200"),
        ("report", "--baseline", "edits", "--metrics", "bleu,pinc", "--output", "report.html"),
    ],
    ids=lambda command: command[0],
)
def test_comparison_and_report(call, inputs, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    done = call(command[0], *inputs, *command[1:])
    assert (done.code, done.err) == (0, b"")


def test_people(call, inputs, examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The ratings of the systems whose files are given.
    ratings, same = tmp_path / "ratings.tsv", tmp_path / "ratings.csv"
    lines = (examples / "ratings.tsv").read_text().splitlines()
    lines = [line for line in lines if line.split("\t")[1] in ("system", "edits", "free", "copy")]
    ratings.write_text("".join(f"{line}\n" for line in lines))
    same.write_text(ratings.read_text().replace("\t", ","))
    for command in (
        ("meta", same, *inputs, "--metrics", "bleu,pinc", "--criterion", "overall"),
        ("agree", same),
        ("fit", *inputs, "--ratings", same, "--output", "fit.json"),
        ("meta", ratings, *inputs, "--metrics", "bleu,pinc", "--criterion", "overall"),
        ("agree", ratings),
        ("report", *inputs, "--metrics", "pinc", "--ratings", ratings, "--output", "report.html"),
        ("fit", *inputs, "--ratings", ratings, "--output", "fit.json"),
        ("explain", "--source", "a man fires", "--candidate", "a man shoots"),
        ("tokenize", examples / "sources.txt"),
        ("lm", "train", examples / "sources.txt", "--order", "2", "--output", "model.arpa"),
        ("lm", "score", "model.arpa", examples / "copy.txt"),
        ("tagger", "run", examples / "copy.txt"),
    ):
        done = call(*command)
        assert done.code == 0, (command, done.err)


def test_parquet_asks_for_its_extra(call, inputs, examples, tmp_path):
    table = tmp_path / "table.parquet"
    table.write_bytes(b"PAR1")
    assert asks_for(call("score", "--table", table, "-s", "s", "-c", "c"), "parquet")
    assert asks_for(call("score", *inputs, "--segments", tmp_path / "out.parquet"), "parquet")
    assert asks_for(call("meta", table, "--criterion", "overall"), "parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.parquet"]


def test_zstandard_asks_for_the_same_extra(call, inputs, tmp_path):
    packed = tmp_path / "candidates.txt.zst"
    packed.write_bytes(ZSTANDARD)
    assert asks_for(call("tokenize", packed), "parquet")
    for form in ("tsv", "csv"):
        assert asks_for(call("score", *inputs, "--segments", tmp_path / f"out.{form}.zst"), "parquet")


def test_grammars_and_phrase_tables_ask_for_the_engine(call, tmp_path):
    rules = tmp_path / "rules.txt"
    rules.write_text(RULES)
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("a b ||| c\n")
    table = tmp_path / "table.txt"
    table.write_text("a ||| b ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 |||\n")
    bitext = [tmp_path / "one.txt", tmp_path / "other.txt", tmp_path / "links.txt"]
    for path, text in zip(bitext, ("a b\n", "c d\n", "0-0 1-1\n"), strict=True):
        path.write_text(text)
    one, other, links = bitext
    reworded = ["--reference", "a b", "--candidate", "c"]
    phrases = ["--rewrite", "phrases", "--rewrite-model", rules]
    for command in (
        ("grammar", "convert", rules, "-o", tmp_path / "grammar"),
        ("grammar", "coverage", rules, "--pairs", pairs),
        ("grammar", "derive", rules, "--source", "a b", "--target", "c"),
        ("phrases", "convert", table, tmp_path / "phrases"),
        ("phrases", "extract", one, other, "--alignment", links, "-o", tmp_path / "phrases"),
        ("rewrite", "explain", *phrases, *reworded),
    ):
        assert asks_for(call(*command), "engine"), (command, call(*command).err)


def folder_of(kind: Kind, folder: Path, **fields: object) -> Path:
    """A folder that looks like a table up to its rows, which cannot be read without pyarrow."""
    folder.mkdir()
    description = {
        "format": kind.format,
        "version": kind.version,
        kind.size: 1,
        "fingerprint": "0" * 64,
        **fields,
    }
    (folder / kind.description).write_text(json.dumps(description))
    (folder / kind.rows).write_bytes(b"PAR1")
    return folder


def test_folders_of_grammars_and_phrase_tables_ask_for_the_engine_at_once(call, tmp_path):
    rules = folder_of(GRAMMAR, tmp_path / "rules", features={})
    table = folder_of(TABLE, tmp_path / "table")
    text = tmp_path / "text.txt"
    text.write_text("a b\n")
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("a b ||| c\n")
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"source": "a b", "target": "c b", "sure": [[0, 0], [1, 1]], "poss": []}\n')
    new = tmp_path / "new"
    for command in (
        ("grammar", "prune", rules, "--min-count", "2", "-o", new),
        ("grammar", "overlap", rules, "--gold", rules),
        ("grammar", "overlap", rules, "--gold", rules, "--curve", "count"),
        ("grammar", "pivot", table, "-o", new),
        ("grammar", "info", rules),
        ("grammar", "convert", rules, "-o", tmp_path / "out.txt"),
        ("grammar", "coverage", rules, "--pairs", pairs),
        ("phrases", "info", table),
        ("phrases", "query", table, "a"),
        ("phrases", "convert", table, tmp_path / "out.txt"),
        ("parametric", rules, "--gold", gold),
        ("generate", "train", "grammar", rules, "--lm-text", text, "-o", new),
        ("rewrite", "explain", "--rewrite", "phrases", "--rewrite-model", rules)
        + ("--reference", "a b", "--candidate", "c"),
    ):
        assert asks_for(call(*command), "engine"), (command, call(*command).err)
    assert not new.exists()


@pytest.mark.parametrize("duckdb", [None, ModuleType("duckdb")], ids=["neither", "DuckDB alone"])
def test_training_asks_for_the_engine_before_it_aligns(call, tmp_path, monkeypatch, duckdb):
    monkeypatch.setitem(sys.modules, "duckdb", duckdb)
    monkeypatch.setattr("paragauge.align.systran.Systran.align", pytest.fail)
    text, new = tmp_path / "text.txt", tmp_path / "new"
    text.write_text("a b\n")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("a b\tc d\n")
    ratings = tmp_path / "ratings.tsv"
    ratings.write_text("source\tcandidate\tscore\na b\ta c\t3\n")
    rated = ("--ratings", ratings, "--criterion", "score", "--scale", "1:5")
    for command in (
        ("generate", "train", "phrase", text, text, "-a", "systran", "-o", new),
        ("pem", "train", "--bitext", f"fra={pairs}", *rated, "--aligner", "systran", "-o", new),
    ):
        done = call(*command)
        assert asks_for(done, "engine"), (command, done.err)
        assert done.err.startswith(b"paragauge: error: pyarrow, "), done.err


def test_engines_and_files_in_python(tmp_path):
    for extra, make in (("engine", DuckDBEngine), ("spark", SparkEngine)):
        with pytest.raises(MissingExtraError, match=rf"pyarrow, which .*paragauge\[{extra}\]"):
            make()
    with pytest.raises(MissingExtraError, match=r"paragauge\[parquet\]"):
        open_parquet(Path(tmp_path, "x.parquet"))
    with (
        pytest.raises(MissingExtraError, match=r"paragauge\[parquet\]"),
        row_writer(tmp_path / "x.parquet", {"n": int}),
    ):
        pass


def test_the_check_passes_where_pyarrow_is(monkeypatch):
    monkeypatch.undo()
    require_pyarrow()


def test_modules_of_packages_are_blocked_too():
    for name in (scipy.stats.__name__, pyarrow.parquet.__name__):  # loaded above
        with pytest.raises(ImportError):
            importlib.import_module(name)
