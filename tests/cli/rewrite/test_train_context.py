"""`paragauge rewrite train context` from the shell."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from paragauge.rewrite.context.context_decision import Decision
from paragauge.rewrite.context.context_model import ContextModel

TEXT = "the talks took place here\nwe want to go home now\nthe green house is near\n" * 40


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_model_and_its_summary(call, text: Path, tmp_path: Path) -> None:
    target = tmp_path / "m.bin"
    done = call("rewrite", "train", "context", text, "-o", target)
    assert done.code == 0, done.err
    model = ContextModel.open(target)
    assert {"place", "home", "house"} <= set(model.words)
    lines = done.out.decode().splitlines()
    assert lines[0].split() == [
        "learner",
        "words",
        "examples",
        "others",
        "held",
        "out",
        "accuracy",
        "%",
        "weights",
    ]
    learner, words, examples, others, held, accuracy, *_ = lines[1].split()
    assert (learner, int(words)) == ("logistic", len(model))
    assert int(examples.replace(",", "")) == 40 * len(model)
    assert int(others.replace(",", "")) + int(examples.replace(",", "")) > int(held.replace(",", ""))
    assert float(accuracy) == pytest.approx(100 * model.accuracy(), abs=0.06)
    assert lines[-1] == (
        f"{target}: logistic, {target.stat().st_size:,} bytes, from 120 sentences with 640 tokens. "
        f"{model.name}"
    )


def test_both_learners_and_the_better_one(call, text: Path, tmp_path: Path) -> None:
    arguments = ("--learner", "best", "-o", tmp_path / "m.bin", "-f", "json")
    done = call("rewrite", "train", "context", text, *arguments)
    content = json.loads(done.out)
    rows = {row["learner"]: row for row in content["learners"]}
    assert set(rows) == {"logistic", "boosting"}
    assert rows[content["learner"]]["accuracy"] == max(row["accuracy"] for row in rows.values())
    assert ContextModel.open(tmp_path / "m.bin").about["learner"] == content["learner"]


def test_every_option_reaches_the_model(call, text: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("home\n\nHouse\n", encoding="utf-8")
    done = call(
        *("rewrite", "train", "context", text, "-o", tmp_path / "m", "--words", tmp_path / "words"),
        *("--minimum", 5, "--examples", 30, "--negatives", "sentences", "--order", 2, "--window", 3),
        *("--no-positions", "--no-collocations", "--learner", "boosting", "--rounds", 7),
        *(
            "--features",
            50,
            "--held-out",
            0.2,
            "--decision",
            "odds",
            "--threshold",
            1,
            "--seed",
            3,
            "--threads",
            1,
        ),
        *("--folder", tmp_path, "--format", "tsv"),
    )
    assert done.code == 0, done.err
    model = ContextModel.open(tmp_path / "m")
    assert model.words == ("home", "house")
    about = model.about
    assert about["shape"] == {
        "order": 2,
        "window": 3,
        "reach": 1,
        "collocations": False,
        "positions": False,
    }
    chosen = {
        "minimum": 5,
        "examples": 30,
        "negatives": "sentences",
        "learner": "boosting",
        "rounds": 7,
        "features": 50,
        "held_out": 0.2,
        "seed": 3,
    }
    assert {name: about[name] for name in chosen} == chosen
    assert model.decision == Decision(1, 1, 1)
    assert done.out.decode().splitlines()[0].split("\t")[:2] == ["learner", "words"]


def test_standard_input(call, tmp_path: Path) -> None:
    done = call("rewrite", "train", "context", "-", "-o", tmp_path / "m", stdin=TEXT.encode())
    assert done.code == 0, done.err
    assert ContextModel.open(tmp_path / "m").about["source"] == ["<stdin>"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.txt", "-o", "m"), "nothing.txt: no such file; check the path"),
        (("text.txt", "-o", "text.txt"), "--output text.txt: the file is an input too"),
        (("text.txt", "-o", "no/m"), "no/m: its folder .* does not exist; make it first"),
        (("text.txt", "-o", "m", "--learner", "bost"), "unknown learner 'bost'; did you mean 'best'"),
        (("text.txt", "-o", "m", "--negatives", "x"), "unknown negatives 'x'"),
        (
            ("text.txt", "-o", "m", "--held-out", "2"),
            "held_out: expected a share from 0 to 0.5, found 2",
        ),
        (
            ("text.txt", "-o", "m", "--decision", "papr"),
            "unknown decision 'papr'; did you mean 'paper'",
        ),
        (
            ("text.txt", "-o", "m", "--no-positions", "--reach", "0"),
            "reach: expected 1 if n-grams have no positions, found 0; leave one of the two",
        ),
        (("text.txt", "-o", "m", "--order", "0", "--no-collocations"), "order: expected 1 or more"),
        (("text.txt", "-o", "m", "--threshold", "nan"), "threshold: expected a number"),
        (("text.txt", "-o", "m", "--minimum", "999"), "a word that WordNet knows at least 999 times"),
        (("text.txt", "-o", "m", "--format", "xml"), "unknown format 'xml'"),
    ],
)
def test_errors_leave_nothing(
    call, text: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(text.parent)
    done = call("rewrite", "train", "context", *arguments)
    assert done.code == 2
    assert re.search(message, done.err.decode())
    assert done.err.decode().count("\n") == 1
    assert [path.name for path in text.parent.iterdir()] == ["text.txt"]
