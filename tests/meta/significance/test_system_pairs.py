"""Who beats whom among all systems."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from paragauge import PINC, TargetF1, score
from paragauge.errors import InputError
from paragauge.meta.significance.comparison import shifted_p_value
from paragauge.meta.significance.system_pairs import pairwise

SOURCES = [f"a b c d{i}" for i in range(30)]
SYSTEMS = {
    "copy": SOURCES,
    "new": ["v w x y"] * 30,
    "half": [f"a b x y{i}" for i in range(30)],
    "again": SOURCES,
}


def test_order_and_clusters():
    sheet = score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=200)
    comparison = pairwise(sheet, "pinc")
    assert comparison.systems == ["new", "half", "copy", "again"]
    assert comparison.clusters == [1, 2]
    assert comparison.better.tolist() == [[0, 1, 1, 1], [-1, 0, 1, 1], [-1, -1, 0, 0], [-1, -1, 0, 0]]
    assert comparison.p_values[2, 3] == 1
    assert (comparison.p_values == comparison.p_values.T).all()
    difference = sheet["new", "pinc"].value - sheet["half", "pinc"].value
    resampled = sheet.resampled["new", "pinc"] - sheet.resampled["half", "pinc"]
    raw = shifted_p_value(difference, resampled)
    assert pairwise(sheet, "pinc", correction="none").p_values[0, 1] == raw
    assert pairwise(sheet, "pinc", correction="bonferroni").p_values[0, 1] == pytest.approx(6 * raw)


@pytest.mark.parametrize(
    ("resamples", "correction", "applied"),
    [
        (118, "holm", "none"),  # 6 pairs: 6 / 119 > 0.05
        (119, "holm", "none"),  # 6 / 120 = 0.05 is not below
        (120, "holm", "holm"),
        (118, "bonferroni", "none"),
        (118, "fdr", "fdr"),  # if all pairs have the smallest p, it stays as it is
        (118, "none", "none"),
    ],
)
def test_corrections_out_of_reach(resamples, correction, applied):
    sheet = score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=resamples)
    comparison = pairwise(sheet, "pinc", correction=correction)
    assert comparison.correction == applied
    assert comparison.p_values[0, 1] < 0.05


def test_clusters_are_those_of_multiple():
    # b is between a and c and differs from neither: a new cluster starts at c all the same.
    sheet = score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=400)
    moved = {"a": (3.0, 1.0), "b": (2.0, 60.0), "c": (1.0, 1.0)}
    random = np.random.default_rng(1)
    scores, resampled = [], {}
    for name, (value, spread) in moved.items():
        scores.append(dataclasses.replace(sheet["new", "pinc"], system=name, value=value))
        resampled[name, "pinc"] = value + random.normal(0, 0.1 * spread, 400)
    comparison = pairwise(dataclasses.replace(sheet, scores=scores, resampled=resampled), "pinc")
    assert comparison.p_values[0, 1] > 0.05 < comparison.p_values[1, 2]
    assert comparison.p_values[0, 2] < 0.05
    assert comparison.clusters == [2]


def test_lower_is_better():
    sheet = score(SYSTEMS, [TargetF1()], sources=SOURCES, bootstrap=50)
    comparison = pairwise(sheet, "targetf1")
    assert comparison.systems[0] == "new"
    assert comparison.better[0, 1] == 1


def test_without_resamples():
    sheet = score(SYSTEMS, [PINC()], sources=SOURCES, bootstrap=0)
    with pytest.raises(InputError, match="expected a score sheet with bootstrap resamples"):
        pairwise(sheet, "pinc")
