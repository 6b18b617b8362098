"""`--rewrite phrases`, and `paragauge grammar pivot`, which makes rules for it."""

from __future__ import annotations

import json

import pytest

RULES = "[VP] ||| taken place ||| occurred ||| p_target=0.4 Cost=0.5\n"
REFERENCES = b"Changes have taken place.\nIt is hard.\n"
OUTPUT = b"Changes have occurred.\nIt is difficult.\n"


@pytest.fixture
def rules(file):
    return "--rewrite-model", file("rules.txt", RULES.encode())


@pytest.fixture
def inputs(file):
    return "-r", file("refs.txt", REFERENCES), "-c", file("out.txt", OUTPUT)


def test_run(good, inputs, rules, tmp_path):
    run = "rewrite", "run", *inputs, *rules
    assert good(*run, "--rewrite", "phrases") == "Changes have occurred.\nIt is hard.\n"
    both = good(
        *run, "--rewrite", "wordnet+phrases", "-o", tmp_path / "new", "--record", tmp_path / "r.jsonl"
    )
    assert (tmp_path / "new").read_bytes() == OUTPUT
    assert both.startswith("2 segments, 2 proposals: 2 accepted\nrewrite:wordnet-3.0+phrases-")
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert [(row["token"], row["last"], row["new"], row["probability"]) for row in rows] == [
        (3, 4, "occurred", 0.4),
        (3, 3, "difficult", None),
    ]


def test_settings(good, inputs, rules):
    run = "rewrite", "run", *inputs, *rules, "--rewrite", "phrases"
    new = "Changes have occurred.\nIt is hard.\n"
    assert good(*run, "--score=-Cost", "--least", "0.6") == new
    printed = good("score", *inputs, *rules, "--rewrite", "phrases", "-m", "bleu:rewrite_least=0.2")
    assert "@p_target,0.2,5|rewrite-filter:none|" in printed


def test_score(good, inputs, rules):
    content = json.loads(
        good("score", *inputs, *rules, "--rewrite", "wordnet+phrases", "--bootstrap", "0", "-f", "json")
    )
    assert "100.0" in json.dumps(content)
    assert "wordnet-3.0+phrases-" in json.dumps(content)


def test_explain(good, rules):
    texts = "--reference", "It has taken place.", "--candidate", "It occurred."
    explain = "rewrite", "explain", *texts, *rules
    printed = good(*explain, "--rewrite", "phrases")
    assert "tokens 3-4: taken place -> occurred  accepted  p 0.4\n" in printed
    printed = good(*explain, "--rewrite", "phrases+context")
    assert "accepted" not in printed
    content = json.loads(good(*explain, "--rewrite", "phrases", "-f", "json"))
    assert content["explanations"][0]["proposals"][0]["last"] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["phrases"], "phrases needs a paraphrase grammar or phrase table; build one with"),
        (["phrases", "--rewrite-model", "none"], "none: no such grammar or phrase table"),
        (["phrases", "RULES", "--least", "x"], "least: expected a probability from 0 to 1, found 'x'"),
        (["phrases", "RULES", "--least", "2"], "least: expected a probability from 0 to 1, found '2'"),
        (["phrases", "RULES", "--least", "0.9"], "rules.txt: expected rules of words"),
        (["phrases", "RULES", "--score", "p"], "rules.txt 'p'"),
        (["phrases+phrases", "RULES"], "each other part once"),
        (["wordnet", "--least", "0.5"], "rewrite=wordnet: least is for phrase rules"),
    ],
)
def test_errors(fails, inputs, rules, arguments, message):
    words = [part for argument in arguments for part in (rules if argument == "RULES" else [argument])]
    assert message in fails("rewrite", "run", *inputs, "--rewrite", *words)


def test_pivot(call, fails, file, tmp_path):
    lines = [
        "taken place ||| eu lieu ||| 0.5 1 1 1 ||| 0-0 1-1 ||| 4 2 2 |||",
        "occurred ||| eu lieu ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2 |||",
    ]
    table, grammar = tmp_path / "en-fr", tmp_path / "paraphrases"
    call("phrases", "convert", file("moses", "\n".join(lines).encode()), table)
    assert "no such folder" in fails("grammar", "pivot", tmp_path / "none", "-o", grammar)
    outcome = call("grammar", "pivot", table, "-o", grammar)
    assert (outcome.code, outcome.err.decode().splitlines()[-1]) == (0, f"{grammar}: 2 rules")
    texts = "--reference", "It has taken place.", "--candidate", "It occurred."
    outcome = call("rewrite", "explain", *texts, "--rewrite", "phrases", "--rewrite-model", grammar)
    assert b"taken place -> occurred  accepted  p 0.5" in outcome.out
