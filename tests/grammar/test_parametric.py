"""ParaMetric: by hand, and against a twin that uses Python's sets."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.align.links import Links
from paragauge.engine.duckdb_engine import DuckDBEngine
from paragauge.errors import LengthError, SettingError
from paragauge.grammar.parametric import (
    ParametricSettings,
    gold_pairs,
    phrase_alignment,
    score_resource,
)
from paragauge.text.bitext import Bitext

ENGINE = DuckDBEngine(threads=1)


def table(pairs: list[tuple[str, str]]) -> pa.Table:
    columns = {"source": [s for s, _ in pairs], "target": [t for _, t in pairs]}
    return pa.table(columns, schema=pa.schema({"source": pa.string(), "target": pa.string()}))


def test_by_hand() -> None:
    gold = table([("a", "x"), ("a", "y"), ("b", "z"), ("b", "z"), ("c", "c")])
    resource = table([("a", "x"), ("a", "w"), ("a", "v"), ("d", "e"), ("d", "f"), ("b", "z")])
    score = score_resource(gold, resource, engine=ENGINE)
    assert (score.gold, score.resource, score.known, score.both) == (3, 6, 4, 2)
    assert (score.sources, score.found) == (2, 2)
    assert (score.precision, score.precision_all, score.recall) == (2 / 4, 2 / 6, 2 / 3)
    assert (score.mean_precision, score.mean_recall) == ((1 / 3 + 1) / 2, (1 / 2 + 1) / 2)
    with_identity = score_resource(gold, resource, ParametricSettings(identity="keep"), ENGINE)
    assert (with_identity.gold, with_identity.sources, with_identity.recall) == (4, 3, 2 / 4)
    nothing = score_resource(table([]), table([]), engine=ENGINE)
    assert (nothing.precision, nothing.recall, nothing.mean_precision, nothing.mean_recall) == (
        None,
    ) * 4


phrases = st.sampled_from(["a", "b", "a b", "a b c"])
pairs = st.lists(st.tuples(phrases, phrases), max_size=10)


@settings(max_examples=60)
@given(
    pairs,
    pairs,
    st.sampled_from(["drop", "keep"]),
    st.sampled_from(["given", "both"]),
    st.integers(1, 3),
)
def test_resource_scores_equal_those_of_sets(
    gold: list, mine: list, identity: str, directions: str, longest: int
) -> None:
    def chosen(rows: list) -> set:
        both = rows + ([(t, s) for s, t in rows] if directions == "both" else [])
        return {
            (s, t)
            for s, t in both
            if (identity == "keep" or s != t) and max(len(s.split()), len(t.split())) <= longest
        }

    right, have = chosen(gold), chosen(mine)
    score = score_resource(
        table(gold), table(mine), ParametricSettings(longest, identity, directions), ENGINE
    )
    sources = {s for s, _ in right}
    assert (score.gold, score.resource, score.both) == (len(right), len(have), len(right & have))
    assert score.known == sum(s in sources for s, _ in have)
    shares = {"precision": [], "recall": []}
    for source in sources:
        one, two = ({t for s, t in pairs if s == source} for pairs in (right, have))
        shares["recall"].append(len(one & two) / len(one))
        if two:
            shares["precision"].append(len(one & two) / len(two))
    for name, mean in (("precision", score.mean_precision), ("recall", score.mean_recall)):
        expected = math.fsum(shares[name]) / len(shares[name]) if shares[name] else None
        assert mean == (None if expected is None else pytest.approx(expected))


def spans(links: list, longest: int, sizes: tuple[int, int]) -> set:
    """All consistent phrase pairs as positions, by applying the definition to every pair of spans."""
    spans = set()
    for i in range(sizes[0]):
        for j in range(i, min(sizes[0], i + longest)):
            for k in range(sizes[1]):
                for m in range(k, min(sizes[1], k + longest)):
                    inside = [(i <= s <= j, k <= t <= m) for s, t in links]
                    if all(a == b for a, b in inside) and any(a for a, _ in inside):
                        spans.add((i, j, k, m))
    return spans


alignments = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=6).map(
    lambda links: sorted(set(links))
)


@settings(max_examples=40)
@given(st.lists(st.tuples(alignments, alignments), min_size=1, max_size=3), st.integers(1, 4))
def test_phrase_alignment_equals_exhaustive_enumeration(rows: list, longest: int) -> None:
    # All words are equal: phrases differ only in their positions.
    bitext = Bitext.of(["a a a a"] * len(rows), ["a a a"] * len(rows))
    mine, gold = (Links.from_lists([row[i] for row in rows]) for i in range(2))
    score = phrase_alignment(bitext, mine, gold, ParametricSettings(longest), ENGINE)
    sets = [[spans(row[i], longest, (4, 3)) for row in rows] for i in range(2)]
    both = sum(len(a & b) for a, b in zip(*sets, strict=True))
    assert (score.found, score.gold, score.both) == (*(sum(map(len, spans)) for spans in sets), both)


def test_gold_pairs_are_those_of_the_text() -> None:
    bitext = Bitext.of(["he stepped down"], ["he resigned"])
    links = Links.from_lists([[(0, 0), (1, 1), (2, 1)]])
    used = ParametricSettings()
    with gold_pairs(bitext, links, used) as path:
        score = score_resource(path, table([("stepped down", "resigned")]), used, ENGINE)
    # Gold: stepped down / resigned, and the whole sentence; he / he is identical.
    assert (score.gold, score.both) == (2, 1)
    assert not path.exists()


def test_wrong_settings() -> None:
    for wrong in ({"max_length": 0}, {"max_length": 65}, {"identity": "x"}, {"directions": "x"}):
        with pytest.raises(SettingError):
            ParametricSettings(**wrong)
    empty = Links.from_lists([])
    with pytest.raises(LengthError, match="1 sentence pairs but the alignment has 0"):
        phrase_alignment(Bitext.of(["a"], ["b"]), empty, empty)
