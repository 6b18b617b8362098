"""Brown clustering and counts of neighbors: twins, exhaustive search, worked examples, messages."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

THREADS = st.sampled_from([0, 1, 2, 5])
sentences = st.lists(st.lists(st.integers(-1, 7), max_size=12), max_size=8)


def ragged(lines: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([word for line in lines for word in line], np.int32)
    return flat, np.cumsum([0, *map(len, lines)], dtype=np.int64)


def bigrams_of(lines: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    counter = _native.BigramCounter()
    counter.add(*ragged(lines))
    return counter.bigrams()


def equal(ours: Any, theirs: Any) -> None:
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@given(st.lists(sentences, max_size=3))
def test_bigrams_are_the_twins(batches: list[list[list[int]]]) -> None:
    native, twin = _native.BigramCounter(), reference.BigramCounter()
    for lines in batches:
        native.add(*ragged(lines))
        twin.add(*ragged(lines))
    equal(native.bigrams(), twin.bigrams())


def test_many_bigrams_keep_their_counts() -> None:
    words = np.random.default_rng(7).integers(-1, 3000, 60_000).astype(np.int32)
    offsets = np.array([0, 20_000, 20_000, 60_000], np.int64)
    counter = _native.BigramCounter()
    counter.add(words, offsets)
    left, right, counts = counter.bigrams()
    bigrams = zip(zip(left.tolist(), right.tolist(), strict=True), counts.tolist(), strict=True)
    lines = (words[:20_000].tolist(), words[20_000:].tolist())
    expected = Counter(p for line in lines for p in itertools.pairwise(line) if min(p) >= 0)
    assert dict(bigrams) == expected


@given(sentences, st.integers(0, 4), st.lists(st.integers(-1, 2), min_size=8, max_size=8), THREADS)
def test_cooccurrences_are_the_twins(
    lines: list[list[int]], window: int, columns: list[int], threads: int
) -> None:
    ids, offsets = ragged(lines)
    native, twin = np.ones((8, 3), np.int64), np.ones((8, 3), np.int64)
    features = np.array(columns, np.int32)
    _native.count_cooccurrences(ids, offsets, features, window, native, threads)
    reference.count_cooccurrences(ids, offsets, features, window, twin, threads)
    equal([native], [twin])


def test_cooccurrences_of_a_long_text_with_any_number_of_threads() -> None:
    words = np.random.default_rng(7).integers(-1, 50, 40_000).astype(np.int32)
    offsets = np.arange(0, 40_001, 40, dtype=np.int64)
    columns = np.where(np.arange(50) % 3 == 0, np.arange(50) // 3, -1).astype(np.int32)
    tables = [np.zeros((50, 17), np.int64) for _ in range(3)]
    for counts, threads in zip(tables, (1, 2, 5), strict=True):
        _native.count_cooccurrences(words, offsets, columns, 15, counts, threads)
    twin = np.zeros((50, 17), np.int64)
    reference.count_cooccurrences(words, offsets, columns, 15, twin, 1)
    for counts in tables:
        equal([counts], [twin])


@given(sentences, st.integers(1, 9), st.integers(0, 3), THREADS)
def test_clusters_are_the_twins(
    lines: list[list[int]], clusters: int, more_words: int, threads: int
) -> None:
    bigrams, words = bigrams_of(lines), 8 + more_words
    native = _native.BrownClustering(*bigrams, words, clusters, threads)
    twin = reference.BrownClustering(*bigrams, words, clusters, threads)
    for limit in (0, 3, 100, 1):
        equal(native.merge(limit), twin.merge(limit))


@pytest.mark.parametrize("clusters", [1, 5, 12, 40])
def test_clusters_of_a_larger_text_are_the_twins(clusters: int) -> None:
    random = np.random.default_rng(clusters)
    words = np.minimum(random.zipf(1.3, 600) - 1, 25).astype(np.int32)
    counter = _native.BigramCounter()
    counter.add(words, np.array([0, len(words)], np.int64))
    bigrams = counter.bigrams()
    twin = reference.BrownClustering(*bigrams, 26, clusters, 1).merge(25)
    for threads in (1, 2, 5):
        equal(_native.BrownClustering(*bigrams, 26, clusters, threads).merge(25), twin)


def information(counts: dict[tuple[int, int], int], names: dict[int, int]) -> float:
    """Average mutual information of neighboring clusters, in floating point, over the active words."""
    total = sum(counts.values())
    cells, left, right = Counter(), Counter(), Counter()
    for (a, b), count in counts.items():
        left[names.get(a, -1 - a)] += count
        right[names.get(b, -1 - b)] += count
        if a in names and b in names:
            cells[names[a], names[b]] += count
    return sum(n / total * math.log(n * total / (left[a] * right[b])) for (a, b), n in cells.items())


@pytest.mark.parametrize("clusters", [3, 6, 30])
def test_every_merge_loses_least_of_all_that_are_possible(clusters: int) -> None:
    random = np.random.default_rng(clusters)
    words = np.minimum(random.zipf(1.4, 400) - 1, 13).tolist()
    left, right, counts = bigrams_of([words[i : i + 20] for i in range(0, 400, 20)])
    table = dict(zip(zip(left.tolist(), right.tolist(), strict=True), counts.tolist(), strict=True))
    merges, losses = _native.BrownClustering(left, right, counts, 14, clusters, 1).merge(13)
    assert len(merges) == 13
    names = {word: word for word in range(min(14, clusters))}
    for (stays, goes), loss in zip(merges.tolist(), losses.tolist(), strict=True):
        if len(names) < 14:
            names[len(names)] = len(names)
        now = information(table, names)
        lost = {}
        for a, b in itertools.combinations(sorted(set(names.values())), 2):
            merged = {word: a if name == b else name for word, name in names.items()}
            lost[a, b] = now - information(table, merged)
        assert loss == pytest.approx(lost[stays, goes], abs=1e-12)
        assert loss == pytest.approx(min(lost.values()), abs=1e-12)
        names = {word: stays if name == goes else name for word, name in names.items()}
    assert set(names.values()) == {0}


def test_words_in_the_same_places_are_merged_first() -> None:
    # the=0 cat=1 dog=2 sat=3 ran=4; the nouns stand in the same places, and so do the verbs.
    lines = [[0, 1, 3, 0, 2, 3, 0, 1, 4, 0, 2, 4, 0]]
    merges, losses = _native.BrownClustering(*bigrams_of(lines), 5, 5, 1).merge(9)
    assert merges.tolist()[:2] == [[1, 2], [3, 4]]
    assert losses[:2] == pytest.approx([0, 0], abs=1e-12)
    # What remains is a circle of three clusters with four bigrams each: I = log 3.
    assert losses.sum() == pytest.approx(math.log(3))


def test_equal_losses_go_to_the_least_words() -> None:
    merges, losses = _native.BrownClustering(*bigrams_of([]), 4, 2, 1).merge(9)
    assert merges.tolist() == [[0, 1], [0, 2], [0, 3]]
    assert losses.tolist() == [0, 0, 0]


def test_counts_of_a_huge_text_do_not_overflow() -> None:
    left, right = np.array([0, 0, 1, 2], np.int32), np.array([0, 1, 2, 0], np.int32)
    counts = np.array([2**43, 5, 2**42, 2**41], np.int64)
    native = _native.BrownClustering(left, right, counts, 3, 2, 1).merge(3)
    equal(native, reference.BrownClustering(left, right, counts, 3, 2, 1).merge(3))


WRONG = {
    "a count is missing": (([0], [0], []), 1, 1, "every bigram must have two words and a count"),
    "no clusters": (([0], [0], [1]), 1, 0, "clusters must be from 1 to 20000"),
    "too many clusters": (([0], [0], [1]), 1, 20001, "clusters must be from 1 to 20000"),
    "an unknown word": (([0], [1], [1]), 1, 1, "bigrams must be of words from 0"),
    "a negative word": (([-1], [0], [1]), 1, 1, "bigrams must be of words from 0"),
    "a bigram twice": (([0, 0], [0, 0], [1, 1]), 1, 1, "bigrams must be sorted, each once"),
    "not sorted": (([1, 0], [0, 0], [1, 1]), 2, 1, "bigrams must be sorted, each once"),
    "no count": (([0], [0], [0]), 1, 1, "counts must be positive and below 2\\^44"),
    "a large count": (([0], [0], [2**44]), 1, 1, "counts must be positive and below 2\\^44"),
    "large counts": (([0, 0], [0, 1], [2**43] * 2), 2, 1, "counts must be positive and below 2\\^44"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("module", [_native, reference], ids=["native", "twin"])
def test_wrong_bigrams(name: str, module: Any) -> None:
    (left, right, counts), words, clusters, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        module.BrownClustering(
            np.array(left, np.int32),
            np.array(right, np.int32),
            np.array(counts, np.int64),
            words,
            clusters,
            1,
        )


@pytest.mark.parametrize("module", [_native, reference], ids=["native", "twin"])
@pytest.mark.parametrize(
    ("ids", "offsets", "columns", "rows", "message"),
    [
        ([0], [0, 2], [0], 1, "offsets must not decrease"),
        ([0], [], [0], 1, "offsets must not decrease"),
        ([0], [0, 1], [0], 2, "counts must have a row for each word"),
        ([1], [0, 1], [0], 1, "ids must be below the number of words"),
        ([0], [0, 1], [3], 1, "columns must be below the number of features"),
    ],
)
def test_wrong_cooccurrences(
    module: Any, ids: list[int], offsets: list[int], columns: list[int], rows: int, message: str
) -> None:
    line = np.array(ids, np.int32), np.array(offsets, np.int64)
    counts = np.zeros((rows, 3), np.int64)
    with pytest.raises(ValueError, match=message):
        module.count_cooccurrences(*line, np.array(columns, np.int32), 1, counts, 1)
    if "offsets" in message:
        with pytest.raises(ValueError, match=message):
            module.BigramCounter().add(*line)
