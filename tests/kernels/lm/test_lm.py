"""The kernels of language models against their twins: estimation, queries, pruning, files."""

from __future__ import annotations

import itertools
import tempfile
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

BOTH = (_native, reference)
FALLBACK = [0.5, 1.0, 1.5]
THREADS = st.sampled_from([0, 1, 2, 7])
corpora = st.lists(st.lists(st.integers(3, 8), max_size=6), min_size=1, max_size=12)


def ragged(sentences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    flat = np.array([word for sentence in sentences for word in sentence], np.int32)
    return flat, np.cumsum([0, *map(len, sentences)], dtype=np.int64)


def same(left: Any, right: Any) -> None:
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype
            assert a.shape == b.shape
            if a.dtype.kind == "f":
                # Logarithms of two libraries may differ in the last place.
                np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)
            else:
                np.testing.assert_array_equal(a, b)
        elif isinstance(a, (tuple, list)):
            same(a, b)
        else:
            assert a == b


def outcome(call: Any) -> Any:
    try:
        return call()
    except ValueError as error:
        return str(error)


def estimate(
    module: Any,
    corpus: list[list[int]],
    order: int,
    prune: list[int],
    fallback: list[float] | None = FALLBACK,
    memory: int = 1 << 20,
    threads: int = 1,
) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        estimator = module.NgramEstimator(order, memory, folder, threads)
        half = len(corpus) // 2
        estimator.add(*ragged(corpus[:half]))
        estimator.add(*ragged(corpus[half:]))
        estimator.adjust(prune, fallback)
        for _ in range(order):
            estimator.smooth()
        parts = [[estimator.read(k, 3), estimator.read(k, 1 << 40)] for k in range(1, order + 1)]
        levels = [
            [np.concatenate(column) for column in zip(*batches, strict=True)] for batches in parts
        ]
        return levels, estimator.counts, estimator.discounts


def model_of(corpus: list[list[int]], order: int, prune: list[int] | None = None) -> list[Any]:
    words = [sentence + [3, 4, 5, 6, 7, 8] for sentence in corpus]  # so that no number is missing
    levels, _, _ = estimate(_native, words, order, prune or [0] * order)
    return [
        (parents, np.ascontiguousarray(grams[:, -1]), probabilities, backoffs)
        for grams, parents, probabilities, backoffs in levels
    ]


