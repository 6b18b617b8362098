"""Every native kernel against its readable twin, on the same inputs, errors included."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

SCHEMES = ["13a", "intl", "zh", "char", "none", "blanks", "penn"]
THREADS = st.sampled_from([0, 1, 2, 3, 7])

# Marks, digits and blanks in every combination are where tokenizers differ.
tricky = st.text("ab1٣²,.-–'\"&;<>()/$%€。，中é \t\n\x85\u00a0\u2003\u3000🙂\u0301", max_size=30)
pieces = st.sampled_from(["&quot;", "&amp;lt;", "<skipped>", "-\n", "3.5", "...", "a.b", "1-2", " "])
texts = st.one_of(tricky, st.text(max_size=40), st.lists(pieces | tricky, max_size=6).map("".join))
lines = st.lists(texts, max_size=8)


def pack(sentences: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [sentence.encode() for sentence in sentences]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def grouped(groups: list[list[Any]]) -> tuple[list[Any], np.ndarray]:
    flat = [item for group in groups for item in group]
    return flat, np.cumsum([0, *map(len, groups)], dtype=np.int64)


def ragged(sentences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([token for sentence in sentences for token in sentence], np.int32)
    return flat, np.cumsum([0, *map(len, sentences)], dtype=np.int64)


def same(left: Any, right: Any) -> None:
    if isinstance(left, (tuple, list)):
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            same(a, b)
    elif isinstance(left, np.ndarray):
        assert left.dtype == right.dtype
        assert left.shape == right.shape
        np.testing.assert_array_equal(left, right)
    else:
        assert left == right


def both(name: str, *arguments: Any) -> Any:
    native = getattr(_native, name)(*arguments)
    same(native, getattr(reference, name)(*arguments))
    return native


def test_every_kernel_has_a_twin() -> None:
    kernels = {name for name in dir(_native) if not name.startswith("_")}
    twins = {name for name, thing in vars(reference).items() if callable(thing)}
    assert kernels <= twins
    for method in ("add", "find", "token", "encode", "__len__"):
        assert hasattr(_native.Vocabulary, method)
        assert inspect.isfunction(getattr(reference.Vocabulary, method))


@given(st.binary(max_size=60) | texts.map(str.encode))
@example("ÿ\U0010ffff".encode() + b"\xf4\x90\x80\x80")
@example(b"\xed\xa0\x80")
@example(b"\xc0\xaf")
@example(b"abcdefg\xe2\x82")
def test_first_invalid_utf8(data: bytes) -> None:
    both("first_invalid_utf8", np.frombuffer(data, np.uint8))


@given(st.binary(max_size=40) | st.text("a\r\n", max_size=20).map(str.encode), st.data())
def test_split_lines(data: bytes, choose: st.DataObject) -> None:
    start = choose.draw(st.integers(0, len(data)))
    limit = choose.draw(st.integers(0, 6))
    both("split_lines", np.frombuffer(data, np.uint8), start, limit, choose.draw(st.booleans()))


@given(st.lists(st.text("a\té", max_size=8), max_size=6))
def test_split_fields(sentences: list[str]) -> None:
    both("split_fields", *pack(sentences))


@given(st.text('ab,;""\n\r é', max_size=24), st.sampled_from(",;\t"), st.integers(0, 4), st.booleans())
@example('a,"b""c",\r\n"",x', ",", 9, True)
@example('a,"b', ",", 9, True)
@example('a,"b"', ",", 9, False)
@example("a\r", ",", 9, False)
def test_split_rows(content: str, delimiter: str, limit: int, last: bool) -> None:
    both("split_rows", np.frombuffer(content.encode(), np.uint8), limit, delimiter, last)


@given(lines)
@example(["ÀÞ×ß÷", "ĀİıĸŁŸŽſ", "“É”…€", "Σ É", "\u00ad\u2028"])
def test_lines(sentences: list[str]) -> None:
    both("lower_latin", *pack(sentences))
    both("count_blank", *pack(sentences))
    both("count_tabbed", *pack(sentences))


@given(st.lists(st.text("a'é’“—… \u00ad\ufeffﬁＡ猫𝒜", max_size=8) | texts, max_size=6))
def test_normalize_typography(sentences: list[str]) -> None:
    both("normalize_typography", *pack(sentences))


def test_typography_of_every_character() -> None:
    """All planes, a line of 16 characters each, so that the table of the kernel is the twin's."""
    codes = [code for code in range(0x80, 0x30000) if not 0xD800 <= code < 0xE000]
    lines = ["".join(map(chr, codes[i : i + 16])) for i in range(0, len(codes), 16)]
    both("normalize_typography", *pack(lines))


