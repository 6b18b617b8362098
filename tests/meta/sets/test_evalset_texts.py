"""Evaluation sets with texts and scores from other files."""

from __future__ import annotations

import json

import numpy as np

from paragauge import PINC, correlate
from paragauge.meta.correlation.correlation import CorrelationSettings
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import build
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_part import EvalSetPart
from paragauge.meta.sets.evalset_texts import read_outputs, with_corpus, with_outputs, with_scores
from paragauge.text.corpus import Corpus
from paragauge.text.rated_pairs import SegmentRange
from tests.meta.sets.evalset_content import message


def rated() -> EvalSet:
    rows = [(s, name, "A", {"o": 1.0}) for s in ("1", "2") for name in ("a", "b")]
    return build(rows)


def outputs(table, *rows):
    return table("".join(json.dumps(row) + "\n" for row in rows), "out.jsonl")


def test_with_outputs(table):
    path = outputs(
        table,
        {"segment": 1, "source": "s1", "reference": "r1", "systems": {"a": "a1", "b": "b1", "c": "c1"}},
        {"segment": 2, "source": "s2", "reference": ["r2", "q2"], "systems": {"a": "a2", "b": "b2"}},
    )
    assert message(with_outputs, rated(), read_outputs({"": path})).startswith(
        "1 system of the outputs is not in the ratings: c; name them alike"
    )
    judged = with_outputs(rated(), read_outputs({"": path}), allow_missing=True)
    assert judged.notes == ("1 system of the outputs is not in the ratings: c",)
    assert judged.candidates == ("a1", "b1", "a2", "b2")
    assert judged.sources == (("s1",), ("s2",))
    assert judged.references == (("r1",), ("r2", "q2"))


def test_outputs_that_lack_something(table):
    one = {"segment": 1, "systems": {"a": "x", "b": "y"}}
    texts = read_outputs({"": outputs(table, one)})
    assert message(with_outputs, rated(), texts).startswith(
        "1 segment of the ratings is not in the outputs: 2; name them alike"
    )
    judged = with_outputs(rated(), texts, allow_missing=True)
    assert (judged.candidates, judged.left_out) == (("x", "y"), {"no text": 2})
    two = {"segment": 2, "systems": {"a": "x"}}
    assert message(with_outputs, rated(), read_outputs({"": outputs(table, one, two)})) == (
        "segment '2' of group '': unknown system 'b'; known: a"
    )
    path = outputs(table, {"segment": 1, "systems": ["x"]})
    assert message(read_outputs, {"": path}) == (
        f"{path}:1: column 'systems': expected an object of system and candidate"
    )
    path = outputs(table, one, one)
    assert message(read_outputs, {"": path}) == f"{path}:2: segment '1' stands twice; rename one"
    path = outputs(table, {"segment": 1})
    assert message(read_outputs, {"": path}).startswith(f"{path}: unknown column 'systems'")


def test_shared_ratings_need_shared_texts(table):
    shared = read_evalset(table("segment\tsystem\to\n1\ta|b\t1\n"))
    texts = read_outputs({"": outputs(table, {"segment": 1, "systems": {"a": "x", "b": "y"}})})
    assert message(with_outputs, shared, texts) == (
        "segment '1': systems that share a rating wrote different texts"
    )
    nameless = read_evalset(table("segment\to\n1\t1\n"))
    assert message(with_outputs, nameless, texts).startswith("segment '1': a rating names no system")


def corpus(tmp_path, **files):
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    systems = {name: tmp_path / name for name in files if name not in ("src", "ref")}
    more = {
        what: [tmp_path / name]
        for what, name in (("sources", "src"), ("references", "ref"))
        if name in files
    }
    return Corpus(systems, **more)


