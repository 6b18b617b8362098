"""METEOR's alignment: by hand, against the twin that tries everything, and at its limits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

THREADS = st.sampled_from([0, 1, 2, 3])


def ragged(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([key for row in rows for key in row], np.int32)
    return flat, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def one_line(words: list[int]) -> tuple[np.ndarray, np.ndarray, None]:
    return (*ragged([words]), None)


EXACT = ragged([[word] for word in range(30)])


def align(candidate: str, other: str, beam: int = 256) -> list[int]:
    """Words are letters; only equal letters match."""
    sides = [one_line([ord(letter) - ord("a") for letter in text]) for text in (candidate, other)]
    return _native.meteor_alignments(*sides, [EXACT], beam, 1)[0].tolist()


@pytest.mark.parametrize(
    ("candidate", "other", "matches", "chunks"),
    [
        ("abc", "abc", 3, 1),
        ("abc", "bca", 3, 2),  # bc and a
        ("abc", "cba", 3, 3),
        ("abc", "axbxc", 3, 3),
        ("axxb", "ab", 2, 2),  # neighbors on one side only
        ("a", "aa", 1, 1),
        ("tab", "ttab", 3, 1),  # the second t: no cross either way, one chunk
        ("tabt", "tab", 3, 1),  # the first t of the candidate
        ("xtab", "tab", 3, 1),
        ("", "abc", 0, 0),
        ("abc", "", 0, 0),
        ("abc", "xyz", 0, 0),
        # The b has no cross if it goes to the second b, though bc would be a chunk with the first:
        # fewest crosses come before fewest chunks.
        ("abcd", "bcab", 3, 2),
    ],
)
def test_by_hand(candidate: str, other: str, matches: int, chunks: int) -> None:
    assert align(candidate, other) == [matches, chunks, 0]


def test_a_stage_leaves_what_stages_before_have_mapped() -> None:
    # Words 0 and 1 match in the second stage; 0 goes to the 0 of the reference first.
    second = ragged([[0], [0], [1]])
    columns = one_line([0, 1, 2]), one_line([1, 0, 2])
    exact = ragged([[0], [1], [2]])
    assert _native.meteor_alignments(*columns, [exact, second], 9, 1).tolist() == [[3, 3, 0]]
    assert _native.meteor_alignments(*columns, [second], 9, 1).tolist() == [[2 + 1, 1, 0]]


keys = st.lists(st.sets(st.integers(0, 5), max_size=3).map(sorted), min_size=4, max_size=4)
words = st.lists(st.integers(0, 3), max_size=6)
stages = st.lists(keys | st.just([[0], [1], [2], [3]]), max_size=3)


@settings(max_examples=500)
@given(st.lists(st.tuples(words, st.lists(words, max_size=2)), max_size=4), stages, THREADS)
@example([([0, 1, 0, 1, 0], [[1, 0, 0, 1, 1]])], [[[0], [0, 1], [1], [2]]], 1)
def test_kernel_and_twin(
    segments: list[tuple[list[int], list[list[int]]]], rows: list[list[list[int]]], threads: int
) -> None:
    flat = [line for _, lines in segments for line in lines]
    groups = np.cumsum([0, *(len(lines) for _, lines in segments)], dtype=np.int64)
    columns = (*ragged([line for line, _ in segments]), None), (*ragged(flat), groups)
    arguments = (*columns, [ragged(stage) for stage in rows], 1000, threads)
    native, twin = _native.meteor_alignments(*arguments), reference.meteor_alignments(*arguments)
    assert native.dtype == twin.dtype
    np.testing.assert_array_equal(native, twin)


@settings(max_examples=200)
@given(st.text("abcd", max_size=7), st.text("abcd", max_size=7))
def test_equal_words_only(candidate: str, other: str) -> None:
    sides = [one_line([ord(letter) - ord("a") for letter in text]) for text in (candidate, other)]
    twin = reference.meteor_alignments(*sides, [EXACT], 1, 1)
    assert [align(candidate, other)] == twin.tolist()


def best_of_equal_words(candidate: str, other: str) -> list[int]:
    """All choices of positions for each letter, in order: what is best has no others."""
    choices = []
    for letter in sorted(set(candidate) & set(other)):
        ours, theirs = ([i for i, c in enumerate(text) if c == letter] for text in (candidate, other))
        size = min(len(ours), len(theirs))
        picks = itertools.product(
            itertools.combinations(ours, size), itertools.combinations(theirs, size)
        )
        choices.append([list(zip(*pick, strict=True)) for pick in picks])
    best = (0, 0)
    costs = []
    for parts in itertools.product(*choices):
        links = sorted(link for part in parts for link in part)
        crosses = sum(a[1] > b[1] for a, b in itertools.combinations(links, 2))
        chunks = len(links) - sum((i - 1, j - 1) in links for i, j in links)
        costs.append((crosses, chunks))
        best = len(links), min(costs)[1]
    return [*best, 0]


@settings(max_examples=150)
@given(st.text("abc", max_size=9), st.text("abc", max_size=9))
@example("abcabcab", "ccbbaacba")
@example("aabbccaa", "abcbacbab")
def test_searches_that_need_more_than_a_narrow_beam(candidate: str, other: str) -> None:
    assert align(candidate, other, 10**6) == best_of_equal_words(candidate, other)


@given(st.lists(st.integers(0, 9), max_size=90), st.lists(st.integers(0, 9), max_size=90))
def test_beyond_64_words(candidate: list[int], other: list[int]) -> None:
    """The number of matches of equal words needs no search; the sides may be exchanged."""
    sides = one_line(candidate), one_line(other)
    matches, chunks, _ = _native.meteor_alignments(*sides, [EXACT], 64, 1)[0].tolist()
    assert matches == sum(min(candidate.count(word), other.count(word)) for word in range(10))
    assert min(1, matches) <= chunks <= matches


def test_a_narrow_beam_says_so_and_still_matches_all() -> None:
    rng = np.random.default_rng(1)
    candidate, other = rng.integers(0, 4, 14).tolist(), rng.integers(0, 4, 20).tolist()
    exact = _native.meteor_alignments(one_line(candidate), one_line(other), [EXACT], 10**6, 1)[0]
    narrow = _native.meteor_alignments(one_line(candidate), one_line(other), [EXACT], 1, 1)[0]
    assert exact[2] == 0
    assert narrow[2] == 1
    assert narrow[0] == exact[0]


@pytest.mark.parametrize(
    ("candidate", "other", "expected"),
    [
        ([0] * 500, [0] * 1000, [500, 1, 1]),  # patience ends
        ([0] * 1000, [0] * 500, [500, 1, 1]),
        ([0] * 100_000, [0] * 100_000, [100_000, 1, 1]),  # too large to search
        ([0, 1] * 50_000, [1, 0] * 50_000, [100_000, 100_000, 1]),
        (list(range(20)) * 50, list(range(20)) * 50, [1000, 1, 0]),
    ],
)
def test_long_sentences(candidate: list[int], other: list[int], expected: list[int]) -> None:
    counts = _native.meteor_alignments(one_line(candidate), one_line(other), [EXACT], 256, 1)[0]
    assert counts.tolist() == expected


def test_errors() -> None:
    good = one_line([0, 1])
    two = (*ragged([[0], [1]]), None)
    cases = {
        "beam must be at least 1": (good, good, [EXACT], 0, 1),
        "same number of segments": (good, two, [EXACT], 1, 1),
        "one line per segment": ((*good[:2], np.array([0, 1])), good, [EXACT], 1, 1),
        "every word must have a row in every stage": (one_line([30]), good, [EXACT], 1, 1),
        "every word must have": (good, one_line([-1]), [EXACT], 1, 1),
        "keys must be sorted": (good, good, [ragged([[2, 1], []])], 1, 1),
        "a stage is a tuple of two": (good, good, [(*EXACT, None)], 1, 1),
        "a column is a tuple of three": (good[:2], good, [EXACT], 1, 1),
        "expected a contiguous array": (good, good, [(EXACT[0].astype(np.int64), EXACT[1])], 1, 1),
    }
    for message, arguments in cases.items():
        with pytest.raises(ValueError, match=message):
            _native.meteor_alignments(*arguments)
    with pytest.raises(ValueError, match="beam must be at least 1"):
        reference.meteor_alignments(good, good, [EXACT], 0, 1)
