"""Reading and writing evaluation sets: every format, round trips, texts and errors."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge import PINC
from paragauge.errors import ParagaugeError
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder, build
from paragauge.meta.sets.evalset_files import read_evalset
from paragauge.meta.sets.evalset_texts import read_outputs, with_corpus, with_outputs, with_scores
from paragauge.meta.sets.evalset_write import write_evalset
from paragauge.text.corpus import Corpus


@pytest.fixture
def table(tmp_path):
    def write(content, name="r.tsv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def message(call, *arguments, **settings):
    with pytest.raises(ParagaugeError) as caught:
        call(*arguments, **settings)
    return str(caught.value)


def content(judged: EvalSet) -> list:
    """What a set says, whatever the numbers of its parts."""
    systems: dict[int, set[str]] = {}
    for item, system in zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True):
        systems.setdefault(item, set()).add(judged.systems[system])
    names = []
    for item, segment in enumerate(judged.item_segment.tolist()):
        names.append(
            (
                judged.groups[judged.segment_group[segment]],
                judged.segments[segment],
                tuple(sorted(systems.get(item, ()))),
                None if judged.candidates is None else judged.candidates[item],
                None if judged.sources is None else judged.sources[segment],
                None if judged.references is None else judged.references[segment],
                tuple((label, repr(one.values[item])) for label, one in sorted(judged.scores.items())),
            )
        )
    ratings = [
        (names[item], judged.judges[judge], tuple((c, repr(v[row])) for c, v in judged.ratings.items()))
        for row, (item, judge) in enumerate(zip(judged.rating_item, judged.rating_judge, strict=True))
    ]
    return [sorted(map(repr, names)), sorted(map(repr, ratings))]


def tasks(judged: EvalSet) -> list[set[int]]:
    """Which rows of ratings belong together, by their content."""
    rows: dict[int, list[str]] = {}
    for row, task in enumerate(judged.rating_task.tolist()):
        item = judged.rating_item[row]
        rows.setdefault(task, []).append(
            repr((judged.segments[judged.item_segment[item]], judged.judges[judged.rating_judge[row]]))
        )
    return sorted(map(sorted, (group for task, group in rows.items() if task >= 0)))


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
        "name those that are"
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
    segment = builder.segment("1\r", sources=['s, "t"'], references=["r\n", '"'])
    builder.rating(builder.item(segment, ["a, b"], "x\ty\r\n"), '"A"', {"o, p": 1.0})
    judged = builder.done()
    write_evalset(judged, tmp_path / "r.csv")
    assert content(read_evalset(tmp_path / "r.csv")) == content(judged)


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
    judged = with_outputs(rated(), read_outputs({"": path}))
    assert judged.candidates == ("a1", "b1", "a2", "b2")
    assert judged.sources == (("s1",), ("s2",))
    assert judged.references == (("r1",), ("r2", "q2"))


def test_outputs_that_lack_something(table):
    one = {"segment": 1, "systems": {"a": "x", "b": "y"}}
    assert message(with_outputs, rated(), read_outputs({"": outputs(table, one)})) == (
        "no output has segment '2' of group ''; give its file"
    )
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
    judged = with_corpus(
        rated(),
        corpus(tmp_path, a=["a1", "a2", "a3"], src=["s1", "s2", "s3"], ref=["r1\tq1", "r2", "r3"]),
    )
    assert judged.systems == ("a",)  # there is no text of b
    assert judged.candidates == ("a1", "a2")
    assert judged.sources == (("s1",), ("s2",))
    assert judged.references == (("r1", "q1"), ("r2",))
    assert judged.score_with({"pinc": PINC()}).scores["pinc"].values.tolist() == [100, 100]


def test_with_corpus_errors(tmp_path, table):
    assert message(with_corpus, rated(), corpus(tmp_path, a=["x"], b=["y"])) == (
        "the ratings have a segment 2, but the texts have only 1 line"
    )
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
    partly = read_evalset(table("segment\tsystem\to\n1\ta\t1\n1\t\t1\n"))
    assert message(with_corpus, partly, corpus(tmp_path, a=["x"])).startswith(
        "segment '1': a rating names no system"
    )


def test_with_scores(table):
    path = table("segment\tsystem\tpinc\tmetric:x\n1\ta\t50\t1\n2\tb\t25\t\n9\ta\t1\t1\n", "s.tsv")
    judged = with_scores(rated(), path)
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
    judged = with_outputs(judged, read_outputs(pairs))
    assert len(judged.candidates) == 20_524
    assert len(judged.references) == len(judged.segments)
