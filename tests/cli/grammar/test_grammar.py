"""`paragauge grammar` from the shell: what it prints, what it makes, what it refuses."""

from __future__ import annotations

import gzip
import json

import pytest

GOLD = """[NN] ||| answer ||| reply ||| count=3
[VB] ||| answer ||| reply ||| count=1
[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| count=2
[VP] ||| step down ||| resign ||| count=1
"""
MINE = """[NN] ||| answer ||| reply ||| Score=4.5 ||| 0-0 ||| Equivalence
[NN] ||| answer ||| response ||| Score=4 ||| 0-0 ||| Equivalence
[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1] ||| Score=3 ||| 1-2 ||| OtherRelated
"""


@pytest.fixture
def folders(call, file, tmp_path):
    for name, text in (("gold", GOLD), ("mine", MINE)):
        outcome = call("grammar", "convert", file(f"{name}.txt", text), "-o", tmp_path / name)
        assert (outcome.code, outcome.out) == (0, b"")
        assert outcome.err.decode() == f"{tmp_path / name}: {text.count(chr(10))} rules (from joshua)\n"
    return tmp_path / "gold", tmp_path / "mine"


def test_info(good, folders):
    printed = good("grammar", "info", folders[1], "--verify")
    assert printed.splitlines()[:8] == [
        f"grammar       {folders[1]}",
        "rules         3",
        "  syntactic   1",
        "  phrasal     0",
        "  lexical     2",
        "source sides  2",
        "features      1: Score",
        "entailment    yes",
    ]
    description = json.loads(good("grammar", "info", folders[0], "-f", "json"))
    assert description["kinds"] == {"lexical": 2, "phrasal": 1, "syntactic": 1}
    assert good("grammar", "info", folders[0], "-f", "tsv").startswith("name\tvalue\nrules\t4\n")


def test_overlap(good, folders):
    printed = good("grammar", "overlap", f"PPDB={folders[1]}", "--gold", folders[0])
    tables = printed.split("\n\n")
    assert tables[0].splitlines() == [
        "grammar      freq. >= 1  freq. >= 2",
        "gold (gold)           4           2",
        "PPDB          1 (25.0%)   1 (50.0%)",
    ]
    assert tables[1] == "Strict overlap: gold rules in each grammar, and their share of all of them."
    assert tables[2].splitlines()[2] == "PPDB          2 (66.7%)  2 (100.0%)"
    assert tables[4].splitlines() == [
        "grammar      syntactic   phrasal    lexical",
        "gold (gold)          1         1          2",
        "PPDB          0 (0.0%)  0 (0.0%)  1 (50.0%)",
    ]
    assert "PPDB     non-strict         2      3     2     2     66.67%  100.00%\n" in printed
    rows = json.loads(good("grammar", "overlap", folders[1], "-g", folders[0], "-f", "json"))
    assert rows["overlaps"][0] == {
        "name": "mine",
        "mode": "strict",
        "frequency": 1,
        "kind": "all",
        "gold": 4,
        "resource": 3,
        "overlap": 1,
        "precision": 1 / 3,
        "recall": 0.25,
    }
    summed = good("grammar", "overlap", folders[1], "-g", folders[0], "--variants", "sum")
    assert summed.count(" A rule is as frequent as its label variants together.\n") == 1
    assert "label variants" not in printed
    tsv = good("grammar", "overlap", folders[1], "-g", folders[0], "-f", "tsv", "--mode", "strict")
    assert tsv.splitlines()[1] == f"mine\tstrict\t1\tall\t4\t3\t1\t{1 / 3!r}\t0.25"
    assert len(tsv.splitlines()) == 9


def test_curve(good, fails, folders, tmp_path):
    arguments = ("grammar", "overlap", folders[1], "-g", folders[0], "--curve", "Score")
    printed = good(*arguments, "--mode", "non-strict", "--sizes", 3, "--plot", tmp_path / "c.svg")
    assert printed == (
        "grammar  rules  both  precision  recall\n"
        "mine         1     1    100.00%  33.33%\n"
        "mine         2     1     50.00%  33.33%\n"
        "mine         3     2     66.67%  66.67%\n"
        "\n"
        "The best rules by Score; non-strict overlap with 3 gold rules of freq. >= 1.\n"
        "Precision is a lower bound and recall is relative.\n"
    )
    assert (tmp_path / "c.svg").read_text().rstrip().endswith("</svg>")
    tsv = good(*arguments, "--sizes", "1,3", "--ascending", "-f", "tsv").splitlines()
    assert [line.split("\t")[4:6] for line in tsv] == [["size", "overlap"], ["1", "0"], ["3", "1"]]
    assert "--plot needs --curve" in fails(*arguments[:5], "--plot", "x.svg")
    assert "--sizes 1,x: expected whole numbers" in fails(*arguments, "--sizes", "1,x")
    assert "unknown score of" in fails(*arguments[:6], "Scores")


