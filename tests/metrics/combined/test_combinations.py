"""iBLEU, the means of BLEU and PINC, PINC x sigmoid(BLEU), and TargetF1."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import BLEU, BLEUPINC, IBLEU, PINC, PINCSigmoid, TargetF1
from paragauge.errors import FileFormatError, InputError, LengthError, SettingError
from paragauge.metrics.weighted_bags import WeightedBags

SOURCES = ["a man fires a revolver", "a big turtle is walking", "a boy is doing karate"]
CANDIDATES = ["a man is shooting a gun", "a big turtle is walking", "children play cricket"]
REFERENCES = [
    ["a man shoots a gun", "a man is firing a gun"],
    ["a large tortoise walks"],
    ["a boy is doing karate"],
]
TEXTS = {"sources": SOURCES, "references": REFERENCES}


def test_ibleu_is_the_weighted_difference() -> None:
    for alpha in (0.0, 0.7, 1.0):
        metric = IBLEU(alpha=alpha)
        bleu, copy = BLEU(), BLEU()
        expected = alpha * bleu.score(CANDIDATES, references=REFERENCES).value
        expected -= (1 - alpha) * copy.score(CANDIDATES, references=SOURCES).value
        assert metric.score(CANDIDATES, **TEXTS).value == pytest.approx(expected)
        segments = alpha * bleu.segments(CANDIDATES, references=REFERENCES)
        segments -= (1 - alpha) * copy.segments(CANDIDATES, references=SOURCES)
        np.testing.assert_allclose(metric.segments(CANDIDATES, **TEXTS), segments)


def test_means_of_bleu_and_pinc() -> None:
    b = BLEU(effective_order="always").segments(CANDIDATES, references=REFERENCES)
    p = PINC().segments(CANDIDATES, sources=SOURCES)
    expected = {
        "arithmetic": (b + p) / 2,
        "geometric": [math.sqrt(x * y) for x, y in zip(b, p, strict=True)],
        "harmonic": [2 * x * y / (x + y) if x + y else 0 for x, y in zip(b, p, strict=True)],
    }
    for mean, values in expected.items():
        metric = BLEUPINC(mean=mean)
        np.testing.assert_allclose(metric.segments(CANDIDATES, **TEXTS), values)
        score = metric.score(CANDIDATES, **TEXTS)
        assert score.value == pytest.approx(np.mean(values))
        assert score.parts == pytest.approx({"mean_bleu": b.mean(), "mean_pinc": p.mean()})


def test_harmonic_mean_of_nothing_is_0() -> None:
    # A copy that no reference resembles: BLEU 0 and PINC 0.
    assert BLEUPINC(mean="harmonic").segments(["a"], sources=["a"], references=[["b"]])[0] == 0


def test_sigmoid_by_hand() -> None:
    metric = PINCSigmoid(slope=0.2, midpoint=40)
    b = BLEU(effective_order="always").segments(CANDIDATES, references=REFERENCES)
    p = PINC().segments(CANDIDATES, sources=SOURCES)
    expected = [y / (1 + math.exp(-0.2 * (x - 40))) for x, y in zip(b, p, strict=True)]
    np.testing.assert_allclose(metric.segments(CANDIDATES, **TEXTS), expected)


def random_texts(count: int) -> dict[str, list[str]]:
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(12)]
    make = lambda: [" ".join(rng.choice(words, 8)) for _ in range(count)]  # noqa: E731
    sources = make()
    mixed = [
        " ".join(a if rng.random() < keep else b for a, b in zip(x.split(), y.split(), strict=True))
        for x, y, keep in zip(sources, make(), rng.random(count), strict=True)
    ]
    return {"sources": sources, "references": make(), "candidates": mixed}


def test_fit_recovers_planted_parameters() -> None:
    texts = random_texts(400)
    truth = PINCSigmoid(slope=0.15, midpoint=12)
    ratings = 1 + 3 * truth.segments(**texts) / 100  # correlation ignores scale and offset
    fitted = PINCSigmoid.fit(ratings.tolist(), **texts)
    assert fitted.pearson == pytest.approx(1, abs=1e-6)
    assert fitted.metric.slope == pytest.approx(0.15, rel=0.02)
    assert fitted.metric.midpoint == pytest.approx(12, rel=0.02)


def test_fit_beats_every_simple_mean_on_noisy_ratings() -> None:
    texts = random_texts(400)
    noise = np.random.default_rng(1).normal(0, 8, 400)
    ratings = PINCSigmoid(slope=0.4, midpoint=10).segments(**texts) + noise
    fitted = PINCSigmoid.fit(ratings.tolist(), **texts)
    for mean in ("arithmetic", "geometric", "harmonic"):
        rival = np.corrcoef(BLEUPINC(mean=mean).segments(**texts), ratings)[0, 1]
        assert fitted.pearson > rival


def test_fit_saves_and_loads(tmp_path: Path) -> None:
    texts = random_texts(30)
    quality = PINC().segments(texts["candidates"], sources=texts["sources"])
    ratings = [float("nan"), *quality[1:]]
    fitted = PINCSigmoid.fit(ratings, **texts, tokenize="none")
    assert (fitted.ratings, fitted.missing) == (29, 1)
    path = tmp_path / "fit.json"
    fitted.save(path)
    assert PINCSigmoid.load(path) == fitted.metric
    content = json.loads(path.read_text())
    assert content["fit"]["pearson"] == fitted.pearson
    assert content["signature"] == fitted.metric.signature
    path.write_text("{}")
    with pytest.raises(FileFormatError, match="expected a fit saved by paragauge"):
        PINCSigmoid.load(path)
    with pytest.raises(FileFormatError, match="no such file"):
        PINCSigmoid.load(tmp_path / "absent.json")


def test_fit_refuses_what_it_cannot_learn_from() -> None:
    texts = random_texts(5)
    with pytest.raises(InputError, match="at least 3 ratings that are not all equal, found 5"):
        PINCSigmoid.fit([2.0] * 5, **texts)
    with pytest.raises(InputError, match="expected finite ratings"):
        PINCSigmoid.fit([1.0, 2.0, float("inf"), 1.0, 2.0], **texts)
    with pytest.raises(InputError, match="candidates that differ in PINC"):
        PINCSigmoid.fit(
            [1.0, 2.0, 3.0], ["a", "a", "a"], sources=["a", "a", "a"], references=["b", "b", "b"]
        )
    with pytest.raises(InputError, match="expected ratings that rise with quality"):
        PINCSigmoid.fit(
            [3.0, 1.0, 1.0], ["a b", "c d", "c d"], sources=["a b"] * 3, references=["c d"] * 3
        )
    with pytest.raises(LengthError, match="ratings has 4 values but candidates has 5 segments"):
        PINCSigmoid.fit([1.0] * 4, **texts)
    with pytest.raises(SettingError, match="PINC-sigmoid needs slope and midpoint"):
        PINCSigmoid()


def test_target_f1_by_hand() -> None:
    # a b c against a c: words share 2 of 3 and 2, pairs share none of 2 and 1, triples 0 of 1 and 0
    # so 2 * 2 / ((3 + 2 + 1) + (2 + 1))
    assert TargetF1().segments(["a b c"], sources=["a c"])[0] == pytest.approx(100 * 4 / 9)
    # repeated words count as often as both have them: min(2, 3) of a, min(1, 2) of a a, 0 of a a a
    assert TargetF1().segments(["a a"], sources=["a a a"])[0] == pytest.approx(100 * 2 * 3 / (3 + 6))


@pytest.mark.parametrize(("candidate", "source", "value"), [("", "", 100), ("", "a", 0), ("a", "", 0)])
def test_target_f1_of_empty_sentences(candidate: str, source: str, value: float) -> None:
    assert TargetF1().segments([candidate], sources=[source])[0] == value


def test_target_f1_is_symmetric_and_averages_sources() -> None:
    forth = TargetF1().segments(CANDIDATES, sources=SOURCES)
    np.testing.assert_allclose(forth, TargetF1().segments(SOURCES, sources=CANDIDATES))
    both = TargetF1().segments(["a b"], sources=[["a b", "x y"]])
    assert both[0] == 50


bag = st.dictionaries(st.integers(0, 6), st.floats(0.01, 5), max_size=6)


@given(st.lists(st.tuples(bag, bag), min_size=1, max_size=5))
def test_weighted_f1(pairs: list[tuple[dict[int, float], dict[int, float]]]) -> None:
    def flat(side: int) -> WeightedBags:
        bags = [pair[side] for pair in pairs]
        keys = np.array([key for bag in bags for key in bag], np.int32)
        weights = np.array([weight for bag in bags for weight in bag.values()], np.float64)
        return WeightedBags(keys, weights, np.cumsum([0, *map(len, bags)], dtype=np.int64))

    expected = []
    for left, right in pairs:
        shared = sum(min(weight, right.get(key, 0)) for key, weight in left.items())
        total = sum(left.values()) + sum(right.values())
        expected.append(2 * shared / total if total else 1.0)
    np.testing.assert_allclose(flat(0).f1(flat(1)), expected, atol=1e-12)
