"""Contexts of words: the native kernels against their twins, on the same inputs, errors included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.kernels.reference.rewrite.context_learners import learn_boosting, learn_logistic
from paragauge.kernels.reference.rewrite.contexts import features_of, word_hash

THREADS = st.sampled_from([0, 1, 2, 3, 7])
words = st.sampled_from(["a", "b", "c", "é", "中", "🙂", "long-er-word", ""])
lines = st.lists(st.lists(words, min_size=1, max_size=9).map(" ".join) | st.just(""), max_size=6)
shapes = st.tuples(
    st.integers(0, 4), st.integers(1, 12), st.integers(0, 4), st.booleans(), st.booleans()
)


def pack(sentences: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [sentence.encode() for sentence in sentences]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def same(left: Any, right: Any) -> None:
    if isinstance(left, tuple):
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            same(a, b)
        return
    assert left.dtype == right.dtype
    assert left.shape == right.shape
    np.testing.assert_array_equal(left, right)


def both(name: str, *arguments: Any) -> Any:
    native = getattr(_native, name)(*arguments)
    same(native, getattr(reference, name)(*arguments))
    return native


def both_refuse(name: str, *arguments: Any) -> str:
    with pytest.raises(ValueError, match="must") as native:
        getattr(_native, name)(*arguments)
    with pytest.raises(ValueError, match="must") as twin:
        getattr(reference, name)(*arguments)
    assert str(native.value) == str(twin.value)
    return str(native.value)


@given(lines, THREADS)
def test_hash_words(sentences: list[str], threads: int) -> None:
    both("hash_words", *pack(sentences), threads)


def test_words_hash_by_their_bytes_wherever_they_stand() -> None:
    hashes, offsets = _native.hash_words(*pack(["a b a", "", "b"]), 1)
    assert offsets.tolist() == [0, 3, 3, 4]
    assert hashes[0] == hashes[2] == word_hash("a")
    assert hashes[1] == hashes[3] == word_hash("b")


@given(lines, shapes, st.data())
def test_context_features(sentences: list[str], shape: tuple, choose: st.DataObject) -> None:
    hashes, offsets = _native.hash_words(*pack(sentences), 1)
    places = [(i, at) for i, n in enumerate(np.diff(offsets).tolist()) for at in range(n)]
    chosen = choose.draw(st.lists(st.sampled_from(places), max_size=5)) if places else []
    where = np.array(chosen, np.int64).reshape(-1, 2)
    both(
        "context_features",
        hashes,
        offsets,
        np.ascontiguousarray(where[:, 0]),
        np.ascontiguousarray(where[:, 1]),
        shape,
    )


def test_the_ten_collocations_leave_the_target_out() -> None:
    sentence = [word_hash(word) for word in ["p", "q", "TARGET", "r", "s"]]
    features = features_of(sentence, 2, (0, 5, 0, True, True))
    assert [place for _, place in features] == [
        *((1, length, -2) for length in (1, 2, 3, 4)),
        *((1, length, -1) for length in (1, 2, 3)),
        *((1, length, 1) for length in (1, 2)),
        (1, 1, 2),
    ]
    other = [*sentence[:2], word_hash("OTHER"), *sentence[3:]]
    assert features_of(other, 2, (0, 5, 0, True, True)) == features


def test_ngrams_stay_on_their_side_and_offsets_are_capped() -> None:
    sentence = [word_hash(word) for word in "abcTde"]
    places = [place for _, place in features_of(sentence, 3, (2, 2, 1, False, True))]
    # b, "b c", c, then d, "d e", e: all within two words, none across the target.
    assert places == [(0, 1, -1), (0, 2, -1), (0, 1, -1), (0, 1, 1), (0, 2, 1), (0, 1, 1)]
    exact = [place for _, place in features_of(sentence, 3, (1, 9, 0, False, True))]
    assert [start for _, _, start in exact] == [-3, -2, -1, 1, 2]


def test_without_positions_an_ngram_counts_wherever_it_stands() -> None:
    left, right = ([word_hash(word) for word in text] for text in ("xyTab", "abTxy"))
    free, sides = (2, 5, 1, False, False), (2, 5, 1, False, True)
    assert {f for f, _ in features_of(left, 2, free)} == {f for f, _ in features_of(right, 2, free)}
    assert {place for _, place in features_of(left, 2, free)} == {(0, 1, 0), (0, 2, 0)}
    assert not {f for f, _ in features_of(left, 2, sides)} & {
        f for f, _ in features_of(right, 2, sides)
    }
    # Collocations keep their positions.
    near = (0, 5, 1, True, False)
    assert features_of(left, 2, near) == features_of(left, 2, (0, 5, 1, True, True))


@given(lines, st.integers(1, 4), st.integers(1, 12), st.data())
def test_without_positions_the_order_of_the_sides_does_not_count(
    sentences: list[str], order: int, window: int, choose: st.DataObject
) -> None:
    hashes, offsets = _native.hash_words(*pack(sentences), 1)
    places = [(i, at) for i, n in enumerate(np.diff(offsets).tolist()) for at in range(n)]
    if not places:
        return
    line, at = choose.draw(st.sampled_from(places))
    words = hashes[offsets[line] : offsets[line + 1]].tolist()
    # Only what the window reaches may change sides.
    before, after = words[max(0, at - window) : at], words[at + 1 : at + 1 + window]
    shape = (order, window, 1, False, False)

    def features(text: list[int], target: int) -> list[int]:
        ends = np.array([0, len(text)], np.int64)
        zero = np.zeros(1, np.int64)
        hashed, _, _ = _native.context_features(
            np.array(text, np.uint32), ends, zero, zero + target, shape
        )
        return sorted(hashed.tolist())

    assert features(words, at) == features([*after, words[at], *before], len(after))


@given(st.lists(st.integers(0, 4), max_size=40), st.integers(1, 4), st.integers(0, 2**64 - 1))
def test_sample_positions(ids: list[int], limit: int, seed: int) -> None:
    rows = np.array([-1, 0, 2, 1, -1], np.int32)
    positions, offsets, counts = both("sample_positions", np.array(ids, np.int32), rows, 3, limit, seed)
    for row, number in enumerate([1, 3, 2]):
        own = positions[offsets[row] : offsets[row + 1]].tolist()
        assert len(set(own)) == len(own) == min(limit, ids.count(number))
        assert all(ids[at] == number for at in own)
        assert counts[row] == ids.count(number)


corpora = st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=12)
learnings = st.tuples(
    st.sampled_from(["logistic", "boosting"]),
    st.integers(1, 4),
    st.sampled_from([0.1, 0.5]),
    st.sampled_from([0.0, 0.01]),
)


def corpus_of(sentences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([number for sentence in sentences for number in sentence], np.int32)
    return flat, np.cumsum([0, *map(len, sentences)], dtype=np.int64)


def types_of(classes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    hashes = np.array([word_hash(str(number)) for number in range(len(classes))], np.uint32)
    return hashes, np.array(classes, np.uint8)


@settings(max_examples=60)
@given(corpora, shapes, learnings, st.integers(0, 3), st.integers(0, 30), st.data(), THREADS)
def test_train_contexts(
    sentences: list[list[int]],
    shape: tuple,
    learning: tuple,
    least: int,
    most: int,
    choose: st.DataObject,
    threads: int,
) -> None:
    corpus = corpus_of(sentences)
    classes = choose.draw(st.lists(st.integers(0, 3), min_size=6, max_size=6))
    word_ids = np.array([3, 1], np.int32)
    rows = np.array([-1, 1, -1, 0, -1, -1], np.int32)
    positions, offsets, _ = _native.sample_positions(corpus[0], rows, 2, 5, 7)
    share = choose.draw(st.sampled_from([0.0, 0.3]))
    trained = both(
        "train_contexts",
        corpus,
        types_of(classes),
        word_ids,
        (positions, offsets),
        shape,
        learning,
        least,
        most,
        share,
        choose.draw(st.integers(1, 3)),
        choose.draw(st.booleans()),
        choose.draw(st.integers(0, 2**64 - 1)),
        threads,
    )
    text = [" ".join(map(str, sentence)) for sentence in sentences]
    native, twin = (m.ContextTable(trained[:5], shape) for m in (_native, reference))
    assert len(native) == len(twin) == 2
    places = [(i, at) for i, row in enumerate(sentences) for at in range(len(row))]
    where = np.array(places, np.int64).reshape(-1, 2)
    chosen = np.resize(np.array([0, 1, -1], np.int64), len(places))
    arguments = (*pack(text), where[:, 0].copy(), where[:, 1].copy(), chosen, threads)
    same(native.scores(*arguments), twin.scores(*arguments))


def test_both_learners_find_the_feature_that_tells() -> None:
    examples, labels = [[0, 1], [0, 2], [1], [2]] * 5, [1, 1, 0, 0] * 5
    for bias, weights in (
        learn_boosting(examples, labels, 3, 10),
        learn_logistic(examples, labels, 3, 10, 0.5, 0.0),
    ):
        assert weights[0] > 0 > bias
        assert abs(weights[0]) > 3 * max(abs(weights[1]), abs(weights[2]))


def test_the_first_stump_is_the_formula_by_hand() -> None:
    # Feature 0 stands in all positives and in one of three negatives: e = 1/6,
    # c[1] = 1/2 ln((1/2 + 1/6) / (1/6 + 1/6)), c[0] = 1/2 ln((0 + 1/6) / (1/3 + 1/6)).
    bias, weights = learn_boosting([[0], [0], [0], [0], [], []], [1, 1, 1, 0, 0, 0], 1, 1)
    assert bias == pytest.approx(0.5 * np.log((1 / 6) / (3 / 6)))
    assert weights[0] + bias == pytest.approx(0.5 * np.log((4 / 6) / (2 / 6)))


def test_a_random_sentence_gives_a_short_one_as_many_negatives_as_a_long_one() -> None:
    """Word 1 fills a long sentence, word 2 is one alone: as many negatives of 2 as of 1."""
    corpus = corpus_of([*([[0, 3]] * 40), [1] * 400, [2]])
    samples = (np.arange(0, 80, 2, dtype=np.int64), np.array([0, 40], np.int64))
    shape, learning = (1, 5, 1, True, True), ("logistic", 2, 0.1, 0.0)
    settings = (np.array([0], np.int32), samples, shape, learning, 5, 50, 0.0, 1)
    features = {}
    for by_sentence in (False, True):
        trained = _native.train_contexts(corpus, types_of([1, 1, 1, 1]), *settings, by_sentence, 7, 1)
        features[by_sentence] = dict(zip(trained[1].tolist(), trained[2].tolist(), strict=True))
    # Alone in its sentence, 2 has the context <s> <s> _ </s> </s>, which nothing else has.
    alone = features_of([word_hash("2")], 0, shape)[3][0]
    assert alone in features[True]
    assert alone not in features[False]


CORPUS = corpus_of([[0, 1], [1, 2, 0]])
TYPES = types_of([1, 1, 1])
SAMPLES = (np.array([1, 2], np.int64), np.array([0, 2], np.int64))
GOOD = {
    "corpus": CORPUS,
    "types": TYPES,
    "words": np.array([1], np.int32),
    "samples": SAMPLES,
    "shape": (1, 5, 1, True, True),
    "learning": ("logistic", 2, 0.1, 0.0),
    "least": 1,
    "most": 10,
    "held_out": 0.0,
    "draws": 1,
    "by_sentence": False,
    "seed": 7,
    "threads": 1,
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"held_out": 1.0}, "held_out"),
        ({"held_out": float("nan")}, "held_out"),
        ({"draws": 0}, "draws"),
        ({"shape": (5, 5, 1, True, True)}, "order"),
        ({"shape": (1, 0, 1, True, True)}, "window"),
        ({"shape": (1, 5, 1001, True, True)}, "reach"),
        ({"learning": ("trees", 2, 0.1, 0.0)}, "learner"),
        ({"learning": ("logistic", 0, 0.1, 0.0)}, "rounds"),
        ({"learning": ("logistic", 1, 0.0, 0.0)}, "rate"),
        ({"learning": ("logistic", 1, 0.1, -1.0)}, "penalty"),
        ({"corpus": (CORPUS[0], np.array([0, 9], np.int64))}, "offsets"),
        ({"types": (TYPES[0], TYPES[1][:2])}, "classes"),
        ({"samples": (SAMPLES[0], SAMPLES[1][:1])}, "every word must have samples"),
        ({"samples": (SAMPLES[0], np.array([0, 3], np.int64))}, "samples must not"),
        ({"words": np.array([3], np.int32)}, "numbers of words"),
        ({"corpus": (CORPUS[0] + 1, CORPUS[1])}, "numbers of words"),
        ({"samples": (SAMPLES[0] + 4, SAMPLES[1])}, "positions"),
    ],
)
def test_bad_training(changed: dict[str, Any], message: str) -> None:
    assert message in both_refuse("train_contexts", *(GOOD | changed).values())


def test_bad_places_and_tables() -> None:
    hashes, offsets = _native.hash_words(*pack(["a b"]), 1)
    one, two = np.array([0], np.int64), np.array([2], np.int64)
    shape = (1, 5, 1, True, True)
    both_refuse("context_features", hashes, offsets, one, two, shape)
    both_refuse("context_features", hashes, offsets, two, one, shape)
    both_refuse("context_features", hashes, offsets, one, two[:0], shape)
    both_refuse("sample_positions", np.array([1], np.int32), np.array([0], np.int32), 1, 1, 7)
    both_refuse("sample_positions", np.array([0], np.int32), np.array([1], np.int32), 1, 1, 7)
    both_refuse("sample_positions", np.array([0], np.int32), np.array([0], np.int32), 1, 0, 7)
    good = _native.train_contexts(*GOOD.values())[:5]
    bounds, features, weights, scales, biases = good
    both_refuse("ContextTable", (bounds + 1, features, weights, scales, biases), shape)
    both_refuse("ContextTable", (bounds, features, weights[:-1], scales, biases), shape)
    both_refuse("ContextTable", (bounds, features, weights, scales, biases[:0]), shape)
    both_refuse("ContextTable", (bounds, features[::-1].copy(), weights, scales, biases), shape)
    both_refuse("ContextTable", good, (9, 5, 1, True, True))
    for module in (_native, reference):
        table = module.ContextTable(good, shape)
        with pytest.raises(ValueError, match="numbers of classifiers"):
            table.scores(*pack(["a b"]), one, one, two, 1)
        with pytest.raises(ValueError, match="every proposal"):
            table.scores(*pack(["a b"]), one, one, two[:0], 1)
        with pytest.raises(ValueError, match="positions must be"):
            table.scores(*pack(["a b"]), one, two, one, 1)
