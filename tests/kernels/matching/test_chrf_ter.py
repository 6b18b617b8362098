"""Kernels of chrF and TER against their twins and against sacreBLEU, on random Unicode text.

Oracles: `sacrebleu.metrics.chrf`, `sacrebleu.metrics.lib_ter` and `sacrebleu.tokenizers.tokenizer_ter`
(sacreBLEU 2.x); `lib_ter` shift by shift and step by step.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF, lib_ter
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from paragauge.kernels import _native, reference
from paragauge.kernels.layout import pack_texts, unpack_texts

tricky = st.text("abAB1٣.,-'\"&()$;:!?/ \t\n\x85\u3000中あガ。（〇㐀🙂\u0301Σς", max_size=30)
pieces = st.sampled_from(["&quot;", "&amp;lt;", "-\n", "\n-", "3.5", "..,", "'s ", "1-2-", "(hi)", " "])
texts = st.one_of(tricky, st.text(max_size=20), st.lists(pieces | tricky, max_size=5).map("".join))
segments = st.lists(st.tuples(texts, st.lists(texts, max_size=3)), max_size=4)
words = st.lists(st.integers(0, 5), max_size=14)
FLAGS = (st.booleans(), st.booleans(), st.booleans())


def text_column(lines: list[str], groups: list[int] | None = None) -> tuple[Any, Any, Any]:
    buffer, offsets = pack_texts(lines)
    spans = np.stack([offsets[:-1], offsets[1:]], axis=1)
    return buffer, spans, None if groups is None else np.array(groups, np.int64)


def id_column(lines: list[list[int]], groups: list[int] | None = None) -> tuple[Any, Any, Any]:
    offsets = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    ids = np.array([word for line in lines for word in line], np.int32)
    return ids, offsets, None if groups is None else np.array(groups, np.int64)


def columns_of(make: Any, given_segments: list[tuple[Any, list[Any]]]) -> tuple[Any, Any]:
    bounds = np.cumsum([0, *(len(others) for _, others in given_segments)]).tolist()
    flat = [other for _, others in given_segments for other in others]
    return make([own for own, _ in given_segments]), make(flat, bounds)


def both(name: str, *arguments: Any) -> Any:
    native, twin = getattr(_native, name)(*arguments), getattr(reference, name)(*arguments)
    results = (result if isinstance(result, tuple) else (result,) for result in (native, twin))
    for left, right in zip(*results, strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)
        assert left.shape == right.shape
    return native


@given(segments, st.integers(1, 9), st.integers(0, 3), st.integers(1, 3), *FLAGS[:2])
@example([("", [""]), ("a", []), ("中文", ["中", "文中"])], 6, 2, 2, False, False)
@example([("(hi) !", ["(hi", "hi)"]), (". .. a.", [". ..a ."])], 6, 2, 2, True, True)
def test_chrf_counts(
    given_segments: list[tuple[str, list[str]]],
    char_order: int,
    word_order: int,
    beta: int,
    whitespace: bool,
    smooth: bool,
) -> None:
    columns = columns_of(text_column, given_segments)
    rows = both("chrf_counts", *columns, char_order, word_order, float(beta), whitespace, smooth, 2)
    oracle = CHRF(char_order, word_order, beta, whitespace=whitespace, eps_smoothing=smooth)
    for row, (candidate, references) in zip(rows.tolist(), given_segments, strict=True):
        if references:
            streams = [[line] for line in references]
            assert [row] == oracle._extract_corpus_statistics([candidate], streams)
        else:
            assert not any(row)


@pytest.mark.parametrize("symbols", [2, 60, 500, 20_000])
@pytest.mark.parametrize("order", [1, 6, 16])
def test_chrf_counts_of_long_lines(symbols: int, order: int) -> None:
    """Few symbols are packed into numbers, many or long n-grams are numbered: same counts."""
    draw = random.Random(symbols + order)
    base = [chr(0x4E00 + draw.randrange(symbols)) for _ in range(1200)]
    lines = ["".join(base[100:] + base[:50]), "".join(base), "a" * 300]
    columns = text_column(lines), text_column(lines[1:] + lines[:1])
    rows = both("chrf_counts", *columns, order, 0, 2.0, False, False, 1)
    expected = CHRF(order)._extract_corpus_statistics(lines, [lines[1:] + lines[:1]])
    assert rows.tolist() == expected


@given(st.lists(texts, max_size=5), *FLAGS)
@example(["It's 3.5, isn't it? 'tis 's", "a.,b ,.1 1,2 .", "x\n-y\nz"], True, True, True)
def test_normalize_tercom(lines: list[str], normalized: bool, no_punct: bool, asian: bool) -> None:
    buffer, spans, _ = text_column(lines)
    rows = both("normalize_tercom", buffer, spans, normalized, no_punct, asian, 2)
    oracle = TercomTokenizer(normalized, no_punct, asian, case_sensitive=True)
    assert unpack_texts(rows) == [oracle(line.rstrip()) for line in lines]


def sacrebleu_edits(candidate: list[int], other: list[int]) -> tuple[list[list[str]], str, int]:
    """The words after each shift, the steps and the number of tries of sacreBLEU's search."""
    mine, theirs = list(map(str, candidate)), list(map(str, other))
    distance = lib_ter.BeamEditDistance(theirs)
    shifted, tried = [], 0
    while theirs:
        saved, after, tried = lib_ter._shift(mine, theirs, distance, tried)
        if tried >= lib_ter._MAX_SHIFT_CANDIDATES or saved <= 0:
            break
        mine = after
        shifted.append(mine)
    return shifted, distance(mine)[1], tried


