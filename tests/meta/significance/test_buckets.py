"""Scores by buckets, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge import BLEU, PINC
from paragauge.meta.significance import buckets as module
from paragauge.meta.significance.buckets import LENGTHS, Buckets, bucket_name
from paragauge.metrics.scoring import score_batches
from paragauge.text.batch import Batch

METRICS = {"pinc": PINC(order=1)}


def grouped(batches, metrics=METRICS, **settings):
    observer = Buckets(metrics, **{"bootstrap": 0, **settings})
    score_batches(batches, metrics, bootstrap=0, observers=[observer])
    groupings = observer.groupings()
    assert observer.groupings() == groupings
    return {grouping.name: grouping for grouping in groupings}


def test_bucket_names():
    names = [bucket_name(LENGTHS, i) for i in range(len(LENGTHS))]
    assert names == ["1-5", "6-10", "11-15", "16-20", "21-30", "31-40", "41+"]


def test_lengths_by_hand():
    sources = ["a b", "a b c", "a b c d e f"]
    batch = Batch.of({"x": ["a z", "a z z", "a b c d e f"]}, sources=sources)
    grouping = grouped([batch])["length"]
    assert grouping.title == "Words of the source"
    assert (grouping.buckets, grouping.counts, grouping.segments) == (["1-5", "6-10"], [2, 1], 3)
    # PINC of one-word n-grams counts different words: half of {a, z} are new, twice; then none.
    assert [score.value for score in grouping.scores["x", "pinc"]] == [50.0, 0.0]
    assert grouping.scores["x", "pinc"][0].low is None


def test_an_empty_source_is_short():
    grouping = grouped([Batch.of({"x": ["a", "b"]}, sources=["", "a b c d e f g"])])["length"]
    assert (grouping.buckets, grouping.counts) == (["1-5", "6-10"], [1, 1])


def test_rarest_word_by_hand():
    # Over all sources: the 3, Cat 2 (case does not count), dog 1.
    sources = ["the cat", "the Cat", "the dog"]
    batch = Batch.of({"x": ["the cat", "a b", "a dog"]}, sources=sources)
    grouping = grouped([batch])["rarest"]
    assert grouping.title == "Frequency of the rarest word of the source"
    assert (grouping.buckets, grouping.counts) == (["1", "2-4"], [1, 2])
    assert [score.value for score in grouping.scores["x", "pinc"]] == [50.0, 50.0]


def test_number_of_references_by_hand():
    metrics = {"bleu": BLEU(order=1)}
    batch = Batch.of({"x": ["a b", "a b"]}, references=[["a b"], ["x y", "a y", "z z", "q", "w", "e"]])
    groupings = grouped([batch], metrics)
    assert groupings["references"].buckets == ["1", "5-8"]
    # The second candidate matches one of two words, and no reference is longer than it.
    values = [score.value for score in groupings["references"].scores["x", "bleu"]]
    assert values == pytest.approx([100.0, 50.0])


def test_one_bucket_is_no_grouping():
    assert grouped([Batch.of({"x": ["a"]}, sources=["a"])]) == {}


@pytest.mark.parametrize(
    ("inputs", "title"),
    [
        ({"sources": ["a", "a b c d e f g"], "references": ["a", "a"]}, "Words of the source"),
        ({"references": ["a", "a b c d e f g"]}, "Words of the reference"),
        ({}, "Words of the candidate"),
    ],
)
def test_which_text_is_measured(inputs, title, undefined):
    batch = Batch.of({"x": ["a", "a b c d e f g"]}, **inputs)
    assert grouped([batch], {"length": undefined})["length"].title == title


def test_batches_do_not_matter():
    draw = np.random.default_rng(1)
    words = [f"w{i}" for i in range(50)]
    texts = [" ".join(draw.choice(words, draw.integers(1, 30))) for _ in range(60)]
    candidates = [" ".join(draw.permutation(text.split())) + " new" for text in texts]
    results = []
    for size in (60, 7):
        batches = []
        for first in range(0, 60, size):
            batch = Batch.of(
                {"x": candidates[first : first + size], "y": texts[first : first + size]},
                sources=texts[first : first + size],
            )
            batch.first = first
            batches.append(batch)
        results.append(grouped(batches, {"pinc": PINC()}, bootstrap=50))
    assert results[0] == results[1]
    assert results[0]["length"].scores["x", "pinc"][0].low is not None


def test_all_in_one_bucket_equals_the_corpus():
    sources = ["a b c", "d e f"]
    metrics = {"pinc": PINC()}
    batch = Batch.of({"x": ["a b x", "d y f"]}, sources=sources)
    observer = Buckets(metrics, bootstrap=100)
    sheet = score_batches([batch], metrics, bootstrap=100, observers=[observer])
    groups = observer._length
    assert groups is not None
    result = observer._make_grouping(groups)
    score = sheet["x", "pinc"]
    bucket = result.scores["x", "pinc"][0]
    assert (bucket.value, bucket.low, bucket.high) == (score.value, score.low, score.high)


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "WAITING_BYTES", 0)
    batches = [Batch.of({"x": ["a"] * 3}, sources=["a b", "a c", "a"]) for _ in range(4)]
    for i, batch in enumerate(batches):
        batch.first = 3 * i
    grouping = grouped(batches)["rarest"]
    assert grouping.segments == 3
