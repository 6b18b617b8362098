"""Bad input: one line that says where, what and what to try; exit code 2; nothing left behind."""

from __future__ import annotations

import gzip
import os
import stat
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from paragauge.cli import main
from paragauge.metrics.registry import METRICS, PRESETS
from paragauge.version import __version__

COMMANDS = list(main.COMMANDS)


@pytest.fixture
def corpus(file):
    """Three parallel files."""
    for name in ("s.txt", "r.txt", "c.txt"):
        path = file(name, "a b c\nd e f\n")
    return path.parent


@pytest.fixture
def score(corpus):
    return ["score", "-s", corpus / "s.txt", "-r", corpus / "r.txt", "-c", corpus / "c.txt"]


# The option parser.


def test_commands():
    assert {"score", "compare", "fit", "metrics", "tokenize"} <= set(COMMANDS)


@pytest.mark.parametrize("command", main.app.all_commands())
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_has_an_example(good, command, flag):
    text = good(*command.split(), flag)
    assert text.startswith("Usage: paragauge")
    assert f"paragauge {command}" in text.split("Examples:")[1]


def test_help_lists_the_commands(good):
    text = good("--help")
    assert all(f"  {command} " in text for command in COMMANDS)


def test_version(good):
    assert good("--version") == f"paragauge {__version__}\n"


def test_no_arguments_show_the_help(call):
    outcome = call()
    text = (outcome.out + outcome.err).decode()
    assert "Usage: paragauge" in text
    assert all(f"\n  {command} " in text for command in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["score", "--bogus"], "--bogus"),
        (["score", "--metric", "pinc"], "--metrics"),
        (["scroe"], "scroe"),
        (["score", "-c"], "-c"),
        (["score", "-c", "x", "--bootstrap", "many"], "many"),
        (["score", "-c", "x", "--bootstrap", "-1"], "--bootstrap"),
        (["score", "-c", "x", "--threads", "-1"], "--threads"),
        (["score", "-c", "x", "--seed", "1.5"], "--seed"),
        (["score", "-c", "x", "--level", "high"], "--level"),
        (["score", "-c", "x", "y"], "y"),
        (["tokenize", "a", "b"], "b"),
        (["score", "-s", "x"], "-c"),
        (["compare"], "-c"),
    ],
    ids=" ".join,
)
def test_usage_errors(fails, arguments, word):
    assert word in fails(*arguments)


@pytest.mark.parametrize("option", ["--bootstrap", "--seed"])
@pytest.mark.parametrize("value", [2**63, 10**20, 10**30])
def test_numbers_that_no_machine_has(fails, score, option, value):
    assert fails(*score, option, value)


@pytest.mark.parametrize("value", [2**31, 2**63, 2**64, 10**20, 10**30])
def test_threads_that_no_machine_has(call, score, value):
    # Fewer are enough for two segments; or it is refused.
    outcome = call(*score, "--threads", value)
    assert outcome.code in (0, 2)
    assert outcome.err.count(b"\n") == (outcome.code == 2)


@pytest.mark.parametrize("value", [2**63, 10**20])
def test_randomization_that_no_machine_can(fails, score, value):
    again = ["-c", f"again={score[-1]}"]
    assert fails("compare", *score[1:], *again, "--bootstrap", 0, "--randomization", value)


