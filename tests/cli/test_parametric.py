"""`paragauge parametric` from the shell."""

from __future__ import annotations

import gzip
import json
import os
import threading

import pytest

GOLD = [
    {"source": "He stepped down", "target": "He resigned", "sure": [[0, 0], [1, 1]], "poss": [[2, 1]]},
    {"source": "the answer", "target": "a reply", "sure": [[0, 0], [1, 1]], "poss": []},
]


@pytest.fixture
def gold(file):
    return file("gold.jsonl", "".join(json.dumps(row) + "\n" for row in GOLD))


@pytest.fixture
def grammar(call, file, tmp_path):
    rules = "[VP] ||| stepped down ||| resigned\n[NN] ||| answer ||| reply\n[NN] ||| answer ||| key\n"
    rules += "[NP] ||| the [NN,1] ||| a [NN,1]\n"
    assert call("grammar", "convert", file("g.txt", rules), "-o", tmp_path / "g").code == 0
    return tmp_path / "g"


def test_a_grammar(good, gold, grammar):
    # Gold pairs: stepped down / resigned, the whole first pair, the / a, answer / reply, the second.
    assert good("parametric", grammar, "--gold", gold) == (
        "          over pairs         mean of phrases    all pairs\n"
        "resource  precision  recall  precision  recall  precision  pairs  both\n"
        "g             66.67   40.00      75.00   40.00      66.67      3     2\n"
        "\n"
        "Gold: 5 pairs of 5 phrases of at most 7 words, without identical pairs.\n"
        "Precision is a lower bound, over phrases with gold paraphrases or all; recall is relative.\n"
    )
    sure = json.loads(good("parametric", grammar, "-g", gold, "--links", "sure", "-f", "json"))
    assert sure["resources"][0]["gold"] > 5  # unaligned words extend phrases
    assert sure["settings"] == {
        "max_length": 7,
        "identity": "drop",
        "directions": "given",
        "links": "sure",
        "case": "mixed",
    }
    lowercased = json.loads(good("parametric", grammar, "-g", gold, "--case", "lower", "-f", "json"))
    assert lowercased["resources"][0]["both"] == 2


def test_alignments_and_text(good, file, tmp_path):
    links = file("gold.txt", "0-0 1-1 2p1\n0-0 1-1\n")
    source = file("a.txt", "".join(f"{row['source']}\n" for row in GOLD))
    target = file("b.txt", "".join(f"{row['target']}\n" for row in GOLD))
    mine = file("mine.txt", "0-0 1-1 2-1\n0-1 1-0\n")
    printed = good("parametric", "-g", links, "--text", source, target, "-a", f"mine={mine}")
    assert printed == (
        "           word links                phrase pairs\n"
        "alignment  precision  recall     F1  precision  recall     F1  phrase pairs\n"
        "mine           60.00   50.00  54.55      66.67   66.67  66.67             6\n"
        "\n"
        "6 phrase pairs are consistent with the hand alignment.\n"
    )
    tsv = good("parametric", "-g", links, "--text", source, target, "-a", mine, "-f", "tsv")
    assert tsv.splitlines()[1].startswith("mine\t0.6\t0.5\t")


def test_gold_is_known_by_its_content(call, good, gold, grammar, tmp_path):
    expected = good("parametric", grammar, "--gold", gold)
    text = gold.read_bytes()
    for content in (text, b"\xef\xbb\xbf" + text, gzip.compress(text)):
        assert good("parametric", grammar, "--gold", "-", stdin=content) == expected
        (tmp_path / "gold").write_bytes(content)
        assert good("parametric", grammar, "--gold", tmp_path / "gold") == expected
    assert call("parametric", grammar, "--gold", "-", stdin=text[:30]).err.startswith(
        b"paragauge: error: <stdin>:1: expected a JSON object, found bad JSON"
    )
    links, source, target = (tmp_path / name for name in "lst")
    links.write_text("0-0\n")
    source.write_text("a\n")
    target.write_text("b\n")
    texts = "--text", source, target
    pharaoh = good("parametric", grammar, "--gold", "-", *texts, stdin=b"0-0\n")
    assert pharaoh == good("parametric", grammar, "--gold", links, *texts)


def test_gold_from_a_pipe(good, gold, grammar, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gold.read_bytes(),))
    writer.start()
    text = good("parametric", grammar, "--gold", pipe)
    writer.join()
    assert text == good("parametric", grammar, "--gold", gold)


def test_bad_input(fails, file, gold, grammar, tmp_path):
    (tmp_path / "empty").mkdir()
    short = file("short.txt", "0-0\n")
    for arguments, message in (
        ((), "expected a phrase table, a grammar or an --alignment to score, found none"),
        ((tmp_path / "empty",), "found a folder without phrase-table.json and without grammar.json"),
        ((tmp_path / "none",), "no such folder"),
        (("-a", short), "short.txt has 1 line, but there are at least 2 sentence pairs"),
        ((grammar, "--links", "x"), "unknown value of links 'x'"),
        ((grammar, "--text", "a", "b"), "--text needs --gold in Pharaoh format"),
    ):
        assert message in fails("parametric", "--gold", gold, *arguments)
    assert "needs --text SOURCE TARGET" in fails("parametric", "--gold", short, "-a", short)
