"""Rules from phrases to phrases: the kernel against its twin, and what every substitution promises."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

THREADS = st.sampled_from([0, 1, 2, 3])
words = st.integers(0, 5)
sentences = st.lists(words, max_size=9)
phrases = st.lists(st.integers(0, 4), min_size=1, max_size=4)
rules_ = st.lists(st.tuples(phrases, phrases), max_size=25)


def packed(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([word for row in rows for word in row], np.int32)
    return flat, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def sides(rules: list[tuple[list[int], list[int]]]) -> tuple[Any, Any]:
    return packed([left for left, _ in rules]), packed([right for _, right in rules])


@given(
    rules_,
    st.lists(st.tuples(sentences, st.lists(sentences, max_size=3)), max_size=70),
    st.lists(st.integers(-1, 4), min_size=6, max_size=6),
    THREADS,
)
def test_the_kernel_is_its_twin(
    rules: list[tuple[list[int], list[int]]],
    segments: list[tuple[list[int], list[list[int]]]],
    known: list[int],
    threads: int,
) -> None:
    lines = [line for _, group in segments for line in group]
    groups = np.cumsum([0, *(len(group) for _, group in segments)], dtype=np.int64)
    arguments = (
        (*packed(lines), groups),
        (*packed([output for output, _ in segments]), None),
        np.array(known, np.int32),
        threads,
    )
    native, twin = _native.PhraseMatcher(*sides(rules)), reference.PhraseMatcher(*sides(rules))
    rows = native.match(*arguments)
    assert (rows.dtype, len(native), len(twin)) == (np.int64, len(rules), len(rules))
    np.testing.assert_array_equal(rows, twin.match(*arguments))


@given(rules_, sentences, sentences)
def test_a_substitution_brings_a_word_and_loses_none(
    rules: list[tuple[list[int], list[int]]], line: list[int], output: list[int]
) -> None:
    known = np.arange(6, dtype=np.int32)
    columns = (*packed([line]), None), (*packed([output]), None)
    rows = _native.PhraseMatcher(*sides(rules)).match(*columns, known, 1).tolist()
    assert rows == sorted(rows)
    for _, first, last, place, rule in rows:
        old, new = rules[rule]
        assert line[first : last + 1] == old
        assert output[place : place + len(new)] == new
        assert all(output[at : at + len(new)] != new for at in range(place))
        after = [*line[:first], *new, *line[last + 1 :]]
        matched, before = Counter(after) & Counter(output), Counter(line) & Counter(output)
        assert before <= matched
        assert matched.total() > before.total()


def test_by_hand() -> None:
    # 0 have, 1 taken, 2 place, 3 occurred, 4 now: "have taken place" and "have occurred now".
    matcher = _native.PhraseMatcher(*sides([([1, 2], [3]), ([0, 1, 2], [0, 3]), ([0, 1, 2], [3])]))
    columns = (*packed([[0, 1, 2]]), None), (*packed([[0, 3, 4]]), None)
    # The third rule would lose "have", which both sentences have.
    assert matcher.match(*columns, np.arange(5, dtype=np.int32), 1).tolist() == [
        [0, 0, 2, 0, 1],
        [0, 1, 2, 1, 0],
    ]


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ([[1]], [[1], [2]], "as many phrases"),
        ([[]], [[1]], "must have a word"),
        ([[1]], [[-1]], "must not be negative"),
    ],
)
def test_bad_rules(left: list[list[int]], right: list[list[int]], message: str) -> None:
    for kernels in (_native, reference):
        with pytest.raises(ValueError, match=message):
            kernels.PhraseMatcher(packed(left), packed(right))


@pytest.mark.parametrize(
    ("references", "candidates", "message"),
    [
        (([[1]], None), ([[1], [2]], None), "same number of segments"),
        (([[1]], None), ([[3]], None), "index of the words"),
        (([[-1]], None), ([[1]], None), "index of the words"),
        (([[1]], None), ([[1]], [0, 1]), "one line per segment"),
    ],
)
def test_bad_columns(references: Any, candidates: Any, message: str) -> None:
    def column(lines: list[list[int]], groups: list[int] | None) -> tuple[Any, ...]:
        return (*packed(lines), None if groups is None else np.array(groups, np.int64))

    for kernels in (_native, reference):
        matcher = kernels.PhraseMatcher(*sides([([1], [2])]))
        with pytest.raises(ValueError, match=message):
            matcher.match(column(*references), column(*candidates), np.zeros(3, np.int32), 1)