# Names.


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["-m", "pnc"],
            (f"unknown metric 'pnc'; did you mean 'pinc'? known: {', '.join((*METRICS, *PRESETS))}"),
        ),
        (
            ["-m", "pinc:ordr=2"],
            (
                "unknown setting of PINC 'ordr'; did you mean 'order'? known: order, count, short, "
                "sources, tokenize, case, normalize"
            ),
        ),
        (
            ["-m", "pinc:count=sett"],
            "unknown PINC count 'sett'; did you mean 'set'? known: set, clip, member",
        ),
        (["-m", "pinc:order"], "metric 'pinc:order': expected setting=value, found 'order'"),
        (["-m", "pinc:order=two"], "PINC order: expected a whole number, found 'two'"),
        (["-m", "pinc:order=0"], "PINC order: expected a whole number from 1 to 64, found 0"),
        (["-m", "chrf:whitespace=perhaps"], "chrF whitespace: expected yes or no, found 'perhaps'"),
        (["-m", "ibleu:alpha=2"], "iBLEU alpha: expected a number from 0 to 1, found 2.0"),
        (["-m", "ibleu:alpha=nan"], "iBLEU alpha: expected a number from 0 to 1, found nan"),
        (
            ["-m", "bleu:smooth_value=1"],
            "BLEU smooth_value: smoothing 'exp' takes no value, found 1.0; use floor or add-k",
        ),
        (["-m", "pinc,"], "expected a metric's name, found nothing; leave out the extra comma"),
        (["-m", ""], "expected a metric's name, found nothing; leave out the extra comma"),
        (["-m", "pinc,PINC"], "metric 'pinc' is given twice; leave one out"),
        (["-m", "pinc,pinc:order=4"], "metric 'pinc' is given twice; leave one out"),
        (
            ["-m", "pinc-sigmoid"],
            (
                "PINC-sigmoid needs slope and midpoint: fit them to ratings (paragauge fit) and give "
                "model=FILE, or give both settings"
            ),
        ),
        (
            ["--tokenize", "13b"],
            (
                "unknown tokenizer '13b'; did you mean '13a'? "
                "known: 13a, intl, zh, char, none, blanks, penn"
            ),
        ),
        (
            ["-m", "bleu:tokenize=itnl"],
            (
                "unknown tokenizer 'itnl'; did you mean 'intl'? "
                "known: 13a, intl, zh, char, none, blanks, penn"
            ),
        ),
        (
            ["-f", "jsn"],
            "unknown format 'jsn'; did you mean 'json'? known: text, json, tsv, markdown, latex",
        ),
        (["--level", "95"], "expected a level between 0 and 1, found 95.0"),
        (["--level", "0"], "expected a level between 0 and 1, found 0.0"),
        (["--level", "nan"], "expected a level between 0 and 1, found nan"),
        (
            ["--seed", "-1"],
            "seed: expected a whole number from 0 to 9,223,372,036,854,775,807, found -1",
        ),
        (
            ["--table-format", "tsv"],
            "--table-format needs --table; give the table, or leave the format out",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_settings(fails, score, arguments, expected):
    assert fails(*score, *arguments) == expected


@pytest.mark.parametrize("metric", ["chrf", "ter"])
@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--tokenize", "13b", "unknown tokenizer '13b'; did you mean '13a'? known: 13a, "),
        ("--tokenize", "", "unknown tokenizer ''; known: 13a, "),
    ],
)
def test_an_unknown_name_is_refused_even_if_no_metric_asks(
    fails, score, metric, option, value, expected
):
    assert fails(*score, "-m", metric, option, value).startswith(expected)


def test_a_setting_given_twice(fails, score):
    assert "order" in fails(*score, "-m", "pinc:order=2:order=3")


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ("=x.txt", "candidates: expected FILE or NAME=FILE, found '=x.txt'"),
        ("x=", "candidates: expected FILE or NAME=FILE, found 'x='"),
        ("", "candidates: expected FILE or NAME=FILE, found ''"),
    ],
)
def test_candidates(fails, corpus, candidate, expected):
    assert fails("score", "-s", corpus / "s.txt", "-c", candidate) == expected


def test_the_same_name_twice(fails, score, corpus):
    assert fails(*score, "-c", corpus / "c.txt") == (
        f"candidates: two systems are called 'c'; give them different names: -c NAME={corpus / 'c.txt'}"
    )
    assert fails(*score, "-c", f"x={corpus / 's.txt'}", "-c", f"x={corpus / 'r.txt'}") == (
        f"candidates: two systems are called 'x'; give them different names: -c NAME={corpus / 'r.txt'}"
    )


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\rb"], ids=repr)
@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex", "segments"])
def test_names_that_break_tables(call, corpus, name, form):
    # Refused, or written so that the table keeps its shape.
    command = ["score", "-s", corpus / "s.txt", "-c", f"{name}={corpus / 'c.txt'}", "--bootstrap", 0]
    out = corpus / "out.tsv"
    outcome = call(*command, *(["--segments", out] if form == "segments" else ["-f", form]))
    if outcome.code == 2:
        assert outcome.err.count(b"\n") == 1
        assert not out.exists()
        return
    text = (out.read_bytes() if form == "segments" else outcome.out).decode()
    lines = text.replace("\r", "\n").removesuffix("\n").split("\n")
    if form == "segments":
        assert {line.count("\t") for line in lines} == {2}
    elif form == "tsv":
        assert {line.count("\t") for line in lines} == {6}
    else:
        assert len(lines) == {"text": 5, "markdown": 6, "latex": 9}[form]
        assert "\t" not in text


