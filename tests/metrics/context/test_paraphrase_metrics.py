"""BERT-iBLEU and ParaScore: what they make of BERTScore, BLEU and edit distance."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import BERTIBLEU, BLEU, BERTScore, ParaScore
from paragauge.metrics.context.edit_distance import edit_distance
from tests.encode import tiny_bert

SOURCES = ["The meeting was put off until Monday.", "Dogs like meat.", "It rains a lot here in May."]
CANDIDATES = ["They postponed the meeting to Monday.", "Dogs like meat.", "May is a wet month here."]
REFERENCES = [
    ["The meeting is on Monday instead.", "Monday it is."],
    ["Meat is dogs' food."],
    ["Rain."],
]


def test_bert_ibleu_is_the_harmonic_mean_of_its_parts() -> None:
    values = BERTIBLEU().segments(CANDIDATES, sources=SOURCES)
    similarity = BERTScore(against="sources").segments(CANDIDATES, sources=SOURCES) / 100
    overlap = BLEU().segments(CANDIDATES, references=SOURCES) / 100
    for n in (0, 2):
        expected = 1 / ((4 / similarity[n] + 1 / (1 - overlap[n])) / 5)
        assert values[n] == pytest.approx(100 * expected)
    assert values[1] == 0  # a copy
    even = BERTIBLEU(beta=1).segments(CANDIDATES, sources=SOURCES)
    expected = 2 * similarity[0] * (1 - overlap[0]) / (similarity[0] + 1 - overlap[0])
    assert even[0] == pytest.approx(100 * expected)


def test_parts_of_bert_ibleu() -> None:
    score = BERTIBLEU().score(CANDIDATES, sources=SOURCES)
    similarity = BERTScore(against="sources").segments(CANDIDATES, sources=SOURCES)
    assert score.parts["bertscore"] == pytest.approx(similarity.mean())
    overlap = BLEU().segments(CANDIDATES, references=SOURCES)
    assert score.parts["self_bleu"] == pytest.approx(overlap.mean())


def test_parascore_by_hand() -> None:
    values = ParaScore().segments(CANDIDATES, sources=SOURCES)
    similarity = BERTScore(against="sources").segments(CANDIDATES, sources=SOURCES)
    assert values[0] == pytest.approx(similarity[0] + 100 * 0.05 * 0.35)  # far apart
    assert values[1] == pytest.approx(100 - 5)  # a copy
    # One letter of 14 differs: d = 1/14, D = d * 1.35 / 0.35 - 1.
    close = ParaScore().segments(["Dogs like mead"], sources=["Dogs like meat"])[0]
    near = BERTScore(against="sources").segments(["Dogs like mead"], sources=["Dogs like meat"])[0]
    assert close == pytest.approx(near + 100 * 0.05 * (1 / 14 * 1.35 / 0.35 - 1))


def test_parascore_with_references_takes_the_closer_text() -> None:
    both = ParaScore(against="both")
    assert both.needs == {"sources", "references"}
    values = both.segments(CANDIDATES, sources=SOURCES, references=REFERENCES)
    source = BERTScore(against="sources").segments(CANDIDATES, sources=SOURCES)
    reference = BERTScore().segments(CANDIDATES, references=REFERENCES)
    free = ParaScore().segments(CANDIDATES, sources=SOURCES)
    np.testing.assert_allclose(values - free, np.maximum(source, reference) - source, atol=1e-9)


def test_several_sources_and_empty_texts() -> None:
    groups = [[SOURCES[0], CANDIDATES[0]], ["", ""], ["a", "a"]]
    candidates = [CANDIDATES[0], "", ""]
    values = ParaScore().segments(candidates, sources=groups)
    assert values[0] == pytest.approx(95)  # a copy of one of them
    assert np.isnan(values[1])
    assert values[2] == pytest.approx(1.75)
    assert np.isnan(BERTIBLEU().segments(candidates, sources=groups)[1])


def test_another_encoder_stands_in_the_signature(tmp_path: Path) -> None:
    from paragauge.encode import convert_encoder, open_encoder

    convert_encoder(tiny_bert.write_folder(tmp_path / "in"), tmp_path / "out", bits=32)
    fingerprint = open_encoder(tmp_path / "out").fingerprint
    for metric in (BERTIBLEU(), ParaScore()):
        other = dataclasses.replace(metric, encoder=str(tmp_path / "out"), layer=3)
        assert f"fingerprint:{fingerprint}" in other.signature
        assert (
            other.score(CANDIDATES, sources=SOURCES).value
            != metric.score(CANDIDATES, sources=SOURCES).value
        )


def slow_distance(left: str, right: str) -> int:
    """The definition, one cell at a time."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        above, row = row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


@given(st.text("abé猫", max_size=12), st.text("abé猫", max_size=12))
def test_edit_distance_equals_its_definition(left: str, right: str) -> None:
    assert edit_distance(left, right) == slow_distance(left, right) == edit_distance(right, left)
