"""The batch scorer and the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge import BLEU, PINC, score
from paragauge.encode import keep_vectors, open_encoder
from paragauge.errors import InputError, LengthError, SettingError
from paragauge.metrics import scoring
from paragauge.metrics.base import Metric
from paragauge.metrics.resampling import Resampler, interval
from paragauge.metrics.scoring import batch_statistics, score_batches
from paragauge.text.batch import Batch

WORDS = [f"w{i}" for i in range(30)]


def texts(count: int, seed: int = 1) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    return {
        name: [" ".join(rng.choice(WORDS, rng.integers(4, 15))) for _ in range(count)]
        for name in ("a", "b", "sources", "references")
    }


def batches(data: dict[str, list[str]], size: int) -> list[Batch]:
    result = []
    for first in range(0, len(data["a"]), size):
        cut = slice(first, first + size)
        batch = Batch.of(
            {name: data[name][cut] for name in ("a", "b")},
            sources=data["sources"][cut],
            references=data["references"][cut],
        )
        batch.first = first
        result.append(batch)
    return result


METRICS = {"bleu": BLEU(), "pinc": PINC()}


def test_batches_of_any_size_give_the_same_scores_and_intervals() -> None:
    data = texts(500)
    one, many = (score_batches(batches(data, size), METRICS, bootstrap=200) for size in (500, 7))
    for left, right in zip(one.scores, many.scores, strict=True):
        assert left.value == pytest.approx(right.value, abs=1e-9)
        assert (left.low, left.high) == pytest.approx((right.low, right.high), abs=1e-9)
    assert many.segments == 500


def test_scores_equal_those_of_the_metric_alone() -> None:
    data = texts(40)
    sheet = score(
        {"a": data["a"], "b": data["b"]},
        [BLEU(), PINC()],
        sources=data["sources"],
        references=data["references"],
    )
    alone = PINC().score(data["b"], sources=data["sources"], bootstrap=1000)
    in_sheet = sheet["b", "pinc"]
    assert (in_sheet.value, in_sheet.low, in_sheet.high) == (alone.value, alone.low, alone.high)
    assert [one.system for one in sheet.scores] == ["a", "a", "b", "b"]
    with pytest.raises(KeyError):
        sheet["c", "pinc"]


def test_the_interval_covers_a_mean_as_statistics_says() -> None:
    """For a mean of n values the bootstrap interval approaches mean +- 1.96 s / sqrt(n)."""
    values = np.random.default_rng(2).normal(50, 10, 4000)
    resampler = Resampler(2, 4000, seed=3)
    resampler.add(np.stack([values, np.ones_like(values)], axis=1), 0)
    low, high = interval(resampler.sums[:, 0] / resampler.sums[:, 1], 0.95)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    hits = 0
    for trial in range(300):
        values = rng.exponential(1.0, 150)
        resampler = Resampler(2, 300, seed=trial)
        resampler.add(np.stack([values, np.ones_like(values)], axis=1), 0)
        low, high = interval(resampler.sums[:, 0] / resampler.sums[:, 1], 0.9)
        hits += low <= 1.0 <= high
    # 90% of 300 is 270, with a standard deviation of 5.2; skewed data costs a little.
    assert 250 <= hits <= 290


def test_bootstrap_is_decided_by_its_seed() -> None:
    data = texts(50)
    make = lambda seed: PINC().score(data["a"], sources=data["sources"], bootstrap=100, seed=seed)  # noqa: E731
    assert make(1) == make(1)
    assert (make(1).low, make(1).high) != (make(2).low, make(2).high)


def test_no_bootstrap_no_interval() -> None:
    sheet = score({"a": ["x"]}, [PINC()], sources=["y"], bootstrap=0)
    assert sheet.scores[0].low is None
    assert sheet.resampled == {}


def test_one_segment_has_an_interval_without_width() -> None:
    score = PINC().score(["a b"], sources=["a c"], bootstrap=100)
    assert score.low == score.high == pytest.approx(score.value)


def test_empty_lines_are_counted() -> None:
    sheet = score(
        {"a": ["", "x", " \u3000"], "b": ["x", "x", "x"]}, [PINC()], sources=[["", "y"], ["z"], ["\t"]]
    )
    assert sheet.empty == {"a": 2, "<sources>": 2}
    assert sheet["a", "pinc"].signature.startswith("PINC|srcs:1-2|")


def test_the_number_of_references_is_in_the_signature() -> None:
    one = BLEU().score(["a"], references=["b"]).signature
    several = BLEU().score(["a", "b"], references=[["b"], ["a", "b", "c"]]).signature
    assert one.startswith("BLEU|refs:1|")
    assert several.startswith("BLEU|refs:1-3|")


def test_errors() -> None:
    with pytest.raises(InputError, match="PINC needs sources"):
        score({"a": ["x"]}, [PINC()], references=["y"])
    with pytest.raises(LengthError, match="candidates of 'a' has 2 segments but sources has 1"):
        score({"a": ["x", "y"]}, [PINC()], sources=["y"])
    with pytest.raises(InputError, match="expected at least one segment, found none"):
        score({"a": []}, [PINC()], sources=[])
    with pytest.raises(InputError, match="expected at least one system's candidates, found none"):
        score({}, [PINC()], sources=[])
    with pytest.raises(SettingError, match=r"seed: expected a whole number from 0 to .*, found -1"):
        score({"a": ["x"]}, [PINC()], sources=["y"], seed=-1)
    with pytest.raises(SettingError, match="expected a level between 0 and 1, found 95"):
        score({"a": ["x"]}, [PINC()], sources=["y"], level=95)


def test_metrics_share_the_vectors_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = Metric.from_specs(["cosine,bertscore,maxsim-context,bleu", "bert-ibleu:layer=5"])
    texts = [f"Dogs bark at {number} cats." for number in range(7)]
    sources = [f"Cats are barked at by {number} dogs." for number in range(7)]
    batch = Batch.of({"a": texts, "b": texts[::-1]}, sources=sources, references=sources)
    alone = {
        (system, label): metric.batch_stats(batch, system)
        for system in batch.systems
        for label, metric in metrics.items()
    }
    keep_vectors(None)  # forget
    monkeypatch.setattr(scoring, "SHARED_TEXTS", 9)  # three segments at a time
    before = open_encoder().encoded
    together = batch_statistics(batch, metrics)
    assert open_encoder().encoded - before == 14
    assert list(together) == list(alone)
    for key, stats in together.items():
        np.testing.assert_array_equal(stats, alone[key])