# Missing inputs.


@pytest.mark.parametrize(
    ("drop", "metric", "expected"),
    [
        ("-r", "bleu", "BLEU needs references; give -r"),
        ("-s", "pinc", "PINC needs sources; give -s"),
        ("-s", "bleu:source=include", "BLEU needs sources; give -s"),
        ("-r", "ter", "TER needs references; give -r"),
    ],
)
def test_missing_inputs_say_which_option(fails, score, drop, metric, expected):
    at = score.index(drop)
    assert fails(*score[:at], *score[at + 2 :], "-m", metric) == expected


def test_two_missing_inputs_say_both_options(fails, corpus):
    assert fails("score", "-c", corpus / "c.txt", "-m", "ibleu") == (
        "iBLEU needs references and sources; give -r and -s"
    )


def test_no_input_at_all(fails, corpus):
    assert fails("score", "-c", corpus / "c.txt") == (
        "expected sources (-s) or references (-r) to compare the candidates with, found neither"
    )


# Files.


def test_missing_file(fails, score, corpus):
    assert fails(*score, "-c", corpus / "none.txt") == (
        f"{corpus / 'none.txt'}: no such file; check the path"
    )


def test_a_sentence_instead_of_a_file(fails, corpus):
    assert fails("score", "-s", corpus / "s.txt", "-c", "The cat sat.") == (
        "The cat sat.: no such file; check the path"
    )
    long = "word " * 200
    assert fails("score", "-s", corpus / "s.txt", "-c", long) == f"{long}: file name too long"
    assert "file name too long" in fails("score", "-s", corpus / "s.txt", "-c", f"x={long}")


def test_directory(fails, score, corpus):
    assert fails(*score, "-c", f"x={corpus}") == (
        f"{corpus}: expected a file, found a directory; name a file in it"
    )


def test_unreadable_file(call, file, unprivileged):
    path = file("locked.txt", "a\nb\n")
    path.chmod(0)
    with unprivileged():
        outcome = call("score", "-c", path, "-s", path)
    message = f"paragauge: error: {path}: no permission to open it; check its owner and mode\n"
    assert (outcome.code, outcome.out, outcome.err) == (2, b"", message.encode())


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_read_error_names_the_file(fails, score):
    assert fails(*score, "-c", "/proc/self/mem") == "/proc/self/mem: input/output error"


def test_empty_file(fails, score, file):
    path = file("empty.txt", "")
    assert fails(*score, "-c", path) == f"{path}: the file is empty; expected one sentence per line"


def test_different_lengths(fails, score, file, corpus):
    path = file("long.txt", "a\nb\nc\nd\n")
    assert fails(*score, "-c", path) == (
        f"{corpus / 'c.txt'} has 2 lines but {path} has 4; expected equally many; "
        f"line 3 is the first that {corpus / 'c.txt'} lacks"
    )


def test_invalid_utf8(fails, score, file):
    path = file("latin1.txt", b"ok\ncaf\xe9\n")
    assert fails(*score, "-c", path) == (
        f"{path}:2: expected UTF-8 text, found byte 0xe9 at byte 4 of the line; "
        "convert the file, for example with iconv -f windows-1252 -t utf-8"
    )


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n", b"PK\x03\x04\xff"])
def test_files_of_other_kinds(fails, score, file, data):
    path = file("odd.txt", data)
    assert fails(*score, "-c", path).startswith(f"{path}:1: expected UTF-8 text, found byte 0x")


