"""Judges one by one: first ratings, z-normalization, preferences and consistency."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from paragauge.errors import SettingError
from paragauge.meta.agreement.judges import (
    ALL_JUDGES,
    consistency,
    constant_judges,
    first_ratings,
    preferences,
    z_normalize,
)
from paragauge.meta.sets.evalset_builder import Builder, build


def rated(*rows):
    """A set of (segment, judge, value) with one system."""
    return build([(str(segment), "s", judge, {"overall": value}) for segment, judge, value in rows])


def test_first_ratings():
    judged = rated((2, "B", 1.0), (1, "A", 3.0), (1, "A", 5.0), (2, "A", np.nan), (2, "A", 4.0))
    ratings = first_ratings(judged, "overall")
    assert ratings.judges == ("B", "A")
    assert (ratings.missing, ratings.repeated) == (1, 1)
    assert ratings.value.tolist() == [1, 4, 3]  # by judge, then by item in the order of the file
    assert [part.tolist() for part in ratings.of(1)] == [[0, 1], [4, 3]]


def test_judges_without_a_value_are_dropped():
    ratings = first_ratings(rated((1, "A", np.nan), (1, "B", 2.0)), "overall")
    assert ratings.judges == ("B",)
    assert ratings.of(0)[1].tolist() == [2]


@pytest.mark.parametrize("ddof", [0, 1])
@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 5),
            st.sampled_from("ABC"),
            st.sampled_from([np.nan, 1.0, 2.0, 3.0, 4.5]),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_z_normalized_equals_scipy(ddof, rows):
    judged = rated(*rows)
    normalized = z_normalize(judged, "overall", ddof).ratings["overall"]
    constant = constant_judges(judged, "overall")
    for number, name in enumerate(judged.judges):
        mine = judged.rating_judge == number
        values = judged.ratings["overall"][mine]
        known = ~np.isnan(values)
        if len(np.unique(values[known])) < 2:
            assert np.isnan(normalized[mine]).all()
            assert constant.get(name, 0) == known.sum()
        else:
            assert name not in constant
            expected = scipy.stats.zscore(values, ddof=ddof, nan_policy="omit")
            np.testing.assert_allclose(normalized[mine], expected, atol=1e-9)


def test_z_normalized_by_hand():
    judged = rated((1, "A", 2.0), (2, "A", 4.0), (1, "B", 5.0), (2, "B", 5.0))
    assert z_normalize(judged, "overall", 0).ratings["overall"].tolist()[:2] == [-1, 1]
    half = 0.5**0.5
    assert z_normalize(judged, "overall").ratings["overall"][:2] == pytest.approx([-half, half])
    assert constant_judges(judged, "overall") == {"B": 2}
    assert judged.ratings["overall"].tolist() == [2, 4, 5, 5]  # the set given is left alone


def test_z_normalized_errors():
    judged = rated((1, "A", 2.0))
    with pytest.raises(SettingError) as caught:
        z_normalize(judged, "overall", 2)
    assert str(caught.value) == "ddof: expected 0 or 1, found 2"
    with pytest.raises(SettingError) as unknown:
        z_normalize(judged, "overal")
    assert "did you mean 'overall'?" in str(unknown.value)


def test_consistency_by_hand():
    # A: (1, 2) and (3, 3); B: item 1 three times, hence three pairs (4, 4), (4, 1), (4, 1).
    judged = rated(
        (1, "A", 1.0), (2, "A", 3.0), (1, "B", 4.0), (3, "A", 5.0),
        (1, "A", 2.0), (2, "A", 3.0), (1, "B", 4.0), (1, "B", 1.0),
    )  # fmt: skip
    first, second, everyone = consistency(judged, "overall")
    assert (first.judge, first.items, first.pairs) == ("A", 2, 2)
    assert (first.exact, first.mean_absolute_difference) == (0.5, 0.5)
    assert first.pearson.reason == "fewer than 3 common pairs"
    assert first.kappa.value == pytest.approx(cohen_kappa_score([1, 3], [2, 3]))
    assert (second.judge, second.items, second.pairs) == ("B", 1, 3)
    assert (second.exact, second.mean_absolute_difference) == (1 / 3, 2)
    assert second.pearson.reason == "the earlier ratings: the same value for all pairs"
    assert (everyone.judge, everyone.items, everyone.pairs) == (ALL_JUDGES, 3, 5)
    before, after = [1, 3, 4, 4, 4], [2, 3, 4, 1, 1]
    assert everyone.pearson.value == pytest.approx(scipy.stats.pearsonr(before, after).statistic)
    assert everyone.kappa.value == pytest.approx(cohen_kappa_score(before, after))


def test_consistency_without_repeats():
    assert consistency(rated((1, "A", 1.0), (1, "B", 1.0)), "overall") == ()
    assert consistency(rated((1, "A", np.nan), (1, "A", 1.0)), "overall") == ()


def test_consistency_on_a_fine_scale():
    rows = [(segment, "A", float(segment * 4)) for segment in range(25)]
    again = [(segment, "A", float(segment * 4 + 1)) for segment in range(25)]
    (one,) = consistency(rated(*rows, *again), "overall")
    assert one.kappa.reason == "50 different ratings are no categories; cut them into bins"
    (two,) = consistency(rated(*rows, *again), "overall", bins=4)
    assert two.kappa.value > 0.8


def rankings(*tasks):
    """A set of (segment, judge, {system: rank}), one entry a task."""
    builder = Builder()
    for number, (segment, judge, ranks) in enumerate(tasks):
        place = builder.segment(segment)
        for system, rank in ranks.items():
            builder.rating(builder.item(place, [system]), judge, {"rank": rank}, (number,))
    return builder.done()


def test_preferences():
    judged = rankings(
        ("1", "A", {"x": 1.0, "y": 2.0, "z": 2.0}),
        ("1", "B", {"z": 1.0, "x": 3.0, "y": np.nan}),
        ("1", "A", {"y": 1.0, "x": 4.0}),
    )
    pairs = preferences(judged)
    assert pairs.items == 3  # x-y, x-z, y-z
    assert [pairs.judges[judge] for judge in pairs.rating_judge] == ["A", "A", "A", "B", "A"]
    # x before y, x before z, y and z tie; z before x; y before x.
    assert pairs.ratings["preference"].tolist() == [1, 1, 0, -1, -1]
    assert pairs.rating_item.tolist() == [0, 1, 2, 1, 0]
    assert pairs.item_segment.tolist() == [0, 0, 0]
    first = first_ratings(pairs, "preference")
    assert first.repeated == 1
    assert first.of(0)[1].tolist() == [1, 1, 0]


def test_preferences_of_nothing():
    assert preferences(rankings(("1", "A", {"x": 1.0}))).items == 0
