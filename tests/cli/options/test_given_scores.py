"""Scores computed elsewhere in score, compare and report, and metrics of one's own in commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

MODULE = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.metrics import MeanMetric, mean_stats


@dataclass(frozen=True)
class Length(MeanMetric):
    name: ClassVar[str] = "Length"
    summary: ClassVar[str] = "words of the candidate"
    factor: int = 1

    @property
    def needs(self):
        return frozenset()

    def batch_stats(self, batch, system):
        words = [len(text.split()) for text in batch.systems[system]]
        return mean_stats(self.factor * np.array(words, float))
"""
FAST = ("--bootstrap", 100)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Two systems of 20 sentences, and scores of a metric for which the second is better by 0.2."""
    monkeypatch.chdir(tmp_path)
    Path("source.txt").write_text("a b c d\n" * 20, encoding="utf-8")
    rows = ["segment\tsystem\tcomet"]
    for name, plus in (("base", 0.5), ("mine", 0.7)):
        Path(f"{name}.txt").write_text("a b c e\n" * 20, encoding="utf-8")
        rows += [f"{n}\t{name}\t{plus + n % 5 / 100:.2f}" for n in range(1, 21)]
    Path("comet.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    Path("my_length.py").write_text(MODULE, encoding="utf-8")
    return ("-c", "base.txt", "-c", "mine.txt")


NOTE = (
    b"paragauge: comet: scores of segments from comet.tsv; scores of systems, intervals and tests are"
)


def test_score(call, files):
    outcome = call("score", *files, "--scores", "comet.tsv", *FAST, "-f", "json", "--segments", "s.tsv")
    assert outcome.code == 0
    assert outcome.err.startswith(NOTE)
    scores = json.loads(outcome.out)["scores"]
    # 0.5 and 0.7 plus the mean of 0.00 to 0.04.
    assert [(one["system"], round(one["value"], 6)) for one in scores] == [
        ("base", 0.52),
        ("mine", 0.72),
    ]
    assert all(one["low"] <= one["value"] <= one["high"] for one in scores)
    header, first = Path("s.tsv").read_text(encoding="utf-8").split("\n")[:2]
    assert (header, first) == ("segment\tsystem\tcomet", "1\tbase\t0.51")


def test_compare_with_a_computed_metric(call, files):
    outcome = call(
        "compare", *files, "-s", "source.txt", "-m", "pinc", "--scores", "comet.tsv", "-f", "json",
        *FAST, "--randomization", 500,
    )  # fmt: skip
    assert outcome.code == 0
    rows = {row["metric"]: row for row in json.loads(outcome.out)["comparisons"]}
    assert rows["comet"]["significant"]
    assert rows["comet"]["better"]
    assert rows["pinc"]["difference"] == 0


def test_report(call, files):
    Path("ratings.tsv").write_text(
        "segment\tsystem\tjudge\toverall\n"
        + "".join(f"{n}\t{name}\tA\t{n % 5}\n" for n in range(1, 21) for name in ("base", "mine")),
        encoding="utf-8",
    )
    outcome = call(
        "report", *files, "-s", "source.txt", "-m", "pinc", "--scores", "comet.tsv", "--lower", "comet",
        "--ratings", "ratings.tsv", "-o", "report.html", *FAST, "--randomization", 100,
    )  # fmt: skip
    assert outcome.code == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "comet|given:comet.tsv|corpus:mean of segments" in page
    assert b"PINC, comet" in outcome.out


def test_metrics_of_ones_own(good, files):
    printed = good("score", *files, "-m", "my_length:Length:factor=2", "-f", "json", *FAST)
    score = json.loads(printed)["scores"][0]
    assert score["value"] == 8.0
    assert score["metric"] == "my_length:Length:factor=2"
    assert "|from:my_length|" in score["signature"]
    assert "factor" in good("metrics", "my_length:Length")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--lower", "comet"), "--lower needs --scores; give it too, or leave --lower out"),
        (
            ("--scores", "comet.tsv", "--lower", "commet"),
            "unknown metric of --scores 'commet'; did you",
        ),
        (("--scores", "comet.tsv", "--scores", "comet.tsv"), "comet.tsv: 'comet' is in comet.tsv too"),
        (
            ("-m", "my_length:Len"),
            "metric 'my_length:Len': module 'my_length' has no 'Len'; did you mean",
        ),
        (
            ("-m", "my_lenght:Length"),
            "metric 'my_lenght:Length': there is no module 'my_lenght' in the",
        ),
    ],
)
def test_errors(call, files, arguments, message):
    outcome = call("score", *files, *arguments)
    assert outcome.code == 2
    assert outcome.err.decode().removeprefix("paragauge: ").removeprefix("error: ").startswith(message)
    assert outcome.err.count(b"\n") == 1


def test_scores_of_more_segments_than_texts(call, files):
    Path("comet.tsv").write_text(
        Path("comet.tsv").read_text(encoding="utf-8") + "21\tbase\t0.5\n21\tmine\t0.5\n",
        encoding="utf-8",
    )
    outcome = call("compare", *files, "--scores", "comet.tsv", *FAST, "--randomization", 100)
    assert outcome.code == 2
    assert b"comet.tsv: a score of segment 21, but the texts have only 20 segments" in outcome.err