def test_with_corpus(tmp_path):
    files = corpus(tmp_path, a=["a1", "a2", "a3"], src=["s1", "s2", "s3"], ref=["r1\tq1", "r2", "r3"])
    assert message(with_corpus, rated(), files).startswith(
        "1 system of the ratings is not in the files: b; name them alike"
    )
    part = EvalSetPart(frozenset({"b"}), SegmentRange(1, 2))
    assert with_corpus(part.of(rated()), files, part=part).notes == ()
    judged = with_corpus(rated(), files, allow_missing=True)
    assert judged.notes == (
        "1 system of the ratings is not in the files: b",
        "1 segment of the files is not in the ratings: 3",
    )
    assert judged.left_out == {"no text": 2}
    assert judged.systems == ("a",)  # there is no text of b
    assert judged.candidates == ("a1", "a2")
    assert judged.sources == (("s1",), ("s2",))
    assert judged.references == (("r1", "q1"), ("r2",))
    assert judged.score_with({"pinc": PINC()}).scores["pinc"].values.tolist() == [100, 100]


def test_candidates_that_nobody_rated_are_counted(tmp_path, table):
    texts = corpus(tmp_path, a=["a1", "a2"], b=["b1", "b2"])
    rows = read_evalset(table("segment\tsystem\to\tp\n1\ta\t1\t1\n2\ta\t2\t3\n2\tb\t\t2\n"))
    judged = with_corpus(rows, texts)
    assert judged.candidates == ("a1", "a2", "b2")
    assert judged.left_out == {"no rating": 1}  # b1; b2 is counted where ratings are taken
    settings = CorrelationSettings(view="pooled", test="none", bootstrap=0)
    assert correlate(judged, "o", ["p"], settings).left_out == {"no rating": 2}


def test_with_corpus_errors(tmp_path, table):
    files = corpus(tmp_path, a=["x"], b=["y"])
    assert message(with_corpus, rated(), files).startswith(
        "1 segment of the ratings is not in the files: 2; name them alike"
    )
    assert with_corpus(rated(), files, allow_missing=True).candidates == ("x", "y")
    assert message(with_corpus, rated(), corpus(tmp_path, A=["x"])).startswith(
        "the ratings are of none of the systems given: unknown system 'a'"
    )
    named = build([("one", "a", "A", {"o": 1.0})])
    assert message(with_corpus, named, corpus(tmp_path, a=["x"])).startswith(
        "segment 'one': expected a line number"
    )
    shared = read_evalset(table("segment\tsystem\to\n1\ta|b\t1\n"))
    assert message(with_corpus, shared, corpus(tmp_path, a=["x"], b=["y"])) == (
        "segment 1: systems that share a rating wrote different texts"
    )
    grouped = read_evalset(table("group\tsegment\tsystem\to\ng\t1\ta\t1\nh\t1\ta\t1\n"))
    assert message(with_corpus, grouped, corpus(tmp_path, a=["x"])).startswith(
        "the ratings have 2 groups"
    )
    partly = read_evalset(table("segment\tsystem\tcandidate\to\n1\ta\tx\t1\n1\t\tz\t1\n"))
    assert message(with_corpus, partly, corpus(tmp_path, a=["x"])).startswith(
        "segment '1': a rating names no system"
    )


def test_with_scores(table):
    path = table("segment\tsystem\tpinc\tmetric:x\n1\ta\t50\t1\n2\tb\t25\t\n9\ta\t1\t1\n", "s.tsv")
    assert message(with_scores, rated(), path).startswith(
        f"1 segment of {path} is not in the ratings: 9; name them alike"
    )
    judged = with_scores(rated(), path, allow_missing=True)
    np.testing.assert_equal(judged.scores["pinc"].values, [50, np.nan, np.nan, 25])
    np.testing.assert_equal(judged.scores["x"].values, [1, np.nan, np.nan, np.nan])


def test_with_scores_errors(table):
    path = table("segment\tpinc\n1\t5\n", "s.tsv")
    assert message(with_scores, rated(), path).startswith(f"{path}: unknown column 'system'")
    path = table("segment\tsystem\tpinc\n9\ta\t5\n", "s.tsv")
    assert message(with_scores, rated(), path) == (
        f"{path}: none of its rows is of a candidate that was rated"
    )
    path = table("segment\tsystem\tpinc\n1\ta\t5\n1\ta\t6\n", "s.tsv")
    assert message(with_scores, rated(), path) == f"{path}:3: metric 'pinc' has two scores, 5 and 6"
