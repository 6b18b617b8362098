"""The random filter: the share that it refuses, and that equal proposals have equal verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import SettingError
from paragauge.rewrite.random_filter import RandomFilter, draw_number
from paragauge.rewrite.rewrite_method import RewriteMethod
from paragauge.text.lines import Lines


def scores_of(filter_, lines, words):
    rows = np.arange(len(lines))
    return filter_.scores(Lines.of(lines), rows, np.zeros_like(rows), Lines.of(words), rows)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.75, 1.0])
def test_the_threshold_is_the_share_refused(share):
    lines = [f"word {i} ." for i in range(4000)]
    refused = float((scores_of(RandomFilter(share), lines, ["new"] * 4000) < 0).mean())
    assert refused == pytest.approx(share, abs=4 * (share * (1 - share) / 4000) ** 0.5)


def test_a_higher_threshold_refuses_more_of_the_same():
    lines = [f"word {i} ." for i in range(500)]
    low, high = (scores_of(RandomFilter(t), lines, ["new"] * 500) >= 0 for t in (0.3, 0.6))
    assert (high <= low).all()
    assert high.sum() < low.sum()


def test_equal_proposals_have_equal_scores_and_seeds_differ():
    lines, words = ["a b", "a b", "a c"], ["x", "x", "x"]
    scores = scores_of(RandomFilter(0.5), lines, words)
    assert scores[0] == scores[1] != scores[2]
    assert scores_of(RandomFilter(0.5, seed=8), lines, words)[0] != scores[0]


def test_phrases_are_judged_too():
    one = np.zeros(1, np.int64)
    filter_ = RandomFilter(0.0)
    score = filter_.phrase_scores(Lines.of(["a b c"]), one, (one, one + 1), Lines.of(["x y"]), one)
    assert score[0] == draw_number(7, "a b c", 0, 1, "x y")


def test_as_a_part_of_a_method():
    references, outputs = ["It is hard to say."] * 3, ["It is difficult."] * 3
    for share, count in (("0", 3), ("1", 0)):
        method = RewriteMethod("wordnet+random", threshold=share)
        assert method.rewriter().run(references, outputs).substitutions == count
    signature = RewriteMethod("random", threshold="0.25").rewriter().signature
    assert signature["rewrite-filter"] == "random@0.25,7"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "rewrite=random: random needs a threshold, the share of proposals to refuse; give"),
        ({"threshold": "1.5"}, "random: expected a threshold from 0 to 1, the share of proposals"),
        ({"threshold": "0.5", "model": "x.bin"}, "rewrite=random: expected at most 0 models, found 1"),
    ],
)
def test_errors(settings, message):
    with pytest.raises(SettingError, match=message):
        RewriteMethod("random", **settings).rewriter()