def test_prune(call, good, fails, folders, tmp_path):
    outcome = call(
        *("grammar", "prune", folders[0], "--score", "count", "--variants", 1, "-o", tmp_path / "p")
    )
    assert outcome.err.decode() == f"{tmp_path / 'p'}: 3 of 4 rules\n"
    assert "pruned from   gold, 4 rules: score count, variants 1" in good(
        "grammar", "info", tmp_path / "p"
    )
    assert "expected a way to prune" in fails("grammar", "prune", folders[0], "-o", tmp_path / "q")
    assert not (tmp_path / "q").exists()


def test_to_text(call, fails, folders, tmp_path):
    relations = "; entailment relations left out"
    for form, line, left in (
        ("ppdb", MINE.splitlines()[0], ""),
        ("joshua", "[NN] ||| answer ||| reply ||| Score=4.5 ||| 0-0", relations),
        (
            "moses-rules",
            "answer [X] ||| reply [NN] ||| 4.5 ||| 0-0 ||| |||",
            f"; names of features left out{relations}",
        ),
    ):
        output = tmp_path / f"{form}.gz"
        outcome = call("grammar", "convert", folders[1], "--to", form, "-o", output)
        assert outcome.err.decode() == f"{output}: 3 rules ({form}){left}\n"
        assert line in gzip.decompress(output.read_bytes()).decode().splitlines()
    message = fails("grammar", "convert", folders[1], "--to", "moses", "-o", tmp_path / "m")
    assert "rule \"[X] ||| [X,1] 's" in message
    assert "a phrase table cannot hold non-terminals" in message
    assert not (tmp_path / "m").exists()


def test_bad_input(call, fails, file, folders, tmp_path):
    path = file("bad.txt", MINE + "nonsense\n[X] ||| a\n" + MINE)
    assert f"{path}:4: expected three to six fields" in fails(
        "grammar", "convert", path, "-o", tmp_path / "b"
    )
    assert not (tmp_path / "b").exists()
    skipping = ("grammar", "convert", path, "-o", tmp_path / "b", "--on-error", "skip")
    assert f"{path}:8: expected each rule once" in fails(*skipping)
    outcome = call(*skipping, "--duplicates", "first")
    assert outcome.err.decode() == (
        f"{tmp_path / 'b'}: 3 rules (from joshua); 2 bad lines of bad.txt left out (4, 5); "
        "3 repeated rules left out\n"
    )
    for arguments, message in (
        (
            ("convert", *folders, "-o", tmp_path / "x"),
            "expected one grammar's folder, or text files only",
        ),
        (("convert", folders[0], "--from", "ppdb", "-o", tmp_path / "x"), "needs text files as INPUT"),
        (("convert", folders[0], "-o", folders[0] / "rules.parquet"), "the folder is an input"),
        (("coverage", folders[0], "--pairs", path, "--per-pair", folders[0] / "x"), "is an input"),
        (
            ("overlap", folders[1], "--gold", folders[0], "--curve", "count", "--sizes", "9" * 20),
            "sizes: expected a number of steps from 1 to 1000",
        ),
        (
            ("convert", path, "--to", "ppdb", "-o", tmp_path / "x"),
            "--to needs a grammar's folder as INPUT",
        ),
        (("convert", path, "-o", "-"), "--output -: standard output is not a folder; name one"),
        (("convert", path, "--from", "xml", "-o", tmp_path / "x"), "unknown format of grammars 'xml'"),
        (("convert", path, "-o", path), "expected a folder for the grammar, found a file"),
        (
            ("info", path),
            "bad.txt:4: expected three to six fields, [LHS] ||| source ||| target",
        ),
        (("overlap", folders[0], "-g", tmp_path / "none"), "no such folder"),
        (
            ("overlap", folders[0], "-g", folders[1], "--frequencies", "1,2"),
            "expected counts to tell rules of frequency 2 apart",
        ),
        (
            ("overlap", folders[0], folders[0], "-g", folders[0]),
            "two grammars are called 'gold'",
        ),
        (("overlap", folders[0], "-g", folders[0], "--mode", "x"), "unknown kind of overlap 'x'"),
        (
            ("overlap", folders[0], "-g", folders[0], "--mode", "strict", "--variants", "sum"),
            "--variants needs --mode non-strict or both",
        ),
        (
            ("overlap", folders[0], "-g", folders[0], "--curve", "count", "--variants", "sum"),
            "--variants needs --mode non-strict;",
        ),
        (
            ("overlap", folders[1], "-g", folders[0], "--curve", "Score", "--lexical", "both"),
            "--lexical has no effect with --curve; leave one of them out",
        ),
        (
            ("overlap", folders[1], "-g", folders[0], "--curve", "Score", "--frequencies", "1,2"),
            "--frequencies: expected one number with --curve, found 2; give one",
        ),
        (
            ("prune", folders[0], "--ascending", "--min-count", 2, "-o", tmp_path / "x"),
            "--ascending needs --score; give it too, or leave --ascending out",
        ),
        (
            ("prune", folders[0], "--lexical", "both", "--min-count", 2, "-o", tmp_path / "x"),
            "--lexical needs --kinds; give it too, or leave --lexical out",
        ),
    ):
        assert message in fails("grammar", *arguments)
    assert not (tmp_path / "x").exists()


