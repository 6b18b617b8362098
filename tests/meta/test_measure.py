"""Statistics with reasons, and resamples that are the same wherever they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import SettingError
from paragauge.meta.measure import (
    Bootstrap,
    Measure,
    segment_weights,
    undefined_measure,
)
from paragauge.metrics.resampling import Resampler


@pytest.mark.parametrize("segments", [1, 63, 64, 65, 200])
def test_weights_are_those_of_the_resampler(segments):
    bootstrap = Bootstrap(40, seed=3)
    rows = np.random.default_rng(1).random((segments, 3))
    resampler = Resampler(3, 40, seed=3)
    resampler.add(rows, 0)
    weights = segment_weights(segments, bootstrap)
    assert weights.shape == (40, segments)
    np.testing.assert_allclose(weights @ rows, resampler.sums)


def test_fewer_segments_have_the_same_weights():
    bootstrap = Bootstrap(20, seed=5)
    assert (segment_weights(10, bootstrap) == segment_weights(300, bootstrap)[:, :10]).all()


def test_rows_of_a_segment_are_drawn_together():
    bootstrap = Bootstrap(30, seed=2)
    segment = np.array([4, 9, 4, 7, 9])
    weights = np.concatenate(list(bootstrap.weights(segment)))
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 1] == weights[:, 4]).all()
    rows = np.arange(10.0).reshape(5, 2)
    np.testing.assert_allclose(bootstrap.sums(rows, segment), weights @ rows)
    np.testing.assert_allclose(
        bootstrap.values(segment, lambda mine: float(mine @ rows[:, 0])), weights @ rows[:, 0]
    )


def test_one_segment_is_no_sample():
    assert not Bootstrap(10).draws(np.array([3, 3]))
    assert Bootstrap(10).draws(np.array([3, 4]))
    assert not Bootstrap(0).draws(np.array([3, 4]))


def test_intervals():
    measure = Measure(0.5, 9).within(np.array([0.0, np.nan, 1.0]), 0.5)
    assert (measure.low, measure.high) == (0.25, 0.75)
    assert undefined_measure("why", 2).within(np.array([0.0, 1.0]), 0.5) == Measure(
        None, 2, reason="why"
    )
    assert Measure(0.5, 9).within(np.array([np.nan]), 0.5).low is None


def test_settings():
    for wrong, message in (
        (Bootstrap(-1), "resamples: expected a whole number from 0"),
        (Bootstrap(level=1.0), "expected a level between 0 and 1, found 1.0"),
        (Bootstrap(seed=-1), "seed: expected a whole number from 0"),
    ):
        with pytest.raises(SettingError) as caught:
            wrong.check()
        assert str(caught.value).startswith(message)
