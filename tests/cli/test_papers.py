"""`paragauge papers`: lists, runs and demonstrates items of the papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.report.papers import examples_folder

RATINGS = examples_folder() / "ratings.tsv"


def test_all_items_are_listed(good) -> None:
    text = good("papers")
    for paper in ("pem-2010", "pinc-2011", "maxsim-2008", "paradigm-2014", "kauchak-barzilay-2006"):
        assert f"\n{paper}: " in f"\n{text}"
    assert "table-4       Judges, metrics and combinations of metrics" in text
    assert "pem-2010" not in good("papers", "pinc-2011")


def test_the_folder_of_the_examples_is_printed(good, fails) -> None:
    assert good("papers", "--examples") == f"{examples_folder()}\n"
    assert "--examples prints a folder" in fails("papers", "pinc-2011", "table-3", "--examples")


def test_an_item_of_own_files_is_its_command(good) -> None:
    made = good("papers", "pinc-2011", "table-3", RATINGS, "--bootstrap", 0, "-f", "tsv")
    assert made == good("meta", RATINGS, "--layout", "pinc-3", "--bootstrap", 0, "-f", "tsv")


def test_a_demonstration_says_what_it_runs(call) -> None:
    outcome = call("papers", "pinc-2011", "table-3", "--demo", "--bootstrap", 0)
    assert outcome.code == 0
    assert outcome.err == b"paragauge meta --layout pinc-3 examples/ratings.tsv --bootstrap 0\n"
    assert b"rewrites       3.90" in outcome.out


def test_own_options_replace_those_of_the_demonstration(call, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = call("papers", "pem-2010", "figure-3", "--demo", "-o", "mine.svg", "--no-fit")
    assert outcome.code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["mine.svg"]
    assert b"pem-2010-figure-3" not in outcome.err


def test_what_a_demonstration_prepares_is_not_shown(call, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = call("papers", "paradigm-2014", "figure-2", "--demo")
    assert outcome.code == 0
    assert outcome.err.startswith(b"paragauge grammar convert rules --output ")
    assert len(outcome.err.splitlines()) == 2  # the second is the command's own
    rules = (tmp_path / "paradigm-2014-figure-2.txt").read_text(encoding="utf-8")
    assert "[VP] ||| step down ||| resign |||" in rules


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pinc-2010",), "unknown paper 'pinc-2010'; did you mean 'pinc-2011'?"),
        (("pinc-2011", "table-9"), "unknown item of pinc-2011 'table-9'; did you mean 'table-"),
        (("pinc-2011", "table-3"), "pinc-2011 table-3 needs RATINGS; give them, or --demo"),
        (("--demo",), "--demo needs an item"),
        (("pinc-2011", "figure-1", "--demo"), "has no demonstration: it serves until it is stopped"),
        (("pinc-2011", "table-3", "missing.tsv"), "missing.tsv"),
        (("pinc-2011", "table-3", RATINGS, "--no-such"), "--no-such"),
    ],
)
def test_errors(fails, arguments, message) -> None:
    assert message in fails("papers", *arguments)
