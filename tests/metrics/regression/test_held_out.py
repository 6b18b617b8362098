"""The held-out figure: folds by source, and when there is none."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge import PINCSigmoid
from paragauge.errors import SettingError
from paragauge.metrics.regression.held_out import held_out, number_sources


def test_segments_of_a_source_have_one_number() -> None:
    groups = [("a",), ("b", "c"), ("a",), ("d",), ("b", "c")]
    numbers = number_sources(groups, 7).tolist()
    assert numbers[0] == numbers[2]
    assert numbers[1] == numbers[4]
    assert sorted(set(numbers)) == [0, 1, 2]
    assert any(number_sources(groups, seed).tolist() != numbers for seed in range(20))


def test_every_segment_is_predicted_once_and_sources_stay_together() -> None:
    units = np.repeat(np.arange(12), 3)
    ratings = np.arange(36.0)
    seen = np.zeros(36, int)

    def predict(is_out: np.ndarray) -> np.ndarray:
        assert not set(units[is_out]) & set(units[~is_out])
        seen[is_out] += 1
        return ratings[is_out]

    figure = held_out(predict, ratings, units, folds=4)
    assert seen.tolist() == [1] * 36
    assert figure.pearson == pytest.approx(1.0)
    assert (figure.folds, figure.sources, figure.seed) == (4, 12, 7)


def test_no_figure() -> None:
    ratings = np.arange(4.0)
    few = held_out(lambda is_out: ratings[is_out], ratings, np.arange(4), folds=5)
    flat = held_out(lambda is_out: np.ones(is_out.sum()), ratings, np.arange(4), folds=2)
    assert few.pearson is few.low is few.high is None
    assert flat.pearson is None
    with pytest.raises(SettingError, match="folds: expected a whole number from 2 to 1,000, found 1"):
        held_out(lambda is_out: ratings[is_out], ratings, np.arange(4), folds=1)


def test_the_sigmoid_has_one() -> None:
    numbers = range(12)
    texts = {
        "sources": [f"a b c{n}" for n in numbers for _ in range(3)],
        "references": [f"x y z{n}" for n in numbers for _ in range(3)],
    }
    candidates = [text for n in numbers for text in (f"x y z{n}", f"a b c{n}", f"q r s{n}")]
    fitted = PINCSigmoid.fit([5, 1, 1] * 12, candidates, **texts)
    assert fitted.held_out.pearson == pytest.approx(1.0)
    assert fitted.held_out.sources == 12
