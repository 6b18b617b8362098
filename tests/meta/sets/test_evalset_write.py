"""Writing evaluation sets: round trips, and what a format cannot hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_write import write_evalset
from tests.meta.sets.evalset_content import content, message, tasks

names = st.text("abé 1", min_size=1, max_size=3).map(str.strip).filter(bool)
texts = st.text("ab é.", min_size=1, max_size=5)
numbers = st.floats(-1e6, 1e6) | st.integers(0, 5).map(float) | st.just(np.nan)


@st.composite
def evalsets(draw) -> EvalSet:
    builder = Builder()
    with_texts, with_judges = draw(st.booleans()), draw(st.booleans())
    score = draw(st.booleans())
    criteria = draw(st.lists(st.sampled_from(["overall", "fluency", "rank"]), min_size=1, unique=True))
    groups = draw(st.lists(st.sampled_from(["", "g", "h"]), min_size=1, max_size=2, unique=True))
    for group in groups:
        for segment in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
            sources = [draw(texts)] if with_texts else []
            references = draw(st.lists(texts, min_size=1, max_size=3)) if with_texts else []
            number = builder.segment(segment, group, sources, references)
            left = draw(st.lists(st.sampled_from("uvwxyz"), min_size=1, max_size=5, unique=True))
            while left:
                size = draw(st.integers(1, len(left)))
                item = builder.item(number, left[:size], draw(texts) if with_texts else None)
                left = left[size:]
                if score:
                    builder.score(item, "m", draw(numbers))
                for _ in range(draw(st.integers(0, 3))):
                    judge = draw(st.sampled_from("AB")) if with_judges else ""
                    values = {name: draw(numbers) for name in criteria}
                    if not judge and all(map(np.isnan, values.values())):
                        continue  # nobody said nothing: no rating
                    builder.rating(item, judge, values)
    return builder.done()


@pytest.mark.parametrize(
    "name",
    ["r.tsv", "r.tsv.gz", "r.tsv.zst", "r.csv", "r.csv.gz", "r.csv.zst"]
    + ["r.jsonl", "r.jsonl.gz", "r.jsonl.zst", "r.parquet"],
)
@given(judged=evalsets())
@settings(max_examples=40)
def test_round_trip(tmp_path, name, judged):
    path = tmp_path / name
    write_evalset(judged, path)
    again = read_evalset(path)
    if judged.ratings:
        assert content(again) == content(judged)
    write_evalset(again, tmp_path / f"again-{name}")
    assert content(read_evalset(tmp_path / f"again-{name}")) == content(again)


@pytest.mark.parametrize("name", ["r.tsv", "r.csv", "r.jsonl.gz", "r.parquet"])
def test_round_trip_of_rankings_and_of_nameless_items(table, tmp_path, name):
    path = table(
        "segment\tjudge\tsystem1\trank1\tsystem2\trank2\n7\tA\tx\t1\ty\t2\n7\tA\tx\t2\ty\t-1\n"
    )
    for judged in (
        read_evalset(path),
        read_evalset(
            table("pair\tsource\tcandidate\treference\thuman\np\ts\tc\tr\t1\np\ts\tc\tr\t2\n", "da.tsv")
        ),
    ):
        write_evalset(judged, tmp_path / name)
        again = read_evalset(tmp_path / name)
        assert content(again) == content(judged)
        assert tasks(again) == tasks(judged)


@pytest.mark.parametrize("name", ["r.jsonl", "r.parquet"])
def test_what_only_lists_hold(tmp_path, name):
    builder = Builder()
    one = builder.segment("1", sources=["s", "t"], references=["", "r"])
    two = builder.segment("2", sources=[""], references=["r"])
    builder.rating(builder.item(one, ["d|e"], "w"), "A", {"o": 1.0})
    builder.rating(builder.item(one, ["a|b", "c"], "x\ty"), "A", {"o": 1.0})
    builder.rating(builder.item(two, [], "z\n"), "A", {"o": 2.0})
    judged = builder.done()
    write_evalset(judged, tmp_path / name)
    again = read_evalset(tmp_path / name)
    assert set(again.systems) == {"d|e", "a|b", "c"}
    assert content(again) == content(judged)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"system": "a|b"}, "system 'a|b': {form} cannot hold a name with |; write JSON Lines"),
        ({"sources": ["s", "t"]}, "{form} cannot hold several sources of a segment; write JSON Lines"),
        ({"sources": [""]}, "{form} cannot hold an empty source or reference; write JSON Lines"),
        (
            {"references": ["r", ""]},
            "{form} cannot hold an empty source or reference; write JSON Lines",
        ),
        (
            {"candidate": "a\tb"},
            "{path}: a text has a tab or a line end, which TSV cannot hold: 'a\\tb'",
        ),
        ({"judge": "a\nb"}, "{path}: a text has a tab or a line end, which TSV cannot hold: 'a\\nb'"),
        (
            {"criterion": "a\tb"},
            "{path}: a text has a tab or a line end, which TSV cannot hold: 'a\\tb'",
        ),
    ],
)
def test_what_tsv_and_csv_cannot_hold(tmp_path, arguments, reason):
    given = {"system": "a", "sources": ["s"], "references": ["r"], "candidate": "c"}
    given |= {"judge": "A", "criterion": "o"} | arguments
    builder = Builder()
    segment = builder.segment("1", sources=given["sources"], references=given["references"])
    item = builder.item(segment, [given["system"]], given["candidate"])
    builder.rating(item, given["judge"], {given["criterion"]: 1.0})
    judged = builder.done()
    for form in ("tsv", "csv")[: 2 if "{form}" in reason else 1]:
        path = tmp_path / f"r.{form}"
        expected = reason.replace("{path}", str(path)).replace("{form}", form.upper())
        assert message(write_evalset, judged, path).startswith(expected)
    assert list(tmp_path.iterdir()) == []


def test_csv_holds_tabs_line_ends_and_quotes(tmp_path):
    builder = Builder()
    segment = builder.segment("1\r2", sources=['s, "t"'], references=["r\n", '"'])
    builder.rating(builder.item(segment, ["a, b"], "x\ty\r\n"), '"A"', {"o, p": 1.0})
    judged = builder.done()
    write_evalset(judged, tmp_path / "r.csv")
    assert content(read_evalset(tmp_path / "r.csv")) == content(judged)
