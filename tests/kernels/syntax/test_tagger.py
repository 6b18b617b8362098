"""The tagger's kernels against their twins: training, decoding, damaged models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.kernels import _native, reference

NAMES = ["DT", "NN", "NNP", "VBZ", "``", "''", "."]
words = st.one_of(
    st.sampled_from(
        ["the", "The", "THE", "dog", "dogs", "Dog-like", "barks", '"', "``", "''", "“", "”", "‘", "’"]
        + ["-LRB-", "(", "don’t", "Don't", "1990", "x1", "Étienne", "ÉTÉ", "×", "ß", "日本", "🙂", "é"]
        + ["www.x.org", "-", "--", "a-b-c", "...", "Ünïcödé", "e\u0301", "\u00a0", "\x00", "\t"]
    ),
    st.text(max_size=12).map(lambda text: text.replace(" ", "")).filter(bool),
)
sentences = st.lists(words, max_size=7)
corpora = st.lists(sentences, max_size=6)


def pack(lines: list[str] | list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [line.encode() if isinstance(line, str) else line for line in lines]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), np.stack([ends[:-1], ends[1:]], axis=1)


def trainers(corpus: list[list[str]], choose: st.DataObject) -> list[Any]:
    count = sum(map(len, corpus))
    tags = choose.draw(st.lists(st.integers(0, len(NAMES) - 1), min_size=count, max_size=count))
    settings_ = (choose.draw(st.integers(1, 3)), choose.draw(st.integers(0, 5)))
    seed = choose.draw(st.integers(0, 2**64 - 1))
    lines = pack([" ".join(sentence) for sentence in corpus])
    inputs = (*lines, np.array(tags, np.int32), NAMES, *settings_, seed)
    return [module.TaggerTrainer(*inputs) for module in (_native, reference)]


def same_tags(model: bytes, lines: list[str] | list[bytes], threads: int) -> None:
    packed = pack(lines)
    ours, twin = _native.Tagger(model), reference.Tagger(model)
    assert ours.names == twin.names
    for left, right in zip(ours.tag(*packed, threads), twin.tag(*packed, threads), strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)
    np.testing.assert_array_equal(ours.known(*packed), twin.known(*packed))


@given(corpora, corpora, st.data(), st.sampled_from([0, 1, 2, 7]))
@settings(max_examples=60)
def test_training_and_tagging(
    corpus: list[list[str]], fresh: list[list[str]], choose: st.DataObject, threads: int
) -> None:
    native, twin = trainers(corpus, choose)
    for _ in range(3):
        assert native.epoch() == twin.epoch()
    model = native.model()
    assert model == twin.model()
    same_tags(model, [" ".join(sentence) for sentence in fresh + corpus], threads)


@pytest.fixture(scope="module")
def model() -> bytes:
    lines = ["the dog barks .", "The dogs bark .", '" Rex " barks at the dog .', "a dog barks ."] * 3
    tags = [[0, 1, 3, 6], [0, 1, 3, 6], [4, 2, 5, 3, 1, 0, 1, 6], [0, 1, 3, 6]] * 3
    flat = np.array([tag for line in tags for tag in line], np.int32)
    trainer = _native.TaggerTrainer(*pack(lines), flat, NAMES, 1, 2, 7)
    for _ in range(4):
        trainer.epoch()
    return trainer.model()


def test_it_learns(model: bytes) -> None:
    tagger = _native.Tagger(model)

    def tags(line: str) -> list[str]:
        ids, _ = tagger.tag(*pack([line]), 1)
        return [tagger.names[i] for i in ids.tolist()]

    assert tags("The dog barks .") == ["DT", "NN", "VBZ", "."]
    # A straight quote is opening and closing by turns, and Penn's spelling is the same word.
    assert tags('" Rex " barks .') == tags("`` Rex '' barks .") == tags("“ Rex ” barks .")
    assert tags('" Rex " barks .')[:3] == ["``", "NNP", "''"]


def test_same_for_any_number_of_threads(model: bytes) -> None:
    packed = pack([f"the dog number {i} barks at Rex{i % 7} ." for i in range(1000)])
    tagger = _native.Tagger(model)
    alone = tagger.tag(*packed, 1)
    for threads in (0, 2, 3, 8):
        for left, right in zip(alone, tagger.tag(*packed, threads), strict=True):
            np.testing.assert_array_equal(left, right)


def test_more_words_than_are_remembered(model: bytes) -> None:
    """Forgetting words in the middle of a line changes nothing."""
    long = [f"word{chr(97 + i % 26)}{'xyz'[i % 3] * (i % 5)}-{i}a{i}" for i in range(40_000)]
    letters = str.maketrans("0123456789", "abcdefghij")
    tokens = [word.translate(letters) for word in long]
    tagger = _native.Tagger(model)
    whole, _ = tagger.tag(*pack([" ".join(tokens)]), 1)
    assert len(whole) == len(tokens)
    twin, _ = reference.Tagger(model).tag(*pack([" ".join(tokens[:300])]), 1)
    np.testing.assert_array_equal(whole[:297], twin[:297])
    last, _ = reference.Tagger(model).tag(*pack([" ".join(tokens[16_300:16_500])]), 1)
    np.testing.assert_array_equal(whole[16_310:16_490], last[10:190])


@pytest.mark.parametrize("line", ["", " ", "   ", "a", " a", "a ", "  a  b  "])
def test_blanks(model: bytes, line: str) -> None:
    same_tags(model, [line, line], 1)
    ids, offsets = _native.Tagger(model).tag(*pack([line]), 1)
    assert len(ids) == offsets[-1] == len(line.split())


@given(lines=st.lists(st.binary(max_size=20), max_size=5))
def test_any_bytes(model: bytes, lines: list[bytes]) -> None:
    same_tags(model, lines, 2)


def outcome(module: Any, data: bytes) -> Any:
    try:
        return module.Tagger(data).names
    except ValueError as error:
        return str(error)


@given(data=st.data())
@settings(max_examples=300)
def test_damaged_models(model: bytes, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["cut", "flip", "insert", "random", "tail"]))
    at = data.draw(st.integers(0, len(model) - 1))
    if kind == "cut":
        broken = model[:at]
    elif kind == "flip":
        broken = model[:at] + bytes([data.draw(st.integers(0, 255))]) + model[at + 1 :]
    elif kind == "insert":
        broken = model[:at] + data.draw(st.binary(min_size=1, max_size=9)) + model[at:]
    elif kind == "random":
        broken = b"PGTAGGR1" * data.draw(st.booleans()) + data.draw(st.binary(max_size=60))
    else:
        broken = model + data.draw(st.binary(min_size=1, max_size=4))
    assert outcome(_native, broken) == outcome(reference, broken)
    if isinstance(outcome(_native, broken), list):
        same_tags(broken, ["the dog barks . Rex"], 1)


def test_a_count_beyond_the_file_is_refused_at_once() -> None:
    huge = b"PGTAGGR1" + b"\x01\x00\x00\x00\x02NN" + b"\xff\xff\xff\xff" + b"\x00" * 30
    with pytest.raises(ValueError, match="not a tagger's model"):
        _native.Tagger(huge)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tags": np.array([0, 1], np.int32)}, "expected one tag for each token"),
        ({"tags": np.array([0, 1, 7], np.int32)}, "a tag has no name"),
        ({"tags": np.array([0, 1, -1], np.int32)}, "a tag has no name"),
        ({"names": []}, "expected 1 to 63 tags"),
        ({"names": [f"T{i}" for i in range(64)]}, "expected 1 to 63 tags"),
        ({"names": ["A", "", "B"]}, "a tag has 1 to 255 characters"),
        ({"names": ["A", "x" * 256, "B"]}, "a tag has 1 to 255 characters"),
        ({"names": ["A", "B C", "B"]}, "a tag is printable ASCII without spaces"),
        ({"names": ["A", "É", "B"]}, "a tag is printable ASCII without spaces"),
        ({"cutoff": 0}, "cutoff must be at least 1 and margin at least 0"),
        ({"margin": -1}, "cutoff must be at least 1 and margin at least 0"),
    ],
)
def test_refused(change: dict[str, Any], message: str) -> None:
    buffer, spans = pack(["a b c"])
    arguments = {"tags": np.array([0, 1, 2], np.int32), "names": NAMES, "cutoff": 1, "margin": 0}
    arguments |= change
    for module in (_native, reference):
        with pytest.raises(ValueError, match=message):
            module.TaggerTrainer(buffer, spans, seed=1, **arguments)


def test_one_tag_and_no_text() -> None:
    for module in (_native, reference):
        nothing = module.TaggerTrainer(*pack([]), np.zeros(0, np.int32), ["NN"], 1, 0, 1)
        assert nothing.epoch() == 0
        assert module.Tagger(nothing.model()).names == ["NN"]
        one = module.TaggerTrainer(*pack(["a b"]), np.zeros(2, np.int32), ["NN"], 1, 9, 1)
        assert one.epoch() == 0
        ids, _ = module.Tagger(one.model()).tag(*pack(["c d e"]), 1)
        assert ids.tolist() == [0, 0, 0]
