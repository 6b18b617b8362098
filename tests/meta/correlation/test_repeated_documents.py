"""Repeated documents and the paired t-test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from paragauge.errors import InputError, SettingError
from paragauge.meta.correlation.coefficients import COEFFICIENTS
from paragauge.meta.correlation.repeated_documents import (
    Documents,
    document_correlations,
    paired_t_test,
)
from paragauge.meta.sets.panel import panels

LABELS = ("near", "coarse", "ter")


@given(
    pairs=st.lists(
        st.tuples(st.floats(-1, 1, width=16), st.floats(-1, 1, width=16)), min_size=2, max_size=30
    )
)
def test_equals_scipy(pairs):
    a, b = np.array(pairs).T
    test = paired_t_test(a, b)
    assert test.difference == pytest.approx(float(np.mean(a - b)), abs=1e-12)
    if np.ptp(a - b) < 1e-9:
        assert (test.t, test.p) == (None, 1)
        return
    expected = stats.ttest_rel(a, b)
    assert (test.t, test.p) == (
        pytest.approx(expected.statistic),
        pytest.approx(expected.pvalue, abs=1e-9),
    )


def test_undefined_tests_have_a_reason():
    three = np.array([0.5, 0.25, 0.75])
    assert paired_t_test(three, three).reason == "the correlations are equal"
    assert paired_t_test(three, three - 0.125).reason == "the difference never varies"
    test = paired_t_test(three[:1], three[1:2])
    assert (test.t, test.p, test.reason) == (None, 1, "fewer than two documents")


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_documents_against_a_loop(twin, same, name):
    facts = twin.facts(1, segments=20, systems="abcde")
    panel = panels(twin.evalset(facts, lower=["ter"]), twin.criterion, LABELS)[0]
    plain = twin.plain(facts, LABELS, lower=["ter"])[""]
    correlations = document_correlations(panel, LABELS, Documents(12, 6, 3), name)
    rng = np.random.default_rng(3)
    for repetition in range(6):
        drawn = set(rng.choice(plain.segments, 12, replace=False).tolist())
        assert len(drawn) == 12
        times = {segment: int(segment in drawn) for segment in plain.segments}
        for label in LABELS:
            x, y = plain.system_means(label, times), plain.system_means(None, times)
            same([correlations[label][repetition]], [twin.correlation(x, y, name)])


def test_a_document_of_everything_is_the_plain_correlation(twin, same):
    facts = twin.facts(2)
    panel = panels(twin.evalset(facts), twin.criterion, ["near"])[0]
    plain = twin.plain(facts, ["near"])[""]
    correlations = document_correlations(panel, ["near"], Documents(len(plain.segments), 3))["near"]
    expected = twin.correlation(plain.system_means("near"), plain.system_means(None), "pearson")
    same(correlations, [expected] * 3)


def test_errors(twin):
    facts = twin.facts(3, segments=8)
    panel = panels(twin.evalset(facts), twin.criterion, ["near"])[0]
    with pytest.raises(
        InputError, match="expected at least 300 rated segments for a document, found 8"
    ):
        document_correlations(panel, ["near"], Documents())
    few = panels(twin.evalset(twin.facts(3, systems="ab")), twin.criterion, ["near"])[0]
    with pytest.raises(InputError, match="expected at least 3 systems to correlate, found 2"):
        document_correlations(few, ["near"], Documents(4))
    for wrong, message in (
        (Documents, "document size: expected at least 1 segment, found 0"),
        (lambda size: Documents(5, size), "documents: expected at least 2, found 0"),
    ):
        with pytest.raises(SettingError, match=message):
            wrong(0)
    # System d has one candidate only, which most documents lack.
    cells = [(str(i), name) for i in range(9) for name in "abc"] + [("0", "d")]
    rng = np.random.default_rng(0)
    facts = [twin.Fact(i, (name,), {"A": rng.normal()}, {"m": rng.normal()}) for i, name in cells]
    panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
    with pytest.raises(InputError, match="m: a document has no rated candidate of some system"):
        document_correlations(panel, ["m"], Documents(2))
    facts = [twin.Fact(i, (name,), {"A": rng.normal()}, {"m": 0.1}) for i, name in cells]
    panel = panels(twin.evalset(facts), twin.criterion, ["m"])[0]
    with pytest.raises(
        InputError, match="m: the scores or ratings of all systems are equal in a document"
    ):
        document_correlations(panel, ["m"], Documents(9))
