"""Small tables whose pairs would fill the memory are refused, or have no value, at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.meta.agreement.agreement import AgreementSettings, agree
from paragauge.meta.correlation.correlation import CorrelationSettings, correlate
from paragauge.meta.correlation.paper_tables import layout
from paragauge.meta.correlation.soft_accuracy import SoftAccuracy
from paragauge.meta.correlation.system_level import SystemAccuracy, SystemCoefficient, reason_against
from paragauge.meta.correlation.table_cells import listed_people
from paragauge.meta.measure import Bootstrap
from paragauge.meta.pair_limits import check_pairs, count_pairs
from paragauge.meta.sets.evalset import EvalSet
from paragauge.meta.sets.evalset_builder import Builder, build

MANY = 3000
FAST = AgreementSettings(bootstrap=Bootstrap(0))
DRAWN = CorrelationSettings(bootstrap=20)


def scored(systems: int, segments: int = 1) -> EvalSet:
    """Systems with a rating and a score in each segment."""
    builder = Builder()
    for segment in range(segments):
        number = builder.segment(str(segment))
        for system in range(systems):
            item = builder.item(number, [f"s{system}"])
            builder.rating(item, "", {"overall": float(system % 5)})
            builder.score(item, "mine", float(system % 7))
    return builder.done()


def systems_view(statistic: Any) -> CorrelationSettings:
    return CorrelationSettings(bootstrap=20, statistic=statistic, view="system")


def test_pairs_are_bounded_by_the_larger_of_two_limits() -> None:
    assert count_pairs(np.array([4, 0, 1, 2])) == 7
    check_pairs(20, 10, "pairs", "look", most=5, each=2)
    check_pairs(5, 1, "pairs", "look", most=5, each=2)
    with pytest.raises(InputError, match="expected at most 20 pairs, found 21; look"):
        check_pairs(21, 10, "pairs", "look", most=5, each=2)


def test_many_judges_of_one_item() -> None:
    judged = build([("1", "a", f"judge {n}", {"overall": float(n % 5)}) for n in range(MANY)])
    with pytest.raises(InputError, match="500,000 pairs of judges with common items, found 4,498,500;"):
        agree(judged, settings=FAST)


def test_many_ratings_of_one_item_by_a_judge() -> None:
    rows = [("1", "a", name, {"overall": float(n % 5)}) for n in range(MANY) for name in "AB"]
    with pytest.raises(InputError, match="1,000,000 pairs of ratings of an item by the same judge"):
        agree(build(rows), settings=FAST)


def test_many_candidates_in_a_ranking() -> None:
    builder = Builder()
    segment = builder.segment("1")
    for n in range(MANY):
        builder.rating(builder.item(segment, [f"s{n}"]), "AB"[n % 2], {"rank": float(n)}, ("task",))
    with pytest.raises(InputError, match="1,000,000 pairs of ranked candidates, found 4,498,500;"):
        agree(builder.done(), settings=FAST)


@pytest.mark.parametrize("statistic", ["kendall-wmt14", "accuracy", "accuracy-tuned"])
def test_many_candidates_for_one_source(statistic: Any) -> None:
    with pytest.raises(InputError, match="2,000,000 pairs of candidates for the same source"):
        correlate(
            scored(MANY),
            "overall",
            ["mine"],
            CorrelationSettings(bootstrap=20, statistic=statistic, view="by-source"),
        )


def test_many_systems_have_no_correlation_but_candidates_do() -> None:
    judged = scored(MANY)
    for statistic, most in (("pearson", "1,000"), ("accuracy", "300"), ("soft-accuracy", "100")):
        (row,) = correlate(judged, "overall", ["mine"], systems_view(statistic)).rows
        assert (row.value, row.reason) == (None, f"more than {most} systems")
    assert correlate(judged, "overall", ["mine"], DRAWN).rows[0].value is not None


def test_the_bounds_of_systems() -> None:
    assert SystemCoefficient.most_systems > SystemAccuracy.most_systems > 100
    assert reason_against(scored(12, 3), 12) == ""
    assert reason_against(scored(13), 12) == "more than 12 systems"
    assert SoftAccuracy().name == "soft-accuracy"


def test_a_system_in_each_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paragauge.meta.correlation.system_level.MOST_CELLS", 99)
    (row,) = correlate(scored(10, 10), "overall", ["mine"], systems_view("pearson")).rows
    assert row.reason == "more than 99 cells of segments and systems"


def test_tables_of_papers_have_no_rows_for_each_of_many_judges() -> None:
    rows = [
        (str(n % 3), "a", f"judge {n}", {"overall": float(n % 5), "fluency": 1.0 + n % 4})
        for n in range(31)
    ]
    with pytest.raises(
        InputError, match="at most 30 judges for a table with a column for each, found 31"
    ):
        layout("pem-1", build(rows), DRAWN)
    few = build(rows[:30])
    assert listed_people(few) == ([f"judge {n}" for n in range(30)], [])
    assert listed_people(build(rows)) == (
        [],
        ["31 judges: with more than 30, none has a row; paragauge agree has them."],
    )
    assert len(layout("pem-1", few, CorrelationSettings(bootstrap=0)).rows) == 29
