"""PINC with another metric of the meaning kept in BLEU's place."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge import BLEUPINC, PINC, BERTScore, ChrF, Cosine, PINCSigmoid, metric
from paragauge.errors import InputError, SettingError
from paragauge.generate.tuning import sentence_metric
from paragauge.metrics.registry import METRICS

SOURCES = ["a man fires a revolver", "a big turtle is walking", "a boy is doing karate"]
CANDIDATES = ["a man is shooting a gun", "a big turtle is walking", "children play cricket"]
REFERENCES = [["a man shoots a gun"], ["a large tortoise walks"], ["a boy is doing karate"]]
TEXTS: dict[str, Any] = {"sources": SOURCES, "references": REFERENCES}


def test_means_of_a_chosen_metric_and_pinc() -> None:
    chrf = ChrF(word_order=2).segments(CANDIDATES, references=REFERENCES)
    pinc = PINC().segments(CANDIDATES, sources=SOURCES)
    expected = {
        "arithmetic": (chrf + pinc) / 2,
        "geometric": [math.sqrt(x * y) for x, y in zip(chrf, pinc, strict=True)],
        "harmonic": [2 * x * y / (x + y) for x, y in zip(chrf, pinc, strict=True)],
    }
    for mean, values in expected.items():
        combined = metric(f"bleu-pinc:mean={mean}:adequacy=chrf:adequacy_word_order=2")
        np.testing.assert_allclose(combined.segments(CANDIDATES, **TEXTS), values)
        score = combined.score(CANDIDATES, **TEXTS)
        assert score.value == pytest.approx(np.mean(values))
        assert score.parts == pytest.approx({"mean_chrf": chrf.mean(), "mean_pinc": pinc.mean()})


def test_sigmoid_of_a_chosen_metric() -> None:
    similarity = BERTScore(against="sources").segments(CANDIDATES, sources=SOURCES)
    pinc = PINC().segments(CANDIDATES, sources=SOURCES)
    combined = PINCSigmoid(adequacy="bertscore:against=sources", slope=0.2, midpoint=60)
    expected = [y / (1 + math.exp(-0.2 * (x - 60))) for x, y in zip(similarity, pinc, strict=True)]
    # The metric inside needs no references, so the combination needs none.
    np.testing.assert_allclose(combined.segments(CANDIDATES, sources=SOURCES), expected)


def test_bleu_is_the_default() -> None:
    assert BLEUPINC(adequacy="BLEU") == BLEUPINC()
    assert metric("bleu-pinc:adequacy=bleu").label == "bleu-pinc"
    assert "adequacy" not in BLEUPINC().signature


def test_needs_are_those_of_both() -> None:
    assert BLEUPINC(adequacy="chrf").needs == {"sources", "references"}
    assert BLEUPINC(adequacy="cosine:against=sources").needs == {"sources"}
    with pytest.raises(InputError, match="BLEU-PINC needs references; give references="):
        BLEUPINC(adequacy="chrf").score(CANDIDATES, sources=SOURCES)


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("bleu-pinc:adequacy=chrf", "bleu-pinc:adequacy=chrf"),
        ("bleu-pinc:adequacy=ChrF:adequacy_beta=2", "bleu-pinc:adequacy=chrf"),
        (
            "bleu-pinc:adequacy_layer=5:mean=harmonic:adequacy=bertscore:adequacy_part=recall",
            "bleu-pinc:adequacy=bertscore:adequacy_layer=5:adequacy_part=recall:mean=harmonic",
        ),
        (
            "pinc-sigmoid:slope=0.5:midpoint=60:adequacy=maxsim-soft",
            "pinc-sigmoid:adequacy=maxsim-soft:slope=0.5:midpoint=60",
        ),
    ],
)
def test_labels_can_be_read_back(spec: str, label: str) -> None:
    combined = metric(spec)
    assert combined.label == label
    assert metric(label) == combined


def test_the_signature_has_the_settings_of_the_metric_inside() -> None:
    signature = BLEUPINC(adequacy="chrf:word_order=2").signature
    assert signature.startswith("BLEU-PINC|order:4|count:set|")
    assert "|adequacy:chrF|adequacy_nc:6|adequacy_nw:2|" in signature
    assert "smooth" not in signature
    assert "src:" not in signature


def test_defaults_reach_the_metric_inside() -> None:
    combined = metric("bleu-pinc:adequacy=chrf", {"case": "lower"})
    assert combined == BLEUPINC(case="lower", adequacy="chrf:case=lower")
    assert metric("bleu-pinc", {"case": "lower"}) == BLEUPINC(case="lower")


def test_a_mean_with_a_negative_adequacy() -> None:
    # The two sentences have nothing to do with each other: their cosine is below 0.
    texts = {name: ["The bank raised interest rates."] for name in ("sources", "references")}
    candidate = ["My sister knits socks."]
    cosine = Cosine().segments(candidate, references=texts["references"])[0]
    assert cosine < 0
    values = {
        mean: BLEUPINC(adequacy="cosine", mean=mean).segments(candidate, **texts)[0]
        for mean in ("arithmetic", "geometric", "harmonic")
    }
    pinc = PINC().segments(candidate, sources=texts["sources"])[0]
    assert values == {"arithmetic": (cosine + pinc) / 2, "geometric": 0, "harmonic": 0}


def test_a_segment_without_an_adequacy_is_left_out() -> None:
    # BERTScore has no value where both texts are empty; BLEU is 0 there.
    texts = {"sources": ["a b", "a dog barks"], "references": ["", "a hound barks"]}
    for mean in ("arithmetic", "geometric", "harmonic"):
        combined = BLEUPINC(adequacy="bertscore", mean=mean)
        values = combined.segments(["", "a hound is barking"], **texts)
        assert np.isnan(values[0])
        assert combined.score(["", "a hound is barking"], **texts).value == values[1]


@pytest.mark.parametrize("name", sorted(set(METRICS) - {"maxsim+dep"}))
def test_which_metrics_can_take_the_place_of_bleu(name: str) -> None:
    several = ("pairwise-pinc", "self-bleu", "distinct")
    if name in ("pinc", "bleu-pinc", "pinc-sigmoid", "pinc-svr", "targetf1", "ter", *several):
        with pytest.raises(SettingError, match=f"BLEU-PINC adequacy: expected .*, found {name}"):
            BLEUPINC(adequacy=name)
    else:
        assert metric(BLEUPINC(adequacy=name).label) == BLEUPINC(adequacy=name)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu-pinc:adequacy_layer=5", "adequacy_layer: expected adequacy=METRIC beside it"),
        ("bleu-pinc:adequacy=bleu:adequacy_order=2", "write order=VALUE instead of adequacy_order="),
        ("bleu-pinc:adequacy=chrf:smooth=floor", "smooth: is a setting of BLEU, but adequacy is chrf"),
        ("bleu-pinc:adequacy=chrf:source=include", "source: is a setting of BLEU"),
        ("bleu-pinc:adequacy=chrff", "unknown metric 'chrff'; did you mean 'chrf'"),
        ("bleu-pinc:adequacy=chrf:adequacy_betta=1", "unknown setting of chrF 'betta'"),
    ],
)
def test_bad_choices(spec: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        metric(spec)


def test_fit_with_a_chosen_metric(tmp_path: Path) -> None:
    truth = PINCSigmoid(adequacy="chrf", slope=0.2, midpoint=35)
    rng = np.random.default_rng(7)
    words = np.array(["red", "blue", "green", "grey", "black", "white", "pink", "gold"])
    texts: dict[str, Any] = {
        name: [" ".join(rng.choice(words, 6)) for _ in range(300)]
        for name in ("candidates", "sources", "references")
    }
    fitted = PINCSigmoid.fit(truth.segments(**texts).tolist(), **texts, adequacy="chrf")
    assert fitted.metric.slope == pytest.approx(0.2, rel=0.02)
    assert fitted.metric.midpoint == pytest.approx(35, rel=0.02)
    fitted.save(tmp_path / "fit.json")
    assert PINCSigmoid.load(tmp_path / "fit.json") == fitted.metric
    loaded = metric(f"pinc-sigmoid:model={tmp_path / 'fit.json'}", {"case": "lower"})
    assert loaded == fitted.metric


def test_a_fit_leaves_out_segments_without_an_adequacy() -> None:
    texts = {"sources": ["a b"] * 4, "references": ["", "a dog", "a dog", "a dog"]}
    candidates = ["", "a hound", "a b", "a dog"]
    fitted = PINCSigmoid.fit([9.0, 3.0, 1.0, 4.0], candidates, **texts, adequacy="bertscore")
    assert (fitted.ratings, fitted.missing) == (3, 1)


def test_tuning_smooths_bleu_only() -> None:
    assert sentence_metric(BLEUPINC()).label == "bleu-pinc:smooth=add-k:smooth_value=1"
    assert sentence_metric(BLEUPINC(adequacy="chrf")) == BLEUPINC(adequacy="chrf")
