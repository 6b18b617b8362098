"""Krippendorff's alpha against the krippendorff package, its author's example and a plain twin."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, SettingError
from paragauge.meta.agreement import alpha
from paragauge.meta.agreement.alpha import LEVELS, krippendorff_alpha
from paragauge.meta.measure import Bootstrap, segment_weights

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", part C: four observers, twelve
# units, a dot for a missing rating.
EXAMPLE = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}


def example():
    return np.array([[np.nan if cell == "." else float(cell) for cell in row] for row in EXAMPLE])


def flat(table):
    return np.indices(table.shape)[1].ravel(), table.ravel()


@pytest.mark.parametrize("level", LEVELS)
def test_published(level):
    measure = krippendorff_alpha(*flat(example()), level)
    assert round(measure.value, 3) == PUBLISHED[level]
    assert measure.n == 11  # the last unit has one rating


cells = st.sampled_from([1.0, 2.0, 3.0, 5.0, np.nan]) | st.floats(-3, 3, allow_nan=False, width=16)
tables = st.integers(2, 4).flatmap(
    lambda judges: st.lists(st.lists(cells, min_size=judges, max_size=judges), min_size=1, max_size=15)
)


@pytest.mark.parametrize("level", LEVELS)
@given(rows=tables)
def test_equals_the_krippendorff_package(level, rows):
    table = np.array(rows).T
    measure = krippendorff_alpha(*flat(table), level)
    paired = [unit[~np.isnan(unit)] for unit in table.T if (~np.isnan(unit)).sum() > 1]
    assert measure.n == len(paired)
    if not paired:
        assert (measure.value, measure.reason) == (None, "no item has two ratings")
    elif len(np.unique(np.concatenate(paired))) == 1:
        assert measure.value is None
        assert measure.reason == "all ratings are equal, so that there is nothing to agree on"
    else:
        paired_table = np.array([[*unit, *[np.nan] * (len(table) - len(unit))] for unit in paired]).T
        expected = krippendorff.alpha(paired_table, level_of_measurement=level)
        assert measure.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_equals_the_definition(level):
    """Every pair of ratings written out, as the definition has it."""
    units, values = flat(example())
    known = ~np.isnan(values)
    units, values = units[known], values[known]
    usable = np.array([list(units).count(unit) > 1 for unit in units])
    units, values = units[usable], values[usable]
    size = len(values)

    def distance(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        low, high = min(c, k), max(c, k)
        between = sum(low <= value <= high for value in values)
        return (between - (sum(values == c) + sum(values == k)) / 2) ** 2

    observed = sum(
        distance(values[i], values[j]) / (list(units).count(units[i]) - 1)
        for i in range(size)
        for j in range(size)
        if i != j and units[i] == units[j]
    )
    expected = sum(
        distance(values[i], values[j]) for i in range(size) for j in range(size) if i != j
    ) / (size - 1)
    alpha = krippendorff_alpha(units, values, level).value
    assert alpha == pytest.approx(1 - observed / expected, abs=1e-12)


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_a_shifted_scale_changes_nothing(level):
    units, values = flat(example())
    alpha = krippendorff_alpha(units, values, level).value
    assert krippendorff_alpha(units, 1e9 + 3 * values, level).value == pytest.approx(alpha, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_resamples_are_those_of_repeated_segments(level):
    """The interval is that of alpha computed anew on each resample, segment by segment."""
    random = np.random.default_rng(3)
    units = np.repeat(np.arange(40), 3)
    values = random.integers(1, 5, 120).astype(float)
    values[random.random(120) < 0.2] = np.nan
    segments = units // 4
    bootstrap = Bootstrap(60, 0.9, seed=5)
    measure = krippendorff_alpha(units, values, level, segments=segments, bootstrap=bootstrap)
    resampled = []
    for row in segment_weights(10, bootstrap):
        chosen = [(u + 1000 * copy, v) for u, v in zip(units, values, strict=True)
                  for copy in range(row[u // 4])]  # fmt: skip
        drawn = krippendorff_alpha(*map(np.array, zip(*chosen, strict=True)), level)
        resampled.append(drawn.value)
    low, high = np.quantile(resampled, [0.05, 0.95])
    assert (measure.low, measure.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))
    assert measure.low < measure.value < measure.high


def test_one_segment_has_no_interval():
    units, values = flat(example())
    one = np.zeros(len(units), int)
    assert krippendorff_alpha(units, values, segments=one, bootstrap=Bootstrap(50)).low is None
    assert krippendorff_alpha(units, values, bootstrap=Bootstrap(0)).low is None
    assert krippendorff_alpha(units, values, bootstrap=Bootstrap(50)).low is not None


def test_threads_and_seed():
    units, values = flat(example())
    measures = [
        krippendorff_alpha(
            units, values, "ordinal", bootstrap=Bootstrap(80, seed=seed, threads=threads)
        )
        for seed, threads in ((7, 1), (7, 2), (8, 1))
    ]
    assert measures[0] == measures[1]
    assert measures[0] != measures[2]


def test_errors():
    with pytest.raises(SettingError) as caught:
        krippendorff_alpha(np.zeros(2, int), np.zeros(2), "ordnal")
    assert str(caught.value) == (
        "unknown level of measurement 'ordnal'; did you mean 'ordinal'? "
        "known: nominal, ordinal, interval"
    )
    with pytest.raises(InputError) as wrong:
        krippendorff_alpha(np.zeros(2, int), np.zeros(3))
    assert str(wrong.value) == "expected one unit for each rating, found (2,) and (3,)"


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_coincidences_give_the_same_resamples(monkeypatch, level):
    random = np.random.default_rng(5)
    units = np.repeat(np.arange(60), 3)
    values = np.round(random.normal(3, 1, 60)[units] + random.normal(0, 0.7, 180))
    values[random.random(180) < 0.2] = np.nan
    more = {"segments": units // 2, "bootstrap": Bootstrap(200)}
    through_sums = krippendorff_alpha(units, values, level, **more)
    monkeypatch.setattr(alpha, "FEW_VALUES", 0)
    one_by_one = krippendorff_alpha(units, values, level, **more)
    assert through_sums.low == pytest.approx(one_by_one.low, abs=1e-9)
    assert through_sums.high == pytest.approx(one_by_one.high, abs=1e-9)
