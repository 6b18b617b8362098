"""`paragauge parse` and `paragauge parser`."""

from __future__ import annotations

import json

import pytest

from paragauge.syntax.constituents import ChartParser

TREES = (
    "x\t(ROOT (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))\n"
    "x\t(ROOT (S (NP-SBJ (PRP she)) (VP (VBZ sees) (NP (PRP him))) (. .)))\n"
) * 4


@pytest.fixture
def trained(good, file, tmp_path):
    target = tmp_path / "m.bin"
    out = good("parser", "train", file("a.trees", TREES), "-o", target, "--folds", 2, "--chains", 1)
    name = ChartParser.load(target).name
    assert out == f"{name}: 4 labels, from 40 words in 8 trees, seed 7\n"
    return target


def test_parse(good):
    assert good("parse", stdin=b"She left.\n\nShe (he) left.\n").split("\n")[:2] == [
        "(ROOT (S (NP (PRP She)) (VP (VBD left)) (. .)))",
        "",
    ]
    assert good("parse", "--tokenized", stdin=b" She  left\t.\n") == (
        "(ROOT (S (NP (PRP She)) (VP (VBD left)) (. .)))\n"
    )
    assert "(-LRB- -LRB-)" in good("parse", "--tokenized", stdin=b"She ( he ) left .\n")
    assert good("parse", stdin=b"") == ""


def test_own_model(good, trained):
    tree = good("parse", "--model", trained, "--tokenized", stdin=b"the cat sees her .\n")
    assert tree == "(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (PRP her))) (. .)))\n"


def test_long_lines(call, fails, file):
    path = file("a.txt", "one\n" + "and so on " * 5 + "\n")
    assert fails("parse", path, "--longest", 9) == (
        f"{path}:2: expected sentences of at most 9 words, found 15; split it, raise --longest, or "
        "give --flat"
    )
    outcome = call("parse", path, "--longest", 9, "--flat")
    assert outcome.code == 0
    assert outcome.err == b"1 sentence of more than 9 words got flat trees\n"
    assert outcome.out.count(b"\n") == 2


def test_test(good, file, trained):
    path = file("a.trees", TREES)
    content = json.loads(good("parser", "test", path, "--model", trained, "-f", "json", "--time"))
    assert content["f1"] == content["exact"] == 100
    assert content["constituents"] == {"matching": 32, "found": 32, "right": 32}
    assert content["sentences_per_second"] > 0
    table = good("parser", "test", path, "--model", trained)
    assert "100.00" in table
    assert "8 sentences, 40 words; 32 constituents match, of 32 found and 32 right ones." in table
    assert good("parser", "test", path, "--model", trained, "-f", "tsv").startswith("f1\tprecision\t")


def test_help(good):
    text = good("parser")
    assert text == good("parser", "--help")
    assert all(f"\n  {name} " in text for name in ("train", "test"))


def test_refused(fails, file, trained, tmp_path):
    path = file("b.trees", "(S (NN a)\n(NN b)\n")
    assert fails("parser", "test", path, "--form", "lines").startswith(f"{path}:1: expected one tree")
    assert fails("parser", "train", path, "-o", path) == (
        f"--output {path}: the file is an input too; choose another name"
    )
    assert fails("parser", "train", path, "-o", tmp_path / "n", "--folds", 0, "--tagged", path) == (
        "--tagged is for the taggers of the folds, but --folds is 0; give --folds"
    )
    assert fails("parser", "train", path, "-o", tmp_path / "n", "--rate", 0).startswith(
        "rate: expected"
    )
    assert fails("parse", "--tagger", trained) == (
        f"{trained}: expected a tagger's model, found something else or a damaged one; make one with: "
        "paragauge tagger train"
    )
    assert fails("parse", "--model", path).startswith(
        f"{path}: expected a parser's model written by paragauge, found another file"
    )
