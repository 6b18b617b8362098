"""What changed between two sentences: the alignment by hand, and kernel against twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.word_layout import (
    FEATURES,
    FIELDS,
    Category,
    LinkKind,
    NumberPart,
    WordFlag,
)

THREADS = st.sampled_from([0, 1, 2, 3])
LEMMAS = ("love", "loves", "hate", "like", "lover", "glove", "tea", "café", "of")


def ragged(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([number for row in rows for number in row], np.int32)
    return flat, np.cumsum([0, *map(len, rows)], dtype=np.int64)


def pack(words: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def lemma_facts(**changes: Any) -> tuple[Any, ...]:
    """Love, like and hate: love and like are synonyms, hate is the opposite of love."""
    none: list[list[int]] = [[] for _ in LEMMAS]
    facts = {
        "stems": np.array([0, 0, 1, 2, 3, 4, -1, 5, -1], np.int32),
        "synsets": ragged([[4, 7], [], [], [7], *none[4:]]),
        "own": ragged([[1], [], [2], *none[3:]]),
        "opposite": ragged([[2], [], [1], *none[3:]]),
        "texts": pack(LEMMAS),
    }
    return tuple((facts | changes).values())


Type = tuple[tuple[int, ...], float, tuple[tuple[int, float], ...]]


def type_table(types: list[Type]) -> tuple[np.ndarray, ...]:
    parts = [part for _, _, own in types for part in own]
    return (
        np.array([row for row, _, _ in types], np.int32).reshape(-1, len(FIELDS)),
        np.array([weight for _, weight, _ in types], np.float64),
        np.array([kind for kind, _ in parts], np.int32),
        np.array([value for _, value in parts], np.float64),
        np.cumsum([0, *(len(own) for _, _, own in types)], dtype=np.int64),
    )


def simple_types() -> list[Type]:
    """A verb of weight 1 for each lemma, spelled like it."""
    return [((i, i, Category.VERB, 0, -1, -1, -1, -1), 1.0, ()) for i in range(len(LEMMAS))]


def compare(left: list[int], right: list[int], types: list[Type] | None = None) -> Any:
    """Features by name, and links, of two lines of types."""
    arguments = (
        ragged([left, right]),
        np.array([0]),
        np.array([1]),
        type_table(types or simple_types()),
        lemma_facts(),
    )
    rows, links, offsets = _native.word_changes(*arguments, True, 1)
    for mine, theirs in zip(
        (rows, links, offsets), reference.word_changes(*arguments, True, 1), strict=True
    ):
        np.testing.assert_array_equal(mine, theirs)
    return dict(zip(FEATURES, rows[0].tolist(), strict=True)), [
        (i, j, LinkKind(kind)) for i, j, kind in links.tolist()
    ]


love, loves, hate, like, lover, glove, tea, cafe, of = range(len(LEMMAS))


@pytest.mark.parametrize(
    ("left", "right", "links"),
    [
        ([love, tea], [tea, love], [(0, 1, LinkKind.SAME), (1, 0, LinkKind.SAME)]),
        ([hate], [love], [(0, 0, LinkKind.OPPOSITE)]),
        ([like], [love], [(0, 0, LinkKind.SYNONYM)]),
        ([loves], [love], [(0, 0, LinkKind.STEM)]),
        # Dice of lover and love: 2 * 11 / (16 + 13); short words are not compared by letters.
        ([lover], [love], [(0, 0, LinkKind.LETTERS)]),
        ([tea], [of], [(0, 0, LinkKind.SLOT)]),
        # An equal word comes before an opposite, a synonym before an opposite.
        ([hate, love], [love], [(1, 0, LinkKind.SAME)]),
        ([hate, like], [love], [(1, 0, LinkKind.SYNONYM)]),
        # The second love has the same neighbor.
        ([love, tea], [love, love, tea], [(0, 1, LinkKind.SAME), (1, 2, LinkKind.SAME)]),
        ([], [love], []),
    ],
)
def test_links_by_hand(left, right, links):
    assert compare(left, right)[1] == links


def test_shares_by_hand():
    features, _ = compare([love, like, tea], [love, tea, of, cafe])
    assert features["word_precision"] == pytest.approx(2 / 3)
    assert features["content_recall"] == pytest.approx(2 / 4)
    assert features["loose_verb_candidate"] == 1
    assert (features["loose_verb_source"], features["loose_verb_both"]) == (2, 1)
    assert features["length_difference"] == -1
    features, _ = compare([like], [love])
    assert (features["content_f1"], features["lemma_recall"], features["synonyms"]) == (0.9, 0, 1)


def test_negations_and_opposites_cancel():
    types = simple_types()
    negation = WordFlag.NEGATION | WordFlag.WEAK_NEGATION
    types.append(((9, of, Category.ADVERB, negation, -1, -1, -1, -1), 1.0, ()))
    assert compare([hate, tea], [love, tea], types)[0]["polarity"] == 1
    both = compare([9, hate, tea], [love, tea], types)[0]
    assert (both["polarity"], both["negation_candidate"], both["opposites"]) == (0, 1, 1)


def number_types(*parts: tuple[NumberPart, float]) -> list[Type]:
    row = (0, tea, Category.NUMBER, 0, -1, -1, -1, -1)
    return [(row, 1.0, (part,)) for part in parts]


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [
        ("two thousand", "2000", 1),
        ("twenty one", "21", 1),
        ("two thousand and one", "2001", 1),
        ("20 1", "21", 0),
        ("two thousand", "two 1000", 0),
        ("twenty , one", "21", 0),
    ],
)
def test_numbers_over_several_words(left, right, common):
    parts = {
        **{
            word: (NumberPart.DIGITS, float(word)) for word in ("1", "20", "21", "1000", "2000", "2001")
        },
        "one": (NumberPart.WORD, 1.0),
        "two": (NumberPart.WORD, 2.0),
        "twenty": (NumberPart.WORD, 20.0),
        "thousand": (NumberPart.SCALE, 1000.0),
        "and": (NumberPart.AND, 0.0),
        ",": (NumberPart.END, 0.0),
    }
    names = list(parts)
    lines = [[names.index(word) for word in side.split()] for side in (left, right)]
    types = number_types(*parts.values())
    assert compare(*lines, types)[0]["number_common"] == common


def test_nouns_that_change_sides_of_a_verb():
    types = simple_types()
    for lemma in (tea, cafe):
        types[lemma] = ((lemma, lemma, Category.NOUN, 0, -1, -1, -1, -1), 1.0, ())
    features, _ = compare([tea, love, cafe], [cafe, love, tea], types)
    assert (features["role_swaps"], features["role_swaps_active"]) == (1, 1)
    assert (features["inversions"], features["inversion_share"], features["same_lemmas"]) == (3, 1, 1)
    types.append(((9, of, Category.PREPOSITION, WordFlag.BY, -1, -1, -1, -1), 0.0, ()))
    features, _ = compare([tea, love, 9, cafe], [cafe, love, tea], types)
    assert (features["role_swaps"], features["role_swaps_active"]) == (1, 0)


classes = st.integers(-1, 2)
word_types = st.tuples(
    st.tuples(
        *(st.integers(0, 4), st.integers(0, len(LEMMAS) - 1), st.sampled_from(list(Category))),
        *(st.integers(0, 255), classes, classes, classes, classes),
    ),
    st.floats(0, 12),
    st.lists(
        st.tuples(st.sampled_from(list(NumberPart)), st.sampled_from([0.0, 0.5, 1, 7, 20, 100, 1e300])),
        max_size=3,
    ).map(tuple),
)
sets = st.lists(
    st.sets(st.integers(0, 5), max_size=3).map(sorted), min_size=len(LEMMAS), max_size=len(LEMMAS)
)
stems = st.lists(st.integers(-1, 3), min_size=len(LEMMAS), max_size=len(LEMMAS))


@settings(max_examples=300)
@given(
    st.lists(word_types, min_size=1, max_size=8),
    st.lists(st.lists(st.integers(0, 7), max_size=12), min_size=1, max_size=6),
    *(sets, sets, sets, stems, st.data(), THREADS),
)
def test_kernel_and_twin(types, lines, synsets, own, opposite, stem_numbers, data, threads):
    rows = [[number % len(types) for number in line] for line in lines]
    pairs = st.lists(st.integers(0, len(lines) - 1), min_size=5, max_size=5)
    left, right = (np.array(data.draw(pairs), np.int64) for _ in range(2))
    facts = lemma_facts(
        stems=np.array(stem_numbers, np.int32),
        synsets=ragged(synsets),
        own=ragged(own),
        opposite=ragged(opposite),
    )
    arguments = (ragged(rows), left, right, type_table(types), facts)
    native = _native.word_changes(*arguments, True, threads)
    twin = reference.word_changes(*arguments, True, 1)
    for mine, theirs in zip(native, twin, strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(native[0], _native.word_changes(*arguments, False, threads))


@given(st.lists(st.text("abcé", min_size=1, max_size=15), min_size=1, max_size=9))
def test_letters_of_kernel_and_twin(lemmas):
    """The kernel does not compare the n-grams of words whose bits say that they differ too much."""
    size = len(lemmas)
    types = [((i, i, Category.VERB, 0, -1, -1, -1, -1), 1.0, ()) for i in range(size)]
    none = ragged([[] for _ in lemmas])
    facts = (np.arange(size, dtype=np.int32), none, none, none, pack(tuple(lemmas)))
    left, right = np.divmod(np.arange(size * size), size)
    arguments = (ragged([[i] for i in range(size)]), left, right, type_table(types), facts)
    native = _native.word_changes(*arguments, True, 1)
    for mine, theirs in zip(native, reference.word_changes(*arguments, True, 1), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_threads_do_not_matter():
    rng = np.random.default_rng(3)
    rows = [rng.integers(0, len(LEMMAS), size).tolist() for size in rng.integers(0, 15, 400)]
    left, right = rng.integers(0, 400, (2, 1000))
    arguments = (ragged(rows), left, right, type_table(simple_types()), lemma_facts())
    for mine, theirs in zip(
        _native.word_changes(*arguments, True, 1),
        _native.word_changes(*arguments, True, 4),
        strict=True,
    ):
        np.testing.assert_array_equal(mine, theirs)


LINES, ONE = ragged([[0], [1]]), np.zeros(1, np.int64)
BAD = {
    "every word must have a type": {"lines": ragged([[9]])},
    "left and right must be equally many": {"left": np.array([2])},
    "left and right must be equally many numbers": {"right": np.zeros(2, np.int64)},
    "every lemma must have a stem": {"lemmas": lemma_facts(stems=np.zeros(3, np.int32))},
    "stems must be numbers from 0": {"lemmas": lemma_facts(stems=np.full(9, -2, np.int32))},
    "every word type must have a lemma": {
        "types": type_table([((0, 9, 0, 0, 0, 0, 0, 0), 1.0, ())] * 2)
    },
    "categories must be": {"types": type_table([((0, 0, 12, 0, 0, 0, 0, 0), 1.0, ())] * 2)},
    "weights must be finite": {"types": type_table([((0, 0, 0, 0, 0, 0, 0, 0), np.inf, ())] * 2)},
    "numbers must be finite": {
        "types": type_table([((0, 0, 0, 0, 0, 0, 0, 0), 1.0, ((0, -1.0),))] * 2)
    },
    "its number parts": {"types": (*type_table(simple_types())[:4], np.zeros(2, np.int64))},
}


@pytest.mark.parametrize(("message", "changes"), BAD.items(), ids=BAD)
@pytest.mark.parametrize("module", [_native, reference], ids=["native", "twin"])
def test_what_would_read_out_of_bounds_is_refused(module, message, changes):
    arguments = {
        "lines": LINES,
        "left": ONE,
        "right": ONE,
        "types": type_table(simple_types()),
        "lemmas": lemma_facts(),
        "links": False,
        "threads": 1,
    }
    with pytest.raises(ValueError, match=message):
        module.word_changes(**(arguments | changes))
