"""chrF: arithmetic by hand, and sacreBLEU as the oracle for every setting both have.

Oracle: sacrebleu.metrics.CHRF (sacreBLEU 2.x), `corpus_score` and `sentence_score`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from paragauge import ChrF

CANDIDATES = ["A man is shooting a gun.", "a big turtle is walking", "", "中文 測試 🙂", "I'm (here)!"]
REFERENCES = [
    ["a man shoots a gun", "A man is firing a gun."],
    ["a large tortoise walks"],
    ["something"],
    ["", "中文的測試🙂"],
    ["i am here!", "(here) I'm", "I'm  here"],
]
MOST = max(map(len, REFERENCES))
STREAMS: Any = [[group[i] if i < len(group) else None for group in REFERENCES] for i in range(MOST)]


def test_two_orders_by_hand() -> None:
    """abcd and abxd: 3 of 4 characters and 1 of 3 pairs are common, on both sides."""
    average = (3 / 4 + 1 / 3) / 2
    score = ChrF(char_order=2).score(["ab cd"], references=["abxd"])
    assert score.value == pytest.approx(100 * average)
    assert score.parts == pytest.approx({"precision": 100 * average, "recall": 100 * average})


def test_recall_weighs_beta_squared_times_as_much() -> None:
    """P = 1/1 and R = 1/2 of characters; F = 5 P R / (4 P + R) for beta 2."""
    value = ChrF(char_order=1).score(["a"], references=["ab"]).value
    assert value == pytest.approx(100 * 5 * 0.5 / 4.5)
    value = ChrF(char_order=1, beta=1).score(["a"], references=["ab"]).value
    assert value == pytest.approx(100 * 2 * 0.5 / 1.5)


def test_smoothing_counts_every_order() -> None:
    """Of six orders one exists: the others have the F-score of two small numbers."""
    assert ChrF().segments(["a"], references=["a"])[0] == 100
    assert ChrF(eps_smoothing=True).segments(["a"], references=["a"])[0] == pytest.approx(100 / 6)


@pytest.mark.parametrize("word_order", [0, 1, 2, 4])
@pytest.mark.parametrize("eps_smoothing", [False, True])
@pytest.mark.parametrize("whitespace", [False, True])
def test_scores_equal_sacrebleu(word_order: int, eps_smoothing: bool, whitespace: bool) -> None:
    for char_order, beta, case in ((6, 2, "mixed"), (3, 1, "lower"), (12, 3, "mixed")):
        settings = {
            "char_order": char_order,
            "word_order": word_order,
            "beta": beta,
            "whitespace": whitespace,
            "eps_smoothing": eps_smoothing,
        }
        ours = ChrF(case=case, **settings)
        theirs = CHRF(lowercase=case == "lower", **settings)
        score = ours.score(CANDIDATES, references=REFERENCES, bootstrap=10)
        assert score.value == pytest.approx(theirs.corpus_score(CANDIDATES, STREAMS).score, abs=1e-9)
        assert score.low is not None
        assert score.low <= score.high
        single = [
            theirs.sentence_score(candidate, group).score
            for candidate, group in zip(CANDIDATES, REFERENCES, strict=True)
        ]
        segments = ours.segments(CANDIDATES, references=REFERENCES)
        np.testing.assert_allclose(segments, single, rtol=0, atol=1e-9)


def test_signature_names_smoothing_only_if_it_is_on() -> None:
    assert ChrF().signature.startswith("chrF|nc:6|nw:0|beta:2|space:no|case:mixed|scale:100|v:")
    assert "|eps:yes|" in ChrF(eps_smoothing=True).signature
