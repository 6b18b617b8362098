"""Which candidates are correlated, and what is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge.errors import InputError, SettingError
from paragauge.meta.sets.evalset_builder import build
from paragauge.meta.sets.panel import panels

NONE = math.nan


def facts_of(twin, rows):
    return [
        twin.Fact(segment, systems, ratings, scores, group)
        for group, segment, systems, ratings, scores in rows
    ]


@pytest.fixture
def judged(twin):
    """Two groups; candidates without rating, without score, with both, and shared ones."""
    rows = [
        ("x", "1", ("a",), {"A": 1.0, "B": 4.0}, {"m": 0.1, "n": 5.0}),
        ("x", "1", ("b",), {"A": 2.0}, {"m": NONE, "n": 6.0}),
        ("x", "2", ("a", "b"), {"B": 3.0}, {"m": 0.3, "n": 7.0}),
        ("x", "3", (), {}, {"m": 0.4, "n": 8.0}),
        ("y", "1", ("c",), {"A": 5.0}, {"m": 0.5, "n": NONE}),
        ("y", "2", ("c",), {"A": NONE, "B": 2.0}, {"m": 0.6, "n": 9.0}),
    ]
    return twin.evalset(facts_of(twin, rows), lower=["n"])


def test_items_have_a_rating_and_all_scores(judged):
    x, y = panels(judged, "overall", ["m", "n"])
    assert (x.group, y.group) == ("x", "y")
    assert x.gold.tolist() == [2.5, 3.0]
    assert x.left_out == {"no rating": 1, "no score": 1}
    assert x.judged.systems == ("a", "b")
    assert x.scores("m").values.tolist() == [0.1, 0.3]
    assert x.scores("n").oriented.tolist() == [-5.0, -7.0]
    assert y.gold.tolist() == [2.0]
    assert y.left_out == {"no score": 1}
    # Only what is compared must be there.
    assert panels(judged, "overall", ["n"])[0].gold.tolist() == [2.5, 2.0, 3.0]
    assert panels(judged, "overall", [])[1].gold.tolist() == [5.0, 2.0]


def test_one_judge(judged):
    x, y = panels(judged, "overall", ["m"], judge="B")
    assert x.gold.tolist() == [4.0, 3.0]
    assert y.gold.tolist() == [2.0]
    assert x.left_out == {"no rating": 2}
    with pytest.raises(SettingError, match="unknown judge 'C'"):
        panels(judged, "overall", ["m"], judge="C")


def test_a_group_without_usable_items_is_left_out_and_counted(judged):
    (only,) = panels(judged, "overall", ["m"], where="m<0.4")
    assert only.group == "x"
    # Of y, A rated one candidate, which has no n.
    (only,) = panels(judged, "overall", ["m", "n"], judge="A")
    assert (only.group, only.gold.tolist()) == ("x", [1.0])
    assert only.left_out == {"no rating": 3, "no score": 2}


def test_where_uses_the_mean_of_all_judges(judged):
    (only,) = panels(judged, "overall", ["m"], where="overall<3", judge="A")
    assert only.gold.tolist() == [1.0]


def test_ranks_are_turned_round():
    judged = build([("1", name, "A", {"rank": rank}) for name, rank in (("a", 1.0), ("b", 3.0))])
    (panel,) = panels(judged, "rank", ["rank"])
    assert panel.gold.tolist() == [-1.0, -3.0]
    assert panel.scores("rank").oriented.tolist() == [-1.0, -3.0]
    assert not panel.scores("rank").higher_is_better


def test_the_mean_of_equal_ratings_is_that_rating():
    """0.1 + 0.1 + 0.1 is not 0.3 in floating point, but three judges who say 0.1 say 0.1."""
    rows = [(str(i), "a", str(judge), {"overall": 0.1}) for i in range(8) for judge in range(i + 1)]
    (panel,) = panels(build(rows), "overall", [])
    assert panel.gold.tolist() == [0.1] * 8


def test_errors(judged, twin):
    with pytest.raises(SettingError, match="unknown criterion 'overal'; did you mean 'overall'"):
        panels(judged, "overal", ["m"])
    with pytest.raises(SettingError, match="unknown metric or criterion 'k'"):
        panels(judged, "overall", ["k"])
    with pytest.raises(InputError) as error:
        panels(judged, "overall", ["m"], where="m>9")
    assert str(error.value) == (
        "criterion 'overall': no item has a rating and all scores and meets 'm>9'; nothing to correlate"
    )
    rows = [
        ("", "1", ("a",), {"A": 1.0}, {"m": NONE, "n": NONE}),
        ("", "2", ("a",), {"B": 1.0}, {"m": 1.0, "n": NONE}),
    ]
    one = twin.evalset(facts_of(twin, rows))
    with pytest.raises(InputError, match="'n' has no value of any candidate; leave it out"):
        panels(one, "overall", ["m", "n"])
    with pytest.raises(InputError) as error:
        panels(one, "overall", ["m"], judge="A")
    assert str(error.value) == (
        "criterion 'overall': no item has a rating by A and all scores; nothing to correlate"
    )


def test_names_of_criteria_are_metrics_too():
    judged = build([("1", "a", "A", {"overall": 2.0, "fluency": 3.0})])
    (panel,) = panels(judged, "overall", ["fluency"])
    np.testing.assert_array_equal(panel.scores("fluency").values, [3.0])
