"""`paragauge rewrite differences`."""

from __future__ import annotations

import json

import pytest

from paragauge.rewrite.evaluation.reference_differences import differences

REFERENCES = b"It is hard.\tIt is difficult.\tIt is hard.\nOne.\n"


def test_counts(good, file):
    path = file("refs.tsv", REFERENCES)
    text = good("rewrite", "differences", "-r", path, "--least", 1)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "pairs of references 3" in lines
    assert "identical 1 33.3 %" in lines
    assert "differ in at least 1 word 2 66.7 %" in lines
    assert "have synonyms among the words that differ 2 66.7 %" in lines
    assert "those with a synonym in the other, mean 1.33 100.0 %" in lines
    assert "1 segments have fewer than two references and no pair." in lines


def test_files_side_by_side_are_references_of_the_same_segment(good, file):
    one, two = file("a.txt", b"It is hard.\nyes\n"), file("b.txt", b"It is difficult.\nno\n")
    record = json.loads(good("rewrite", "differences", "-r", one, "-r", two, "-f", "json"))
    assert (record["pairs"], record["identical"], record["with_synonyms"]) == (2, 0, 1)


def test_equals_the_library(good, examples):
    path = examples / "references.tsv"
    record = json.loads(good("rewrite", "differences", "-r", path, "-f", "json"))
    groups = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    counts = differences([[text for text in group if text] for group in groups])
    assert record["pairs"] == counts.pairs > 100
    assert record["at_least"] == counts.at_least
    assert record["mean_edits"] == pytest.approx(counts.edits.mean())
    rows = good("rewrite", "differences", "-r", path, "-f", "tsv").splitlines()
    assert rows[0] == "count\tpairs\tshare\tmean"
    assert rows[1] == f"pairs of references\t{counts.pairs}\t1.0\t"


def test_errors(fails, file):
    assert fails("rewrite", "differences") == "expected references, found none; give -r"
    assert "expected at least two references of some segment, found one of each" in fails(
        "rewrite", "differences", "-r", file("one.txt", b"a\nb\n")
    )
    assert "unknown format 'html'" in fails(
        "rewrite", "differences", "-r", file("r.tsv", REFERENCES), "-f", "html"
    )
