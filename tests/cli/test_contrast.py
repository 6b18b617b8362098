"""`paragauge contrast`: what it prints, draws and rejects."""

from __future__ import annotations

import json

import pytest

TABLE = (
    "source\tkind\tcandidate\n"
    "a b c d\tgood\ta b x y\n"
    "a b c d\tcopy\ta b c d\n"
    "e f g h\tgood\te f x y\n"
    "e f g h\tcopy\te f g h\n"
)
OPTIONS = ("--good", "good", "-m", "pinc:order=1")


@pytest.fixture
def table(file):
    return file("set.tsv", TABLE)


def test_text(good, table):
    lines = good("contrast", table, *OPTIONS, "--bootstrap", 0).split("\n")
    assert lines[:4] == [
        "      PINC:order=1",
        "kind  good wins  mean",
        "good             50.0",
        "copy       1.00   0.0",
    ]
    assert lines[5] == (
        "2 sources, 4 candidates. Good wins: share of comparisons in which a good paraphrase (good) "
        "scores better than a candidate of the kind for the same source; ties count half."
    )
    assert lines[6].startswith("PINC|order:1|")


def test_notes(good, table):
    text = good("contrast", table, "--good", "good", "-m", "bleu,ter")
    assert "Brackets: 95% interval, Poisson bootstrap over sources, 1000 resamples, seed 7." in text
    assert "Lower is better: TER." in text
    assert "The source is the reference: BLEU and TER." in text


def test_one_source_has_no_intervals(good, file):
    table = file("one.tsv", "source\tkind\tcandidate\na b\tgood\ta c\na b\tcopy\ta b\n")
    text = good("contrast", table, *OPTIONS)
    assert "1 source, 2 candidates." in text
    assert "[" not in text
    assert "Brackets" not in text


def test_formats(good, table):
    record = json.loads(good("contrast", table, *OPTIONS, "-f", "json"))
    copy = record["metrics"][0]["kinds"][1]
    assert copy["kind"] == "copy"
    assert copy["wins"] == {"value": 1.0, "n": 2, "low": 1.0, "high": 1.0, "reason": ""}
    assert record["bootstrap"] == {"resamples": 1000, "level": 0.95, "seed": 7}
    text = good("contrast", table, *OPTIONS, "-f", "tsv")
    header, *rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    assert dict(zip(header, rows[0], strict=True))["wins"] == ""
    named = dict(zip(header, rows[1], strict=True))
    cells = [named[name] for name in ("kind", "good", "comparisons", "wins")]
    assert cells == ["copy", "no", "2", "1.0"]
    markdown = good("contrast", table, *OPTIONS, "-f", "markdown", "--bootstrap", 0)
    assert "| copy | 1.00 | 0.0 |" in markdown
    latex = good("contrast", table, *OPTIONS, "-f", "latex", "--bootstrap", 0)
    assert r"copy & 1.00 & 0.0 \\" in latex


def test_standard_input(good, table):
    assert good("contrast", "-", *OPTIONS, stdin=TABLE.encode()) == good("contrast", table, *OPTIONS)


def test_default_set_and_plot(good, tmp_path):
    plot = tmp_path / "contrast.svg"
    text = good("contrast", "--bootstrap", 50, "--plot", plot)
    assert "48 sources, 698 candidates." in text
    drawing = plot.read_text(encoding="utf-8")
    assert drawing.count("BLEU: 0.") + drawing.count("BLEU: 1.") == 15
    assert "roles-swapped" in drawing


def test_errors(fails, table, file, tmp_path):
    assert fails("contrast", table, "-m", "pinc") == (
        f"{table}: expected candidates of the kinds few-changes and many-changes, which are good "
        "paraphrases by default, found good, copy; name the good kinds with --good"
    )
    assert fails("contrast", table, *OPTIONS, "--theme", "dark") == (
        "--theme needs --plot; give it too, or leave --theme out"
    )
    assert fails("contrast", table, *OPTIONS, "--plot", "a.pdf") == (
        "a.pdf: expected a name that ends in .svg or .png"
    )
    broken = file("broken.tsv", "source\tkind\tcandidate\na\tb\n")
    assert fails("contrast", broken, *OPTIONS) == (
        f"{broken}:2: expected 3 tab-separated fields as in the header, found 2"
    )
    absent = tmp_path / "none.tsv"
    assert fails("contrast", absent, *OPTIONS) == f"{absent}: no such file; check the path"
