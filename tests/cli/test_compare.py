"""`paragauge compare`: what is significant, reproducibly."""

from __future__ import annotations

import json

import pytest

from paragauge.report.tables.score_tables import FORMATS


@pytest.fixture
def command(examples):
    inputs = ["-s", examples / "sources.txt", "-r", examples / "references.tsv"]
    systems = [part for name in ("edits", "free", "copy") for part in ("-c", examples / f"{name}.txt")]
    return ["compare", *inputs, *systems, "--bootstrap", 200, "--randomization", 500]


def test_the_first_system_is_the_baseline(good, command):
    content = json.loads(good(*command, "-f", "json"))
    assert content["tests"]["baseline"] == "edits"
    assert [(row["system"], row["metric"]) for row in content["comparisons"]] == [
        ("free", "bleu"),
        ("free", "pinc"),
        ("copy", "bleu"),
        ("copy", "pinc"),
    ]
    verdicts = {(row["system"], row["metric"]): row["better"] for row in content["comparisons"]}
    assert verdicts["free", "pinc"] is True
    assert verdicts["copy", "pinc"] is False
    for row in content["comparisons"]:
        assert row["difference"] == row["value"] - row["baseline_value"]
        assert row["low"] <= row["difference"] <= row["high"]
        assert 1 / 501 <= row["p_randomization"] <= 1


def test_baseline(good, command):
    content = json.loads(good(*command, "-b", "copy", "-f", "json"))
    assert {row["baseline"] for row in content["comparisons"]} == {"copy"}
    assert content["tests"]["baseline"] == "copy"


@pytest.mark.parametrize("form", FORMATS)
def test_formats(good, command, form):
    assert good(*command, "-f", form).endswith("\n")


def test_threads_do_not_matter(good, command):
    assert good(*command, "-f", "json", "--threads", 1) == good(*command, "-f", "json", "--threads", 2)


def test_the_seed_changes_intervals_and_p_values_only(good, command):
    contents = []
    for seed in (7, 8):
        content = json.loads(good(*command, "-f", "json", "--seed", seed))
        del content["interval"]
        for record in content["scores"]:
            del record["low"], record["high"]
        for record in content["comparisons"]:
            for key in ("low", "high", "p_bootstrap", "p_randomization", "p_corrected"):
                del record[key]
        contents.append(content)
    assert contents[0] == contents[1]


def test_equal_systems(good, examples):
    same = [f"{name}={examples / 'edits.txt'}" for name in ("a", "b")]
    command = ["compare", "-s", examples / "sources.txt", "-c", same[0], "-c", same[1]]
    (row,) = json.loads(good(*command, "--randomization", 100, "--bootstrap", 100, "-f", "json"))[
        "comparisons"
    ]
    assert (row["difference"], row["p_randomization"], row["p_bootstrap"]) == (0.0, 1.0, 1.0)
    assert (row["significant"], row["better"]) == (False, None)


def test_html(good, command, tmp_path):
    path = tmp_path / "report.html"
    good(*command, "--html", path)
    assert "<h2>Differences from edits</h2>" in path.read_text(encoding="utf-8")


def test_tables(good, file):
    table = file("t.jsonl", '{"s": "a b", "x": "a b", "y": "c d"}\n' * 9)
    command = ["compare", "--table", table, "-s", "s", "-c", "x", "-c", "y", "-f", "json"]
    (row,) = json.loads(good(*command))["comparisons"]
    assert (row["system"], row["difference"]) == ("y", 100.0)


def test_one_system(fails, examples):
    assert fails("compare", "-s", examples / "sources.txt", "-c", examples / "copy.txt") == (
        "expected at least two systems to compare, found one; repeat -c"
    )


def test_unknown_baseline(fails, command):
    assert fails(*command, "-b", "edist") == (
        "unknown system 'edist'; did you mean 'edits'? known: edits, free, copy"
    )


@pytest.mark.parametrize("alpha", ["0", "1", "5", "-1", "nan"])
def test_alpha(fails, command, alpha):
    assert fails(*command, f"--alpha={alpha}") == (
        f"expected alpha between 0 and 1, found {float(alpha)}"
    )


def test_correction(fails, command):
    assert fails(*command, "--correction", "hom") == (
        "unknown correction 'hom'; did you mean 'holm'? known: holm, bonferroni, fdr, none"
    )


def test_no_test(fails, command, changed):
    assert fails(*changed(command, "--bootstrap", 0, "--randomization", 0)) == (
        "expected at least one test, found none; ask for bootstrap or randomization"
    )