@given(corpora, st.integers(1, 6), st.data())
@settings(max_examples=150)
def test_estimation(corpus: list[list[int]], order: int, choose: st.DataObject) -> None:
    steps = choose.draw(st.lists(st.integers(0, 2), min_size=order - 1, max_size=order - 1))
    prune = [0, *itertools.accumulate(steps)]
    fallback = choose.draw(st.sampled_from([None, FALLBACK, [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]))
    memory = choose.draw(st.sampled_from([0, 1, 2000, 1 << 20]))
    threads = choose.draw(THREADS)
    results = [
        outcome(lambda m=m: estimate(m, corpus, order, prune, fallback, memory, threads)) for m in BOTH
    ]
    assert isinstance(results[0], str) == isinstance(results[1], str)
    if isinstance(results[0], str):
        assert results[0] == results[1]
        assert results[0].startswith("cannot estimate the discounts of ")
    else:
        same(*results)


def test_memory_and_threads_change_no_bit() -> None:
    draw = np.random.default_rng(7)
    corpus = [draw.zipf(1.3, size=8).clip(1, 300).astype(int) + 2 for _ in range(3000)]
    sentences = [list(map(int, row)) for row in corpus]
    whole = estimate(_native, sentences, 5, [0, 0, 1, 1, 1], memory=1 << 28)
    for memory, threads in ((0, 1), (100_000, 2), (1 << 20, 3), (1 << 28, 7)):
        levels, counts, discounts = estimate(
            _native, sentences, 5, [0, 0, 1, 1, 1], memory=memory, threads=threads
        )
        assert (counts, discounts) == whole[1:]
        for left, right in zip(levels, whole[0], strict=True):
            for a, b in zip(left, right, strict=True):
                np.testing.assert_array_equal(a, b)


def test_little_memory_means_files_that_are_gone_afterwards() -> None:
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        estimator = _native.NgramEstimator(3, 0, folder, 1)
        estimator.add(*ragged([[3, 4, 5, 6, 7, 8] * 50]))
        assert estimator.spilled > 5
        assert list(Path(folder).iterdir())
        estimator.adjust([0, 0, 0], FALLBACK)
        for _ in range(3):
            estimator.smooth()
        del estimator
        assert list(Path(folder).iterdir()) == []


def test_a_folder_that_is_gone_is_an_error_of_the_system() -> None:
    with tempfile.TemporaryDirectory() as folder:
        estimator = _native.NgramEstimator(3, 0, folder + "/none", 1)
    with pytest.raises(FileNotFoundError):
        estimator.add(*ragged([[3, 4, 5, 6, 7, 8] * 50]))


@pytest.mark.parametrize("module", BOTH)
def test_calls_in_another_order(module: Any) -> None:
    with pytest.raises(ValueError, match="order must be from 1 to 6"):
        module.NgramEstimator(7, 0, "", 1)
    estimator = module.NgramEstimator(2, 0, "", 1)
    with pytest.raises(ValueError, match="words have numbers from 3 on"):
        estimator.add(*ragged([[2]]))
    with pytest.raises(ValueError, match="smooth is called once per order, after adjust"):
        estimator.smooth()
    with pytest.raises(ValueError, match="every order must be smoothed"):
        estimator.read(1, 1)
    estimator.add(*ragged([[3, 4]]))
    for prune, fallback, message in (
        ([0], FALLBACK, "a number to prune per order"),
        ([1, 1], FALLBACK, "a number to prune per order"),
        ([0, 0], [1.0], "three discounts"),
        ([0, 0], [0.5, 3.0, 1.0], "from 0 to its count"),
    ):
        with pytest.raises(ValueError, match=message):
            estimator.adjust(prune, fallback)
    estimator.adjust([0, 0], FALLBACK)
    with pytest.raises(ValueError, match="before adjust"):
        estimator.add(*ragged([[3]]))
    with pytest.raises(ValueError, match="once"):
        estimator.adjust([0, 0], FALLBACK)
    estimator.smooth()
    estimator.smooth()
    with pytest.raises(ValueError, match="smooth is called once per order"):
        estimator.smooth()
    with pytest.raises(ValueError, match="one of the model's"):
        estimator.read(3, 1)


@given(corpora, corpora, st.integers(1, 5), THREADS, st.booleans())
@settings(max_examples=100)
def test_queries(
    corpus: list[list[int]], fresh: list[list[int]], order: int, threads: int, pruned: bool
) -> None:
    levels = model_of(corpus, order, [0, *[int(pruned)] * (order - 1)])
    ours, twin = (module.NgramModel(levels, threads) for module in BOTH)
    odd = [[-1, 3, 0, 1, 2, 99, 4], []]
    lines = ragged(corpus + fresh + odd)
    same(ours.sentences(*lines, threads), twin.sentences(*lines, threads))
    same(ours.tokens(*lines, threads), twin.tokens(*lines, threads))
    assert ours.begin == twin.begin
    nodes = 1 + sum(len(level[0]) for level in levels[:-1])
    for state in range(0, nodes, 1 + nodes // 40):
        for word in (0, 2, 3, 8):
            left, right = ours.step(state, word), twin.step(state, word)
            assert left[0] == pytest.approx(right[0], abs=1e-6)
            assert left[1] == right[1]


def test_levels_that_are_no_trie() -> None:
    good = model_of([[3, 4], [5]], 3)

    def changed(order: int, column: int, at: int, value: int) -> list[Any]:
        copy = [list(level) for level in good]
        copy[order][column] = copy[order][column].copy()
        copy[order][column][at] = value
        return [tuple(level) for level in copy]

    cases = [[], good[:1] * 7, changed(0, 1, 3, 4), changed(1, 0, 0, 99), changed(1, 0, -1, 0)]
    cases += [changed(1, 1, 0, -1), changed(2, 1, 0, 1000), changed(2, 0, 1, -1)]
    for levels in cases:
        for module in BOTH:
            with pytest.raises(ValueError, match="the levels are not a trie of n-grams"):
                module.NgramModel(levels, 1)
    for module in BOTH:
        model = module.NgramModel(good, 1)
        for state, word, message in ((-1, 3, "state|incompatible"), (10**6, 3, "no such state")):
            with pytest.raises((ValueError, TypeError), match=message):
                model.step(state, word)
        with pytest.raises(ValueError, match="no such word"):
            model.step(0, 10**6)


@given(corpora, st.integers(1, 4), st.sampled_from([0.0, 1e-4, 1e-3, 1e-2, 0.1]), THREADS)
@settings(max_examples=60)
def test_entropy_pruning(corpus: list[list[int]], order: int, threshold: float, threads: int) -> None:
    levels = model_of(corpus, order)
    ours = _native.entropy_prune(levels, threshold, threads)
    twin = reference.entropy_prune(levels, threshold, threads)
    for (stay, backoffs), (twin_stay, twin_backoffs) in zip(ours, twin, strict=True):
        np.testing.assert_array_equal(stay, twin_stay)
        np.testing.assert_allclose(backoffs, twin_backoffs, atol=2e-4, rtol=1e-4)


words = st.sampled_from(
    ["a", "b", "ab", "é", "日本", "🙂", "-1", "0.5", "\\end\\", "a\u0301", "x\u00a0y"]
)
numbers = st.one_of(
    st.floats(-99, 0).map(repr),
    st.sampled_from(["-0", "0", "-.5", "-5.", "1", "+1", "-1e-3", "-1e400", "nan", "-inf", "0x1", "-"]),
)
arpa_lines = st.lists(
    st.one_of(
        st.tuples(numbers, words, st.sampled_from(["", "\t0.5", " -1", "\t-1e-2", "\tx"])).map(
            lambda parts: f"{parts[0]}\t{parts[1]}{parts[2]}"
        ),
        st.lists(st.one_of(numbers, words), max_size=5).map(" ".join),
        st.text(max_size=15),
    ),
    max_size=8,
)


def pack(lines: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [line.encode() for line in lines]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


@given(arpa_lines, st.integers(1, 3))
@example(["-1\ta", "-2\ta"], 1)
@example(["-1 a b c -0.5"], 3)
@settings(max_examples=300)
def test_lines_of_arpa(lines: list[str], order: int) -> None:
    vocabularies = [module.Vocabulary() for module in BOTH]
    if order > 1:
        for vocabulary in vocabularies:
            for word in ("a", "b", "c", "é"):
                vocabulary.add(word)
    outcomes = [
        module.parse_arpa(*pack(lines), order, vocabulary)
        for module, vocabulary in zip(BOTH, vocabularies, strict=True)
    ]
    same(*outcomes)
    same(*(vocabulary.texts(0) for vocabulary in vocabularies))


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.floats(width=32), st.floats(-99, 99, width=32)), max_size=9
    ),
    st.booleans(),
    THREADS,
)
@settings(max_examples=200)
def test_written_lines_of_arpa(rows: list[Any], highest: bool, threads: int) -> None:
    rows = [row for row in rows if np.isfinite(row[1])]
    texts = []
    for module in BOTH:
        vocabulary = module.Vocabulary()
        vocabulary.extend(*pack(["a", "日本", "c"]))
        texts.append(
            module.format_arpa(
                np.array([row[0] for row in rows], np.int32),
                1,
                np.array([row[1] for row in rows], np.float32),
                np.array([row[2] for row in rows], np.float32),
                highest,
                vocabulary,
                threads,
            )
        )
    for ours, twin in zip(*(text.decode().split("\n") for text in texts), strict=True):
        left, right = ours.split("\t"), twin.split("\t")
        assert left[1:2] == right[1:2]
        for a, b in zip(left[::2], right[::2], strict=True):
            assert a == b or np.float32(a) == np.float32(b)  # the same number
            assert len(a) <= len(b) or "e" in b


