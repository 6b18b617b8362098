"""The adapter for Hugging Face `evaluate`, with the real library and without network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paragauge import BLEU, PINC

CANDIDATES = ["the cat sat down", "a dog barks", "it rains"]
SOURCES = ["a cat sits down", "the dog barks", "it rains"]
REFERENCES = [
    ["the cat sat", "a cat sat down"],
    ["a dog barked", "the dog barks"],
    ["it rains", "rain"],
]


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The library with its caches in a temporary folder; it may not look for anything elsewhere."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("huggingface")
    patch.setenv("HF_HOME", str(folder))
    for name in ("HF_HUB_OFFLINE", "HF_EVALUATE_OFFLINE", "HF_DATASETS_OFFLINE"):
        patch.setenv(name, "1")
    try:
        yield pytest.importorskip("evaluate")
    finally:
        patch.undo()


@pytest.fixture(scope="module")
def load(evaluate: Any, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    script = str(repository / "examples" / "evaluate" / "paragauge_metric.py")
    folder = str(tmp_path_factory.mktemp("evaluate"))
    return lambda *name: evaluate.load(script, *name, cache_dir=folder)


def test_compute(load: Any) -> None:
    expected = BLEU().score(CANDIDATES, references=REFERENCES)
    result = load("bleu").compute(predictions=CANDIDATES, references=REFERENCES)
    assert result == {"bleu": expected.value, "bleu_signature": expected.signature}
    assert load().compute(predictions=CANDIDATES, references=REFERENCES) == result
    single = [texts[0] for texts in REFERENCES]
    expected = BLEU(order=2).score(CANDIDATES, references=single)
    result = load("bleu:order=2").compute(predictions=CANDIDATES, references=single)
    assert result["bleu:order=2"] == expected.value
    pinc = load("pinc").compute(predictions=CANDIDATES, sources=SOURCES)
    assert pinc["pinc"] == PINC().score(CANDIDATES, sources=SOURCES).value


def test_batches(load: Any) -> None:
    expected = load("pinc").compute(predictions=CANDIDATES, sources=SOURCES)
    metric = load("pinc")
    metric.add(predictions=CANDIDATES[0], sources=SOURCES[0])
    metric.add_batch(predictions=CANDIDATES[1:], sources=SOURCES[1:])
    assert metric.compute() == expected


def test_combine(evaluate: Any, load: Any) -> None:
    both = evaluate.combine([load("bleu"), load("pinc")])
    result = both.compute(predictions=CANDIDATES, references=REFERENCES, sources=SOURCES)
    assert result["bleu"] == BLEU().score(CANDIDATES, references=REFERENCES).value
    assert result["pinc"] == PINC().score(CANDIDATES, sources=SOURCES).value
