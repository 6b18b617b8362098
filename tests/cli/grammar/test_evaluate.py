"""`paragauge grammar evaluate`: its figures are those of the single commands, on its own files."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from paragauge.grammar.grammar_folder import Grammar
from paragauge.version import __version__

ROWS = [
    (
        "The king 's horse slept .",
        "The steed of the king slept .",
        [[0, 3], [1, 4], [2, 2], [3, 1], [4, 5], [5, 6]],
    ),
    ("He bought a big house .", "He purchased a large house .", [[i, i] for i in range(6)]),
    ("He bought it .", "He purchased it .", [[i, i] for i in range(4)]),
]
PPDB = (
    "[JJ] ||| big ||| large ||| p(e|f)=0.5 ||| 0-0\n"
    "[VBD] ||| bought ||| purchased ||| p(e|f)=1.5 ||| 0-0\n"
    "[X] ||| horse ||| steed ||| p(e|f)=0.1 ||| 0-0\n"
    "[NP] ||| the [NN,1] ||| a [NN,1] ||| p(e|f)=2.5 ||| 0-0\n"
)


@pytest.fixture
def hand(file) -> Path:
    rows = [{"source": s, "target": t, "sure": links, "poss": []} for s, t, links in ROWS]
    rows[0]["poss"] = [[1, 0]]
    lines = [json.dumps(row) for row in rows]
    return file("hand.jsonl", "\n".join(lines) + "\n")


@pytest.fixture
def ppdb(file) -> Path:
    return file("ppdb.txt", PPDB)


def evaluate(call, *words: object) -> dict[str, object]:
    outcome = call("grammar", "evaluate", *words, "--format", "json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def single_lines(page: Path) -> list[list[str]]:
    """The single commands in the page."""
    [_, block] = page.read_text(encoding="utf-8").split("Commands that compute each result by itself")
    text = unescape(re.search(r"<code>(.*?)</code>", block, re.DOTALL)[1])
    return [shlex.split(line)[1:] for line in text.split("\n")]


def cell(row: dict[str, object]) -> tuple[object, object]:
    return row["frequency"], row["kind"]


def without_times(record: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in record.items() if name != "seconds"}


VARIANTS = [
    (),
    ("--case", "mixed", "--pass-through", "none", "--directions", "both", "--links", "sure"),
    ("--settings", "hiero", "--set", "nonterminals=1", "--frequencies", "1,2,3", "--lexical", "both"),
    ("--span", "4", "--start", "JJ", "--start", "X", "--max-length", "2", "--identity", "keep"),
    ("--variants", "sum", "--pass-through-gaps", "label", "--pass-through-label", "JJ"),
    ("--curve", "p(e|f)", "--sizes", "1,3", "--no-glue", "--max-items", "1000"),
]


@pytest.mark.parametrize("words", VARIANTS, ids=" ".join)
def test_every_figure_is_that_of_the_single_command(
    call, good, hand, ppdb, tmp_path, monkeypatch, words
):
    """The page lists the commands; each gives what the evaluation printed."""
    monkeypatch.chdir(tmp_path)
    results = evaluate(call, f"mine={ppdb}", "--gold", hand, "-o", "work", *words)
    extract, *others = single_lines(Path("work/report.html"))
    assert call(*extract).code == 0
    again, gold = Grammar.open("gold-again"), Grammar.open("work/gold")
    assert again.fingerprint == gold.fingerprint
    assert results["sizes"]["gold grammar"]["rules"] == len(gold)
    kinds = []
    points = []
    for command in others:
        printed = json.loads(good(*command, "--format", "json"))
        del printed["schema"], printed["paragauge"]  # they stand once in the results
        kinds.append(" ".join(command[:2]) if command[0] == "grammar" else command[0])
        if "--curve" in command:
            points += printed["curves"]
        elif kinds[-1] == "grammar overlap":
            assert {**printed, "gold": None} == {**results["overlap"], "gold": None}
        elif kinds[-1] == "grammar coverage":
            own = list(map(without_times, results["coverage"]))
            assert str(list(map(without_times, printed["coverage"]))) == str(own)
        else:
            assert printed == results["parametric"]
    assert points == results["curves"]
    whole = {row["mode"]: row for row in results["overlap"]["overlaps"] if cell(row) == (1, "all")}
    for point in points:
        assert (point["frequency"], point["gold"]) == (1, whole[point["mode"]]["gold"])
        if point["size"] == whole[point["mode"]]["resource"]:
            assert point["overlap"] == whole[point["mode"]]["overlap"]
    assert kinds == ["grammar overlap"] * 3 + ["grammar coverage", "parametric"]
    assert str(json.loads(Path("work/results.json").read_text())) == str(
        results
    )  # NaN differs from NaN


def test_sets_and_single_commands(call, good, systran_align, ppdb, file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ["A big house.\nHe bought it.\n", "A large house.\n\n", "One big home.\nHe purchased it.\n"]
    files = [word for n, text in enumerate(texts) for word in ("--sets", file(f"{n}.txt", text))]
    results = evaluate(call, ppdb, *files, "--aligner", "systran", "--empty", "skip", "-o", "work")
    assert results["coverage"][0]["pairs"] == 4
    assert results["notes"] == ["2 pairs were dropped, a side is empty."]
    command = next(words for words in single_lines(Path("work/report.html")) if "coverage" in words)
    printed = json.loads(good(*command, "--format", "json"))
    assert without_times(printed["coverage"][0]) == without_times(results["coverage"][0])


def test_it_resumes(call, hand, ppdb, tmp_path):
    words = ("grammar", "evaluate", ppdb, "--gold", hand, "-o", tmp_path / "work")
    first, second = call(*words), call(*words)
    assert first.out == second.out
    assert first.err.endswith(b"report.html: the page (11 stages run, 0 kept)\n")
    assert second.err.endswith(b"report.html: the page (0 stages run, 11 kept)\n")
    page = (tmp_path / "work" / "report.html").read_bytes()
    call(*words)
    assert (tmp_path / "work" / "report.html").read_bytes() == page


def test_a_dry_run_writes_nothing(good, call, hand, ppdb, tmp_path):
    words = ("grammar", "evaluate", ppdb, "--gold", hand, "-o", tmp_path / "work")
    planned = good(*words, "--dry-run")
    assert not (tmp_path / "work").exists()
    assert re.search(r"(?m)^gold grammar +extract the gold grammar +1 second$", planned)
    assert planned.endswith("to a factor of about three; nothing was run.\n")
    assert call(*words).code == 0
    rows = json.loads(good(*words, "--dry-run", "--format", "json"))["stages"]
    assert all(row["kept"] and row["seconds"] == 0 for row in rows)
    assert good(*words, "--dry-run", "--format", "tsv").startswith("stage\twork\tkept\tseconds\n")


def test_a_bad_resource_is_found_before_the_text_is_aligned(call, hand, file, tmp_path):
    outcome = call("grammar", "evaluate", file("r", "x y\n"), "--gold", hand, "-o", tmp_path / "work")
    assert (outcome.code, outcome.err.count(b"\n")) == (2, 1)
    assert b"r:1: expected source ||| target" in outcome.err
    assert sorted(json.loads((tmp_path / "work/stages.json").read_text())["stages"]) == ["text"]


def test_printed_tables(call, hand, ppdb, tmp_path):
    outcome = call("grammar", "evaluate", ppdb, "--gold", hand, "-o", tmp_path / "work")
    text = outcome.out.decode()
    assert "The gold grammar is from 3 sentence pairs, aligned by hand, parsed by our parser.\n" in text
    assert re.search(r"\n\d+ gold rules have the same words on both sides; resources like PPDB", text)
    assert re.search(r"(?m)^ppdb +2 \(\d+\.\d%\) ", text)
    assert re.search(r"(?m)^ppdb +4 +66\.7 +5\.0 ", text)
    assert f"|v:{__version__}" in text
    tsv = call("grammar", "evaluate", ppdb, "--gold", hand, "-o", tmp_path / "work", "-f", "tsv")
    rows = [line.split("\t") for line in tsv.out.decode().splitlines()]
    assert rows[0] == ["resource", "measure", "mode", "frequency", "kind", "size", "value"]
    assert ["ppdb", "overlap", "strict", "1", "lexical", "", "2"] in rows
    assert ["ppdb", "covered", "", "", "", "", "2"] in rows


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "found none; give one of --pairs, --pair-file, --sets, --gold"),
        (
            ("--gold", "HAND", "--aligner", "systran"),
            "--aligner has no effect with links that are given",
        ),
        (("--gold", "HAND", "--ascending"), "--ascending needs --curve"),
        (("--gold", "HAND", "--curve", "q"), "unknown score of .*'q'; .*known: count, p\\(e\\|f\\)"),
        (("--gold", "HAND", "--tokenize", "13a"), "--tokenize 13a: links and trees are of tokens"),
        (("--gold", "HAND", "--set", "nonterminal=1"), "unknown limit 'nonterminal'"),
        (("--gold", "HAND", "--format", "yaml"), "unknown format 'yaml'"),
        (
            ("--gold", "HAND", "--output", "HAND"),
            "expected a folder for the kept evaluation, found a file",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_errors(call, hand, ppdb, tmp_path, words, message):
    words = tuple(hand if word == "HAND" else word for word in words)
    output = () if "--output" in words else ("--output", tmp_path / "work")
    outcome = call("grammar", "evaluate", ppdb, *words, *output)
    assert (outcome.code, outcome.out) == (2, b"")
    assert re.search(message, outcome.err.decode())
    assert outcome.err.count(b"\n") == 1
