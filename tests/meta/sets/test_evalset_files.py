"""Reading evaluation sets: every format, errors, and any bytes."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.errors import ParagaugeError
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import read_outputs, with_outputs
from tests.meta.sets.evalset_content import message


def test_ratings(table):
    path = table(
        "segment\tsystem\tjudge\toverall\tfluency\n1\ta\tA\t4\t5\n1\ta\tB\t2\t\n1\tb|c\tA\tNA\t1\n2\ta\tA\t3\t3\n"
    )
    judged = read_evalset(path)
    assert judged.systems == ("a", "b", "c")
    assert judged.criteria == ("overall", "fluency")
    assert judged.items == 3
    np.testing.assert_equal(judged.means("overall"), [3, np.nan, 3])
    assert judged.missing()["overall"].ratings == 1
    assert judged.groups == ("",)
    assert judged.candidates is None


@pytest.mark.parametrize(
    ("names", "settings"),
    [
        ("segment_id\tsystems\tworker\tpair", {}),
        ("seg\tsystem\tannotator\tlp", {}),
        ("ref_id\tsystem\trater\ttestset", {}),
        (
            "i\ts\tj\tg",
            {"columns": {"segment": "i", "system": "s", "judge": "j", "group": "g"}},
        ),
    ],
)
def test_names_of_columns(table, names, settings):
    judged = read_evalset(table(f"{names}\tscore\n1\ta\tA\tg\t4\n"), **settings)
    assert (judged.segments, judged.systems, judged.judges, judged.groups) == (
        ("1",),
        ("a",),
        ("A",),
        ("g",),
    )
    assert judged.criteria == ("score",)


def test_criteria_that_are_named(table):
    path = table("segment\tsystem\tcomment\toverall\n1\ta\tgood\t4\n")
    assert read_evalset(path, criteria=["overall"]).criteria == ("overall",)
    assert message(read_evalset, path) == (
        f"{path}:2: column 'comment': expected a number, found \"good\"; if 'comment' is no criterion, "
        "name those that are with --criteria (in Python criteria=)"
    )
    odd = table("segment\tcomment\n1\tgood\n", "a: b.tsv")
    assert message(read_evalset, odd).startswith(f"{odd}:2: column 'comment': expected a number")


def test_direct_assessment(table):
    path = table(
        "pair\tsource\tcandidate\treference\thuman\n"
        "cs-en\ts1\tc1\tr1\t0.5\ncs-en\ts1\tc1\tr1\t0.25\nde-en\ts1\tc2\tr2\t-1\ncs-en\ts2\t\tr3\t0\n"
    )
    judged = read_evalset(path)
    # Without judges each row is an item; the same source of another pair is another segment.
    assert judged.items == 4
    assert judged.segments == ("s1", "s1", "s2")
    assert judged.groups == ("cs-en", "de-en")
    assert judged.candidates == ("c1", "c1", "c2", "")
    assert judged.judges == ("",)


def test_rankings(table):
    path = table(
        "pair\tsegment\tjudge\tsystem1\trank1\tsystem2\trank2\tsystem3\trank3\n"
        "cs-en\t7\tA\tx\t1\ty\t2\tz\t-1\ncs-en\t7\tB\ty\t1\tx\t1\t\t\n"
    )
    judged = read_evalset(path)
    assert judged.systems == ("x", "y", "z")
    assert judged.criteria == ("rank",)
    np.testing.assert_equal(judged.ratings["rank"], [1, 2, np.nan, 1, 1])
    assert judged.rating_task.tolist() == [0, 0, 0, 1, 1]
    assert judged.missing()["rank"].items == 1


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("7\tA\tx\t0\ty\t2", "rank1: expected a rank from 1, or -1, found 0"),
        ("7\tA\tx\t1.5\ty\t2", "rank1: expected a rank from 1, or -1, found 1.5"),
        ("7\tA\tx\tbest\ty\t2", "column 'rank1': expected a number, found \"best\""),
        ("7\tA\t\t1\ty\t2", "expected a system for rank1, found nothing"),
        ("\tA\tx\t1\ty\t2", "column 'segment': expected a text, found nothing"),
    ],
)
def test_wrong_rankings(table, row, reason):
    path = table(f"segment\tjudge\tsystem1\trank1\tsystem2\trank2\n{row}\n")
    assert message(read_evalset, path) == f"{path}:2: {reason}"


def test_rankings_that_lack_a_column(table):
    path = table("segment\tsystem1\trank1\tsystem2\n7\tx\t1\ty\n")
    assert message(read_evalset, path).startswith(
        f"{path}: unknown column 'rank2'; did you mean 'rank1'?"
    )
    path = table("judge\tsystem1\trank1\nA\tx\t1\n")
    assert message(read_evalset, path).startswith(f"{path}: unknown column 'segment'")


@pytest.mark.parametrize(
    ("text", "settings", "reason"),
    [
        (
            "a\tb\n1\t2\n",
            {},
            ": expected a column 'segment' or 'source', found a, b; say which column it is",
        ),
        (
            "segment\tseg\toverall\n1\t1\t2\n",
            {},
            ": columns segment and seg could both be the segment; say which one it is",
        ),
        (
            "segment\toverall\n1\t2\n",
            {"columns": {"segment": "sgment"}},
            ": unknown column 'sgment'; did you",
        ),
        (
            "segment\toverall\n1\t2\n",
            {"criteria": ["overal"]},
            ": unknown column 'overal'; did you mean",
        ),
        (
            "segment\tsystem\tcandidate\to\n1\ta\tx\t1\n1\ta\ty\t2\n",
            {},
            ":3: this system has another candidate for this segment already",
        ),
        (
            "segment\tsystem\tsource\to\n1\ta\tx\t1\n1\ta\ty\t2\n",
            {},
            ":3: segment '1' has two different sources; rename one segment",
        ),
        (
            "segment\tsystem\tsource\to\n1\ta\tx\t1\n2\ta\t\t2\n",
            {},
            ": expected a source for each of 2, found 1; give all of them or none",
        ),
        (
            "segment\tsystem\tmetric:m\to\n1\ta\t1\t1\n1\ta\t2\t2\n",
            {},
            ":3: metric 'm' has two scores, 1 and 2",
        ),
        (
            "segment\tsystem\tcandidate\to\n1\ta\tx\t1\n1\tb\ty\t2\n1\ta|b\tx\t2\n",
            {},
            ":4: two of these systems have different candidates for this segment",
        ),
    ],
)
def test_wrong_ratings(table, text, settings, reason):
    path = table(text)
    assert message(read_evalset, path, **settings).startswith(f"{path}{reason}")


def test_wrong_settings(table):
    path = table("segment\toverall\n1\t2\n")
    assert message(read_evalset, path, columns={"segmnt": "segment"}).startswith(
        "unknown role of a column 'segmnt'; did you mean 'segment'?"
    )
    assert message(read_evalset, path, separator="") == (
        "separator: expected at least one character, found none"
    )


@pytest.mark.parametrize("role", ["judge", "system"])
def test_names_that_break_tables(table, role):
    path = table(json.dumps({"segment": 1, role: "a\nb", "o": 1}) + "\n", "r.jsonl")
    assert message(read_evalset, path) == (
        f"{path}:1: expected a judge's or system's name without tabs and line ends, found 'a\\nb'"
    )


@pytest.mark.parametrize("value", ["[1]", '["x", "y"]', "{}"])
def test_a_candidate_is_a_text(table, value):
    path = table(f'{{"segment": 1, "candidate": {value}, "o": 1}}\n', "r.jsonl")
    assert message(read_evalset, path) == f"{path}:1: column 'candidate': expected a text, found a list"


def test_json(table):
    rows = [
        {
            "segment": 1,
            "system": ["a", "b"],
            "judge": "A",
            "o": 3,
            "reference": ["r", "s"],
            "candidate": "x",
        },
        {
            "segment": 1,
            "system": "c|d",
            "judge": "A",
            "o": None,
            "reference": ["r", "s"],
            "candidate": "",
        },
    ]
    judged = read_evalset(table("".join(json.dumps(row) + "\n" for row in rows), "r.jsonl"))
    assert judged.systems == ("a", "b", "c", "d")
    assert judged.references == (("r", "s"),)
    assert judged.candidates == ("x", "")
    assert judged.segments == ("1",)


def read_or_refuse(path):
    try:
        judged = read_evalset(path)
    except ParagaugeError as error:
        assert str(error)  # noqa: PT017  # an error is allowed, not required
        return
    assert judged.items >= 1
    for name in judged.criteria:
        assert len(judged.means(name)) == judged.items


HEADERS = [
    "segment\tsystem\tjudge\to",
    "source\tcandidate\to",
    "segment\tsystem1\trank1",
    "segment\tm\ttask",
]


@given(
    st.sampled_from(HEADERS),
    st.lists(st.text("12ab|\t\r\n \0\x85é-.", max_size=12), max_size=6),
)
@example(HEADERS[0], ["1\ta\tA\t1e309"])
@example(HEADERS[0], ["1\t|\tA\t1"])
@settings(max_examples=300)
def test_any_table(table, header, lines):
    read_or_refuse(table("\n".join([header, *lines])))


cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab|", max_size=3)
values = cells | st.lists(cells, max_size=2) | st.dictionaries(st.sampled_from("ab"), cells, max_size=1)
columns = st.sampled_from(
    ["segment", "system", "judge", "group", "task", "source", "candidate", "reference", "reference2",
     "o", "metric:m", "system1", "rank1"]
)  # fmt: skip


@given(st.lists(st.dictionaries(columns, values, max_size=6), min_size=1, max_size=4))
@settings(max_examples=300)
def test_any_json(table, rows):
    read_or_refuse(table("".join(json.dumps(row) + "\n" for row in rows), "r.jsonl"))


@given(st.binary(max_size=100), st.sampled_from(["r.tsv", "r.csv", "r.tsv.gz", "r.jsonl", "r.parquet"]))
@settings(max_examples=100)
def test_random_bytes(table, data, name):
    read_or_refuse(table(data, name))


def test_truncated_gzip(table):
    data = gzip.compress(b"segment\tsystem\to\n" + b"1\ta\t2\n" * 2000)
    for cut in range(1, len(data), 7):
        path = table(data[:-cut], "r.tsv.gz")
        assert message(read_evalset, path).startswith(f"{path}: ")


def test_a_huge_line(table):
    path = table("segment\tsystem\to\n" + "x" * 3_000_000 + "\ta\t2\n")
    assert len(read_evalset(path).segments[0]) == 3_000_000


def test_crowd_ratings(benchmark_data):
    judged = read_evalset(benchmark_data / "parabank" / "ratings.tsv.gz", separator=" ")
    assert (judged.items, len(judged.systems), len(judged.segments)) == (4155, 36, 300)
    assert judged.criteria == ("score_0_100", "grammaticality_0_2")
    assert len(judged.judges) == 44


def test_direct_assessment_of_wmt(benchmark_data):
    judged = read_evalset(benchmark_data / "wmt_da" / "newstest2015.tsv.gz")
    assert judged.items == 2000
    assert judged.criteria == ("human",)


def test_rankings_of_wmt(benchmark_data):
    folder = benchmark_data / "wmt12"
    judged = read_evalset(folder / "rankings.tsv.gz")
    assert judged.items == 20_524
    pairs = {path.name.split(".")[0]: path for path in sorted(folder.glob("*.jsonl.gz"))}
    assert set(pairs) == set(judged.groups)
    judged = with_outputs(judged, read_outputs(pairs), allow_missing=True)
    assert len(judged.candidates) == 20_524
    assert len(judged.references) == len(judged.segments)
