"""The parts of PEM as metrics of their own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from paragauge import PEM, Adequacy, Fluency, PivotF1, TargetF1
from paragauge.errors import SettingError
from paragauge.metrics.pem.model import open_model
from paragauge.text.batch import Batch

SOURCES = [
    "The dogs were barking loudly.",
    "She can't come today.",
    "",
    "Ça va — naïve 猫",
    "It rains.",
]
CANDIDATES = ["A dog barked.", "Today she cannot come.", "", "naïve", ""]


def test_parts_are_those_of_the_papers_pem() -> None:
    parts = PEM(features="paper").components(CANDIDATES, sources=SOURCES)
    stemmed = TargetF1(case="lower", stem="porter")
    np.testing.assert_array_equal(PivotF1().segments(CANDIDATES, sources=SOURCES), parts["pivot_f1"])
    np.testing.assert_array_equal(Fluency(method="lm").segments(CANDIDATES), parts["fluency"])
    np.testing.assert_allclose(
        stemmed.segments(CANDIDATES, sources=SOURCES), parts["target_f1"], rtol=1e-14
    )


def test_parts_are_those_of_pem() -> None:
    parts = PEM().components(CANDIDATES, sources=SOURCES)
    np.testing.assert_array_equal(Adequacy().segments(CANDIDATES, sources=SOURCES), parts["adequacy"])
    np.testing.assert_array_equal(Fluency().segments(CANDIDATES), parts["fluency"])
    assert ((parts["dissimilarity"] >= 0) & (parts["dissimilarity"] <= 100)).all()


def test_several_sources_count_equally() -> None:
    first, second = SOURCES[:2]
    both = PivotF1().segments(["A dog barked."], sources=[[first, second]])
    alone = [PivotF1().segments(["A dog barked."], sources=[text])[0] for text in (first, second)]
    assert both[0] == pytest.approx(np.mean(alone))
    stemmed = TargetF1(case="lower", stem="porter")
    both = stemmed.segments(["A dog barked."], sources=[[first, second]])
    alone = [stemmed.segments(["A dog barked."], sources=[text])[0] for text in (first, second)]
    assert both[0] == pytest.approx(np.mean(alone))


def test_stems_by_hand() -> None:
    # dog bark and dog: two words and a pair against one word; 2 * 1 / (3 + 1).
    assert TargetF1(case="lower", stem="porter").segments(["Dog"], sources=["dogs barking"])[0] == 50
    assert TargetF1(case="lower").segments(["Dog"], sources=["dogs barking"])[0] == 0


def test_fluency_is_that_of_the_language_model() -> None:
    model = open_model("english").resources.model
    text = "It is raining."
    total = math.log(10) * model.score([text]).log10[0]
    tokens = 5  # four words and the end of the sentence
    assert Fluency(method="lm").segments([text])[0] == pytest.approx(total / tokens)


def test_what_is_refused() -> None:
    with pytest.raises(SettingError, match="unknown stemmer 'portr'; did you mean 'porter'"):
        TargetF1(stem="portr")


def test_models_share_no_cache(pem_folder: Path) -> None:
    batch = Batch.of({"": CANDIDATES}, sources=SOURCES)
    own, other = PivotF1(), PivotF1(model=str(pem_folder))
    scores = [metric.segment_values(metric.batch_stats(batch, "")) for metric in (own, other, own)]
    np.testing.assert_array_equal(scores[0], scores[2])
    np.testing.assert_array_equal(scores[1], other.segments(CANDIDATES, sources=SOURCES))
    latest = batch.normalized("typography")._latest
    (key,) = {key for key in latest if key[1] is open_model("english").resources}
    assert key[0] == "pem"  # the resources themselves, which stay alive, not a number that is reused


def test_columns_of_segments_hold_the_parts() -> None:
    metric = PEM()
    stats = metric.stats(CANDIDATES, sources=SOURCES)
    columns, parts = metric.segment_parts(stats), metric.components(CANDIDATES, sources=SOURCES)
    for name, column in columns.items():
        np.testing.assert_array_equal(column, parts[name])
    missing = metric.segment_parts(np.zeros((1, stats.shape[1])))
    assert all(np.isnan(column).all() for column in missing.values())
