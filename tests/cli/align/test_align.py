"""`paragauge align`: run, symmetrize and score."""

from __future__ import annotations

import json

import pytest

needs_systran = pytest.mark.usefixtures("systran_align")


def test_help(good):
    text = good("align")
    assert text == good("align", "--help")
    assert all(f"\n  {name} " in text for name in ("run", "symmetrize", "score"))


@needs_systran
def test_run(run, file, tmp_path):
    english, french = file("a.en", "The house\n\nthe book\n"), file("a.fr", "La maison\nx\nle livre\n")
    target = tmp_path / "links.txt"
    arguments = ("align", "run", english, french, "--case", "lower", "-a", "systran")
    ended = run(*arguments, "--empty", "keep", "-o", target)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == b""
    lines = target.read_text().split("\n")
    assert len(lines) == 4
    assert lines[1] == lines[3] == ""
    assert lines[0] == "0-0 1-1"
    assert b", its own symmetric links: 4 links in 3 pairs\n" in ended.stderr
    table = file("a.tsv", "x\tThe house.\tLa maison.\nx\tthe book\tle livre\ny\t\tz\n")
    ended = run(
        "align", "run", table, "--columns", "2,3", "-t", "13a", "-a", "systran", "--empty", "skip"
    )
    assert ended.stdout.count(b"\n") == 3
    assert ended.stdout.endswith(b"\n\n")
    assert ended.stderr.endswith(
        b" in 2 pairs; 1 pair with an empty side dropped, written as empty lines\n"
    )


def test_run_refuses(fails, file, tmp_path):
    english, french = file("a.en", "a\nb\n"), file("a.fr", "c\n")
    assert fails("align", "run", english, french, "-a", "systran") == (
        f"{french} has 1 line but {english} has 2; expected equally many; "
        f"line 2 is the first that {french} lacks"
    )
    assert fails("align", "run", english, "-a", "giza").startswith(
        "unknown aligner 'giza'; known: auto, "
    )
    assert fails("align", "run", english, "--heuristic", "gdfa").startswith(
        "unknown heuristic 'gdfa'; "
    )
    assert fails("align", "run", english, "--columns", "1;2") == (
        "--columns: expected two numbers such as 1,2, found '1;2'"
    )
    assert fails("align", "run", english, "--columns", "1,1").startswith(
        "columns: expected two different"
    )
    assert fails("align", "run", english, french, "--columns", "2,1") == (
        "--columns needs a single TSV file; give it too, or leave --columns out"
    )
    assert fails("align", "run", english, french, "-t", "13a,zh,char") == (
        "--tokenize: expected one name, or two such as 13a,zh, found '13a,zh,char'"
    )
    assert fails("align", "run", english, french, "-o", english) == (
        f"--output {english}: the file is an input too; choose another name"
    )
    assert fails("align", "run", english, english, "-a", "systran", "--heuristic", "union").endswith(
        "gives links that are symmetric already, so 'union' cannot be applied; "
        "leave the heuristic out, or use eflomal"
    )


def test_symmetrize(good, file, tmp_path):
    forward, reverse = file("f.txt", "0-0 1-1\n\n"), file("r.txt", "0-0 1-2\n2-2\n")
    assert good("align", "symmetrize", forward, reverse) == "0-0 1-1 1-2\n2-2\n"
    assert good("align", "symmetrize", forward, reverse, "--heuristic", "intersection") == "0-0\n\n"
    target = tmp_path / "out.txt"
    assert good("align", "symmetrize", forward, "-", "-o", target, stdin=b"0-0\n0-0\n") == ""
    assert target.read_text() == "0-0 1-1\n0-0\n"


def test_symmetrize_refuses(fails, file, tmp_path):
    forward, reverse = file("f.txt", "0-0\n"), file("r.txt", "0-0\n1-1\n")
    assert fails("align", "symmetrize", forward, reverse) == (
        f"{forward} has 1 line but {reverse} has 2; expected equally many"
    )
    assert fails("align", "symmetrize", "-", "-").startswith(
        "standard input (-) can serve one input only"
    )
    assert fails(
        "align", "symmetrize", forward, file("x", "0-0 1:1\n"), "-o", tmp_path / "o"
    ).startswith(f"{tmp_path / 'x'}:1: expected links such as 0-0 1-2, found '1:1'; ")
    assert not (tmp_path / "o").exists()


def test_score(good, file):
    links, gold = file("a.txt", "0-0 1-1 2-2\n3-3\n"), file("g.txt", "0-0 1-1 2p2\n4-4\n")
    other = file("b.txt", "0-0\n\n")
    # A&S = 2, A&P = 3, |A| = 4, |S| = 3: AER 1 - 5/7; and 1, 1, 1, 3: 1 - 2/4.
    assert good("align", "score", links, other, "--gold", gold).splitlines()[1:3] == [
        f"{links}  28.57      75.00   66.67  70.59      4",
        f"{other}  50.00     100.00   33.33  50.00      1",
    ]
    record = json.loads(good("align", "score", links, "-g", gold, "-f", "json"))["alignments"][0]
    assert record["aer"] == 1 - 5 / 7
    assert [record[name] for name in ("pairs", "links", "sure", "possible")] == [2, 4, 3, 4]
    rows = good("align", "score", links, "-g", gold, "-f", "tsv", "--all-sure").splitlines()
    assert rows[0].split("\t")[:3] == ["alignment", "aer", "precision"]
    assert float(rows[1].split("\t")[1]) == 1 - 6 / 8
    none = file("n.txt", "\n\n")
    assert good("align", "score", none, "-g", gold).splitlines()[1].split()[1:] == [
        "100.00",
        "-",
        "0.00",
        "-",
        "0",
    ]


def test_score_checks_links_against_the_text(good, fails, file, tmp_path):
    gold = file("g.jsonl", '{"source": "a b", "target": "c", "sure": [[0, 0]]}\n')
    assert "0.00     100.00  100.00" in good("align", "score", file("a.txt", "0-0\n"), "--gold", gold)
    assert fails("align", "score", file("b.txt", "0-1\n"), "--gold", gold).startswith(
        f"{tmp_path / 'b.txt'}:1: link 0-1, but the target has 1 token; "
    )
    plain = file("g.txt", "0-0\n")
    assert fails("align", "score", file("c.txt", "0-0\n\n"), "--gold", plain) == (
        f"{tmp_path / 'c.txt'} has 2 lines but {plain} has 1 pair; expected equally many"
    )
