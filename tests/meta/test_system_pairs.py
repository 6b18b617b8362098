"""Who beats whom among all systems."""

from __future__ import annotations

import pytest

from paragauge import PINC, TargetF1, score
from paragauge.errors import InputError
from paragauge.meta.compare import shifted_p_value
from paragauge.meta.system_pairs import pairwise

SOURCES = [f"a b c d{i}" for i in range(30)]
SYSTEMS = {
    "copy": SOURCES,
    "new": ["v w x y"] * 30,
    "half": [f"a b x y{i}" for i in range(30)],
    "again": SOURCES,
}


def test_order_and_clusters():
    sheet = score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=200)
    found = pairwise(sheet, "pinc")
    assert found.systems == ["new", "half", "copy", "again"]
    assert found.clusters == [1, 2]
    assert found.better.tolist() == [[0, 1, 1, 1], [-1, 0, 1, 1], [-1, -1, 0, 0], [-1, -1, 0, 0]]
    assert found.p_values[2, 3] == 1
    assert (found.p_values == found.p_values.T).all()
    difference = sheet["new", "pinc"].value - sheet["half", "pinc"].value
    resampled = sheet.resampled["new", "pinc"] - sheet.resampled["half", "pinc"]
    assert found.p_values[0, 1] == shifted_p_value(difference, resampled)


def test_lower_is_better():
    sheet = score(SYSTEMS, [TargetF1()], sources=SOURCES, bootstrap=50)
    found = pairwise(sheet, "targetf1")
    assert found.systems[0] == "new"
    assert found.better[0, 1] == 1


def test_without_resamples():
    sheet = score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=0)
    with pytest.raises(InputError, match="expected a score sheet with bootstrap resamples"):
        pairwise(sheet, "pinc")