@given(lines, st.sampled_from(SCHEMES), THREADS)
def test_tokenize_lines(sentences: list[str], scheme: str, threads: int) -> None:
    both("tokenize_lines", *pack(sentences), scheme, threads)


@given(
    st.lists(st.tuples(texts, st.lists(texts, max_size=3)), max_size=6),
    st.sampled_from(SCHEMES),
    THREADS,
)
def test_encode_segments(segments: list[tuple[str, list[str]]], scheme: str, threads: int) -> None:
    flat, groups = grouped([references for _, references in segments])
    columns = [(*pack([text for text, _ in segments]), None), (*pack(flat), groups)]
    both("encode_segments", columns, scheme, threads)


@given(st.lists(lines, max_size=3), st.sampled_from(SCHEMES), st.booleans(), THREADS)
def test_vocabulary(batches: list[list[str]], scheme: str, grow: bool, threads: int) -> None:
    native, twin = _native.Vocabulary(), reference.Vocabulary()
    for word in ("a", "b", "1"):
        assert native.add(word) == twin.add(word)
    for batch in batches:
        same(
            native.encode(*pack(batch), scheme, grow, threads),
            twin.encode(*pack(batch), scheme, grow, threads),
        )
    assert len(native) == len(twin)
    assert [native.token(i) for i in range(len(native))] == [twin.token(i) for i in range(len(twin))]
    for first in (0, 2, len(native), len(native) + 5):
        same(native.texts(first), twin.texts(first))
    assert native.find("never seen") == twin.find("never seen") == -1
    for vocabulary in (native, twin):
        with pytest.raises(IndexError):
            vocabulary.token(len(vocabulary))


small = st.lists(st.integers(0, 4), max_size=12)
large = st.lists(st.integers(-3, 2**31 - 1), max_size=12)
sentence_ids = small | large
COUNTINGS = st.sampled_from(["clip", "set", "member"])


@given(
    st.lists(st.tuples(sentence_ids, st.lists(sentence_ids, max_size=3)), max_size=6),
    st.integers(1, 6),
    COUNTINGS,
    st.booleans(),
    THREADS,
)
def test_match_ngrams(
    segments: list[tuple[list[int], list[list[int]]]],
    order: int,
    counting: str,
    joint: bool,
    threads: int,
) -> None:
    flat, groups = grouped([others for _, others in segments])
    candidates = (*ragged([candidate for candidate, _ in segments]), None)
    both("match_ngrams", candidates, (*ragged(flat), groups), order, counting, joint, threads)


@pytest.mark.parametrize("words", [1, 2, 5, 40, 3000, 40000])
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130])
def test_match_ngrams_at_the_limits_of_its_methods(words: int, length: int) -> None:
    """Up to 32 and 64 words, 127 in the other sentence, and small ids: one method; beyond, another."""
    rng = np.random.default_rng(words + length)
    draw = lambda size: rng.integers(0, words, size).tolist()  # noqa: E731
    candidates = [draw(length) for _ in range(12)]
    others = [
        [candidate[size // 3 : size], draw(size), candidate]
        for candidate, size in zip(
            candidates, [0, 1, 3, 4, 16, 32, 64, 65, 126, 127, 128, 200], strict=True
        )
    ]
    flat, groups = grouped(others)
    columns = (*ragged(candidates), None), (*ragged(flat), groups)
    for counting in ("clip", "set", "member"):
        for joint in (False, True):
            both("match_ngrams", *columns, 4, counting, joint, 1)


def test_match_ngrams_of_long_sentences() -> None:
    """Long enough for the hashed table, which short sentences never reach."""
    rng = np.random.default_rng(5)
    long = [rng.integers(0, words, 700).tolist() for words in (3, 60, 900)]
    other = [row[100:500] + row[:300] for row in long]
    for counting in ("clip", "set", "member"):
        both("match_ngrams", (*ragged(long), None), (*ragged(other), None), 4, counting, True, 2)


@given(
    st.lists(st.tuples(sentence_ids, st.lists(sentence_ids, max_size=2)), max_size=5),
    st.integers(1, 5),
    THREADS,
)
def test_bags(segments: list[tuple[list[int], list[list[int]]]], order: int, threads: int) -> None:
    flat, groups = grouped([others for _, others in segments])
    columns = [(*ragged([own for own, _ in segments]), None), (*ragged(flat), groups)]
    left, _ = both("ngram_bags", columns, order, threads)
    both("bag_overlaps", left, left, threads)


weights = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 4)), max_size=6)


