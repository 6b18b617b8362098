"""Scores in training loops are those of the whole set, however it is cut into batches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.errors import InputError, SettingError, ShapeError
from paragauge.integrations import ComputeMetrics, RunningScores

WORDS = ["<pad>", "a", "b", "c", "d", "e"]
IDS = np.array([[1, 2, 3, 4], [2, 3, 5, 0], [1, 1, 2, 3]])
LABELS = np.array([[1, 2, 3, 5], [2, 3, 4, -100], [1, 2, 3, -100]])
SOURCES = ["a b d", "b c", "a b c"]


def decode(rows: Any) -> list[str]:
    return [" ".join(WORDS[i] for i in row if i) for row in rows]


CANDIDATES, REFERENCES = decode(IDS), decode(np.where(LABELS < 0, 0, LABELS))
EXPECTED = {
    "bleu": BLEU().score(CANDIDATES, references=REFERENCES).value,
    "pinc:order=2": PINC(order=2).score(CANDIDATES, sources=SOURCES).value,
}


@pytest.mark.parametrize("size", [1, 2, 3])
def test_batches_add_up(size: int) -> None:
    running = RunningScores([BLEU(), "pinc:order=2"])
    for _ in range(2):
        running.reset()
        for i in range(0, 3, size):
            part = slice(i, i + size)
            running.add(CANDIDATES[part], sources=SOURCES[part], references=REFERENCES[part])
        assert running.scores() == EXPECTED
        assert running.segments == 3


def test_a_function_for_trainers() -> None:
    compute = ComputeMetrics(["bleu", "pinc:order=2"], decode, sources=SOURCES, prefix="eval_")
    named = {f"eval_{name}": value for name, value in EXPECTED.items()}
    assert compute((IDS, LABELS)) == named
    prediction = SimpleNamespace(predictions=(IDS, "past states"), label_ids=LABELS)
    assert compute(prediction) == named
    given = ComputeMetrics(["bleu"], decode, references=[["a b c e"], ["b c d"], ["a b c"]])
    assert given(SimpleNamespace(predictions=IDS, label_ids=None)) == {"bleu": EXPECTED["bleu"]}


def test_errors() -> None:
    with pytest.raises(SettingError, match="expected at least one metric"):
        RunningScores([])
    with pytest.raises(InputError, match="expected at least one segment, found none; add batches"):
        RunningScores(["bleu"]).scores()
    with pytest.raises(InputError, match="PINC needs sources"):
        RunningScores(["pinc"]).add(["a"], references=["a"])
    with pytest.raises(InputError, match=r"found an array of 3 dimensions of float64; let the trainer"):
        ComputeMetrics(["bleu"], decode)((np.zeros((1, 2, 3)), LABELS))


def test_sources_and_references_are_columns() -> None:
    # list() of a data frame is its column names, and of a set its texts in no order.
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"src": SOURCES, "ref": REFERENCES, "n": [1, 2, 3]})
    for given in ({"sources": frame}, {"sources": set(SOURCES)}, {"references": frame}):
        with pytest.raises(ShapeError, match=r"expected (one column|a list of sentences)"):
            ComputeMetrics(["bleu"], decode, **given)
    compute = ComputeMetrics(["pinc:order=2"], decode, sources=frame["src"])
    assert compute((IDS, LABELS)) == {"pinc:order=2": EXPECTED["pinc:order=2"]}


def test_the_right_call() -> None:
    with pytest.raises(InputError, match=r"write add\(candidates, sources=sources, references="):
        RunningScores(["bleu"]).add(CANDIDATES, REFERENCES)
    for metrics in ("bleu", BLEU()):
        with pytest.raises(ShapeError, match=r"expected a list of metrics, found .*; put it in a list"):
            RunningScores(metrics)  # type: ignore[arg-type]
