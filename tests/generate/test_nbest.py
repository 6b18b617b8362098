"""N-best lists: order after new weights, ties, empty lists, shapes."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import LengthError
from paragauge.generate.nbest import NBest
from paragauge.text.lines import Lines


def lists() -> NBest:
    features = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.0, 2.0]])
    return NBest(
        ("p", "lm"),
        Lines.of(["a", "b", "c", "d"]),
        np.array([0, 3, 3, 4]),
        features,
        features @ np.array([1.0, 0.0]),
    )


def test_new_weights_reorder_each_list() -> None:
    again = lists().rescore(np.array([0.0, 1.0]))
    assert [[hypothesis.text for hypothesis in hypotheses] for hypotheses in again] == [
        ["c", "b", "a"],
        [],
        ["d"],
    ]
    assert again[0][0].score == 1.0
    assert again[0][0].features == {"p": 0.0, "lm": 1.0}


def test_equal_scores_keep_their_order() -> None:
    again = lists().rescore(np.array([1.0, 1.0]))
    assert [hypothesis.text for hypothesis in again[0]] == ["a", "b", "c"]


def test_a_sentence_without_hypotheses_has_the_empty_text() -> None:
    assert lists().best() == ["a", "", "d"]


def test_sentences_count_from_both_ends() -> None:
    assert [hypothesis.text for hypothesis in lists()[-1]] == ["d"]
    assert [hypothesis.text for hypothesis in lists()[-3]] == ["a", "b", "c"]
    for place in (3, -4):
        with pytest.raises(IndexError, match=f"expected a sentence below 3, found {place}"):
            lists()[place]


def test_shapes_are_checked() -> None:
    with pytest.raises(LengthError, match=r"expected features \[1, 2\] and 1 scores, found \[1, 1\]"):
        NBest(("p", "lm"), Lines.of(["a"]), np.array([0, 1]), np.zeros((1, 1)), np.zeros(1))
