"""N-gram differences, by hand, and against a plain count."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from paragauge import PINC
from paragauge.meta.significance.ngram_differences import NgramCounts, log_likelihood_ratio
from paragauge.metrics.scoring import score_batches
from paragauge.text.batch import Batch
from paragauge.text.tokenizers import tokenize


def counted(systems, *, limit=1000, size=None, **texts) -> NgramCounts:
    metrics = {"pinc": PINC()}
    observer = NgramCounts(metrics, limit=limit)
    count = len(next(iter(systems.values())))
    for first in range(0, count, size or count):
        part = slice(first, first + (size or count))
        batch = Batch.of(
            {name: lines[part] for name, lines in systems.items()},
            **{what: lines[part] for what, lines in texts.items()},
        )
        batch.first = first
        observer(batch, {})
    return observer


def test_ratio_by_hand():
    # Both of the same size: E = 6 for both; 2 (8 ln 8/6 + 4 ln 4/6).
    (g2,) = log_likelihood_ratio(np.array([8]), np.array([4]), 100, 100)
    assert g2 == pytest.approx(2 * (8 * math.log(8 / 6) + 4 * math.log(4 / 6)))
    (same,) = log_likelihood_ratio(np.array([2]), np.array([4]), 100, 200)
    assert same == pytest.approx(0)
    assert log_likelihood_ratio(np.array([0]), np.array([0]), 0, 0).tolist() == [0.0]


def test_matches_by_hand():
    references = [["the big dog"], ["the big cat"], ["a bird", "the bird"]]
    systems = {
        "mine": ["The big dog", "the big big cow", "the bird"],
        "base": ["a dog", "a cat", "a bird"],
    }
    differences = counted(systems, references=references).differences("mine", "base", most=50)
    by_words = {row.words: (row.count, row.rival_count) for row in differences}
    # "the big" occurs twice; clipping leaves one "big" of the second candidate.
    assert by_words[("the", "big")] == (2, 0)
    assert by_words[("the",)] == (3, 0)
    assert ("big",) not in by_words  # "the big" has the same counts and is longer
    assert ("the", "big", "dog") not in by_words  # base has no three words in a row to compare with
    assert differences[0].words == ("the",)
    assert differences[0].ratio == pytest.approx(4 / 5)
    # 9 words of mine, 6 of base: E = 3 * 9 / 15.
    assert differences[0].g2 == pytest.approx(2 * 3 * math.log(3 / (3 * 9 / 15)))
    back = counted(systems, references=references).differences("base", "mine")
    # "dog" and "bird" are matched once by both, but base has fewer words.
    assert {row.words: (row.count, row.rival_count) for row in back} == {
        ("a", "bird"): (1, 0),
        ("cat",): (1, 0),
        ("bird",): (1, 1),
        ("dog",): (1, 1),
    }


def test_small_differences_may_be_left_out():
    systems = {"mine": ["a"] * 9 + ["b"], "base": ["b"] * 10}
    observer = counted(systems, references=[["a b"]] * 10)
    # a: 9 of 10 against 0 of 10, so 2 * 9 ln 2 = 12.48.
    assert [row.words for row in observer.differences("mine", "base", least=12.4)] == [("a",)]
    assert observer.differences("mine", "base", least=12.5) == []


def test_additions_by_hand():
    systems = {"mine": ["x x a", "x b"], "base": ["a", "b"]}
    observer = counted(systems, sources=["a x", "b"])
    assert not observer.matching
    differences = observer.differences("mine", "base")
    # Three x, of which the source of the first has one.
    assert {row.words: row.count for row in differences}[("x",)] == 2
    assert observer.differences("base", "mine") == []


def plain_counts(candidates, references, order) -> Counter:
    total: Counter = Counter()
    for candidate, group in zip(candidates, references, strict=True):
        texts = tokenize([candidate, *group], case="lower")
        bags = [Counter(tuple(t[i : i + order]) for i in range(len(t) - order + 1)) for t in texts]
        most = bags[1]
        for bag in bags[2:]:
            most = most | bag
        total += bags[0] & most
    return total


def test_the_same_as_a_plain_count():
    draw = np.random.default_rng(4)
    words = list("abcdefg")

    def sentence() -> str:
        return " ".join(draw.choice(words, draw.integers(0, 8)))

    systems = {name: [sentence() for _ in range(80)] for name in ("mine", "base")}
    references = [[sentence() for _ in range(draw.integers(1, 4))] for _ in range(80)]
    whole = counted(systems, references=references)
    parts = counted(systems, references=references, size=9)
    for order in range(1, 5):
        expected = plain_counts(systems["mine"], references, order)
        for observer in (whole, parts):
            table = observer._count("mine", order)
            assert table.counts.sum() == expected.total()
            assert sorted(table.counts.tolist()) == sorted(expected.values())
    assert whole.differences("mine", "base") == parts.differences("mine", "base")


def test_limit():
    observer = counted({"mine": ["a", "b", "c"]}, limit=2, references=[["a"], ["b"], ["c"]])
    assert observer.segments == 2
    observer = counted({"mine": ["a", "b", "c"]}, limit=2, size=1, references=[["a"], ["b"], ["c"]])
    assert observer.segments == 2


def test_nothing_to_compare_with():
    observer = counted({"mine": ["a"]})
    assert observer.segments == 0


def test_no_words():
    observer = counted({"mine": ["", ""], "base": ["", "a"]}, references=[[""], ["a"]])
    assert observer.differences("mine", "base") == []
    assert [row.words for row in observer.differences("base", "mine")] in ([], [("a",)])


def test_it_is_an_observer():
    metrics = {"pinc": PINC()}
    observer = NgramCounts(metrics)
    batch = Batch.of({"a": ["x"]}, sources=["y"])
    score_batches([batch], metrics, bootstrap=0, observers=[observer])
    assert observer.segments == 1