def check_against_sacrebleu(candidate: list[int], other: list[int]) -> int:
    """Compare edit for edit; how many shifts sacreBLEU tried."""
    shifts, steps = _native.ter_edits(np.array(candidate, np.int32), np.array(other, np.int32))
    shifted, line = [], list(map(str, candidate))
    for first, size, target in shifts.tolist():
        rest = line[:first] + line[first + size :]
        line = rest[:target] + line[first : first + size] + rest[target:]
        shifted.append(line)
    *expected, tried = sacrebleu_edits(candidate, other)
    assert [shifted, "".join(" sid"[step] for step in steps)] == expected
    return tried


@given(words, words)
@example([], [])
@example([1], [])
@example([], [1, 2])
@example([3, 1, 2, 3, 1, 2], [1, 2, 3, 1, 2, 3])
def test_ter_edits(candidate: list[int], other: list[int]) -> None:
    both("ter_edits", np.array(candidate, np.int32), np.array(other, np.int32))
    check_against_sacrebleu(candidate, other)


@pytest.mark.parametrize(
    ("size", "other_size", "words_known"),
    [(56, 56, 56), (40, 70, 30), (30, 90, 90), (90, 30, 30), (2, 130, 3), (130, 2, 3)],
)
def test_ter_edits_at_the_limits_of_the_search(size: int, other_size: int, words_known: int) -> None:
    """Beyond the beam, and at the largest distance."""
    draw = random.Random(size * other_size)
    other = [draw.randrange(words_known) for _ in range(other_size)]
    candidate = (other * (size // other_size + 1))[: size // 2]
    candidate += [draw.randrange(words_known) for _ in range(size - len(candidate))]
    moved = candidate[size // 2 :] + candidate[: size // 2]
    check_against_sacrebleu(moved, other)


def test_the_search_stops_after_1000_candidates() -> None:
    draw = random.Random(3)
    other = [draw.randrange(2) for _ in range(36)]
    candidate = draw.sample(other, len(other))
    both("ter_edits", np.array(candidate, np.int32), np.array(other, np.int32))
    assert check_against_sacrebleu(candidate, other) >= 1000


@given(st.lists(st.tuples(words, st.lists(words, max_size=3)), max_size=4))
def test_ter_counts(given_segments: list[tuple[list[int], list[list[int]]]]) -> None:
    columns = columns_of(id_column, given_segments)
    rows = both("ter_counts", *columns, 2).tolist()
    for row, (candidate, others) in zip(rows, given_segments, strict=True):
        assert row[0] == sum(row[2:6])
        if others:
            mine = list(map(str, candidate))
            each = [lib_ter.translation_edit_rate(mine, list(map(str, other))) for other in others]
            edits = [count for count, _ in each]
            assert row[:2] == [min(edits), sum(size for _, size in each)]
            assert row[6] == edits.index(min(edits))
        else:
            assert not any(row)


def test_results_do_not_depend_on_threads() -> None:
    draw = random.Random(5)
    lines = [" ".join(draw.choices("abcdef", k=draw.randrange(12))) for _ in range(400)]
    text = text_column(lines), text_column(lines[1:] + lines[:1])
    numbered = [[ord(word) for word in line.split()] for line in lines]
    ids = id_column(numbered), id_column(numbered[1:] + numbered[:1])
    for name, arguments in (("chrf_counts", (*text, 6, 2, 2.0, False, False)), ("ter_counts", ids)):
        once = getattr(_native, name)(*arguments, 1)
        np.testing.assert_array_equal(once, getattr(_native, name)(*arguments, 3))


def test_kernels_refuse_what_they_cannot_read() -> None:
    one, two = text_column(["a"]), text_column(["a", "b"])
    with pytest.raises(ValueError, match="same number of segments"):
        _native.chrf_counts(one, two, 6, 0, 2.0, False, False, 1)
    with pytest.raises(ValueError, match="one line per segment"):
        _native.chrf_counts(text_column(["a", "b"], [0, 2]), one, 6, 0, 2.0, False, False, 1)
    with pytest.raises(ValueError, match="char_order"):
        _native.chrf_counts(one, one, 0, 0, 2.0, False, False, 1)
    with pytest.raises(ValueError, match="same number of segments"):
        _native.ter_counts(id_column([[1]]), id_column([[1], [2]]), 1)
