"""The kernels of rewriting against their twins, and against plain definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize_lines

THREADS = st.sampled_from([0, 1, 2, 3])
ids = st.lists(st.integers(0, 7), max_size=8)
texts = st.text("ab'\"`.,;()?!-$% \t\u00a0\u2003é中🙂\u0301nNstT", max_size=20) | st.text(max_size=30)
pieces = st.lists(
    st.sampled_from(['"', "''", "``", "don't", "cannot", "gonna", "'tis", " ", "a.", "..."])
)


def packed(sentences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([word for sentence in sentences for word in sentence], np.int32)
    return flat, np.cumsum([0, *map(len, sentences)], dtype=np.int64)


def outcome(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments).tolist()
    except ValueError as error:
        return str(error)


@given(
    st.lists(st.tuples(ids, st.lists(ids, max_size=3)), max_size=90),
    st.lists(st.integers(0, 1), min_size=8, max_size=8),
    THREADS,
)
def test_unmatched(
    segments: list[tuple[list[int], list[list[int]]]], words: list[int], threads: int
) -> None:
    lines = [line for _, group in segments for line in group]
    groups = np.cumsum([0, *(len(group) for _, group in segments)], dtype=np.int64)
    outputs = [output for output, _ in segments]
    arguments = (
        (*packed(lines), groups),
        (*packed(outputs), None),
        np.array(words, np.uint8),
        threads,
    )
    rows = _native.unmatched(*arguments)
    assert rows.dtype == np.int64
    np.testing.assert_array_equal(rows, reference.unmatched(*arguments))
    # By the definition, on sets.
    segment = np.repeat(np.arange(len(segments)), np.diff(groups))
    pairs = {(line, at, outputs[segment[line]][other]) for line, at, other in rows.tolist()}
    assert pairs == {
        (line, at, instead)
        for line, sentence in enumerate(lines)
        for at, word in enumerate(sentence)
        for instead in set(outputs[segment[line]]) - set(sentence)
        if word not in outputs[segment[line]] and words[word] and words[instead]
    }


@pytest.mark.parametrize(
    ("references", "candidates", "words", "message"),
    [
        (([[1]], None), ([[1], [2]], None), 3, "same number of segments"),
        (([[1]], None), ([[3]], None), 3, "index of the words"),
        (([[-1]], None), ([[1]], None), 3, "index of the words"),
        (([[1]], None), ([[1]], [0, 1]), 3, "one line per segment"),
    ],
)
def test_unmatched_refuses(references: Any, candidates: Any, words: int, message: str) -> None:
    def column(lines: list[list[int]], groups: list[int] | None) -> tuple[Any, ...]:
        return (*packed(lines), None if groups is None else np.array(groups, np.int64))

    arguments = (column(*references), column(*candidates), np.ones(words, np.uint8), 1)
    for kernels in (_native, reference):
        with pytest.raises(ValueError, match=message):
            kernels.unmatched(*arguments)


@given(st.lists(texts | pieces.map("".join), max_size=70), THREADS)
@example(['"', '``"', "''\"", '"a" "b"', "a.\"'", "don't \u2003cannot "], 1)
def test_every_token_is_found_where_it_stands(sentences: list[str], threads: int) -> None:
    lines = Lines.of(sentences)
    tokens = tokenize_lines(lines, "penn")
    arguments = (lines.buffer, lines.spans, tokens.buffer, tokens.spans, threads)
    spans = _native.token_spans(*arguments)
    np.testing.assert_array_equal(spans, reference.token_spans(*arguments))
    text = lines.buffer.tobytes()
    spans_left = iter(spans.tolist())
    for sentence, line, (at, stop) in zip(sentences, tokens, lines.spans.tolist(), strict=True):
        between = b""
        for token in line.split(" ") if line else []:
            first, last = next(spans_left)
            assert text[first:last].decode() in (token, '"' if token in ("``", "''") else token)
            between += text[at:first]
            at = last
        assert (between + text[at:stop]).decode().strip() == "", sentence


@given(st.lists(st.tuples(st.text("ab\" '`", max_size=9), st.text("ab'` ", max_size=9)), max_size=5))
def test_tokens_of_other_lines_are_refused_by_both(pairs: list[tuple[str, str]]) -> None:
    lines, tokens = Lines.of([a for a, _ in pairs]), Lines.of([b for _, b in pairs])
    arguments = (lines.buffer, lines.spans, tokens.buffer, tokens.spans, 1)
    assert outcome(_native.token_spans, *arguments) == outcome(reference.token_spans, *arguments)


def test_token_spans_want_as_many_lines() -> None:
    lines, tokens = Lines.of(["a"]), Lines.of([])
    for kernels in (_native, reference):
        with pytest.raises(ValueError, match="as many lines"):
            kernels.token_spans(lines.buffer, lines.spans, tokens.buffer, tokens.spans, 1)
