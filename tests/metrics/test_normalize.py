"""Typographic characters: which metrics read them as a typewriter's, by default and on request."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge import BLEU, METEOR, MaxSim, tokenize
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import METRICS
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import normalize_text

CURLY = "I don’t know—it’s “fine”, the well‑known 3–4\u00a0km…"
STRAIGHT = "I don't know - it's \"fine\", the well-known 3-4 km..."
BY_DEFAULT = {
    *("maxsim", "maxsim+dep", "maxsim-soft", "maxsim-context", "meteor", "pem", "pem-context"),
    *("adequacy", "adequacy-context", "pivotf1", "fluency"),
}
SPECIFICATIONS = {
    "pinc-sigmoid": "pinc-sigmoid:slope=0.1:midpoint=30",
    "pinc-svr": f"pinc-svr:model={Path(__file__).with_name('combined') / 'pinc-svr.json'}",
}
OTHER = "He doesn't know the well-known place."


@pytest.fixture(params=METRICS)
def metric(request: pytest.FixtureRequest, english_pipeline: bool) -> Metric:
    if request.param == "maxsim+dep" and not english_pipeline:
        pytest.skip("no English spaCy pipeline is installed: maxsim+dep has no parser")
    return Metric.from_spec(SPECIFICATIONS.get(request.param, request.param))


def segment_scores(metric: Metric, candidates: list[str], others: list[str]) -> Any:
    return metric.segments(candidates, sources=others, references=others)


def test_the_table_gives_what_a_typewriter_has() -> None:
    assert normalize_text(CURLY) == STRAIGHT
    assert normalize_text("ﬁnd ＡＢＣ！ co\u00adop «x»") == 'find ABC! coop "x"'
    assert normalize_text("naïve e\u0301 猫 --") == "naïve e\u0301 猫 --"


def test_defaults(metric: Metric) -> None:
    expected = "typography" if metric.name.lower() in BY_DEFAULT else "none"
    assert metric.settings()["normalize"] == expected
    assert ("|normalize:typography|" in metric.signature) == (expected == "typography")


def test_typography_does_not_matter_with_the_setting(metric: Metric) -> None:
    reads = dataclasses.replace(metric, normalize="typography")  # type: ignore[call-arg]
    mixed = segment_scores(reads, [CURLY, STRAIGHT, CURLY, OTHER], [STRAIGHT, CURLY, OTHER, CURLY])
    straight = segment_scores(reads, [STRAIGHT] * 3 + [OTHER], [STRAIGHT] * 2 + [OTHER, STRAIGHT])
    np.testing.assert_allclose(mixed, straight, rtol=1e-6)
    off = dataclasses.replace(metric, normalize="none")  # type: ignore[call-arg]
    np.testing.assert_allclose(
        segment_scores(off, [STRAIGHT], [OTHER]), segment_scores(reads, [STRAIGHT], [OTHER])
    )


def test_none_compares_characters_as_they_are() -> None:
    """*don’t* is one word to Penn's tokenizer, *don't* two: 37.5 for MAXSIM."""
    texts = {"references": ["I don't know"]}
    assert MaxSim().segments(["I don’t know"], **texts) == pytest.approx([100])
    assert MaxSim(normalize="none").segments(["I don’t know"], **texts) < 50
    assert METEOR(normalize="none").segments(["don’t"], references=["don't"]) == [0]
    assert BLEU().segments(["don’t"], references=["don't"]) == [0]


def test_explanations_show_what_is_compared() -> None:
    explanation = MaxSim().explain("I don’t know", "I don't know")
    assert [word.text for word in explanation.candidate] == ["I", "do", "n't", "know"]
    assert explanation.value == pytest.approx(100)


def test_a_batch_without_typography_is_its_own_normalized_batch() -> None:
    batch = Batch.of({"a": ["plain", "naïve 猫"]}, sources=["x", ["y", "z"]])
    assert batch.normalized("typography") is batch
    curly = Batch.of({"a": ["‘x’", "b"]}, sources=[["y", "—z"], "c"], references=["…", "d"])
    typewritten = curly.normalized("typography")
    assert list(typewritten.systems["a"]) == ["'x'", "b"]
    assert list(typewritten.sources or ()) == [["y", " - z"], ["c"]]
    assert list(typewritten.references or ()) == [["..."], ["d"]]
    assert curly.normalized("typography") is typewritten
    assert typewritten.normalized("typography") is typewritten
    assert list(curly.systems["a"]) == ["‘x’", "b"]


def test_tokenize() -> None:
    assert tokenize(["“Don’t”"], "penn", normalize="typography") == [["``", "Do", "n't", "''"]]


def test_analyzed_files_are_looked_up_by_the_normalized_text(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    rows = [("I", "PRP"), ("do", "VBP"), ("n’t", "RB"), ("know", "VB")]
    lines = [
        f"{i}\t{word}\t{word.lower()}\t_\t{tag}\t_\t0\troot\t_\t_"
        for i, (word, tag) in enumerate(rows, 1)
    ]
    path.write_text("# text = I don’t know\n" + "\n".join(lines) + "\n\n", encoding="utf-8")
    metric = MaxSim(tagger="conllu", analyzed=str(path))
    score = metric.segments(["I don't know", "I don’t know"], references=["I don’t know"] * 2)
    np.testing.assert_allclose(score, 100)
