"""Scores of single pairs: equal to those of batches, bit for bit, and the same errors."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import BLEU, BLEUPINC, IBLEU, METEOR, PINC, TER, ChrF, MaxSim, Metric
from paragauge.errors import InputError

words = st.lists(st.sampled_from(["a", "b", "B", "c.", "3,5", "—", "é", "中文"]), max_size=9).map(
    " ".join
)
several = st.lists(words, min_size=1, max_size=4)


def values_of(metric: type[Metric], *names: str) -> st.SearchStrategy[dict[str, Any]]:
    fields = {field.name: field.metadata["choices"] for field in dataclasses.fields(metric)}
    return st.fixed_dictionaries({name: st.sampled_from(fields[name]) for name in names})


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@given(
    words,
    words | several,
    words | several,
    st.integers(1, 9),
    values_of(BLEU, "smooth", "effective_order", "source", "tokenize", "case", "ref_length"),
)
def test_bleu(
    candidate: str, references: Any, source: Any, order: int, settings: dict[str, Any]
) -> None:
    metric = BLEU(order=order, **settings)
    alone = metric.sentence_score(candidate, references=references, source=source)
    batch = metric.segments([candidate, "a b"], references=[references, "a"], sources=[source, "b"])
    assert same(alone, batch[0])


@given(
    words,
    words | several,
    st.integers(1, 9),
    values_of(PINC, "count", "short", "sources", "tokenize", "case"),
)
def test_pinc(candidate: str, source: Any, order: int, settings: dict[str, Any]) -> None:
    metric = PINC(order=order, **settings)
    batch = metric.segments([candidate, "a b"], sources=[source, "b"])
    assert same(metric.sentence_score(candidate, source=source), batch[0])


@pytest.mark.parametrize(
    "metric", [IBLEU(), BLEUPINC(), METEOR(), TER(), ChrF(), MaxSim()], ids=lambda metric: metric.name
)
def test_every_other_metric_goes_the_way_of_batches(metric: Metric) -> None:
    candidate, texts = "The cat sat down.", ["A cat sat down.", "The cat was sitting."]
    inputs = {"sources": ["The cat sits."], "references": [texts]}
    used = {name: inputs[name] for name in metric.needs}
    expected = metric.segments([candidate], **used)[0]
    alone = {"source" if name == "sources" else name: used[name][0] for name in used}
    assert metric.sentence_score(candidate, **alone) == expected


def test_the_kinds_of_text_that_people_have() -> None:
    expected = BLEU().sentence_score("a b c d", references=["a b c e", "a"])
    assert BLEU().sentence_score("a b c d", ["a b c e", "a"]) == expected
    assert (
        BLEU().sentence_score(np.array(["a b c d"])[0], references=np.array(["a b c e", "a"]))
        == expected
    )
    assert BLEU().sentence_score("a b c d", references=("a b c e", "a")) == expected
    assert BLEU().sentence_score("a b c d", "a b c e") == BLEU().sentence_score("a b c d", ["a b c e"])
    assert isinstance(expected, float)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"candidate": "a"}, "BLEU needs references; give references="),
        ({"candidate": None, "references": "a"}, r"candidates: missing text \(None\) at index 0"),
        ({"candidate": 5, "references": "a"}, "candidates: segment 1: expected a string, found int"),
        ({"candidate": "a", "references": []}, "references: segment 1: expected at least one"),
        (
            {"candidate": "a", "references": ["a", None]},
            r"references: segment 1: expected a string, found a missing text \(None\)",
        ),
        (
            {"candidate": "\ud800", "references": "a"},
            "candidates: segment 1: character 0 is a lone surrogate",
        ),
    ],
)
@pytest.mark.parametrize("case", ["mixed", "lower"])
def test_errors_are_those_of_batches(case: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        BLEU(case=case).sentence_score(**arguments)


def test_pinc_needs_its_source_by_name() -> None:
    expected = r"write sentence_score\(candidate, source=source\)"
    with pytest.raises(InputError, match=expected):
        PINC().sentence_score("a", "b")


@pytest.mark.parametrize("candidates", [["a"], ("a", "b"), np.array(["a", "b"])])
def test_several_candidates_are_for_segments(candidates: Any) -> None:
    expected = r"one candidate, found \w+; write segments\(candidates, references=references\) for many"
    with pytest.raises(InputError, match=expected):
        BLEU().sentence_score(candidates, references="a")