def test_gold_without_counts(good, call, file, tmp_path):
    text = file("g.txt", "[X] ||| a ||| b\n[X] ||| c ||| d ||| count=2\n")
    assert call("grammar", "convert", text, "-o", tmp_path / "g").code == 0
    printed = good("grammar", "overlap", tmp_path / "g", "-g", tmp_path / "g")
    assert "freq. >= 1\n" in printed
    assert "freq. >= 2" not in printed
    assert printed.endswith("\n1 gold rule has no count, so each counts as extracted once.\n")
    curve = good("grammar", "overlap", tmp_path / "g", "-g", tmp_path / "g", "--curve", "count")
    assert "with 2 gold rules of freq. >= 1" in curve


def test_signs_in_tables(good, folders):
    for form, sign in (("markdown", "freq. >= 1 |"), ("latex", r"freq. $\geq$ 1 &")):
        assert sign in good("grammar", "overlap", folders[1], "-g", folders[0], "-f", form)


def test_settings_are_shown_as_people_write_them(good, call, file, tmp_path):
    options = [file("p", "a\tb\n"), "-a", file("l", "0-0\n"), "--settings", "hiero"]
    assert call("grammar", "extract", *options, "-o", tmp_path / "g").code == 0
    printed = dict(
        line.split(maxsplit=1) if line[0] != " " else ("", "")
        for line in good("grammar", "info", tmp_path / "g").replace(" phrase ", "_phrase ").splitlines()
    )
    assert (printed["tokenize"], printed["adjacent"], printed["identity"]) == (
        "blanks, blanks",
        "no",
        "yes",
    )
    text = good("grammar", "info", tmp_path / "g")
    for name in ("True", "False", "None", "["):
        assert name not in text
    assert call("grammar", "prune", tmp_path / "g", "-o", tmp_path / "h", "--min-count", 1).code == 0
    assert "1 rule: " in good("grammar", "info", tmp_path / "h")


def test_lines_that_are_not_utf8_are_left_out(call, fails, file, tmp_path):
    rules = b"[X] ||| \xe9 ||| b\n[X] ||| a ||| b\n[X] ||| c ||| \xff\xfe\n[X] ||| c ||| d\n"
    path, target = file("latin.txt", rules), tmp_path / "g"
    message = f"{path}:1: expected UTF-8 text, found byte 0xe9"
    assert fails("grammar", "convert", path, "-o", target).startswith(message)
    outcome = call("grammar", "convert", path, "-o", target, "--on-error", "skip")
    assert outcome.err.decode() == (
        f"{target}: 2 rules (from joshua); 2 bad lines of latin.txt left out (1, 3)\n"
    )


def test_features_by_position_are_numbers(call, fails, file, tmp_path):
    named = file("named.txt", "[X] ||| a ||| b ||| p=NA q=1\n")
    assert call("grammar", "convert", named, "-o", tmp_path / "g").code == 0
    bare = file("bare.txt", "[X] ||| a ||| b ||| NA 1\n")
    assert "expected features such as p=0.5 or numbers, found 'NA'" in fails(
        "grammar", "convert", bare, "-o", tmp_path / "h"
    )


def test_a_grammar_without_features(call, fails, file, tmp_path):
    path = file("bare.txt", "[X] ||| a ||| b\n")
    assert call("grammar", "convert", path, "-o", tmp_path / "g").code == 0
    options = "--source", "a", "--target", "b", "--cost", "p"
    assert fails("grammar", "derive", tmp_path / "g", *options).endswith("'p'; there are none")


def test_memory_beyond_all_bounds(fails, file, tmp_path):
    path = file("a.txt", "[X] ||| a ||| b\n")
    assert fails("grammar", "convert", path, "-o", tmp_path / "g", "--memory", "99999999999GB") == (
        "memory: expected at most 1000TB, found '99999999999GB'"
    )