@given(st.lists(st.tuples(weights, weights), max_size=6), THREADS)
def test_weighted_bag_overlaps(pairs: list[tuple[Any, Any]], threads: int) -> None:
    sides = []
    for side in (0, 1):
        flat, offsets = grouped([pair[side] for pair in pairs])
        keys = np.array([key for key, _ in flat], np.int32)
        sides.append((keys, np.array([weight for _, weight in flat], np.float64), offsets))
    both("bag_overlaps", *sides, threads)


@given(
    st.integers(0, 200),
    st.integers(1, 11),
    st.integers(1, 9),
    st.sampled_from(["poisson", "coin"]),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**40),
    THREADS,
    st.booleans(),
)
def test_resample_sums(
    rows: int,
    columns: int,
    replicates: int,
    kind: str,
    seed: int,
    first: int,
    threads: int,
    whole: bool,
) -> None:
    stats = np.random.default_rng(rows).normal(size=(rows, columns))
    start = np.random.default_rng(1).normal(size=(replicates, columns))
    if whole:  # coins of whole numbers are added by subsets
        stats, start = (np.rint(1000 * values) for values in (stats, start))
    native, twin = start.copy(), start.copy()
    _native.resample_sums(stats, kind, seed, first, native, threads)
    reference.resample_sums(stats, kind, seed, first, twin, threads)
    np.testing.assert_array_equal(native, twin)


def test_resampling_does_not_depend_on_batches_or_threads() -> None:
    stats = np.random.default_rng(3).normal(size=(1500, 10))
    results = []
    for cuts, threads in (([0, 1500], 1), ([0, 1500], 2), ([0, 1, 3, 700, 701, 1500], 2)):
        sums = np.zeros((50, 10))
        for first, last in itertools.pairwise(cuts):
            _native.resample_sums(stats[first:last], "poisson", 7, first, sums, threads)
        results.append(sums)
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_poisson_and_coin_weights_have_the_right_distribution() -> None:
    segments, replicates = 4000, 64
    identity = np.ones((segments, 1))
    poisson, coin = np.zeros((replicates, 1)), np.zeros((replicates, 1))
    _native.resample_sums(identity, "poisson", 11, 0, poisson, 0)
    _native.resample_sums(identity, "coin", 11, 0, coin, 0)
    # Means of 256,000 draws; five standard errors are 0.01 and 0.005.
    assert abs(poisson.mean() / segments - 1) < 0.01
    assert abs(coin.mean() / segments - 0.5) < 0.005
    drawn = [reference.resample_weight("poisson", 1, 0, i) for i in range(20000)]
    shares = np.bincount(drawn, minlength=5)[:5] / len(drawn)
    np.testing.assert_allclose(shares, [0.3679, 0.3679, 0.1839, 0.0613, 0.0153], atol=0.02)


BAD: list[tuple[str, Callable[[], object]]] = [
    (
        "spans beyond the buffer",
        lambda: _native.split_fields(np.zeros(3, np.uint8), np.array([[0, 4]])),
    ),
    ("spans backwards", lambda: _native.split_fields(np.zeros(3, np.uint8), np.array([[2, 1]]))),
    ("unknown scheme", lambda: _native.tokenize_lines(*pack(["a"]), "13b", 1)),
    (
        "groups beyond the lines",
        lambda: _native.encode_segments([(*pack(["a"]), np.array([0, 2]))], "13a", 1),
    ),
    (
        "columns of different length",
        lambda: _native.encode_segments([(*pack(["a"]), None), (*pack([]), None)], "13a", 1),
    ),
    (
        "order 0",
        lambda: _native.match_ngrams((*ragged([[1]]), None), (*ragged([[1]]), None), 0, "set", True, 1),
    ),
    (
        "unknown weights",
        lambda: _native.resample_sums(np.ones((1, 1)), "dice", 1, 0, np.ones((1, 1)), 1),
    ),
]


