"""Evaluation sets made by hand: means, what is missing, and parts of a set."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.errors import InputError, ParagaugeError, SettingError
from paragauge.meta.sets.evalset import EvalSet, MetricScores, Missing
from paragauge.meta.sets.evalset_builder import Builder, build
from paragauge.text.rated_pairs import SegmentRange


def small() -> EvalSet:
    """Two segments; systems a and b, which share a candidate on the second; judges A and B."""
    builder = Builder()
    one = builder.segment("1", "g", ["src one"], ["ref one"])
    two = builder.segment("2", "h", ["src two"], ["ref two", "other two"])
    first = builder.item(one, ["a"], "cand a")
    second = builder.item(one, ["b"], "cand b")
    third = builder.item(two, ["a", "b"], "cand ab")
    loose = builder.item(two, [], "nobody's")
    builder.rating(first, "A", {"overall": 4.0, "fluency": 5.0})
    builder.rating(first, "B", {"overall": 2.0})
    builder.rating(second, "A", {"overall": np.nan})
    builder.rating(third, "B", {"overall": 1.0, "fluency": 3.0})
    builder.score(third, "mine", 0.5)
    builder.rating(loose, "A", {"overall": 3.0})
    return builder.done()


def test_arrays():
    judged = small()
    assert judged.segments == ("1", "2")
    assert judged.systems == ("a", "b")
    assert judged.judges == ("A", "B")
    assert judged.groups == ("g", "h")
    assert judged.segment_group.tolist() == [0, 1]
    assert judged.item_segment.tolist() == [0, 0, 1, 1]
    assert sorted(zip(judged.output_item.tolist(), judged.output_system.tolist(), strict=True)) == [
        (0, 0),
        (1, 1),
        (2, 0),
        (2, 1),
    ]
    assert judged.items == 4
    assert judged.criteria == ("overall", "fluency")
    assert judged.candidates == ("cand a", "cand b", "cand ab", "nobody's")
    assert judged.references == (("ref one",), ("ref two", "other two"))
    np.testing.assert_equal(judged.scores["mine"].values, [np.nan, np.nan, 0.5, np.nan])


def test_means_and_missing():
    judged = small()
    np.testing.assert_equal(judged.means("overall"), [3, np.nan, 1, 3])
    np.testing.assert_equal(judged.means("overall", "A"), [4, np.nan, np.nan, 3])
    np.testing.assert_equal(judged.means("fluency"), [5, np.nan, 3, np.nan])
    assert judged.missing() == {"overall": Missing(1, 1), "fluency": Missing(3, 2)}
    np.testing.assert_equal(judged.value_of("mine"), judged.scores["mine"].values)
    np.testing.assert_equal(judged.value_of("overall"), judged.means("overall"))


def test_where():
    judged = small().where(np.array([False, False, True, True]))
    assert judged.systems == ("a", "b")
    assert judged.items == 2
    assert judged.candidates == ("cand ab", "nobody's")
    np.testing.assert_equal(judged.means("overall"), [1, 3])
    np.testing.assert_equal(judged.scores["mine"].values, [0.5, np.nan])
    only_b = small().where(np.array([False, True, False, False]))
    assert only_b.systems == ("b",)
    assert small().where(np.zeros(4, bool)).items == 0


def test_without_systems():
    judged = small().without_systems(["a"])
    assert judged.systems == ("b",)
    assert judged.candidates == ("cand b", "cand ab", "nobody's")  # b still has the shared one
    np.testing.assert_equal(judged.means("overall"), [np.nan, 1, 3])
    nobody = small().without_systems(["a", "b"])
    assert (nobody.systems, nobody.candidates) == ((), ("nobody's",))
    assert small().without_systems([]).candidates == small().candidates


def test_without_judges():
    judged = small().without_judges(["A"])
    assert judged.judges == ("B",)
    assert judged.items == 4
    np.testing.assert_equal(judged.means("overall"), [2, np.nan, 1, np.nan])
    np.testing.assert_equal(judged.means("overall", "B"), judged.means("overall"))
    assert len(small().without_judges("AB").rating_item) == 0


def test_of_group():
    judged = small().of_group("h")
    assert judged.items == 2
    assert judged.candidates == ("cand ab", "nobody's")


def test_a_range_of_segments():
    judged = build([(n, s, "A", {"overall": 2.0}) for n in ("1", "2", "10") for s in "ab"])
    part = judged.only_segments(SegmentRange(2, 10))
    assert [judged.segments[i] for i in part.item_segment] == ["2", "2", "10", "10"]
    with pytest.raises(InputError, match="segments 11:20: expected rated candidates, found none; the "):
        judged.only_segments(SegmentRange(11, 20))
    named = build([("item-1", "a", "A", {"overall": 2.0})])
    with pytest.raises(InputError, match="expected segments with numbers for names, found 'item-1'; "):
        named.only_segments(SegmentRange(1, 20))
    with pytest.raises(SettingError, match="a last one not before it, found 3:2"):
        SegmentRange(3, 2)


def test_scored():
    judged = build(
        [("1", "a", "A", {"overall": 2.0}), ("1", "b", "A", {"overall": 3.0})],
        sources={"1": ["x y"]},
        references={"1": ["x z", "z"]},
        candidates={("1", "a"): "x z", ("1", "b"): "x y"},
    ).score_with({"pinc": PINC(), "bleu:order=2": BLEU(order=2)})
    pinc, bleu = judged.scores["pinc"], judged.scores["bleu:order=2"]
    assert pinc.values.tolist() == [75, 0]
    assert pinc.values.tolist() == PINC().segments(["x z", "x y"], sources=["x y"] * 2).tolist()
    assert (pinc.title, bleu.title) == ("PINC", "BLEU:order=2")
    assert pinc.stats is None
    assert pinc.aggregate(pinc.additive().sum(axis=0)) == 37.5
    total = BLEU(order=2).score(["x z", "x y"], references=[["x z", "z"]] * 2)
    assert bleu.aggregate(bleu.additive().sum(axis=0)) == pytest.approx(total.value)
    assert "refs:2" in bleu.signature


def test_metric_scores():
    scores = MetricScores("m", "M", np.array([1.0, np.nan, 3.0]), higher_is_better=False)
    np.testing.assert_equal(scores.oriented, [-1, np.nan, -3])
    assert scores.additive().tolist() == [[1, 1], [0, 0], [3, 1]]
    assert scores.aggregate(np.array([4.0, 2.0])) == 2
    assert np.isnan(scores.aggregate(np.zeros(2)))
    assert scores.take(np.array([2])).values.tolist() == [3]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.criterion("overal"), "unknown criterion 'overal'; did you mean 'overall'?"),
        (lambda s: s.judge("C"), "unknown judge 'C'; known: A, B"),
        (lambda s: s.means("overall", "C"), "unknown judge 'C'"),
        (lambda s: s.without_judges(["C"]), "unknown judge 'C'"),
        (lambda s: s.without_systems(["c"]), "unknown system 'c'; known: a, b"),
        (lambda s: s.of_group("i"), "unknown group 'i'; known: g, h"),
        (lambda s: s.value_of("x"), "unknown metric or criterion 'x'; known: mine, overall, fluency"),
    ],
)
def test_unknown_names(call, message):
    with pytest.raises(SettingError) as caught:
        call(small())
    assert str(caught.value).startswith(message)


def test_texts_are_needed_to_score():
    judged = build([("1", "a", "A", {"overall": 2.0})])
    with pytest.raises(InputError) as caught:
        judged.batch()
    assert str(caught.value) == "expected the candidates' texts to score them, found none"
    with pytest.raises(ParagaugeError) as needs:
        judged.score_with({"pinc": PINC()})
    assert "sources" in str(needs.value)


def test_contradictions():
    builder = Builder()
    one = builder.segment("1", sources=["x"])
    with pytest.raises(InputError) as caught:
        builder.segment("1", sources=["y"])
    assert str(caught.value) == "segment '1' has two different sources; rename one segment"
    builder.item(one, ["a"], "x")
    builder.item(one, ["b"], "y")
    for systems, candidate, message in (
        (["a"], "z", "this system has another candidate for this segment already"),
        (["a", "b"], None, "two of these systems have different candidates for this segment"),
    ):
        with pytest.raises(InputError) as caught:
            builder.item(one, systems, candidate)
        assert str(caught.value) == message
    builder.score(0, "m", 1.0)
    builder.score(0, "m", 1.0)
    with pytest.raises(InputError) as caught:
        builder.score(0, "m", 2.0)
    assert str(caught.value) == "metric 'm' has two scores, 1 and 2"
    builder.segment("2")
    with pytest.raises(InputError) as caught:
        builder.done()
    assert str(caught.value) == "expected a source for each of 2, found 1; give all of them or none"


def test_anonymous_items():
    builder = Builder()
    one = builder.segment("1")
    assert builder.item(one, [], "x") == builder.item(one, [], "x")
    assert builder.item(one, [], "x", merge=False) != builder.item(one, [], "x")
    assert builder.item(one, []) != builder.item(one, [])


def test_nothing_at_all():
    judged = Builder().done()
    assert (judged.items, judged.criteria, judged.missing()) == (0, (), {})
    assert judged.candidates is None
