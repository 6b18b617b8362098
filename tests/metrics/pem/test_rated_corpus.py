"""Rated pairs from files of systems and their ratings."""

from __future__ import annotations

import math

import pytest

from paragauge.errors import InputError
from paragauge.metrics.pem.rated_corpus import gather_rated_pairs
from paragauge.text.batch import Batch


def test_equal_sentences_of_two_systems_are_two_pairs() -> None:
    batch = Batch.of({"a": ["x y", "z"], "b": ["x y", "w"]}, sources=["x", "y"])
    ratings = {("a", 0): 2.0, ("b", 0): 4.0, ("a", 1): math.nan, ("b", 1): 3.0}
    pairs = gather_rated_pairs([batch], ratings)
    assert (pairs.sources, pairs.candidates) == (["x", "x", "y"], ["x y", "x y", "w"])
    assert (pairs.ratings, pairs.rows, pairs.unrated) == ([2.0, 4.0, 3.0], 4, 1)


def test_what_does_not_fit() -> None:
    batch = Batch.of({"a": ["x y"]}, sources=["x"])
    with pytest.raises(InputError, match="found segment 3 of 'a', which it does not have"):
        gather_rated_pairs([batch], {("a", 2): 1.0})
    with pytest.raises(InputError, match="expected sources, found none; give them with -s"):
        gather_rated_pairs([Batch.of({"a": ["x"]})], {("a", 0): 1.0})
    several = Batch.of({"a": ["x"]}, sources=[["x", "y"]])
    with pytest.raises(InputError, match="expected one source for each segment, found several"):
        gather_rated_pairs([several], {("a", 0): 1.0})
