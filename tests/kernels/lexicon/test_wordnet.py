"""The WordNet kernel against its twin, on small tables and on damaged ones."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference
from paragauge.lexicon.wordnet_table import Contents, pack

# Words that rules, exceptions and collocations can turn into each other.
STEMS = ["box", "boxful", "run", "run_into", "get_rid_of", "man", "fly", "big", "wide", "re-elect", "é"]
STEMS += ["dog", "dog_house", "church", "glass", "u.s", "us", "ful", "s", "ran", "good", "well", "中"]
ENDINGS = [
    "",
    "s",
    "es",
    "ed",
    "ing",
    "er",
    "est",
    "ful",
    "sful",
    "men",
    "ies",
    "ss",
    "_to",
    "-",
    "_",
    ".",
]
words = st.builds(str.__add__, st.sampled_from(STEMS), st.sampled_from(ENDINGS)) | st.text(
    "abes_-.é中\x00", min_size=1, max_size=8
)
collocations = st.lists(words | st.sampled_from(["to", "of"]), min_size=1, max_size=4).map("_".join)
queries = words | collocations
keyed = st.tuples(words, st.sampled_from("nvar"))


@st.composite
def contents(draw: st.DrawFn) -> Contents:
    synsets = st.lists(st.sampled_from("12345"), max_size=3, unique=True)
    senses = draw(st.dictionaries(keyed, synsets, max_size=20))
    known = sorted((word, pos, synset) for (word, pos), own in senses.items() for synset in own)
    adjectives = sorted({synset for _, pos, synset in known if pos == "a"})
    return Contents(
        draw(st.text(max_size=5)),
        senses,
        draw(st.dictionaries(keyed, words, max_size=6)),
        {"1": 7},
        draw(_pairs(known)),
        draw(_pairs(adjectives)),
    )


def _pairs(items: list) -> st.SearchStrategy:
    one = st.sampled_from(items) if items else st.nothing()
    return st.sets(st.tuples(one, one), max_size=8) if items else st.just(set())


THREADS = st.sampled_from([0, 1, 2, 3, 7])


def lines(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def open_both(table: np.ndarray) -> tuple[_native.WordNet, reference.WordNet]:
    return _native.WordNet(table), reference.WordNet(table)


def same(left: tuple[np.ndarray, ...], right: tuple[np.ndarray, ...]) -> None:
    for a, b in zip(left, right, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def test_the_twin_has_every_method() -> None:
    for name in vars(_native.WordNet):
        if not name.startswith("_"):
            assert callable(getattr(reference.WordNet, name))


@settings(max_examples=300)
@given(contents(), st.lists(queries, max_size=12), THREADS)
def test_both_answer_alike(about: Contents, asked: list[str], threads: int) -> None:
    native, twin = open_both(pack(about))
    assert len(native) == len(twin)
    assert native.title() == twin.title() == about.title
    assert [native.word(i) for i in range(len(native))] == [twin.word(i) for i in range(len(twin))]
    asked = [*asked, *(word for word, _ in [*about.senses, *about.exceptions])]
    for word in asked:
        same((native.senses(word),), (twin.senses(word),))
        assert native.synonyms(word) == twin.synonyms(word)
        for sense in native.senses(word).tolist():
            assert native.synset(sense) == twin.synset(sense)
        for pos in (1, 2, 3, 4):
            assert native.morphy(word, pos) == twin.morphy(word, pos), (word, pos)
    for pos in (1, 2, 3, 4):
        assert native.exceptions(pos) == twin.exceptions(pos)
    for how in ("shared", "synset", "forms"):
        packed = lines(asked)
        same(native.related_sets(*packed, how, threads), twin.related_sets(*packed, how, threads))
    assert native.antonym_pointers() == twin.antonym_pointers()
    for how in ("direct", "similar"):
        for word in asked:
            same(native.antonyms(word, how), twin.antonyms(word, how))
        for left, right in zip(
            native.opposite_sets(*packed, how, threads),
            twin.opposite_sets(*packed, how, threads),
            strict=True,
        ):
            same(left, right)


@given(
    contents(), st.lists(st.lists(queries | st.just(""), max_size=5), max_size=6), st.data(), THREADS
)
def test_lemmatize(
    about: Contents, tokens: list[list[str]], choose: st.DataObject, threads: int
) -> None:
    native, twin = open_both(pack(about))
    texts = [" ".join(line) for line in tokens]
    count = sum(text.count(" ") + 1 for text in texts if text)
    pos = np.array(choose.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count)), np.uint8)
    result = native.lemmatize(*lines(texts), pos, threads)
    same(result, twin.lemmatize(*lines(texts), pos, threads))
    joined, offsets = result
    for i, text in enumerate(texts):
        line = joined[offsets[i] : offsets[i + 1]].tobytes().decode()
        assert line.count(" ") == text.count(" ")


@given(st.lists(st.sets(st.integers(-3, 20)), min_size=1, max_size=6), st.data(), THREADS)
def test_sets_meet(sets: list[set[int]], choose: st.DataObject, threads: int) -> None:
    ids = np.array([number for own in sets for number in sorted(own)], np.int32)
    offsets = np.cumsum([0, *map(len, sets)], dtype=np.int64)
    rows = st.integers(0, len(sets) - 1)
    pairs = np.array(choose.draw(st.lists(st.tuples(rows, rows), max_size=9)), np.int64).reshape(-1, 2)
    left, right = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    arguments = (ids, offsets, left, right, threads)
    same((_native.sets_meet(*arguments),), (reference.sets_meet(*arguments),))


SMALL = pack(
    Contents(
        "t",
        {("dog", "n"): ["1", "2"], ("dog", "v"): ["3"], ("hound", "n"): ["1"], ("é", "a"): ["4"]},
        {("mice", "n"): "mouse", ("ran", "v"): "run", ("went", "v"): "go"},
        {},
        {(("dog", "n", "1"), ("hound", "n", "1")), (("dog", "v", "3"), ("é", "a", "4"))},
        {("4", "4")},
    )
).tobytes()


def outcome(kind: type, table: np.ndarray) -> str:
    try:
        kind(table)
    except ValueError as error:
        return str(error).partition(":")[0]
    return "opened"


@settings(max_examples=600)
@given(st.data())
def test_damaged_tables_are_refused_by_both(choose: st.DataObject) -> None:
    data = bytearray(SMALL)
    for _ in range(choose.draw(st.integers(0, 3))):
        data[choose.draw(st.integers(0, len(data) - 1))] = choose.draw(st.integers(0, 255))
    data = data[: choose.draw(st.integers(0, len(data)) | st.just(len(data)))]
    table = np.frombuffer(bytes(data), np.uint8)
    assert outcome(_native.WordNet, table) == outcome(reference.WordNet, table)


@given(st.binary(max_size=300))
@example(b"")
@example(b"PGWNET02" + b"\xff" * 60)
@example(b"PGWNET02" + b"\0" * 60 + b"\0" * 12)
def test_other_bytes_are_no_table(data: bytes) -> None:
    table = np.frombuffer(data, np.uint8)
    assert outcome(_native.WordNet, table) == outcome(reference.WordNet, table)


@pytest.mark.parametrize("kind", [_native.WordNet, reference.WordNet])
def test_what_each_error_says(kind: type) -> None:
    good = np.frombuffer(SMALL, "<u4", 15)
    assert len(kind(np.frombuffer(SMALL, np.uint8))) == 3
    cases = {
        "it starts differently": b"X" + SMALL[1:],
        "its size does not agree with its header": SMALL + b"x",
        "text must be UTF-8": SMALL.replace("é".encode(), b"\xc3("),
        "words must be sorted and differ": SMALL.replace(b"hound", b"about"),
        "a word must not be empty or contain spaces": SMALL.replace(b"hound", b"ho nd"),
    }
    assert good[2] == 3
    for message, data in cases.items():
        with pytest.raises(ValueError, match=message):
            kind(np.frombuffer(data, np.uint8))


@pytest.mark.parametrize("kind", [_native.WordNet, reference.WordNet])
def test_bad_arguments(kind: type) -> None:
    net = kind(np.frombuffer(SMALL, np.uint8))
    for number in (3, 2**40):
        with pytest.raises(IndexError):
            net.word(number)
        with pytest.raises(IndexError):
            net.synset(number + 1)
    for pos in (0, 5):
        with pytest.raises(ValueError, match="1, 2, 3 or 4"):
            net.morphy("dog", pos)
    with pytest.raises(ValueError, match="no relation named 'x'"):
        net.related_sets(*lines(["dog"]), "x", 1)
    with pytest.raises(ValueError, match="no opposition named 'x'"):
        net.opposite_sets(*lines(["dog"]), "x", 1)
    with pytest.raises(ValueError, match="no opposition named 'x'"):
        net.antonyms("dog", "x")
    with pytest.raises(ValueError, match="one part of speech for each token"):
        net.lemmatize(*lines(["a b"]), np.zeros(1, np.uint8), 1)
    with pytest.raises(ValueError, match="0, 1, 2, 3, 4 or 5"):
        net.lemmatize(*lines(["a"]), np.array([6], np.uint8), 1)


@pytest.mark.parametrize("module", [_native, reference])
def test_bad_pairs(module: object) -> None:
    ids, offsets, none = np.arange(3, dtype=np.int32), np.array([0, 3]), np.array([], np.int64)
    meet = module.sets_meet
    for left, right in (([0], [1]), ([-1], [0])):
        with pytest.raises(ValueError, match="rows of the sets"):
            meet(ids, offsets, np.array(left), np.array(right), 1)
    with pytest.raises(ValueError, match="same length"):
        meet(ids, offsets, none, np.array([0]), 1)
    with pytest.raises(ValueError, match="offsets"):
        meet(ids, np.array([0, 4]), none, none, 1)


def test_the_kernel_keeps_its_table_alive() -> None:
    nets = [_native.WordNet(np.frombuffer(bytearray(SMALL), np.uint8).copy()) for _ in range(50)]
    gc.collect()
    noise = [np.full(len(SMALL), 255, np.uint8) for _ in range(50)]
    assert all(net.morphy("mice", 1) == "mouse" for net in nets)
    assert len(noise) == 50
    with pytest.raises(TypeError):
        _native.WordNet(np.frombuffer(SMALL, np.uint8)[::-1])