def test_standard_input_twice(fails, corpus):
    assert fails("score", "-s", "-", "-c", "-", stdin=b"a\n") == (
        "standard input (-) can serve one input only; give files for the others"
    )


def test_empty_standard_input(fails, corpus):
    assert fails("score", "-s", corpus / "s.txt", "-c", "-") == (
        "<stdin>: the file is empty; expected one sentence per line"
    )


def test_damaged_archives(fails, score, file):
    path = file("c.gz", gzip.compress(b"a\nb\n" * 99)[:-9])
    assert fails(*score, "-c", f"x={path}") == (
        f"{path}: damaged gzip data (Compressed file ended before the end-of-stream marker was "
        "reached); compress the file again"
    )
    path = file("c.zst", pa.compress(b"a\nb\n" * 99, "zstd", asbytes=True)[:-3])
    assert fails(*score, "-c", f"x={path}") == (
        f"{path}: damaged compressed data (Truncated compressed stream); compress it again"
    )


def test_references_of_empty_fields(fails, corpus, file):
    path = file("r.tsv", "a\tb\n\t\n")
    assert fails("score", "-r", path, "-c", corpus / "c.txt") == (
        f"{path}:2: expected at least one of the references, found only empty fields"
    )


# Tables.


def test_unknown_column(fails, file):
    table = file("t.tsv", "source\toutput\na\tb\n")
    assert fails("score", "--table", table, "-s", "sorce", "-c", "output") == (
        f"{table}:1: unknown column 'sorce'; did you mean 'source'? known: source, output"
    )


def test_unknown_table_format(fails, file):
    table = file("t.xls", "source,output\na,b\n")
    error = fails("score", "--table", table, "-s", "source", "-c", "output")
    assert error.startswith(f"{table}: expected an Excel file: ")
    assert fails("score", "--table", table, "--table-format", "tvs", "-s", "a", "-c", "b") == (
        "unknown table format 'tvs'; did you mean 'tsv'? known: tsv, csv, jsonl, json, excel, parquet"
    )


def test_a_table_that_breaks_off(fails, file, tmp_path):
    table = file("t.tsv", "s\to\na\tb\nc\n")
    out = tmp_path / "out.tsv"
    assert fails("score", "--table", table, "-s", "s", "-c", "o", "--segments", out) == (
        f"{table}:3: expected 2 tab-separated fields as in the header, found 1"
    )


def test_csv_that_is_none(fails, file, tmp_path):
    score = ["score", "-s", "s", "-c", "o", "--segments", tmp_path / "out.csv", "--table"]
    table = file("t.tsv", "s;o\na;b\n")
    assert fails(*score, table) == (
        f"{table}:1: unknown column 'o'; did you mean 's;o'? known: s;o; the header has semicolons, no "
        'tabs: give --table-format csv (in Python kind="csv")'
    )
    table = file("t.csv", 's,o\na,b\n"c,d\n')
    assert fails(*score, table) == (
        f"{table}:3: a quote opens in this line and is never closed; close it"
    )
    table = file("t.csv", "s,o\na,b\nc\n")
    assert fails(*score, table) == (
        f"{table}:3: expected 2 comma-separated fields as in the header, found 1"
    )
    assert fails(*score, "-", "--table-format", "csv") == (
        "<stdin>: the file is empty; expected a header line with column names"
    )


def test_csv_references_of_empty_cells(fails, file):
    table = file("t.csv", 'o,r,r2\n"a\nb",x,\nc,,\n')
    assert fails("score", "--table", table, "-c", "o", "-r", "r", "-r", "r2") == (
        f"{table}:4: expected at least one of the references, found only empty fields"
    )


def test_parquet_that_is_none(fails, file):
    table = file("t.parquet", "hello")
    error = fails("score", "--table", table, "-s", "s", "-c", "o")
    assert error.startswith(f"{table}: expected a Parquet file: ")


