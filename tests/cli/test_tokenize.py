"""`paragauge tokenize` and `paragauge metrics`."""

from __future__ import annotations

import dataclasses
import gzip

import pytest

from paragauge import tokenize
from paragauge.metrics.registry import METRICS, PRESETS
from paragauge.text.tokenizers import TOKENIZERS


def test_by_hand(good):
    assert good("tokenize", stdin=b"Hello, world!\n\nIt's 3.5-4 km.\n") == (
        "Hello , world !\n\nIt's 3.5 - 4 km .\n"
    )


@pytest.mark.parametrize("name", TOKENIZERS)
def test_examples(good, examples, name):
    path = examples / "rewrites.txt"
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    text = good("tokenize", path, "-t", name, "--threads", 2)
    assert text == "".join(" ".join(tokens) + "\n" for tokens in tokenize(lines, name))
    assert text.count("\n") == 120


def test_case(good):
    assert good("tokenize", "--case", "lower", stdin="ΣΑΣ İ\n".encode()) == "σας i\u0307\n"


def test_lines_are_kept(good):
    # One line in, one line out, whatever other programs take for a line end.
    data = "a\u2028b\x85c\x0bd\re\x1cf\r\n\ng".encode()
    assert good("tokenize", "-t", "none", stdin=data) == "a b c d e f\n\ng\n"


def test_nothing(good):
    assert good("tokenize", stdin=b"") == ""


def test_compressed(good, file):
    assert good("tokenize", file("a.bin", gzip.compress(b"a,b\n"))) == "a , b\n"


def test_errors(fails, tmp_path, file):
    assert fails("tokenize", tmp_path / "none") == f"{tmp_path / 'none'}: no such file; check the path"
    assert fails("tokenize", tmp_path) == (
        f"{tmp_path}: expected a file, found a directory; name a file in it"
    )
    assert fails("tokenize", "-t", "13b") == (
        "unknown tokenizer '13b'; did you mean '13a'? known: 13a, intl, zh, char, none, blanks, penn"
    )
    assert fails("tokenize", stdin=b"ok\n\xff\n") == (
        "<stdin>:2: expected UTF-8 text, found byte 0xff at byte 1 of the line; "
        "convert the file, for example with iconv -f windows-1252 -t utf-8"
    )


@pytest.mark.parametrize("stdin", [b"", b"a\n"])
def test_unknown_case(fails, stdin):
    assert fails("tokenize", "--case", "lowr", stdin=stdin) == (
        "unknown case 'lowr'; did you mean 'lower'? known: mixed, lower"
    )


def test_metrics(good):
    text = good("metrics")
    assert [line.split()[0] for line in text.splitlines()[: len(METRICS)]] == list(METRICS)
    assert all(f"  {metric.summary}\n" in text for metric in METRICS.values())


@pytest.mark.parametrize("name", METRICS)
def test_settings_of_one(good, name):
    first, *rows = good("metrics", name.upper()).splitlines()
    assert first == f"{METRICS[name].name}: {METRICS[name].summary}"
    assert [row.split()[0] for row in rows] == [
        field.name for field in dataclasses.fields(METRICS[name])
    ]
    assert all("(default " in row for row in rows)


def test_presets(good):
    lines = good("metrics").splitlines()
    expected = "bleu:case=lower:smooth=none:ref_length=shortest"
    assert lines[len(METRICS)].split() == ["mteval-v11b", expected]
    assert lines[len(METRICS) + 2].split() == ["distinct-2", "distinct:n=2"]
    first, *rows = good("metrics", "mteval-v11b").splitlines()
    assert first == f"mteval-v11b: {expected}"
    assert any(row.split()[0] == "case" and "(default lower)" in row for row in rows)


def test_unknown_metric(fails):
    assert fails("metrics", "pnc") == (
        f"unknown metric 'pnc'; did you mean 'pinc'? known: {', '.join((*METRICS, *PRESETS))}"
    )
