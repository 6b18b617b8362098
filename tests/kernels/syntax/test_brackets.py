"""The reader of brackets against its twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

parts = st.sampled_from(
    [
        "(",
        ")",
        " ",
        "(NP ",
        "(NN a)",
        "(-NONE- *)",
        "(NP-SBJ=1 ",
        "x",
        "é",
        "-LRB-",
        "=",
        "\n",
        "\u00a0",
        "\0",
    ]
)
trees = st.recursive(
    st.sampled_from(["(NN a)", "(-NONE- *)", "(-LRB- -LRB-)", "(NN 日本)", "(=A-B x)"]),
    lambda inner: st.tuples(
        st.sampled_from(["NP", "NP-SBJ", "S=1", "-X-", "VP-"]), st.lists(inner, min_size=1, max_size=3)
    ).map(lambda pair: f"({pair[0]} {' '.join(pair[1])})"),
    max_leaves=6,
)
lines = st.lists(trees | st.lists(parts, max_size=9).map("".join) | st.text(max_size=9), max_size=5)


def pack(rows: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [row.encode() for row in rows]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def same(ours: Any, theirs: Any) -> None:
    for left, right in zip(ours, theirs, strict=True):
        if isinstance(left, np.ndarray):
            assert left.dtype == right.dtype
            assert left.shape == right.shape
        np.testing.assert_array_equal(left, right)


@given(lines, st.booleans())
@example(["( (S (NN a)))", "(A (-NONE- a))", "(A a"], True)
def test_read_brackets(rows: list[str], strip: bool) -> None:
    ours, theirs = _native.Vocabulary(), reference.Vocabulary()
    packed = pack(rows)
    same(_native.read_brackets(*packed, ours, strip), reference.read_brackets(*packed, theirs, strip))
    assert [ours.token(i) for i in range(len(ours))] == [theirs.token(i) for i in range(len(theirs))]


@given(st.lists(parts | trees, max_size=9).map("".join) | st.text(max_size=9))
def test_bracket_spans(text: str) -> None:
    buffer = np.frombuffer(text.encode(), np.uint8)
    same(_native.bracket_spans(buffer), reference.bracket_spans(buffer))


def test_spans_are_checked() -> None:
    with pytest.raises(ValueError, match="spans must stay within the buffer"):
        _native.read_brackets(
            np.zeros(2, np.uint8), np.array([[0, 3]], np.int64), _native.Vocabulary(), False
        )
