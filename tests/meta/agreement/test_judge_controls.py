"""Judges on controls: who passes, who fails, who was not tested, and what is left."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from paragauge.errors import InputError, SettingError
from paragauge.meta.agreement.judge_controls import FAILED, NOT_CHECKED, PASSED, check_controls
from paragauge.meta.sets.evalset_builder import build


def judged(ratings, criterion="overall"):
    """A set of {judge: [(good, bad), ...]}, one pair a segment, and a system of its own."""
    rows = []
    for judge, pairs in ratings.items():
        for segment, (good, bad) in enumerate(pairs):
            for system, value in (("good", good), ("bad", bad), ("mine", 3.0)):
                rows.append((str(segment), system, judge, {criterion: float(value)}))
    return build(rows)


CAREFUL = [(5, 1), (4, 1), (5, 2), (4, 2), (3, 3), (5, 1)]
CARELESS = [(5, 1), (1, 5), (3, 3), (2, 4), (1, 2), (4, 4)]
RARE = [(5, 1)] * 2
RATINGS = {"A": CAREFUL, "B": CARELESS, "C": RARE}


def check(ratings=RATINGS, **settings):
    return check_controls(judged(ratings), "overall", positive=["good"], negative=["bad"], **settings)


def test_by_hand():
    careful, careless, rare = check().judges
    assert (careful.segments, careful.above, careful.ties, careful.below) == (6, 5, 1, 0)
    assert careful.share == pytest.approx(5.5 / 6)
    assert (careful.mean_positive, careful.mean_negative) == (
        pytest.approx(26 / 6),
        pytest.approx(10 / 6),
    )
    assert careful.status == PASSED
    assert careful.reason == ""
    # Five of five that are no ties: 1/2^5.
    assert careful.p_sign.value == pytest.approx(1 / 32)
    assert (careless.above, careless.ties, careless.below) == (1, 2, 3)
    assert careless.share == pytest.approx(2 / 6)
    assert (careless.status, careless.excluded) == (FAILED, True)
    assert careless.reason == "rated the positive control higher in 33% of 6 segments"
    assert (rare.status, rare.excluded) == (NOT_CHECKED, False)
    assert rare.reason == "rated both controls on 2 of at least 5 segments"


def test_p_values_equal_scipy():
    for one, pairs in zip(check().judges, RATINGS.values(), strict=True):
        moved = np.array([good - bad for good, bad in pairs if good != bad], float)
        above = int((moved > 0).sum())
        sign = scipy.stats.binomtest(above, len(moved), alternative="greater").pvalue
        assert one.p_sign.value == pytest.approx(sign)
        wilcoxon = scipy.stats.wilcoxon(moved, alternative="greater").pvalue
        assert one.p_wilcoxon.value == pytest.approx(wilcoxon)


def test_what_is_left():
    report = check()
    assert report.excluded == ("B",)
    assert report.ratings_excluded == 18
    left = report.exclude_from(judged(RATINGS))
    assert left.judges == ("A", "C")
    assert left.systems == ("mine",)
    assert len(left.rating_item) == 8


def test_unchecked_judges_can_go():
    assert check(keep_unchecked=False).excluded == ("B", "C")
    assert check(least=2).judges[2].status == PASSED


def test_threshold():
    assert check(threshold=0.3).excluded == ()
    assert check(threshold=0.95).excluded == ("A", "B")


def test_all_ties():
    (one,) = check({"A": [(3, 3)] * 6}).judges
    assert (one.share, one.status) == (0.5, FAILED)
    assert one.p_sign.value is None
    assert one.p_wilcoxon.reason == "no segment on which the controls differ"


def test_missing_and_absent_ratings():
    rows = [("1", "good", "A", {"overall": np.nan}), ("1", "bad", "A", {"overall": 1.0})]
    rows += [("1", "mine", "B", {"overall": np.nan})]
    report = check_controls(build(rows), "overall", positive=["good"], negative=["bad"])
    (one,) = report.judges  # B has no rating at all
    assert (one.segments, one.share, one.mean_positive) == (0, None, None)
    assert one.status == NOT_CHECKED


def test_several_controls_of_a_kind_are_averaged():
    rows = [("1", "g1", "A", {"overall": 5.0}), ("1", "g2", "A", {"overall": 1.0})]
    rows += [("1", "bad", "A", {"overall": 3.0})]
    report = check_controls(build(rows), "overall", positive=["g1", "g2"], negative=["bad"], least=1)
    assert (report.judges[0].ties, report.judges[0].share) == (1, 0.5)


def test_ranks_are_better_when_lower():
    ranks = {"A": [(1, 2)] * 6, "B": [(2, 1)] * 6}
    report = check_controls(judged(ranks, "rank"), "rank", positive=["good"], negative=["bad"])
    assert [one.status for one in report.judges] == [PASSED, FAILED]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"positive": [], "negative": ["bad"]},
            "expected at least one positive control, found none; judges are tested on both kinds",
        ),
        (
            {"positive": ["good"], "negative": []},
            "expected at least one negative control, found none; judges are tested on both kinds",
        ),
        (
            {"positive": ["god"], "negative": ["bad"]},
            "unknown system 'god'; did you mean 'good'? known: good, bad, mine",
        ),
        (
            {"positive": ["good"], "negative": ["good"]},
            "system 'good' cannot be a positive and a negative control",
        ),
        (
            {"positive": ["good"], "negative": ["bad"], "threshold": 75},
            "expected a threshold between 0 and 1, found 75",
        ),
        (
            {"positive": ["good"], "negative": ["bad"], "least": 0},
            "least: expected a whole number from 1, found 0",
        ),
    ],
)
def test_errors(settings, message):
    with pytest.raises(SettingError) as caught:
        check_controls(judged(RATINGS), "overall", **settings)
    assert str(caught.value) == message


def test_no_ratings():
    empty = judged(RATINGS).without_judges("ABC")
    with pytest.raises(InputError) as caught:
        check_controls(empty, "overall", positive=["good"], negative=["bad"])
    assert str(caught.value) == "expected ratings to check the judges on, found none"
