"""Latent semantic analysis: equal to scipy's decomposition, files, answers, damaged files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import svd
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.rewrite.thesauri.lsa import (
    LSA,
    MAGIC,
    ROWS,
    LSASettings,
    find_neighbors,
    weight_counts,
    word_vectors,
)
from paragauge.rewrite.thesauri.stop_words import STOP_WORDS
from paragauge.text.array_file import write_arrays
from paragauge.text.lines import Lines
from paragauge.text.tokenizers import tokenize

TEXT = ["Cats eat fish at home.", "Dogs eat fish at home.", "Birds fly far, far away."]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT) + "\n", encoding="utf-8")
    return path


def table(words: int, features: int, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).poisson(0.7, (words, features)).astype(np.int64)


def cosines(rows: np.ndarray) -> np.ndarray:
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.mark.parametrize("weight", ["raw", "log", "sqrt"])
@pytest.mark.parametrize("solver", ["dense", "sparse"])
def test_neighbors_are_those_of_scipys_decomposition(weight: str, solver: str) -> None:
    counts = table(ROWS + 300, 40)
    counts[:, 0] += 1  # no word without features
    values = weight_counts(counts, weight)
    if solver == "dense":
        left = svd(values, full_matrices=False)[0][:, :12]
    else:
        left = svds(csr_array(values), k=12, v0=np.ones(40), tol=1e-12)[0]
    theirs = cosines(left)
    np.fill_diagonal(theirs, -2)
    vectors = word_vectors(counts, 12, weight)
    np.testing.assert_allclose(vectors @ vectors.T + -3 * np.eye(len(counts)), theirs, atol=1e-5)
    ours = find_neighbors(vectors, 20)
    best = np.sort(theirs, axis=1)[:, ::-1][:, :20]
    np.testing.assert_allclose(np.take_along_axis(theirs, ours, axis=1), best, atol=1e-5)
    gaps = -np.diff(np.sort(theirs, axis=1)[:, ::-1][:, :21], axis=1)
    clear = gaps.min(axis=1) > 1e-5
    assert clear.mean() > 0.5
    np.testing.assert_array_equal(ours[clear], np.argsort(-theirs[clear], axis=1)[:, :20])


def test_signs_do_not_depend_on_the_solver() -> None:
    counts = table(200, 10)
    one, other = word_vectors(counts, 10, "sqrt"), word_vectors(counts[::-1].copy(), 10, "sqrt")
    np.testing.assert_allclose(one, other[::-1], atol=1e-5)


def test_no_more_dimensions_than_there_are() -> None:
    counts = np.array([[1, 2, 0], [2, 4, 0], [0, 0, 3]])
    vectors = word_vectors(counts, 3, "raw")
    assert vectors.shape == (3, 2)
    np.testing.assert_allclose(vectors @ vectors.T, [[1, 1, 0], [1, 1, 0], [0, 0, 1]], atol=1e-6)


def test_words_without_features_have_no_neighbors() -> None:
    assert word_vectors(np.zeros((3, 2), np.int64), 2, "sqrt").shape == (3, 0)
    assert find_neighbors(np.zeros((3, 0), np.float32), 2).tolist() == [[3, 3]] * 3
    assert find_neighbors(np.zeros((1, 2), np.float32), 5).shape == (1, 0)


def naive_counts(window: int) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for line in tokenize(TEXT, "penn", case="lower"):
        for i, word in enumerate(line):
            for k, near in enumerate(line):
                if i != k and abs(i - k) <= window:
                    counts[word, near] = counts.get((word, near), 0) + 1
    return counts


@pytest.mark.parametrize("window", [1, 2, 15])
def test_training_counts_nearby_words(text: Path, window: int) -> None:
    lsa = LSA.train([text], LSASettings(window=window, top=11), vectors=True)
    words = list(lsa.words)
    features = [word for word in words if word not in ("at", ".", ",")]
    counts = naive_counts(window)
    expected = np.array([[counts.get((word, f), 0) for f in features] for word in words])
    np.testing.assert_allclose(lsa.vectors, word_vectors(expected, 100, "sqrt"), atol=1e-6)
    assert lsa.about["features"] == len(features)


def test_words_with_the_same_neighbors_are_similar(text: Path) -> None:
    lsa = LSA.train([text], LSASettings(top=1))
    assert lsa.nearest("cats") == ["dogs"]
    assert lsa.nearest("unknown") == []
    words = Lines.of(["cats", "dogs", "birds", "unknown", ""])
    left, right = np.array([0, 1, 0, 3, 0, 4, 0]), np.array([1, 0, 2, 0, 3, 0, 0])
    answers = [True, True, False, False, False, False, False]
    assert lsa.substitutable(words, left, right, None).tolist() == answers


@pytest.mark.parametrize("vectors", [False, True])
def test_files_keep_everything(vectors: bool, text: Path, tmp_path: Path) -> None:
    lsa = LSA.train([text], LSASettings(top=3), vectors=vectors)
    lsa.save(tmp_path / "a.lsa")
    again = LSA.open(tmp_path / "a.lsa")
    assert again.words == lsa.words
    np.testing.assert_array_equal(again.neighbors, lsa.neighbors)
    assert (again.vectors is not None) == vectors
    assert again.name == lsa.name
    assert again.about == lsa.about
    lsa.save(tmp_path / "b.lsa")
    assert (tmp_path / "a.lsa").read_bytes() == (tmp_path / "b.lsa").read_bytes()


def test_threads_change_nothing(text: Path) -> None:
    one, other = (LSA.train([text], LSASettings(top=3), threads=threads) for threads in (1, 3))
    assert one.name == other.name


@given(st.binary(max_size=100), st.booleans())
def test_any_bytes_are_refused(tmp_path: Path, content: bytes, magic: bool) -> None:
    path = tmp_path / "x.lsa"
    path.write_bytes(MAGIC + content if magic else content)
    with pytest.raises(FileFormatError, match=r"expected a model of latent semantic analysis|damaged"):
        LSA.open(path)


@given(st.data())
def test_a_changed_byte_or_a_truncated_file_is_detected(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "x.lsa"
    LSA(Lines.of(["a", "b"]), np.array([[1], [0]])).save(path)
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        del content[at:]
    else:
        content[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(bytes(content))
    with pytest.raises(FileFormatError):
        LSA.open(path)


GOOD = {
    "text": np.frombuffer(b"ab", np.uint8),
    "lengths": np.array([1, 1]),
    "neighbours": np.array([[1], [0]]),
}


@pytest.mark.parametrize(
    "change",
    [
        {"lengths": np.array([1, 2])},
        {"lengths": np.zeros(0, np.int64), "text": np.zeros(0, np.uint8)},
        {"neighbours": np.array([[1], [3]])},
        {"neighbours": np.array([1, 0])},
        {"neighbours": np.array([[1]])},
        {"text": np.frombuffer(b"aa", np.uint8)},
        {"text": np.array([[97, 98]])},
        {"vectors": np.zeros((3, 2), np.float32)},
        {"neighbours": np.zeros((2, 1), np.float32)},
    ],
)
def test_a_file_of_another_shape_is_refused(change: dict[str, np.ndarray], tmp_path: Path) -> None:
    path = tmp_path / "x.lsa"
    write_arrays(path, MAGIC, {}, GOOD)
    assert LSA.open(path).nearest("a") == ["b"]
    write_arrays(path, MAGIC, {}, GOOD | change)
    with pytest.raises(FileFormatError, match="of this version, found another; train it again"):
        LSA.open(path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"words": 1}, "words: expected a whole number from 2 to 1,000,000, found 1"),
        ({"features": 0}, "features: expected a whole number from 1"),
        ({"window": 0}, "window: expected a whole number from 1"),
        (
            {"dimensions": 1001},
            "dimensions: expected at most the number of features, 1,000, found 1,001",
        ),
        ({"top": 0}, "top: expected a whole number from 1"),
        ({"weight": "sqr"}, "unknown weight 'sqr'; did you mean 'sqrt'?"),
    ],
)
def test_wrong_settings(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        LSASettings(**settings)
    assert message in str(caught.value)


def test_text_of_stop_words_only(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("the of , 12\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected words other than stop words, found none"):
        LSA.train([path])


def test_the_stop_words_can_be_reconstructed(benchmark_data: Path, repository: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        "stop_words", repository / "tools/models/stop_words.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.stop_words(benchmark_data) == STOP_WORDS