@pytest.mark.parametrize("call", [call for _, call in BAD], ids=[name for name, _ in BAD])
def test_kernels_refuse_what_would_read_out_of_bounds(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()


IDS, OFFSETS = np.array([1, 2, 3], np.int32), np.array([0, 3], np.int64)
INEXACT: list[tuple[str, Callable[[], object]]] = [
    ("ids of 64 bits", lambda: _native.ngram_bags([(IDS.astype(np.int64), OFFSETS, None)], 2, 1)),
    ("offsets of 32 bits", lambda: _native.ngram_bags([(IDS, OFFSETS.astype(np.int32), None)], 2, 1)),
    (
        "groups of 32 bits",
        lambda: _native.ngram_bags([(IDS, OFFSETS, np.array([0, 1], np.int32))], 2, 1),
    ),
    ("ids with gaps", lambda: _native.ngram_bags([(np.repeat(IDS, 2)[::2], OFFSETS, None)], 2, 1)),
    (
        "keys of 64 bits",
        lambda: _native.bag_overlaps(
            (IDS.astype(np.int64), np.ones(3), OFFSETS), (IDS, np.ones(3), OFFSETS), 1
        ),
    ),
    (
        "weights of 32 bits",
        lambda: _native.bag_overlaps(
            (IDS, np.ones(3, np.float32), OFFSETS), (IDS, np.ones(3), OFFSETS), 1
        ),
    ),
    (
        "text of another type",
        lambda: _native.encode_segments([(np.ones(2, np.int64), np.array([[0, 2]]), None)], "13a", 1),
    ),
]


@pytest.mark.parametrize("call", [call for _, call in INEXACT], ids=[name for name, _ in INEXACT])
def test_arrays_in_tuples_are_taken_as_they_are_or_refused(call: Callable[[], object]) -> None:
    """A converted copy would be freed before the kernel reads it."""
    with pytest.raises(ValueError, match="expected a contiguous array of the documented type"):
        call()


def test_a_vocabulary_may_be_used_by_several_threads() -> None:
    vocabulary = _native.Vocabulary()
    batches = [pack([f"w{i % 97} w{i * k}" for i in range(400)]) for k in range(1, 9)]

    def work(batch: tuple[np.ndarray, np.ndarray]) -> list[str]:
        ids, _ = vocabulary.encode(*batch, "none", True, 2)
        return [vocabulary.token(number) for number in ids.tolist()]

    with ThreadPoolExecutor(8) as pool:
        words_by_batch = list(pool.map(work, batches))
    for k, words in enumerate(words_by_batch, 1):
        assert words == [word for i in range(400) for word in (f"w{i % 97}", f"w{i * k}")]
    assert len({vocabulary.token(i) for i in range(len(vocabulary))}) == len(vocabulary)


@given(
    texts,
    texts | st.lists(texts, min_size=1, max_size=3) | st.tuples(texts, texts),
    st.sampled_from(SCHEMES),
    st.integers(1, 6),
    COUNTINGS,
    st.booleans(),
    st.sampled_from([-1.0, 0.0, 1.0]),
)
def test_pairs(
    candidate: str, others: Any, scheme: str, order: int, counting: str, joint: bool, missing: float
) -> None:
    both("match_pair", candidate, others, scheme, order, counting, joint)
    if joint or isinstance(others, str) or len(others) == 1:
        both("pair_novelty", candidate, others, scheme, order, counting, joint, missing)


@pytest.mark.parametrize("module", [_native, reference])
@pytest.mark.parametrize(
    ("candidate", "others"),
    [
        ("a", None),
        ("a", []),
        ("a", ["b", None]),
        ("a", 5),
        (None, "b"),
        ("a", "\ud800"),
        ("\ud800", "a"),
    ],
)
def test_pairs_of_no_texts(module: Any, candidate: Any, others: Any) -> None:
    with pytest.raises(TypeError, match="expected"):
        module.match_pair(candidate, others, "13a", 4, "clip", True)


@pytest.mark.parametrize("module", [_native, reference])
def test_pairs_with_wrong_settings(module: Any) -> None:
    with pytest.raises(ValueError, match="order must be at least 1"):
        module.match_pair("a", "b", "13a", 0, "clip", True)
    with pytest.raises(TypeError, match="expected one other text"):
        module.pair_novelty("a", ["b", "c"], "13a", 4, "set", False, -1.0)
    with pytest.raises(ValueError, match="unknown counting"):
        module.match_pair("a", "b", "13a", 4, "bag", True)