def test_json_that_is_hostile(fails, file):
    for row in ("[" * 100_000, '{"s": "\\ud800", "o": "x"}', '{"s": ' + "9" * 9999 + ', "o": "x"}'):
        table = file("t.jsonl", row + "\n")
        assert fails("score", "--table", table, "-s", "s", "-c", "o").startswith(f"{table}:1: ")


# Outputs.


@pytest.mark.parametrize("option", ["--segments", "--html"])
def test_output_paths(fails, score, tmp_path, option):
    name = "out.tsv" if option == "--segments" else "out.html"
    missing = tmp_path / "none" / name
    assert fails(*score, option, missing) == (
        f"{missing}: its folder {missing.parent} does not exist; make it first"
    )
    folder = tmp_path / name
    folder.mkdir()
    assert fails(*score, option, folder) == (
        f"{folder}: expected a file, found a directory; name a file in it"
    )


def test_segments_of_no_known_format(fails, score, tmp_path):
    path = tmp_path / "out.xls"
    assert fails(*score, "--segments", path) == (
        f"{path}: expected a name that ends in .tsv, .csv, .jsonl (.gz or .zst may follow) or "
        ".parquet; choose another name"
    )


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
@pytest.mark.parametrize("old", [None, "old"])
def test_an_error_keeps_old_outputs(fails, corpus, file, kind, old):
    if old is not None:
        file(f"out.{kind}", old)
        file("out.html", old)
    bad = file("bad.txt", b"a\n\xff\n")
    # `fails` compares all files with what was there before.
    fails(
        "score",
        *("-s", corpus / "s.txt", "-c", bad),
        *("--segments", corpus / f"out.{kind}", "--html", corpus / "out.html"),
    )


@pytest.mark.parametrize("option", ["--html", "--segments"])
def test_an_input_is_not_overwritten(fails, file, option):
    # `fails` compares all files with what was there before.
    sources, candidates = file("s.tsv", "a b\n"), file("c.tsv", "a c\n")
    assert str(candidates) in fails("score", "-s", sources, "-c", candidates, option, candidates)
    table = file("t.tsv", "s\to\na\tb\n")
    assert str(table) in fails("score", "--table", table, "-s", "s", "-c", "o", option, table)


def test_two_outputs_are_two_files(fails, score, tmp_path):
    path = tmp_path / "out.tsv"
    assert str(path) in fails(*score, "--html", path, "--segments", path)


def test_fit_does_not_overwrite_the_ratings(fails, corpus, file):
    ratings = file("r.tsv", "segment\tsystem\toverall\n1\tc\t4\n2\tc\t1\n2\tc\t2\n")
    inputs = ["-s", corpus / "s.txt", "-r", corpus / "r.txt", "-c", corpus / "c.txt"]
    assert str(ratings) in fails("fit", *inputs, "--ratings", ratings, "-o", ratings)


@pytest.mark.skipif(os.name != "posix", reason="POSIX files")
def test_a_pipe_stays_a_pipe(call, score, tmp_path):
    # And so do /dev/null and /dev/stdout, which root could replace.
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        assert call(*score, "--html", pipe).code in (0, 2)
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# File names and streams that are not UTF-8.


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
@pytest.mark.parametrize("outputs", [[], ["-f", "json"], ["--html"], ["--segments"]], ids=" ".join)
def test_a_file_name_that_is_not_utf8(run, monkeypatch, corpus, outputs):
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")  # as in most terminals
    name = os.fsdecode(b"caf\xe9.txt")
    (corpus / name).write_text("a b c\nd e f\n")
    targets = {"--html": ["out.html"], "--segments": ["out.tsv"]}
    extra = [*outputs, *(corpus / path for option in outputs for path in targets.get(option, []))]
    done = run("score", "-s", corpus / "s.txt", "-c", corpus / name, *extra)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)
    assert done.stderr.count(b"\n") == (done.returncode == 2)


def test_a_terminal_without_unicode(run, monkeypatch, corpus):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = run("score", "-s", corpus / "s.txt", "-c", f"日本={corpus / 'c.txt'}", "--bootstrap", 0)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)
    assert done.stderr.count(b"\n") == (done.returncode == 2)
    if done.returncode == 0:
        assert b"0.00" in done.stdout
