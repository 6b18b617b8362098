"""`paragauge curve`: agreement over the number of references."""

from __future__ import annotations

import csv
import io
import json

import pytest

from paragauge.report.tables.score_tables import FORMATS

FAST = ["--repetitions", 2, "--bootstrap", 20]


@pytest.fixture
def data(rated_texts):
    texts = ["-s", rated_texts / "src.txt", "-r", rated_texts / "refs.tsv"]
    systems = [word for name in "abc" for word in ("-c", rated_texts / f"{name}.txt")]
    return [rated_texts / "ratings.tsv", *texts, *systems, "--criterion", "overall"]


@pytest.fixture
def points(good, data):
    def run(*arguments):
        fast = FAST[:2] if "--bootstrap" in arguments else FAST
        text = good("curve", *data, *fast, *arguments, "-f", "json")
        return json.loads(text, parse_constant=pytest.fail)["points"]

    return run


@pytest.mark.parametrize("form", FORMATS)
def test_formats(good, data, form):
    text = good("curve", *data, *FAST, "-f", form)
    assert "nan" not in text.lower()
    if form == "tsv":
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        assert [(row["references"], row["source"]) for row in rows] == [
            (count, source) for source in ("no", "yes") for count in "12"
        ]
    elif form == "json":
        assert json.loads(text, parse_constant=pytest.fail)["metric"] == "bleu"
    else:
        assert "with the source" in text
        assert "60 candidates, mean of 2 draws of the references, seed 7." in text


def test_all_references_are_what_meta_prints(good, data, points):
    last = next(point for point in points() if (point["references"], point["source"]) == (2, False))
    text = good("meta", *data, "-m", "bleu", "--view", "pooled", "--bootstrap", 0, "-f", "json")
    expected = json.loads(text)["correlations"][0]["rows"][0]["value"]
    assert last["value"] == pytest.approx(expected, abs=1e-12)


def test_options(points):
    assert [point["references"] for point in points("--counts", "2,0")] == [2, 0, 2]
    plain = points()
    assert points("--seed", 5) != plain
    assert points("--threads", 1) == plain
    assert points("--complete") == plain
    assert points("--level", 0.5)[0]["high"] < plain[0]["high"]
    assert points("--statistic", "kendall", "--view", "by-source") != plain
    assert points("--where", "semantic>=2") != plain
    assert points("--where", "pinc:order=1>50") != plain  # a metric that the curve is not of
    assert points("--exclude", "c") != plain
    assert points("-m", "bleu:order=1") != plain
    assert points("--bootstrap", 0)[0]["low"] is None


def test_plot(good, data, tmp_path):
    path = tmp_path / "curve.svg"
    good("curve", *data, *FAST, "--plot", path, "--theme", "dark")
    assert path.read_text(encoding="utf-8").startswith(("<svg", "<?xml"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--counts", "1,x"], "--counts 1,x: expected whole numbers separated by commas"),
        (["--counts", "1,3"], "expected numbers of references from 0 to 2"),
        (["--metrics", "bleu,pinc"], "--metrics: expected one metric for a curve, found several"),
        (["--metrics", "pinc"], "PINC does not use references; a curve needs a metric that does"),
        (["--statistic", "spearmen"], "unknown statistic 'spearmen'; did you mean 'spearman'"),
        (["--view", "all"], "unknown view 'all'"),
        (["--repetitions", 0], "--repetitions"),
        (["--where", "bleu"], "condition 'bleu'"),
        (["--plot", "curve.pdf"], "expected a name that ends in .svg or .png"),
        (["--plot", "curve.svg", "--theme", "blue"], "unknown theme 'blue'"),
        (["--format", "xml"], "unknown format 'xml'"),
        (["--level", 0], "expected a level between 0 and 1, found 0"),
    ],
)
def test_errors(fails, data, arguments, message):
    assert message in fails("curve", *data, *arguments)


def test_missing_input(fails, data):
    assert "a curve needs sources, references and candidates" in fails("curve", *data[:1], *data[-2:])
    assert "--criterion" in fails("curve", *data[:-2])
    assert "unknown criterion 'fluency'" in fails("curve", *data[:-2], "--criterion", "fluency")
