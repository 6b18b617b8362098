"""Each text is encoded once, in memory and across runs."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from paragauge.encode.encoder import EncodedTexts, Encoder
from paragauge.encode.vector_cache import CachedEncoder
from paragauge.errors import FileFormatError
from paragauge.kernels.layout import Ints

WIDTH = 3


class Counting:
    """An encoder whose vectors are the codes of characters; it remembers what it was asked."""

    layers = (0, 1)
    width = WIDTH
    fingerprint = "counting"
    language = None

    def __init__(self) -> None:
        self.asked: list[str] = []

    def pieces(self, texts: Sequence[str]) -> list[Ints]:
        return [np.array([0, *map(ord, text), 1]) for text in texts]

    def encode(self, texts: Sequence[str], layers: Sequence[int], *, threads: int = 0) -> EncodedTexts:
        self.asked += texts
        pieces = self.pieces(texts)
        flat = np.concatenate(pieces)
        offsets = np.concatenate([[0], np.cumsum([len(text) for text in pieces])])
        vectors = np.stack(
            [np.repeat(flat[:, None] / 3 + layer, WIDTH, axis=1) for layer in layers]
        ).astype(np.float32)
        spans = np.stack([flat, flat + 1], axis=1)
        sentences = np.array([[len(text) / 7] * WIDTH for text in texts], np.float32)
        return EncodedTexts(flat, spans, vectors, sentences, offsets)


def same(left: EncodedTexts, right: EncodedTexts) -> None:
    for name in ("pieces", "spans", "vectors", "sentences", "offsets"):
        np.testing.assert_array_equal(getattr(left, name), getattr(right, name))


def test_each_text_is_encoded_once() -> None:
    inner = Counting()
    encoder: Encoder = CachedEncoder(inner)
    first = encoder.encode(["a", "bc", "a"], [1])
    assert inner.asked == ["a", "bc"]
    assert np.diff(first.offsets).tolist() == [3, 4, 3]
    np.testing.assert_allclose(first.vectors[0, 1], ord("a") / 3 + 1, rtol=1e-3)
    same(encoder.encode(["a", "bc", "a"], [1]), first)
    assert inner.asked == ["a", "bc"]
    encoder.encode(["a"], [0, 1])  # one layer more
    assert inner.asked == ["a", "bc", "a"]
    both = encoder.encode(["a", "a"], [0, 1])
    np.testing.assert_array_equal(encoder.encode(["a", "a"], [1]).vectors[0], both.vectors[1])
    encoder.encode(["a"], [])
    assert inner.asked == ["a", "bc", "a"]


def test_announced_layers_are_encoded_at_once(tmp_path: Path) -> None:
    inner = Counting()
    encoder = CachedEncoder(inner, tmp_path)
    encoder.announce([0, 1, 7])  # the encoder has no layer 7
    one = encoder.encode(["a", "bc"], [1])
    two = encoder.encode(["bc", "a"], [1, 0])
    assert inner.asked == ["a", "bc"]
    np.testing.assert_array_equal(two.vectors[0, 4:], one.vectors[0, :3])
    np.testing.assert_allclose(two.vectors[1] + 1, two.vectors[0], rtol=1e-3)
    later = Counting()
    same(CachedEncoder(later, tmp_path).encode(["a", "bc"], [1]), one)
    assert later.asked == []


def test_what_was_used_longest_ago_is_forgotten_first() -> None:
    inner = Counting()
    one = CachedEncoder(inner)
    one.encode(["a"], [0])
    encoder = CachedEncoder(inner, memory=2 * one._bytes)
    for texts in (["a", "b"], ["a"], ["c"], ["a"], ["b"]):
        encoder.encode(texts, [0])
    assert inner.asked == ["a", "a", "b", "c", "b"]


def test_a_folder_keeps_vectors_for_later_runs(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    texts = ["a", "", "long text", "猫"]
    first_run = CachedEncoder(first, tmp_path).encode(texts, [0, 1])
    again = CachedEncoder(second, tmp_path)
    same(again.encode(texts, [0, 1]), first_run)
    assert second.asked == []
    again.encode(["new"], [0, 1])
    assert second.asked == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["vectors-counting.sqlite"]


def test_threads_share_a_cache(tmp_path: Path) -> None:
    inner = Counting()
    encoder = CachedEncoder(inner, tmp_path)
    with ThreadPoolExecutor(4) as pool:
        encoded = list(pool.map(lambda _: encoder.encode(["a", "bc"], [0]), range(8)))
    for other in encoded:
        same(other, encoded[0])
    assert inner.asked == ["a", "bc"]


def test_a_cache_changes_nothing(tmp_path: Path) -> None:
    with_folder = CachedEncoder(Counting(), tmp_path)
    with_folder.encode(["a", "b"], [0])
    forgetful = CachedEncoder(Counting(), memory=0)
    same(with_folder.encode(["b", "a"], [0]), forgetful.encode(["b", "a"], [0]))
    assert len(forgetful.encode([], [0])) == 0


def test_folders_that_cannot_keep_vectors(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="none: expected a folder"):
        CachedEncoder(Counting(), tmp_path / "none")
    (tmp_path / "vectors-counting.sqlite").write_text("no database, " * 100)
    with pytest.raises(FileFormatError, match="vectors: file is not a database; delete the file"):
        CachedEncoder(Counting(), tmp_path)


@pytest.mark.parametrize("size", [0, 5, 13, 1000])
def test_damaged_vectors_in_a_cache(tmp_path: Path, size: int) -> None:
    CachedEncoder(Counting(), tmp_path).encode(["a", "bc"], [0])
    with contextlib.closing(sqlite3.connect(tmp_path / "vectors-counting.sqlite")) as database:
        database.execute("UPDATE vectors SET data = zeroblob(?)", (size,))
        database.commit()
    with pytest.raises(FileFormatError, match="vectors of it are damaged; delete the file"):
        CachedEncoder(Counting(), tmp_path).encode(["bc"], [0])
