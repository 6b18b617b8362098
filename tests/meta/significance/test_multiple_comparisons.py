"""Corrections against recorded figures of statsmodels and against SciPy, and clusters by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from paragauge.errors import SettingError
from paragauge.meta.significance.multiple_comparisons import CORRECTIONS, clusters, correct_p_values

RECORDED = json.loads(
    Path(__file__).parents[1].joinpath("statsmodels.json").read_text(encoding="utf-8")
)
p_values = st.lists(st.sampled_from([0.0, 0.01, 0.05, 1.0]) | st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("method", ["bonferroni", "fdr", "holm"])
def test_equals_statsmodels(method):
    assert len(RECORDED["corrections"]) == 60
    for row in RECORDED["corrections"]:
        assert correct_p_values(row["p"], method) == pytest.approx(row[method], abs=1e-9)


@given(values=p_values)
def test_fdr_equals_scipy(values):
    assert correct_p_values(values, "fdr") == pytest.approx(
        stats.false_discovery_control(values), abs=1e-9
    )


@pytest.mark.parametrize("method", CORRECTIONS)
@given(values=p_values)
def test_invariances(method, values):
    corrected = correct_p_values(values, method)
    assert all(value - 1e-12 <= p <= 1 for value, p in zip(values, corrected, strict=True))
    # The order of the tests does not matter, and equal p-values stay equal.
    assert correct_p_values(values[::-1], method) == corrected[::-1]
    ranked = sorted(zip(values, corrected, strict=True))
    assert [p for _, p in ranked] == sorted(p for _, p in ranked)
    assert not any(map(math.isnan, corrected))


def test_by_hand():
    assert correct_p_values([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )
    assert correct_p_values([0.01, 0.04, 0.03, 0.005], "bonferroni") == pytest.approx(
        [0.04, 0.16, 0.12, 0.02]
    )
    assert correct_p_values([0.01, 0.04, 0.03, 0.005], "fdr") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert correct_p_values([0.01, 0.04], "none") == [0.01, 0.04]
    for method in CORRECTIONS:
        assert correct_p_values([], method) == []
        assert correct_p_values([0.2], method) == [0.2]


def test_unknown_correction():
    with pytest.raises(SettingError, match="unknown correction 'hom'; did you mean 'holm'"):
        correct_p_values([0.1], "hom")


@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        ("", "1111"),
        ("ad", "1112"),
        ("ab", "1222"),
        ("ab bc cd", "1234"),
        # c is beaten by a, so it starts the second cluster; d is beaten by b, but b is in the first.
        ("ac bd", "1122"),
        ("ac ad bd cd", "1123"),
        # A later one that beats an earlier one changes nothing: the order is by value.
        ("da", "1111"),
    ],
)
def test_clusters(wins, expected):
    numbers = clusters("abcd", lambda one, other: one + other in wins.split())
    assert numbers == dict(zip("abcd", map(int, expected), strict=True))


def test_no_clusters_of_nothing():
    assert clusters([], lambda one, other: True) == {}
