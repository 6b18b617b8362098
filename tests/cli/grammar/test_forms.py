"""Every command that takes a grammar reads a text file as it reads the folder made from that file."""

from __future__ import annotations

import pytest

from paragauge.grammar.grammar_folder import Grammar

RULES = (
    "[NP] ||| the [NN,1] ||| a [NN,1] ||| p=0.5 count=2\n"
    "[JJ] ||| big ||| large ||| p=0.7 count=3\n"
    "[NN] ||| big dog ||| hound ||| p=0.2 count=1\n"
)


@pytest.fixture
def forms(call, file, tmp_path):
    """A text file, and the folder made from it."""
    path = file("mine.txt", RULES)
    assert call("grammar", "convert", path, "--output", tmp_path / "mine").code == 0
    return path, tmp_path / "mine"


@pytest.mark.parametrize("mode", [(), ("--curve", "p")], ids=["tables", "curve"])
def test_overlap(good, forms, mode):
    text, folder = forms
    expected = good("grammar", "overlap", folder, "--gold", folder, *mode)
    assert good("grammar", "overlap", text, "--gold", text, *mode) == expected
    assert good("grammar", "overlap", text, "--gold", folder, *mode) == expected
    assert "100.0%" in expected or "100.00%" in expected


def test_standard_input(good, forms):
    text, folder = forms
    printed = good("grammar", "overlap", "a=-", "--gold", folder, stdin=text.read_bytes())
    assert printed == good("grammar", "overlap", f"a={folder}", "--gold", folder)


def test_info(good, forms):
    text, folder = forms
    lines = [good("grammar", "info", path).splitlines() for path in forms]
    assert lines[0][0].split() == ["grammar", str(text)]
    assert [line.split() for line in lines[0][1:]] == [line.split() for line in lines[1][1:]]
    assert good("grammar", "info", text, "--verify", "-f", "json") == good(
        "grammar", "info", folder, "-f", "json"
    )


def test_prune(call, forms, tmp_path):
    pruned = []
    for number, path in enumerate(forms):
        outcome = call(
            "grammar", "prune", path, "--score", "p", "--top", 2, "-o", tmp_path / str(number)
        )
        assert outcome.err.endswith(b": 2 of 3 rules\n")
        pruned.append(Grammar.open(tmp_path / str(number)).fingerprint)
    assert pruned[0] == pruned[1]


def test_parametric(good, forms, file):
    text, folder = forms
    gold = file(
        "gold.jsonl", '{"source": "big dog", "target": "large dog", "sure": [[0, 0], [1, 1]]}\n'
    )
    printed = good("parametric", text, "--gold", gold)
    assert printed == good("parametric", folder, "--gold", gold)
    assert "mine          50.00" in printed


def test_extract_reads_bars(call, file, tmp_path):
    """Pairs with bars, with tabs, and with both give the same rules as two files."""
    links = file("links", "0-0 1-1\n0-0\n")
    inputs = {
        "files": (file("a", "big dog\nyes\n"), file("b", "large dog\nyeah\n")),
        "bars": (file("bars", "big dog ||| large dog\nyes ||| yeah\n"),),
        "both": (file("both", "big dog\tlarge dog\nyes ||| yeah\n"),),
    }
    rules = set()
    for name, paths in inputs.items():
        words = ("--alignment", links, "--settings", "hiero", "-o", tmp_path / f"{name}.g")
        assert call("grammar", "extract", *paths, *words).code == 0
        rules.add(Grammar.open(tmp_path / f"{name}.g").fingerprint)
    assert len(rules) == 1


def test_repeated_rules_name_the_way_out(fails, file, forms):
    twice = file("twice.txt", "[X] ||| a ||| b\n[X] ||| a ||| b\n")
    message = fails("grammar", "overlap", twice, "--gold", forms[1])
    assert "twice.txt:2: expected each rule once" in message
    assert message.endswith("with --duplicates first of grammar convert or evaluate")
