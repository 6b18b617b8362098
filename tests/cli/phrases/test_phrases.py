"""`paragauge phrases` from the shell: what it prints, what it makes, what it refuses."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from paragauge.align.links import Links
from paragauge.phrases.extract import extract_table
from paragauge.phrases.table import PhraseTable
from paragauge.text.bitext import read_bitext_tsv
from tests.edit_json import load_json

PAIRS = "The house.\tLa maison.\nThe book.\tLe livre.\nThe house is small.\tLa maison est petite.\n"
LINKS = "0-0 1-1 2-2\n0-0 1-1 2-2\n0-0 1-1 2-2 3-3 4-4\n"


@pytest.fixture
def bitext(file):
    return file("pairs.tsv", PAIRS), file("links.txt", LINKS)


@pytest.fixture
def table(call, bitext, tmp_path):
    outcome = call(
        *("phrases", "extract", bitext[0], "-t", "13a", "--case", "lower", "-a", bitext[1]),
        *("--max-length", 4, "-o", tmp_path / "en-fr"),
    )
    assert (outcome.code, outcome.out) == (0, b"")
    assert outcome.err.decode() == (
        f"{tmp_path / 'en-fr'}: 21 phrase pairs, from 26 in 3 sentence pairs\n"
    )
    return tmp_path / "en-fr"


def test_two_files(call, file, tmp_path):
    sides = [file(name, text) for name, text in (("a.en", "yes sir\n"), ("a.fr", "oui monsieur\n"))]
    links, output = file("links", "0-0 1-1\n"), tmp_path / "t"
    assert call("phrases", "extract", *sides, "--alignment", links, "--output", output).code == 0
    assert [pair.target for pair in PhraseTable.open(output).query("yes")] == ["oui"]


def test_query(good, table):
    assert good("phrases", "query", table, "the") == (
        "target  p(t|s)  p(s|t)  lex(t|s)  lex(s|t)  count  alignment\n"
        "la      0.6667  1.0000    0.6667    1.0000      2  0-0\n"
        "le      0.3333  1.0000    0.3333    1.0000      1  0-0\n"
        "\n"
        "'the': 2 translations, extracted 3 times.\n"
    )
    printed = good("phrases", "query", table, "the", "--limit", 1)
    assert printed.endswith("'the': 2 translations, extracted 3 times; the first 1 are shown.\n")
    report = json.loads(good("phrases", "query", table, "house", "-f", "json"))
    assert report["source"] == "house"
    assert [pair["target"] for pair in report["pairs"]] == ["maison"]
    assert (
        good("phrases", "query", table, "house", "-f", "tsv")
        .splitlines()[1]
        .startswith("house\tmaison\t2")
    )


def test_info(good, table):
    text = good("phrases", "info", table, "--verify")
    assert "phrase pairs    21\n" in text
    assert "tokenizers      13a, 13a\n" in text
    assert "longest phrase  4 words\n" in text
    info = json.loads(good("phrases", "info", table, "-f", "json"))
    assert info["fingerprint"] == PhraseTable.open(table).fingerprint
    assert "phrase pairs\t21\n" in good("phrases", "info", table, "-f", "tsv")


def test_a_description_of_another_hand(good, fails, table):
    path = table / "phrase-table.json"
    info = load_json(path)
    for odd in ({"settings": 5}, {"settings": {"stem": 3, "top": "x"}, "counts": [1]}, {"sources": {}}):
        path.write_text(json.dumps(info | odd))
        assert "phrase pairs    21\n" in good("phrases", "info", table)
        assert f"{table}: no source phrase 'x'" in fails("phrases", "query", table, "x")


def test_convert(call, table, tmp_path):
    moses = tmp_path / "phrase-table.gz"
    outcome = call("phrases", "convert", table, moses)
    assert (outcome.code, outcome.err.decode()) == (0, f"{moses}: 21 phrase pairs\n")
    lines = gzip.decompress(moses.read_bytes()).decode().splitlines()
    assert lines[0] == ". ||| . ||| 1 1 1 1 ||| 0-0 ||| 3 3 3 |||"
    broken = tmp_path / "broken"
    broken.write_text("\n".join([*lines, "no table"]) + "\n")
    outcome = call("phrases", "convert", broken, tmp_path / "again", "--skip-bad")
    expected = f"{tmp_path / 'again'}: 21 phrase pairs; 1 bad line left out\n"
    assert (outcome.code, outcome.err.decode()) == (0, expected)
    assert PhraseTable.open(tmp_path / "again").fingerprint == PhraseTable.open(table).fingerprint


def test_filters_and_stems(call, bitext, tmp_path, good):
    call(
        *("phrases", "extract", bitext[0], "-t", "13a", "--case", "lower", "-a", bitext[1]),
        *("-o", tmp_path / "t", "--stem", "porter,none", "--min-count", 2, "--top", 1),
        *("--min-probability", 0.1, "--memory", "200MB", "--temporary", tmp_path, "--threads", 1),
    )
    text = good("phrases", "info", tmp_path / "t")
    assert "stemmers        porter, none\n" in text
    assert "kept            count from 2, p(t|s) from 0.1, most frequent targets 1\n" in text
    assert [pair.target for pair in PhraseTable.open(tmp_path / "t").query("hous")] == ["maison"]
    assert {path.name for path in tmp_path.iterdir()} == {"t", "links.txt", "pairs.tsv"}


def test_dropped_pairs_are_counted(call, file, tmp_path, good):
    text, links = file("a.tsv", "a\tx\n\ty\nb\t\n"), file("links", "0-0\n\n\n")
    words = ("phrases", "extract", text, "-a", links, "-o", tmp_path / "t", "--empty", "skip")
    outcome = call(*words)
    assert outcome.err.decode() == (
        f"{tmp_path / 't'}: 1 phrase pair, from 1 in 1 sentence pair; 2 dropped, a side is empty\n"
    )
    assert "dropped         2 pairs with an empty side\n" in good("phrases", "info", tmp_path / "t")
    whole = read_bitext_tsv(text, empty="skip")
    table = extract_table(whole, Links.from_lists([[(0, 0)]]), tmp_path / "u")
    assert table.info["counts"]["skipped"] == 2


def test_errors(fails, table, bitext, file, tmp_path):
    extract = ("phrases", "extract", bitext[0], "-t", "13a")
    assert fails("phrases", "query", table, "The house is small.") == (
        f"{table}: no source phrase 'The house is small.'; in this table phrases have at most 4 words, "
        "words are lowercase"
    )
    assert (
        fails("phrases", "info", tmp_path / "none")
        == f"{tmp_path / 'none'}: no such folder; check the path"
    )
    assert "found a folder without phrase-table.json" in fails("phrases", "info", tmp_path)
    bad = file("bad.txt", "0-0\n0-0 x\n\n")
    assert fails(*extract, "-a", bad, "-o", tmp_path / "t").startswith(
        f"{bad}:2: expected links such as 0-0 1-2, found 'x'"
    )
    outside = file("outside.txt", "0-0\n\n0-9\n")
    assert fails(*extract, "-a", outside, "-o", tmp_path / "t").startswith(
        f"{outside}:3: link 0-9, but the target has 5 tokens"
    )
    assert "has 1 line" in fails(*extract, "-a", file("few.txt", "0-0\n"), "-o", tmp_path / "t")
    assert "found a folder with other files" in fails(*extract, "-a", bitext[1], "-o", tmp_path)
    assert "expected a size such as" in fails(
        *extract, "-a", bitext[1], "-o", tmp_path / "t", "--memory", "lots"
    )
    assert "--stem: expected one name" in fails(
        *extract, "-a", bitext[1], "-o", tmp_path / "t", "--stem", "a,b,c"
    )
    assert "--skip-bad: only for reading" in fails(
        "phrases", "convert", table, tmp_path / "x", "--skip-bad"
    )
    moses = file("moses", "a ||| b ||| 1 1 1 1\na ||| b\n")
    assert fails("phrases", "convert", moses, tmp_path / "x").startswith(
        f"{moses}:2: expected source |||"
    )


def test_help(good):
    assert "Extract phrase tables from aligned text" in good("phrases")


@pytest.mark.skipif(os.name != "posix", reason="signals work differently on this system")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing(tmp_path, number, code):
    (tmp_path / "a").write_text("the small house is here today\n" * 100_000)
    (tmp_path / "links").write_text("0-0 1-1 2-2 3-3 4-4 5-5\n" * 100_000)
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    words = ["phrases", "extract", "a", "a", "-a", "links", "-o", "t"]
    run = f"{start} import sys; from paragauge.cli.main import run; sys.exit(run({words!r}))"
    with subprocess.Popen([sys.executable, "-c", run], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 60
        while not list(tmp_path.glob(".paragauge-*")) and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "links"]


def test_lines_that_are_not_utf8_are_left_out(call, fails, file, tmp_path):
    good_line = b"la ||| the ||| 0.5 0.25 1 1 ||| 0-0 ||| 2 1 1 |||\n"
    path = file("latin.txt", good_line + good_line.replace(b"la", b"l\xe0"))
    assert f"{path}:2: expected UTF-8" in fails("phrases", "convert", path, tmp_path / "t")
    outcome = call("phrases", "convert", path, tmp_path / "t", "--skip-bad")
    assert outcome.err.decode() == f"{tmp_path / 't'}: 1 phrase pair; 1 bad line left out\n"