@given(st.lists(st.lists(st.integers(0, 60), max_size=6), max_size=8), st.integers(0, 3))
def test_packed_children(rows: list[list[int]], more: int) -> None:
    pairs = [(parent, word) for parent, words in enumerate(rows) for word in sorted(set(words))]
    parents = np.array([pair[0] for pair in pairs], np.int32)
    children = np.array([pair[1] for pair in pairs], np.int32)
    contexts = len(rows) + more
    packed = [module.pack_children(parents, children, contexts) for module in BOTH]
    assert packed[0] == packed[1]
    for module in BOTH:
        same(module.unpack_children(packed[0], contexts, len(pairs), 61), (parents, children))


@given(st.binary(max_size=12), st.integers(0, 8), st.integers(0, 12), st.integers(0, 40))
@example(b"\x00" * 12, 1, 1, 10)
@example(b"\xff\x01", 8, 0, 1)
@settings(max_examples=300)
def test_damaged_children(packed: bytes, contexts: int, size: int, words: int) -> None:
    outcomes = [outcome(lambda m=m: m.unpack_children(packed, contexts, size, words)) for m in BOTH]
    if isinstance(outcomes[0], str) or isinstance(outcomes[1], str):
        assert outcomes[0] == outcomes[1] == "the packed n-grams are damaged"
    else:
        same(*outcomes)


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3), max_size=20))
def test_sorting_into_a_trie(grams: list[list[int]]) -> None:
    sorters = [module.NgramSorter() for module in BOTH]
    for order in (1, 2, 3):
        flat = np.array([word for gram in grams if len(gram) == order for word in gram], np.int32)
        outcomes = [sorter.add(flat) for sorter in sorters]
        same(*outcomes)
        if outcomes[0][2]:
            return


@pytest.mark.parametrize("module", BOTH)
def test_wrong_arrays(module: Any) -> None:
    two, three = np.zeros(2, np.int32), np.zeros(3, np.int32)
    for call, message in (
        (lambda: module.pack_children(two, three, 3), "one length"),
        (lambda: module.pack_children(two, two, 3), "sorted"),
        (lambda: module.pack_children(two[:1] + 3, two[:1], 3), "known"),
        (lambda: module.NgramSorter().add(two - 1), "from 0 on"),
        (lambda: module.parse_arpa(*pack([]), 7, module.Vocabulary()), "from 1 to 6"),
        (
            lambda: module.format_arpa(
                two, 1, np.zeros(2, np.float32), np.zeros(2, np.float32), False, module.Vocabulary(), 1
            ),
            "no such word",
        ),
        (
            lambda: module.format_arpa(
                two, 1, np.zeros(1, np.float32), np.zeros(2, np.float32), False, module.Vocabulary(), 1
            ),
            "one length",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    vocabulary = module.Vocabulary()
    vocabulary.extend(*pack(["a", "b"]))
    for lines in (["c", "a"], ["c", "c"]):
        with pytest.raises(ValueError, match="expected new tokens, each once"):
            vocabulary.extend(*pack(lines))
    assert len(vocabulary) == 2
